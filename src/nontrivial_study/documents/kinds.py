"""The kinds of claims that read the tables and data of a study.

Each function takes the results folder and the keys under ``over`` in the registry: paths in that folder, and the rows
to read. It returns points, or `NothingFound` with the reason if the study does not have the numbers.
"""

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.claims.domains.tables import TABLE_CELLS, TableCases
from nontrivial.claims.language.numbers import Ratios
from nontrivial.claims.points import Point
from nontrivial.claims.verdict import NothingFound
from nontrivial.files import read_json
from nontrivial.measures.catalogue import CATALOGUE, RATIO_SCALE
from nontrivial.measures.intervals import clopper_pearson
from nontrivial_study.tables import read_texts

Where = Mapping[str, str | Sequence[str]]  # for each column, the value or values of the rows to read
Points = list[Point] | NothingFound
Rates = tuple[tuple[Fraction, Fraction], ...]
_STEPS_IN_INTERVAL = 4
_PRINTED_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def rows(results: Path, *, table: str, where: Where, by: Sequence[str], ends: Sequence[str] = ()) -> Points:
    """Return a point for each table row with the values in `where`. The columns `by` distinguish the points.

    A number in one of the columns `ends` has an interval, from the columns ``..._low`` and ``..._high``. A number
    without its interval counts as missing. A JSON file is a table of one row, in which ``{"classes": {"yes": 81}}`` is
    the column ``classes_yes``.
    """
    texts = _read_table_texts(results / table, (results / table).stat().st_mtime_ns)
    columns_with_ends = [f"{name}{end}" for name in ends for end in ("", "_low", "_high")]
    for column in (*where, *by, *columns_with_ends):
        if column not in texts:
            raise ValueError(f"{table} has no column {column!r}; it has {', '.join(texts.columns)}.")
    for column, value in where.items():
        texts = texts[texts[column].isin([value] if isinstance(value, str) else value)]
    points = []
    for line in texts.to_dict("records"):
        values = {
            str(name): Fraction(text) if text else None
            for name, text in line.items()
            if not text or _PRINTED_NUMBER.fullmatch(text)
        }
        ranges = {}
        for name in ends:
            low, high = values.get(f"{name}_low"), values.get(f"{name}_high")
            if low is None or high is None:
                values[name] = None
            else:
                ranges[name] = (low, high)
        points.append(Point(values, ranges, key={column: line[column] for column in by}))
    return points or NothingFound("no row", {"table": table, "where": dict(where)})


@functools.lru_cache(maxsize=8)  # many claims read the same table
def _read_table_texts(path: Path, modified: int) -> pd.DataFrame:
    """Read a table or JSON file with all cells as texts. A new time `modified` makes the cache read the file again."""
    if path.suffix == ".json":
        return pd.json_normalize(read_json(path), sep="_").astype(str)
    return read_texts(path).astype(object)


def row(
    results: Path,
    *,
    table: str,
    where: Where | None = None,
    by: Sequence[str] = (),
    about: Mapping[str, str] | None = None,
    ends: Sequence[str] = (),
) -> Points:
    """Return a point for the only table row with the values in `where`. With columns `by`, read all such rows.

    `about` maps columns to their values in the document's study. If the row has other values, the point has both, and
    a claim about the point gets no verdict.
    """
    where, about = where or {}, about or {}
    if by:
        return rows(results, table=table, where=where, by=by, ends=ends)
    points = rows(results, table=table, where=where, by=list(about), ends=ends)
    if isinstance(points, NothingFound):
        return points
    if len(points) > 1:
        raise ValueError(f"{table} has {len(points)} rows with {dict(where)}; exactly one is allowed.")
    ours = points[0].key
    if any(ours[column] != theirs for column, theirs in about.items()):
        elsewhere = {column: [ours[column], theirs] for column, theirs in about.items()}
        return [replace(points[0], elsewhere=elsewhere)]
    return points


def archived_run(results: Path, *, selection: str, table: str, task: int, run: int) -> Points:
    """Read the table row of an archived run. The selection gives the flow of the run, which the table names."""
    entries = [entry for entry in read_json(results / selection)["tasks"] if entry["task"] == task]
    flow_of_run = {drawn["run"]: drawn["flow_name"] for entry in entries for drawn in entry["runs"]}
    if run not in flow_of_run:
        return NothingFound("no run", {"selection": selection, "run": run, "task": task})
    return row(results, table=table, where={"task": f"openml_{task}", "model": flow_of_run[run]})


def error_rate(results: Path, *, table: str, where: Where) -> Points:
    """Return a point with a model's share of errors, ``error``, and its exact binomial interval."""
    cells = _read_cells(results, table, where)
    if isinstance(cells, NothingFound):
        return cells
    errors, n = cells["fp"] + cells["fn"], sum(cells.values())
    return [Point({"error": Fraction(errors, n)}, {"error": binomial_interval(errors, n, CONFIDENCE_LEVEL)})]


def imbalance(results: Path, *, table: str, where: Where, counts: str = "tables/measures.csv") -> Points:
    """Read the mean measures at each ``noise`` and ``minority_share`` (PA paper, Section 5 and Figure 1).

    The means come from test sets that are redrawn from the same few cases. So the uncertain numbers are the
    classifier's two rates, estimated from the table `counts`. We compute the possible measures from the expected table
    at rates in a joint 95 % region, the product of two exact binomial intervals.
    """
    points = rows(results, table=table, where=where, by=("noise", "minority_share", "measure", "mean"))
    if isinstance(points, NothingFound):
        return points
    cells = _read_cells(results, counts, where)
    if isinstance(cells, NothingFound):
        return cells
    rates = possible_rates(**cells)
    means: dict[tuple[str, str], dict[str, Fraction | None]] = {}
    for point in points:
        noise, share, measure, mean = point.key.values()
        if CATALOGUE[measure].scale == RATIO_SCALE:  # other measures need roots
            means.setdefault((noise, share), {})[measure] = Fraction(mean) if mean else None
    return [
        Point(
            {"noise": Fraction(noise), "minority_share": Fraction(share), **measures},
            possible=_possible_measures(Fraction(noise), Fraction(share), rates, tuple(measures)),
            key={"noise": noise, "minority_share": share},
        )
        for (noise, share), measures in means.items()
    ]


def _read_cells(results: Path, table: str, where: Where) -> dict[str, int] | NothingFound:
    """Return the cells of a confusion table by name, from the first row with the values in `where`."""
    points = rows(results, table=table, where=where, by=TABLE_CELLS)
    if isinstance(points, NothingFound):
        return points
    cells = points[0].key
    if not all(cells.values()):
        return NothingFound("empty columns", {"table": table, "columns": list(TABLE_CELLS)})
    return {name: int(cells[name]) for name in TABLE_CELLS}


def binomial_interval(successes: int, trials: int, level: float) -> tuple[Fraction, Fraction]:
    """Return the exact (Clopper-Pearson) interval of a share, rounded to nine decimals."""
    low, high = clopper_pearson(successes, trials, level)
    return round(Fraction(low), 9), round(Fraction(high), 9)


def possible_rates(fp: int, tp: int, fn: int, tn: int) -> Rates:
    """Return pairs of a true and a false positive rate, on a grid over the joint 95 % region of the two rates."""

    def rates_in_confidence_interval(positives: int, negatives: int) -> list[Fraction]:
        # Two independent intervals at the root of the confidence level have the confidence level together.
        low, high = binomial_interval(positives, positives + negatives, CONFIDENCE_LEVEL**0.5)
        return [low + (high - low) * step / _STEPS_IN_INTERVAL for step in range(_STEPS_IN_INTERVAL + 1)]

    return tuple(itertools.product(rates_in_confidence_interval(tp, fn), rates_in_confidence_interval(fp, tn)))


@functools.cache  # many claims read the same points
def _possible_measures(
    noise: Fraction, share: Fraction, rates: Rates, names: tuple[str, ...]
) -> list[dict[str, Fraction | None]]:
    """Return the exact measures of the expected table at each pair of rates, or none if noise exceeds share."""
    flipped = noise / 2
    if flipped > share:
        return []
    tables = []
    for recall, alarms in rates:
        tp = (share - flipped) * recall + flipped * alarms
        fp = (1 - share - flipped) * alarms + flipped * recall
        cells = (fp, tp, share - tp, 1 - share - fp)
        scale = math.lcm(*(cell.denominator for cell in cells))
        tables.append([int(cell * scale) for cell in cells])
    table = TableCases(*map(Ratios, np.array(tables, dtype=object).T))
    columns = [table.value(name).fractions() for name in names]
    parameters = {"noise": noise, "minority_share": share}
    return [parameters | dict(zip(names, numbers, strict=True)) for numbers in zip(*columns, strict=True)]


KINDS: dict[str, Callable[..., Points]] = {
    "row": row,
    "archived run": archived_run,
    "error rate": error_rate,
    "imbalance": imbalance,
}
