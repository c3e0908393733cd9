"""The study's experiments with their sampling error: that of the data, and not only of redraws from them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy.special import betainccinv, betaincinv

from nontrivial.claims.domains import CELLS, ROOTS, Point, Table
from nontrivial.claims.verdict import Absent
from nontrivial.files import read_json
from nontrivial_study.documents.rows import read_rows
from nontrivial_study.tables import read_parquet

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


def column(results: Path, *, table: str, column: str) -> list[Point] | Absent:
    """Give the least and the greatest number of a data set's column, as ``first`` and ``last``."""
    values = read_parquet(results / table)
    if column not in values:
        raise ValueError(f"{table} has no column {column!r}; it has {', '.join(values.columns)}.")
    return [Point.exact(first=Fraction(str(values[column].min())), last=Fraction(str(values[column].max())))]


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
