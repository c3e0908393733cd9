"""What did not come out: runs that failed, were impossible or were not evaluated, counted with their reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from nontrivial_study.experiments.results import FAILED, IMPOSSIBLE, NOT_EVALUATED, outcomes_of

# The columns that name a run; a table's other columns hold its results.
_RUN = ["task", "dataset", "model", "loss", "positive", "noise", "minority_share", "rejects"]
_POINT = ["dataset", "model", "positive", "noise", "minority_share"]


@dataclass(frozen=True)
class Outcomes:
    """How the runs behind one table ended."""

    table: str
    runs: int
    failed: int
    impossible: int
    not_evaluated: int


def count_outcomes(tables: Mapping[str, pd.DataFrame]) -> list[Outcomes]:
    """Count the runs behind each table that has a column ``status``.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": ["a", "a"], "model": ["x", "y"], "status": ["ok", "failed in fold 1: E"]})
    >>> count_outcomes({"curve_areas": areas})
    [Outcomes(table='curve_areas', runs=2, failed=1, impossible=0, not_evaluated=0)]
    """
    outcomes = []
    for name, runs in _runs(tables).items():
        codes = outcomes_of(runs)
        counts = [int((codes == code).sum()) for code in (FAILED, IMPOSSIBLE, NOT_EVALUATED)]
        outcomes.append(Outcomes(name, len(runs), *counts))
    return outcomes


def failed_runs(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """List the runs that failed.

    Returns
    -------
    DataFrame of str
        ``table, task, model, reason``; where a table has no tasks, task is its data set.
    """
    parts = [pd.DataFrame(columns=["table", "task", "model", "reason"])]
    for name, runs in _runs(tables).items():
        failed = runs[outcomes_of(runs) == FAILED]
        task = failed["task"] if "task" in failed else failed.get("dataset", "")
        model = failed.get("model", "")
        parts.append(
            failed.assign(table=name, task=task, model=model, reason=failed["status"])[parts[0].columns]
        )
    return pd.concat(parts, ignore_index=True)


def tally(failed: pd.DataFrame, column: str) -> pd.DataFrame:
    """Count failed runs by one of their columns, the greatest count first.

    Examples
    --------
    >>> tally(pd.DataFrame({"model": ["b", "a", "a"]}), "model").to_numpy().tolist()
    [['a', '2'], ['b', '1']]
    """
    counts = failed[column].value_counts().rename("failed").rename_axis(column).reset_index()
    return counts.sort_values(["failed", column], ascending=[False, True], ignore_index=True).astype(str)


def points_of(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep: class, noise and share of one model on one data set."""
    return sweep[_POINT].drop_duplicates()


def missing_points(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep at which a measure has no mean, with the measures and the reasons."""
    missing = sweep[sweep["mean"] == ""]
    every = ", ".join(sweep["measure"].drop_duplicates())
    points = missing.groupby(_POINT, sort=False).agg(
        measures=("measure", ", ".join), reason=("reason", lambda reasons: "; ".join(dict.fromkeys(reasons)))
    )
    return points.replace({"measures": {every: "all"}}).reset_index()


def _runs(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The runs behind each table with a status, one row each, though a run may fill several rows of the table."""
    runs = {}
    for name, table in tables.items():
        if "status" in table:
            keys = [column for column in _RUN if column in table]
            runs[name] = table.drop_duplicates([*keys, "status"])
    return runs
