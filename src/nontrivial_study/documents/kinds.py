"""The kinds of claims that read the tables and data of a study: rows, experiments, archived runs."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
from scipy.special import betainccinv, betaincinv

from nontrivial.claims.domains import CELLS, ROOTS, Point, Table
from nontrivial.claims.verdict import Absent
from nontrivial.files import read_json
from nontrivial_study.tables import read_texts

# Rows of the study's tables.


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def read_rows(
    results: Path, table: str, where: Mapping[str, str], columns: Sequence[str]
) -> list[dict[str, str]] | Absent:
    """Read the rows of a CSV table that have given values, as text.

    Returns
    -------
    list of dict, or Absent
        Nothing where the study has no such row.

    Raises
    ------
    ValueError
        If the table lacks a column.
    """
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

    Parameters
    ----------
    results : Path
    table : str
        Path of the table in the results folder.
    where : mapping of str to str
        Columns and the values that single out the row.
    about : mapping of str to str, optional
        Columns and the values that they must have for the claim to be about this study at all.
    ends : mapping of str to two str, optional
        Columns, and which two others hold the ends between which their numbers may lie.
    selection : str, optional
        Path of a selection of archived runs, without which there is no such study.

    Raises
    ------
    ValueError
        If several rows are so.
    """
    ends = ends or {}
    columns = [*(about or {}), *ends, *(end for pair in ends.values() for end in pair)]
    rows = read_rows(results, table, where, columns)
    if isinstance(rows, Absent):
        return rows
    if len(rows) > 1:
        raise ValueError(f"{table} has {len(rows)} rows with {dict(where)}; exactly one is allowed.")
    point = _point(rows[0], ends)
    for column, wanted in (about or {}).items():
        if rows[0][column] != wanted:
            numbers = {name: rows[0][name] for pair in ends.items() for name in (pair[0], *pair[1])}
            about_it = {"table": table, "column": column, "wanted": wanted, "there": rows[0][column]}
            return Absent("another study", about_it | {"numbers": numbers})
    return [point]


def _point(line: Mapping[str, str], ends: Mapping[str, Sequence[str]]) -> Point:
    """The numbers of a row by their columns."""
    numbers = {
        name: Fraction(text) if text else None
        for name, text in line.items()
        if not text or _NUMBER.fullmatch(text)
    }
    ranges = {}
    for name, (first, last) in ends.items():
        low, high = numbers.get(first), numbers.get(last)
        if low is None or high is None:
            numbers[name] = None
        else:
            ranges[name] = (low, high)
    return Point(numbers, ranges)


# The running example of the PRG paper, from the study's table of its hull.


def break_even_segment(results: Path, *, table: str) -> list[Point] | Absent:
    """Give the calibrated score ``d`` of the segment that ends where both gains are closest to equal.

    Parameters
    ----------
    table : str
        A table with columns ``segment, positives, tp, fp, d``: of each segment the positives on it, the counts at its
        end and its calibrated score.
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
    """Count the different data sets of the selected tasks, as ``data_sets``.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection in the results folder.
    tasks : int
        How many tasks the claim is about; of another selection nothing is found.
    """
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

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection, which has every task with enough flows, however few of them are studied.
    archive : str
        Host of the archive that the claim is about.
    flows : int
        How many flows a task must have.
    until : str
        The last day of the evaluations that count.
    last_run : int
        The number of the last run that was evaluated by then.
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
    """Read the areas of archived runs from the table of areas, in which a run stands under its flow.

    Parameters
    ----------
    results : Path
    selection : str
        Path of the selection, which tells which flow a run is of.
    table : str
        Path of the table of areas.
    task : int
        OpenML's number.
    runs : mapping of str to int
        OpenML's numbers of the runs by the names that the claim uses.
    area : str
        Column of the table.
    """
    chosen = read_json(results / selection)
    tasks = [one for one in chosen["tasks"] if one["task"] == task]
    flows = {one["run"]: one["flow_name"] for one in tasks[0]["runs"]} if tasks else {}
    found = {}
    for name, run in runs.items():
        if run not in flows:
            return Absent("no run", {"selection": selection, "run": run, "task": task})
        rows = read_rows(results, table, {"task": f"openml_{task}", "model": flows[run]}, (area, "status"))
        if isinstance(rows, Absent):
            return rows
        if not rows[0][area]:
            return Absent(
                "failed run", {"table": table, "area": area, "run": run, "status": rows[0]["status"]}
            )
        found[name] = Fraction(rows[0][area])
    return [Point.exact(**found)]


# The study's experiments with their sampling error: that of the data, and not only of redraws from them.


LEVEL = 0.95
_STEPS = 4  # between the ends of a rate's interval
_DIGITS = 9


def imbalance(
    results: Path, *, table: str, where: Mapping[str, str], counts: str = "tables/measures.csv"
) -> list[Point] | Absent:
    """Look at mean measures at every noise level and minority share, themselves known as ``noise, minority_share``.

    Parameters
    ----------
    table : str
        A table with columns ``noise, minority_share, measure, mean``.
    where : mapping of str to str
        Columns and the values of the rows to look at: ``dataset``, ``model``, ``positive``, and a ``noise`` perhaps.
    counts : str
        A table with the classifier's confusion table, ``dataset, model, positive, tp, fp, fn, tn``.

    Notes
    -----
    The means are of test sets redrawn from the same few cases, so that what is uncertain is the classifier's two rates.
    Possible is whatever the measures of the expected table come to within the rates' joint 95 % region, the square of
    two exact binomial intervals.

    References
    ----------
    PA paper, Section 5 and Figure 1.
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
    rates = _possible_rates(cells)
    points: dict[tuple[str, str], dict[str, Fraction | None]] = {}
    for line in found:
        of_point = points.setdefault((line["noise"], line["minority_share"]), {})
        of_point[line["measure"]] = Fraction(line["mean"]) if line["mean"] else None
    return [
        _imbalanced(dict(zip(("noise", "minority_share"), place, strict=True)), measures, rates)
        for place, measures in points.items()
    ]


def walks(results: Path, *, table: str, where: Mapping[str, str]) -> list[Point] | Absent:
    """Look at how far each measure lets one walk before it warns, for every walk into imbalance or noise.

    The whole walk is known as ``end``; a measure that never warns gets there.

    Parameters
    ----------
    table : str
        A table with columns ``held, at, moves, measure, crossing, low, high, outcome``; of walks along the minority
        share, which start at one half, and along the noise, which start at none.
    where : mapping of str to str
        Columns and the values of the rows to look at; ``reading`` among them.
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
    """Return the exact (Clopper-Pearson) interval of a share, rounded to nine decimals.

    Examples
    --------
    >>> tuple(map(float, binomial_interval(0, 10, 0.95)))
    (0.0, 0.308497108)
    """
    tail = (1 - level) / 2
    low = betaincinv(successes, trials - successes + 1, tail) if successes else 0.0
    high = betainccinv(successes + 1, trials - successes, tail) if successes < trials else 1.0
    return Fraction(f"{low:.{_DIGITS}f}"), Fraction(f"{high:.{_DIGITS}f}")


def _counts(results: Path, table: str, where: Mapping[str, str]) -> tuple[dict[str, int], str] | Absent:
    """Return the four counts, and the label that is positive."""
    found = read_rows(results, table, where, (*CELLS, "positive"))
    if isinstance(found, Absent):
        return found
    if len(found) > 1:
        raise ValueError(f"{table} has {len(found)} rows with {dict(where)}; exactly one is allowed.")
    (line,) = found
    if not all(line[cell] for cell in CELLS):
        return Absent("empty columns", {"table": table, "columns": list(CELLS)})
    return {cell: int(line[cell]) for cell in CELLS}, line["positive"]


def _possible_rates(cells: Mapping[str, int]) -> tuple[tuple[Fraction, Fraction], ...]:
    """True and false positive rates on a grid over their joint region."""
    each: list[list[Fraction]] = []
    for called, others in (("tp", "fn"), ("fp", "tn")):
        low, high = binomial_interval(cells[called], cells[called] + cells[others], LEVEL**0.5)
        each.append([low + (high - low) * step / _STEPS for step in range(_STEPS + 1)])
    return tuple(itertools.product(each[0], each[1]))


def _imbalanced(
    place: Mapping[str, str],
    measures: Mapping[str, Fraction | None],
    rates: tuple[tuple[Fraction, Fraction], ...],
) -> Point:
    known = {name: Fraction(text) for name, text in place.items()}
    possible = _possible_measures(known["noise"], known["minority_share"], rates, tuple(measures))
    return Point(known | dict(measures), possible=possible, place=place)


@functools.cache  # claims share their points
def _possible_measures(
    noise: Fraction, share: Fraction, rates: tuple[tuple[Fraction, Fraction], ...], names: tuple[str, ...]
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
    columns = {name: _numbers(name, table) for name in names}
    columns |= {"noise": [noise] * len(rates), "minority_share": [share] * len(rates)}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _numbers(name: str, table: Table) -> list[Fraction | None]:
    numbers: list[Fraction | None] = table.value(name).fractions()
    if name not in ROOTS:
        return numbers
    roots = (None if x is None else math.copysign(math.sqrt(abs(x)), x) for x in numbers)
    return [None if root is None else Fraction(f"{root:.{_DIGITS}f}") for root in roots]
