"""Tables as the page shows them: texts, numbers rounded for reading, long ones cut; and what did not come out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.files import find_files
from nontrivial.numerals import is_decimal
from nontrivial_study.experiments.results import FAILED, IMPOSSIBLE, NOT_EVALUATED, outcomes_of
from nontrivial_study.report.notation import round_number
from nontrivial_study.tables import read_texts

# The columns that name a run; a table's other columns hold its results.
_RUN = ["task", "dataset", "model", "loss", "positive", "noise", "minority_share", "rejects"]
_POINT = ["dataset", "model", "positive", "noise", "minority_share"]


def count_outcomes(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the runs behind each table that has a column ``status``, and how they ended."""
    rows = []
    for name, runs in _runs(tables).items():
        codes = outcomes_of(runs)
        counts = [int((codes == code).sum()) for code in (FAILED, IMPOSSIBLE, NOT_EVALUATED)]
        rows.append((name, len(runs), *counts))
    return pd.DataFrame(rows, columns=["table", "runs", FAILED, IMPOSSIBLE, NOT_EVALUATED])


def failed_runs(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """List the runs that failed."""
    parts = [pd.DataFrame(columns=["table", "task", "model", "reason"])]
    for name, runs in _runs(tables).items():
        failed = runs[outcomes_of(runs) == FAILED]
        about = {"task": failed.get("task", failed.get("dataset", "")), "model": failed.get("model", "")}
        parts.append(failed.assign(table=name, **about, reason=failed["status"])[parts[0].columns])
    return pd.concat(parts, ignore_index=True)


def _tally(failed: pd.DataFrame, column: str) -> pd.DataFrame:
    """Count failed runs by one of their columns, the greatest count first."""
    counts = failed[column].value_counts().rename("failed").rename_axis(column).reset_index()
    return counts.sort_values(["failed", column], ascending=[False, True], ignore_index=True).astype(str)


def missing_points(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep at which a measure has no mean, with the measures and the reasons."""
    every = ", ".join(sweep["measure"].drop_duplicates())
    points = sweep[sweep["mean"] == ""].groupby(_POINT, sort=False)
    missing = points.agg(
        measures=("measure", ", ".join), reason=("reason", lambda reasons: "; ".join(dict.fromkeys(reasons)))
    )
    return missing.replace({"measures": {every: "all"}}).reset_index()


def _runs(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The runs behind each table with a status, one row each, though a run may fill several rows of the table."""
    return {
        name: table.drop_duplicates([*(column for column in _RUN if column in table), "status"])
        for name, table in tables.items()
        if "status" in table
    }


def find_problems(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Count the runs, those that failed, and the points of imbalance and noise without a value, with tables of them."""
    outcomes, failed = count_outcomes(tables), failed_runs(tables)
    problems = (
        {"Runs behind each table": show_table("outcomes", outcomes.astype(str))} if len(outcomes) else {}
    )
    if len(failed):
        for column in ("model", "task", "reason"):
            problems[f"Failed runs by {column}"] = show_table(f"failed-by-{column}", _tally(failed, column))
        problems["Failed runs"] = show_table("failed-runs", failed)
    points = missing = 0
    if "imbalance_noise" in tables:
        without_value = missing_points(tables["imbalance_noise"])
        points, missing = len(tables["imbalance_noise"][_POINT].drop_duplicates()), len(without_value)
        if missing:
            problems["Points that have no value"] = show_table("missing-points", without_value)
    counts = {"runs": int(outcomes["runs"].sum()), "failed": int(outcomes[FAILED].sum())}
    return {**counts, "points": points, "missing": missing, "problems": problems}


OPEN_ROWS = 25  # of a table that is too long to be shown whole
WHOLE_ROWS = 600  # a table with more rows shows only its first ones
CELL_BUDGET = 30_000  # cells of all tables of a page; at some 55 bytes each they stay well under 5 MB
# A table with more columns and at most so many rows is turned; it would fit no screen.
WIDE_COLUMNS, FEW_ROWS = 10, 6
LONG = 40  # a text with so many characters or more is broken into lines


@dataclass(frozen=True)
class Column:
    """A column's heading, and whether all that it holds are numbers."""

    name: str
    numeric: bool


@dataclass(frozen=True)
class Cell:
    """A value as it is shown and, where that rounds it, as it is."""

    text: str
    exact: str | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table, or its first rows, of `total` in its file."""

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    total: int
    whole: bool


def read_tables(results: Path) -> dict[str, pd.DataFrame]:
    """Read every table of a study by name, with every value as text."""
    return {path.stem: read_texts(path) for path in find_files(results / "tables", "*.csv")}


def show_tables(frames: Mapping[str, pd.DataFrame], budget: int = CELL_BUDGET) -> list[ShownTable]:
    """Prepare tables for one page, the smaller ones whole as far as a budget of cells reaches."""
    whole = set()
    candidates = [(name, frame) for name, frame in frames.items() if len(frame) <= WHOLE_ROWS]
    for name, frame in sorted(candidates, key=lambda item: item[1].size):
        budget -= frame.size
        if budget >= 0:
            whole.add(name)
    return [show_table(name, frame, whole=name in whole) for name, frame in frames.items()]


def show_table(name: str, frame: pd.DataFrame, *, whole: bool = True, total: int | None = None) -> ShownTable:
    """Prepare a table of texts for the page."""
    whole = len(frame) <= (WHOLE_ROWS if whole else OPEN_ROWS)
    numeric = [_is_numeric(column) for _, column in frame.items()]
    columns = [Column(str(heading), number) for heading, number in zip(frame, numeric, strict=True)]
    rows = [
        [_number_cell(text) if number else Cell(text) for text, number in zip(row, numeric, strict=True)]
        for row in (frame if whole else frame.head(OPEN_ROWS)).itertuples(index=False, name=None)
    ]
    if 0 < len(rows) <= FEW_ROWS and len(columns) > WIDE_COLUMNS:
        columns, rows = _turn(columns, rows)
    total = len(frame) if total is None else total
    return ShownTable(name, columns, rows, total, whole and total == len(frame))


def _number_cell(text: str) -> Cell:
    short, rounded = round_number(text)
    return Cell(short, text) if rounded else Cell(text)


def _is_numeric(column: pd.Series) -> bool:
    there = [text for text in column if text]
    return bool(there) and all(is_decimal(text) or text.lstrip("-") == "inf" for text in there)


def _turn(columns: list[Column], rows: list[list[Cell]]) -> tuple[list[Column], list[list[Cell]]]:
    numeric = all(column.numeric for column in columns[1:])
    headings = [Column("column", False), *(Column(row[0].text, numeric) for row in rows)]
    turned = [[Cell(column.name), *cells] for column, *cells in zip(columns, *rows, strict=True)]
    return headings, turned[1:]


# What answers the questions about a model: is its ranking good, are its labels, and what does it cost?
_ANSWERS = ["roc_auc", "pr_auc", "prg_auc", "prediction_advantage", "held_out_f1", "cost_curve_area"]


def summarise_models(tables: Mapping[str, pd.DataFrame]) -> ShownTable | None:
    """Show the median answers of each model over its tasks, those with the best labels first; None without areas."""
    if "curve_areas" not in tables:
        return None
    areas = tables["curve_areas"]
    answers = areas.reindex(columns=_ANSWERS, fill_value="").apply(pd.to_numeric, errors="coerce")
    by_model = answers.groupby(areas["model"])
    summary = by_model.median().sort_values("prediction_advantage", ascending=False, kind="stable")
    is_better = (answers["prediction_advantage"] > 0).where(answers["prediction_advantage"].notna())
    summary.insert(0, "tasks", by_model.size())
    summary.insert(4, "labels_better_share", is_better.astype(float).groupby(areas["model"]).mean())
    return show_table("models", summary.reset_index().astype("str").fillna(""))
