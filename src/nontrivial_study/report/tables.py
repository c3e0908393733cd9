"""Tables as the page shows them: numbers rounded for reading, long tables cut; and the runs that failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.files import find_files
from nontrivial.numerals import is_decimal
from nontrivial_study.experiments.results import FAILED, IMPOSSIBLE, NOT_EVALUATED_OUTCOME, outcomes_of
from nontrivial_study.report.notation import round_number
from nontrivial_study.tables import read_texts

# The columns that identify a run, and a point of the imbalance sweep.
_RUN_KEY = ["task", "dataset", "model", "loss", "positive", "noise", "minority_share", "rejects"]
_POINT_KEY = ["dataset", "model", "positive", "noise", "minority_share"]


def count_outcomes(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the runs behind each table that has a column ``status``, and how they ended."""
    rows = []
    for name, runs in _runs_by_table(tables).items():
        codes = outcomes_of(runs)
        counts = [int((codes == code).sum()) for code in (FAILED, IMPOSSIBLE, NOT_EVALUATED_OUTCOME)]
        rows.append((name, len(runs), *counts))
    return pd.DataFrame(rows, columns=["table", "runs", FAILED, IMPOSSIBLE, NOT_EVALUATED_OUTCOME])


def failed_runs(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """List the runs that failed."""
    parts = [pd.DataFrame(columns=["table", "task", "model", "reason"])]
    for name, runs in _runs_by_table(tables).items():
        failed = runs[outcomes_of(runs) == FAILED]
        task, model = failed.get("task", failed.get("dataset", "")), failed.get("model", "")
        failed = failed.assign(table=name, task=task, model=model, reason=failed["status"])
        parts.append(failed[parts[0].columns])
    return pd.concat(parts, ignore_index=True)


def _count_failures(failed: pd.DataFrame, column: str) -> pd.DataFrame:
    """Count failed runs by one of their columns, the greatest count first."""
    counts = failed[column].value_counts().rename("failed").rename_axis(column).reset_index()
    return counts.sort_values(["failed", column], ascending=[False, True], ignore_index=True).astype(str)


def missing_points(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep at which a measure has no mean, with the measures and the reasons."""
    all_measures = ", ".join(sweep["measure"].drop_duplicates())
    points = sweep[sweep["mean"] == ""].groupby(_POINT_KEY, sort=False)
    missing = points.agg(
        measures=("measure", ", ".join), reason=("reason", lambda reasons: "; ".join(dict.fromkeys(reasons)))
    )
    return missing.replace({"measures": {all_measures: "all"}}).reset_index()


def _runs_by_table(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the distinct runs of each table that has a status: a run may fill several rows of a table."""
    return {
        name: table.drop_duplicates([*(column for column in _RUN_KEY if column in table), "status"])
        for name, table in tables.items()
        if "status" in table
    }


def find_problems(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Count the runs, the failed runs and the points of the imbalance sweep without a value; show tables of these."""
    outcomes, failed = count_outcomes(tables), failed_runs(tables)
    problems = {}
    if len(outcomes):
        problems["Runs behind each table"] = show_table("outcomes", outcomes.astype(str))
    if len(failed):
        for column in ("model", "task", "reason"):
            counts = _count_failures(failed, column)
            problems[f"Failed runs by {column}"] = show_table(f"failed-by-{column}", counts)
        problems["Failed runs"] = show_table("failed-runs", failed)
    n_points = n_missing = 0
    if "imbalance_noise" in tables:
        missing = missing_points(tables["imbalance_noise"])
        n_points, n_missing = len(tables["imbalance_noise"][_POINT_KEY].drop_duplicates()), len(missing)
        if n_missing:
            problems["Points that have no value"] = show_table("missing-points", missing)
    n_runs, n_failed = int(outcomes["runs"].sum()), int(outcomes[FAILED].sum())
    return {"runs": n_runs, "failed": n_failed, "points": n_points, "missing": n_missing, "problems": problems}


MAX_WHOLE_ROWS = 600  # a longer table is cut
ROWS_OF_CUT_TABLE = 25
MAX_TABLE_CELLS = 30_000  # the cells in all tables of a page; at some 55 bytes each they stay well under 5 MB
# A table with more columns would fit no screen; it is transposed if it has few rows.
MAX_COLUMNS, MAX_TRANSPOSED_ROWS = 10, 6
MIN_WRAPPED_LENGTH = 40  # a text with so many characters or more is broken into lines


@dataclass(frozen=True)
class ShownColumn:
    """A column's heading, and whether all its texts are numbers."""

    name: str
    numeric: bool


@dataclass(frozen=True)
class ShownCell:
    """A text as it is shown and, if that is a rounded number, the exact text."""

    text: str
    exact: str | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table, or its first rows; `total` counts the rows in its file."""

    name: str
    columns: Sequence[ShownColumn]
    rows: Sequence[Sequence[ShownCell]]
    total: int
    whole: bool


def read_tables(results: Path) -> dict[str, pd.DataFrame]:
    """Read every table of a study by name, with every value as text."""
    return {path.stem: read_texts(path) for path in find_files(results / "tables", "*.csv")}


def show_tables(frames: Mapping[str, pd.DataFrame], budget: int = MAX_TABLE_CELLS) -> list[ShownTable]:
    """Prepare tables for one page: the smallest are whole, up to a budget of cells."""
    sizes = pd.Series({name: frame.size for name, frame in frames.items() if len(frame) <= MAX_WHOLE_ROWS})
    is_whole = sizes.sort_values(kind="stable").cumsum() <= budget
    return [show_table(name, frame, whole=is_whole.get(name, False)) for name, frame in frames.items()]


def show_table(name: str, frame: pd.DataFrame, *, whole: bool = True, total: int | None = None) -> ShownTable:
    """Prepare a table of texts for the page: round numbers, cut a long table, and transpose a wide one of few rows."""
    whole = len(frame) <= (MAX_WHOLE_ROWS if whole else ROWS_OF_CUT_TABLE)
    numeric = [_is_numeric(column) for _, column in frame.items()]
    columns = [ShownColumn(str(heading), number) for heading, number in zip(frame, numeric, strict=True)]
    rows = [
        [_number_cell(text) if number else ShownCell(text) for text, number in zip(row, numeric, strict=True)]
        for row in (frame if whole else frame.head(ROWS_OF_CUT_TABLE)).itertuples(index=False, name=None)
    ]
    if 0 < len(rows) <= MAX_TRANSPOSED_ROWS and len(columns) > MAX_COLUMNS:
        columns, rows = _transpose_table(columns, rows)
    total = len(frame) if total is None else total
    return ShownTable(name, columns, rows, total, whole and total == len(frame))


def _number_cell(text: str) -> ShownCell:
    rounded = round_number(text)
    return ShownCell(rounded, None if rounded == text else text)


def _is_numeric(column: pd.Series) -> bool:
    texts = [text for text in column if text]
    return bool(texts) and all(is_decimal(text) or text.lstrip("-") == "inf" for text in texts)


def _transpose_table(
    columns: list[ShownColumn], rows: list[list[ShownCell]]
) -> tuple[list[ShownColumn], list[list[ShownCell]]]:
    numeric = all(column.numeric for column in columns[1:])
    headings = [ShownColumn("column", False), *(ShownColumn(row[0].text, numeric) for row in rows)]
    transposed = [[ShownCell(column.name), *cells] for column, *cells in zip(columns, *rows, strict=True)]
    return headings, transposed[1:]


# Measures of a model's ranking, of its labels, and of its cost.
_SUMMARY_MEASURES = ["roc_auc", "pr_auc", "prg_auc", "prediction_advantage", "held_out_f1", "cost_curve_area"]


def summarise_models(tables: Mapping[str, pd.DataFrame]) -> ShownTable | None:
    """Show the medians of each model over its tasks, greatest Prediction Advantage first; None without areas."""
    if "curve_areas" not in tables:
        return None
    areas = tables["curve_areas"]
    measures = areas.reindex(columns=_SUMMARY_MEASURES, fill_value="").apply(pd.to_numeric, errors="coerce")
    by_model = measures.groupby(areas["model"])
    summary = by_model.median().sort_values("prediction_advantage", ascending=False, kind="stable")
    is_better = (measures["prediction_advantage"] > 0).where(measures["prediction_advantage"].notna())
    summary.insert(0, "tasks", by_model.size())
    summary.insert(4, "labels_better_share", is_better.astype(float).groupby(areas["model"]).mean())
    return show_table("models", summary.reset_index().astype("str").fillna(""))
