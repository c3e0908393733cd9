"""The numbers of the PRG paper's Figure 4: ranks under two areas counted, and two tasks in which they differ."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.ranking import compare_ranks, rank_models, rounded
from nontrivial_study.experiments.status import OK

QUARTILES = {"lower quartile": 0.25, "upper quartile": 0.75}


def rank_counts(areas: pd.DataFrame, across: str, up: str, models: int) -> pd.DataFrame:
    """Count the models by their ranks under two areas (PRG paper, Figure 4 left).

    Models that share a place under either area are left out: no cell is theirs.

    Returns
    -------
    DataFrame of models squared rows
        ``<across>_rank``, ``<up>_rank`` and ``count``, zeros included.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "model": ["a", "b"], "status": "ok", "x": [2, 1], "y": [1, 2]})
    >>> rank_counts(areas, "x", "y", models=2)["count"].tolist()  # (1, 1), (1, 2), (2, 1), (2, 2)
    [0, 1, 1, 0]
    """
    ranks = rank_models(areas, [across, up])[[across, up]].to_numpy()
    ranks = ranks[~_tied(areas, across, up)].astype(int) - 1
    counts = np.zeros((models, models), dtype=int)
    np.add.at(counts, (ranks[:, 0], ranks[:, 1]), 1)
    first, second = np.indices(counts.shape) + 1
    return pd.DataFrame(
        {f"{across}_rank": first.ravel(), f"{up}_rank": second.ravel(), "count": counts.ravel()}
    )


def _tied(areas: pd.DataFrame, across: str, up: str) -> np.ndarray:
    """Return which of the models that were ranked have the same area as another of their task, under either area."""
    whole = areas[areas["status"] == OK]
    values = rounded(whole[[across, up]]).assign(task=whole["task"])
    shared = [values.duplicated(["task", area], keep=False) for area in (across, up)]
    return np.asarray(shared[0] | shared[1])


def quartile_tasks(areas: pd.DataFrame, across: str, up: str) -> pd.DataFrame:
    """Find the tasks whose rank correlation is the lower and the upper quartile among all tasks (Figure 4 right).

    A quartile is the least correlation that a quarter, or three quarters, of the tasks do not exceed; of several
    tasks that have it, the first in the table is taken. Tasks without a correlation are left out.

    Returns
    -------
    DataFrame of two rows, of none where no task has a correlation
        ``quartile, task, task_correlation``.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": list("ssttuu"), "status": "ok", "x": [1, 2] * 3, "y": [2, 1, 1, 2, 1, 2]})
    >>> areas["rows_of"] = areas["task"]
    >>> quartile_tasks(areas, "x", "y")
             quartile task  task_correlation
    0  lower quartile    s              -1.0
    1  upper quartile    t               1.0
    """
    comparison = compare_ranks(areas, across, up)
    correlations = pd.Series(comparison.correlations, index=comparison.tasks).dropna().round(12)
    rows = []
    for name, share in QUARTILES.items():
        if len(correlations):
            value = np.quantile(correlations, share, method="inverted_cdf")
            rows.append((name, correlations.index[correlations == value][0], value))
    return pd.DataFrame(rows, columns=["quartile", "task", "task_correlation"])


def rank_figure_table(areas: pd.DataFrame, across: str, up: str, models: int) -> pd.DataFrame:
    """Return everything that Figure 4 shows.

    Returns
    -------
    DataFrame
        ``panel``: the ``"all"`` row has ``tasks``, ``datasets`` (that they are made of) and ``tied``, the models that
        are left out to the left; ``"left"`` rows have the columns of `rank_counts`; ``"right"`` rows those of
        `quartile_tasks`, ``model`` and the two areas, for each model of the two tasks.
    """
    left = rank_counts(areas, across, up, models).assign(panel="left")
    whole = areas.loc[areas["status"] == OK, ["task", "rows_of", "model", across, up]]
    every = {"tasks": whole["task"].nunique(), "datasets": whole["rows_of"].nunique()}
    every["tied"] = int(_tied(areas, across, up).sum())
    whole = whole.drop(columns="rows_of")
    right = quartile_tasks(areas, across, up).merge(whole, on="task").assign(panel="right")
    columns = ["panel", *every, *left.columns[:-1], *right.columns[:-1]]
    table = pd.concat([pd.DataFrame([{"panel": "all"} | every]), left, right], ignore_index=True)
    return table[columns].astype(dict.fromkeys([*every, *left.columns[:-1]], "Int64"))
