"""Statements about the study's experiments, judged with the error that sampling leaves.

"Differs" is not "disagrees by more than sampling error": both are counted.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

from scipy.stats import beta

from nontrivial.audit.expressions import Named
from nontrivial.audit.families.study_tables import read_rows
from nontrivial.audit.found import Quantities, Quantity, Survey, Unavailable
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.survey import survey
from nontrivial.audit.test import Test
from nontrivial.audit.truth import order_truth
from nontrivial.parquet_tables import read_parquet
from nontrivial.records import read_record

_LEVEL = 0.95
# Farther than any walk goes: the measure never warns.
_NEVER = Fraction(10)


def measures_under_imbalance(
    results: Path, *, stated: Statement, table: str, row: dict[str, str]
) -> Survey | Unavailable:
    """Look at mean measures at every noise level and minority share, themselves known as ``noise, minority_share``.

    Parameters
    ----------
    table : str
        A table with columns ``noise, minority_share, measure, mean, low, high, replicates``, of which low and high
        enclose 95 % of the replicates.
    row : dict of str
        Columns and the values that the rows to look at have, say the data set and a noise level.

    Notes
    -----
    The range of a mean is the 95 % interval of the mean of its replicates, taken as normal, from their spread.

    References
    ----------
    PA paper, Section 5 and Figure 1.
    """
    rows = read_rows(
        results / table,
        row,
        ("noise", "minority_share", "measure", "mean", "low", "high", "replicates"),
        name=table,
    )
    if isinstance(rows, Unavailable):
        return rows
    points: dict[tuple[str, str], dict[str, Quantity | None]] = {}
    for line in rows:
        place = (line["noise"], line["minority_share"])
        where = dict(zip(("noise", "minority_share"), map(Fraction, place), strict=True))
        point = points.setdefault(place, {name: Quantity.exactly(value) for name, value in where.items()})
        point[line["measure"]] = _mean(line)
    named = [
        (f"noise {noise} and minority share {share}", numbers) for (noise, share), numbers in points.items()
    ]
    return survey(stated, named, _domain(table, row, "every noise level and minority share"))


def _mean(line: dict[str, str]) -> Quantity | None:
    if not line["mean"]:
        return None
    mean, low, high = (Fraction(line[key]) for key in ("mean", "low", "high"))
    reach = Fraction(f"{float(high - low) / 2 / math.sqrt(int(line['replicates'])):.12f}")
    return Quantity(mean, mean - reach, mean + reach)


def warnings_on_walks(
    results: Path, *, stated: Statement, table: str, row: dict[str, str]
) -> Survey | Unavailable:
    """Look at how far each measure lets one walk before it warns, for every walk into imbalance or noise.

    Parameters
    ----------
    table : str
        A table with columns ``held, at, moves, measure, crossing, low, high``; of walks along the minority share,
        which start at one half, and along the noise, which start at none.
    row : dict of str
        Columns and the values that the rows to look at have; ``reading`` among them.
    """
    rows = read_rows(
        results / table, row, ("held", "at", "moves", "measure", "crossing", "low", "high"), name=table
    )
    if isinstance(rows, Unavailable):
        return rows
    walks: dict[str, dict[str, Quantity | None]] = {}
    for line in rows:
        walks.setdefault(f"{line['held']} {line['at']}", {})[line["measure"]] = _distance(line)
    return survey(stated, walks.items(), _domain(table, row, "every walk"))


def _distance(line: dict[str, str]) -> Quantity:
    start = Fraction(1, 2) if line["moves"] == "minority_share" else Fraction(0)
    ways = [abs(Fraction(line[key]) - start) if line[key] else _NEVER for key in ("crossing", "low", "high")]
    return Quantity(ways[0], min(ways), max(ways))


def error_rate(results: Path, *, table: str, row: dict[str, str]) -> Quantity | Unavailable:
    """Read a confusion table and give its share of errors, with the exact binomial (Clopper-Pearson) interval."""
    rows = read_rows(results / table, row, ("tp", "fp", "fn", "tn"), name=table, exactly=1)
    if isinstance(rows, Unavailable):
        return rows
    cells = [int(rows[0][cell]) for cell in ("fp", "fn", "tp", "tn")]
    errors, n = sum(cells[:2]), sum(cells)
    tail = (1 - _LEVEL) / 2
    low = beta.ppf(tail, errors, n - errors + 1) if errors else 0.0
    high = beta.isf(tail, errors + 1, n - errors) if errors < n else 1.0
    return Quantity(
        Fraction(errors, n), Fraction(f"{low:.9f}"), Fraction(f"{high:.9f}"), {"errors": errors, "n": n}
    )


def rows_counted(
    results: Path,
    *,
    table: str,
    where: Order,
    surely: Order | None = None,
    possibly: Order | None = None,
    row: dict[str, str] | None = None,
) -> Quantity | Unavailable:
    """Count the rows of a table whose numbers are as `where` says.

    The range reaches from the rows that are so `surely` to those that are `possibly`, if these are given.
    """
    orders = [where, surely or where, possibly or where]
    names = tuple(dict.fromkeys(name for order in orders for name in order.names))
    rows = read_rows(results / table, row or {}, names, name=table)
    if isinstance(rows, Unavailable):
        return rows
    numbers = [
        Named({name: Fraction(line[name]) for name in names}) for line in rows if all(line[n] for n in names)
    ]
    if not numbers:
        return Unavailable(f"{table} leaves {', '.join(names)} empty.")
    value, low, high = (sum(bool(order_truth(order, line)[0]) for line in numbers) for order in orders)
    return Quantity(Fraction(value), Fraction(low), Fraction(high), {"rows": len(numbers)})


def rows_surveyed(
    results: Path,
    *,
    stated: Statement,
    table: str,
    row: dict[str, str],
    among: dict[str, tuple[str, ...]] | None = None,
) -> Survey | Unavailable:
    """Look at each row of a table that is as `row` says and in other columns has one of the values in `among`.

    A column's numbers have the ranges that the table has for it, say ``agreement_low`` and ``agreement_high``.
    """
    names, among = tuple(dict.fromkeys(stated.names)), among or {}
    rows = read_rows(results / table, row, (*among, *names), name=table)
    if isinstance(rows, Unavailable):
        return rows
    rows = [line for line in rows if all(line[key] in values for key, values in among.items())]
    allowed = row | {key: " or ".join(values) for key, values in among.items()}
    if not rows:
        wanted = ", ".join(f"{key} = {value}" for key, value in allowed.items())
        return Unavailable(f"{table} has no row with {wanted}.")
    points = [
        (f"row {place}", {name: _ranged(line, name) for name in names})
        for place, line in enumerate(rows, start=1)
    ]
    return survey(stated, points, _domain(table, allowed, "every row"))


def _ranged(line: dict[str, str], name: str) -> Quantity | None:
    ends = (line.get(f"{name}_{end}") or line[name] for end in ("low", "high"))
    return Quantity(*map(Fraction, (line[name], *ends))) if line[name] else None


def class_share(results: Path, *, table: str) -> Quantity:
    """The share of the smallest class, from a data set's record."""
    counts = read_record(results / table)["classes"].values()
    return Quantity.exactly(Fraction(min(counts), sum(counts)))


def column_ends(results: Path, *, table: str, column: str) -> Quantities:
    """The least and the greatest number of a data set's column, as ``first`` and ``last``."""
    values = read_parquet(results / table)
    if column not in values:
        raise ValueError(f"{table} has no column {column!r}; it has {', '.join(values)}.")
    ends = {"first": values[column].min(), "last": values[column].max()}
    return Quantities({name: Quantity.exactly(Fraction(str(number))) for name, number in ends.items()})


def _domain(table: str, row: dict[str, str], points: str) -> str:
    return f"{points} of {table} with {', '.join(f'{key} = {value}' for key, value in row.items())}"


TESTS = {
    "class_share": Test(class_share),
    "column_ends": Test(column_ends),
    "error_rate": Test(error_rate),
    "measures_under_imbalance": Test(measures_under_imbalance),
    "rows_counted": Test(rows_counted),
    "rows_surveyed": Test(rows_surveyed),
    "warnings_on_walks": Test(warnings_on_walks),
}
