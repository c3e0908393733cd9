"""The kinds of claims that read the tables and data of a study: rows, experiments, archived runs.

Each function takes the results folder, and what the registry gives under ``over``: paths in that folder, and what is
looked for. It returns points, or `Absent` where the study does not say.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from nontrivial.claims.domains import CELLS, ROOTS, Point, Table
from nontrivial.claims.verdict import Absent
from nontrivial.files import read_json
from nontrivial.measures.intervals import clopper_pearson
from nontrivial_study.tables import read_texts

# Rows of the study's tables.


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def read_rows(
    results: Path, table: str, where: Mapping[str, str], columns: Sequence[str]
) -> list[dict[str, str]] | Absent:
    """Read the rows of a CSV table that have given values, as text; ValueError if the table lacks a column."""
    path = results / table
    texts = _texts(path, path.stat().st_mtime_ns)
    for column in (*where, *columns):
        if column not in texts:
            raise ValueError(f"{table} has no column {column!r}; it has {', '.join(texts.columns)}.")
    for column, value in where.items():
        texts = texts[texts[column] == value]
    rows: list[dict[str, str]] = texts.to_dict("records")  # type: ignore[assignment]  # all its columns are texts
    return rows or Absent("no row", {"table": table, "where": dict(where)})


@functools.lru_cache(maxsize=8)  # claims share their tables
def _texts(path: Path, modified: int) -> pd.DataFrame:
    return read_texts(path).astype(object)


def _read_row(
    results: Path, table: str, where: Mapping[str, str], columns: Sequence[str]
) -> dict[str, str] | Absent:
    """Read the one row that has given values; ValueError if there are several."""
    rows = read_rows(results, table, where, columns)
    if isinstance(rows, Absent):
        return rows
    if len(rows) > 1:
        raise ValueError(f"{table} has {len(rows)} rows with {dict(where)}; exactly one is allowed.")
    return rows[0]


def row(
    results: Path,
    *,
    table: str,
    where: Mapping[str, str],
    about: Mapping[str, str] | None = None,
    ends: Mapping[str, Sequence[str]] | None = None,
    selection: str | None = None,
) -> list[Point] | Absent:
    """Read the one row of a table that has given values.

    `about` are columns and the values that they must have for the claim to be about this study at all. `ends` tells for
    a column which two others hold the ends between which its number may lie. Without the `selection` of archived runs
    there is no such study.
    """
    about, ends = about or {}, ends or {}
    line = _read_row(results, table, where, [*about, *ends, *itertools.chain(*ends.values())])
    if isinstance(line, Absent):
        return line
    for column, wanted in about.items():
        if line[column] != wanted:
            numbers = {name: line[name] for pair in ends.items() for name in (pair[0], *pair[1])}
            about_it = {"table": table, "column": column, "wanted": wanted, "there": line[column]}
            return Absent("another study", about_it | {"numbers": numbers})
    values = {
        name: Fraction(text) if text else None
        for name, text in line.items()
        if not text or _NUMBER.fullmatch(text)
    }
    ranges = {}
    for name, (first, last) in ends.items():
        low, high = values.get(first), values.get(last)
        if low is None or high is None:
            values[name] = None
        else:
            ranges[name] = (low, high)
    return [Point(values, ranges)]


def break_even_segment(results: Path, *, table: str) -> list[Point] | Absent:
    """Of the PRG paper's example, the calibrated score ``d`` of the segment that ends where gains are closest to equal.

    The table has for each segment the ``positives`` on it, ``tp`` and ``fp`` at its end, and ``d``.
    """
    found = read_rows(results, table, {}, ("segment", "positives", "tp", "fp", "d"))
    if isinstance(found, Absent):
        return found
    positives = sum(int(line["positives"]) for line in found)

    def distance(line: Mapping[str, str]) -> Fraction:
        """How far the gains are apart, up to a factor that all points share."""
        tp, fp = int(line["tp"]), int(line["fp"])
        return abs(Fraction(fp - (positives - tp), tp))

    closest = min((line for line in found if int(line["tp"])), key=distance)
    if not closest["d"]:
        return Absent("empty columns", {"table": table, "columns": ["d"]})
    return [Point.exact(d=Fraction(closest["d"]))]


# OpenML's archive: its selected tasks, and single runs that a document names.


def data_sets(results: Path, *, selection: str, tasks: int) -> list[Point] | Absent:
    """Count the different data sets of so many selected tasks, as ``data_sets``."""
    chosen = read_json(results / selection)["tasks"]
    found = len({task["data"] for task in chosen})
    if len(chosen) != tasks:
        about = {"selection": selection, "what": "tasks", "wanted": tasks, "there": len(chosen)}
        return Absent("another selection", about | {"numbers": {"data sets": found}})
    return [Point.exact(data_sets=found)]


def tasks(
    results: Path, *, selection: str, archive: str, flows: int, until: str, last_run: int
) -> list[Point] | Absent:
    """Count the tasks that can be selected, as ``tasks``, with those that the study leaves out, which could be too.

    The claim is about an archive's host, tasks with so many `flows`, and evaluations `until` a day, of which `last_run`
    was the last.
    """
    chosen = read_json(results / selection)
    settings = chosen["settings"]
    for what, wanted, there in (
        ("archive", archive, urlsplit(chosen["source"]).hostname),
        ("flows", flows, settings["flows"]),
        ("last day", until, settings["cutoff_date"]),
        ("last run", last_run, min(settings["run_id_bound"], last_run)),  # a later bound leaves none out
    ):
        if wanted != there:
            about = {"selection": selection, "what": what, "wanted": wanted, "there": there}
            return Absent("another selection", about)
    left_out = set(settings["leave_out"]["tasks"])  # each was found able to be selected
    return [Point.exact(tasks=len(chosen["tasks"]) + len(left_out))]


def runs(
    results: Path, *, selection: str, table: str, task: int, runs: Mapping[str, int], area: str
) -> list[Point] | Absent:
    """Read areas of archived runs of a task, by the names given to OpenML's numbers of the runs.

    In the table a run stands under its flow, which the selection tells.
    """
    chosen = read_json(results / selection)["tasks"]
    flows = {one["run"]: one["flow_name"] for each in chosen if each["task"] == task for one in each["runs"]}
    found = {}
    for name, run in runs.items():
        if run not in flows:
            return Absent("no run", {"selection": selection, "run": run, "task": task})
        where = {"task": f"openml_{task}", "model": flows[run]}
        line = _read_row(results, table, where, (area, "status"))
        if isinstance(line, Absent):
            return line
        if not line[area]:
            about = {"table": table, "area": area, "run": run, "status": line["status"]}
            return Absent("failed run", about)
        found[name] = Fraction(line[area])
    return [Point.exact(**found)]


# The study's experiments with their sampling error: that of the data, and not only of redraws from them.


LEVEL = 0.95
_STEPS = 4  # between the ends of a rate's interval
_DIGITS = 9
Rates = tuple[tuple[Fraction, Fraction], ...]


def imbalance(
    results: Path, *, table: str, where: Mapping[str, str], counts: str = "tables/measures.csv"
) -> list[Point] | Absent:
    """Look at mean measures at every noise level and minority share, themselves known as ``noise, minority_share``.

    The means are of test sets redrawn from the same few cases, so that what is uncertain is the classifier's two rates,
    which the table of `counts` tells. Possible is whatever the measures of the expected table come to within the rates'
    joint 95 % region, the square of two exact binomial intervals (PA paper, Section 5 and Figure 1).
    """
    found = read_rows(results, table, where, ("noise", "minority_share", "measure", "mean"))
    if isinstance(found, Absent):
        return found
    counted = _counts(results, counts, {key: where[key] for key in ("dataset", "model")})
    if isinstance(counted, Absent):
        return counted
    cells, positive = counted
    if positive != where["positive"]:
        cells = dict(zip(CELLS, (cells[name] for name in ("fn", "tn", "fp", "tp")), strict=True))
    rates = possible_rates(cells)
    points: dict[tuple[str, str], dict[str, Fraction | None]] = {}
    for line in found:
        measures = points.setdefault((line["noise"], line["minority_share"]), {})
        measures[line["measure"]] = Fraction(line["mean"]) if line["mean"] else None
    return [
        Point(
            {"noise": Fraction(noise), "minority_share": Fraction(share), **measures},
            possible=_possible_measures(Fraction(noise), Fraction(share), rates, tuple(measures)),
            place={"noise": noise, "minority_share": share},
        )
        for (noise, share), measures in points.items()
    ]


def walks(results: Path, *, table: str, where: Mapping[str, str]) -> list[Point] | Absent:
    """Look at how far each measure lets one walk before it warns, for every walk into imbalance or noise.

    A walk along the minority share starts at one half, and one along the noise at none. The whole walk is known as
    ``end``; a measure that never warns gets there.
    """
    columns = ("held", "at", "moves", "measure", "crossing", "low", "high", "outcome")
    found = read_rows(results, table, where, columns)
    if isinstance(found, Absent):
        return found
    if not all(line["crossing"] or line["outcome"] == "never" for line in found):
        return Absent("empty columns", {"table": table, "columns": ["crossing"]})
    lengths: dict[tuple[str, str], dict[str, list[Fraction]]] = {}
    for line in found:
        at = Fraction(line["at"])
        start, end = (Fraction(1, 2), at / 2) if line["moves"] == "minority_share" else (Fraction(0), 2 * at)
        walked = [abs(Fraction(line[key] or end) - start) for key in ("crossing", "low", "high")]
        of_walk = lengths.setdefault((line["held"], line["at"]), {"end": [abs(end - start)]})
        of_walk[line["measure"]] = walked
    return [
        Point(
            {name: walked[0] for name, walked in of_walk.items()},
            {name: (min(walked), max(walked)) for name, walked in of_walk.items()},
            place={held: at},
        )
        for (held, at), of_walk in lengths.items()
    ]


def error_rate(results: Path, *, table: str, where: Mapping[str, str]) -> list[Point] | Absent:
    """Give a model's share of errors, as ``error``, within its exact binomial interval."""
    found = _counts(results, table, where)
    if isinstance(found, Absent):
        return found
    cells, _ = found
    errors, n = cells["fp"] + cells["fn"], sum(cells.values())
    return [Point({"error": Fraction(errors, n)}, {"error": binomial_interval(errors, n, LEVEL)})]


def classes(results: Path, *, record: str) -> list[Point] | Absent:
    """Give the share of the smallest class, as ``smallest_share``, from a data set's record."""
    counts = read_json(results / record)["classes"].values()
    return [Point.exact(smallest_share=Fraction(min(counts), sum(counts)))]


def binomial_interval(successes: int, trials: int, level: float) -> tuple[Fraction, Fraction]:
    """The exact (Clopper-Pearson) interval of a share, rounded to nine decimals."""
    low, high = clopper_pearson(successes, trials, level)
    return Fraction(f"{low:.{_DIGITS}f}"), Fraction(f"{high:.{_DIGITS}f}")


def _counts(results: Path, table: str, where: Mapping[str, str]) -> tuple[dict[str, int], str] | Absent:
    """Return the four counts, and the label that is positive."""
    line = _read_row(results, table, where, (*CELLS, "positive"))
    if isinstance(line, Absent):
        return line
    if not all(line[cell] for cell in CELLS):
        return Absent("empty columns", {"table": table, "columns": list(CELLS)})
    return {cell: int(line[cell]) for cell in CELLS}, line["positive"]


def possible_rates(cells: Mapping[str, int]) -> Rates:
    """True and false positive rates on a grid over their joint region."""
    each: list[list[Fraction]] = []
    for called, others in (("tp", "fn"), ("fp", "tn")):
        low, high = binomial_interval(cells[called], cells[called] + cells[others], LEVEL**0.5)
        each.append([low + (high - low) * step / _STEPS for step in range(_STEPS + 1)])
    return tuple(itertools.product(each[0], each[1]))


@functools.cache  # claims share their points
def _possible_measures(
    noise: Fraction, share: Fraction, rates: Rates, names: tuple[str, ...]
) -> list[dict[str, Fraction | None]]:
    """The measures of the expected table for each pair of rates, exactly; none where there is no such table."""
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
    table = Table(*np.array(tables, dtype=object).T)
    columns = [_numbers(name, table) for name in names]
    known = {"noise": noise, "minority_share": share}
    return [known | dict(zip(names, numbers, strict=True)) for numbers in zip(*columns, strict=True)]


def _numbers(name: str, table: Table) -> list[Fraction | None]:
    numbers: list[Fraction | None] = table.value(name).fractions()
    if name not in ROOTS:
        return numbers
    roots = (None if x is None else math.copysign(math.sqrt(abs(x)), x) for x in numbers)
    return [None if root is None else Fraction(f"{root:.{_DIGITS}f}") for root in roots]


# By name: the function, and whether it gives many points.
KINDS: dict[str, tuple[Callable[..., list[Point] | Absent], bool]] = {
    "row": (row, False),
    "imbalance": (imbalance, True),
    "walks": (walks, True),
    "classes": (classes, False),
    "error rate": (error_rate, False),
    "break-even segment": (break_even_segment, False),
    "archived runs": (runs, False),
    "archived data sets": (data_sets, False),
    "archived tasks": (tasks, False),
}
