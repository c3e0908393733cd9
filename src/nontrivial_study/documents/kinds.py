"""The kinds of claims that read the tables and data of a study.

Each function takes the results folder, and what the registry gives under ``over``: paths in that folder, and what is
looked for. It returns points, or `NothingFound` where the study does not say.
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
from nontrivial.claims.findings import NothingFound
from nontrivial.claims.language.ratios import Ratios
from nontrivial.claims.points import Point
from nontrivial.files import read_json
from nontrivial.measures.catalogue import CATALOGUE, RATIO
from nontrivial.measures.intervals import clopper_pearson
from nontrivial_study.tables import read_texts

Where = Mapping[str, str | Sequence[str]]  # by column the value, or values, of the rows that are meant

# Rows of the study's tables.


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def rows(
    results: Path, *, table: str, where: Where, by: Sequence[str], ends: Sequence[str] = ()
) -> list[Point] | NothingFound:
    """Read all rows of a table that have given values, each a point; the columns `by` tell one from another.

    The numbers of the columns `ends` may lie between those of the columns ``..._low`` and ``..._high``; without these
    there is no number. A JSON file is one row, in which what is nested has the names of what it is in before its own.
    """
    texts = _texts(results / table, (results / table).stat().st_mtime_ns)
    for column in (*where, *by, *_with_ends(ends)):
        if column not in texts:
            raise ValueError(f"{table} has no column {column!r}; it has {', '.join(texts.columns)}.")
    for column, value in where.items():
        texts = texts[texts[column].isin([value] if isinstance(value, str) else value)]
    points = []
    for line in texts.to_dict("records"):
        values = {
            str(name): Fraction(text) if text else None
            for name, text in line.items()
            if not text or _NUMBER.fullmatch(text)
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


def _with_ends(names: Sequence[str]) -> list[str]:
    return [f"{name}{end}" for name in names for end in ("", "_low", "_high")]


@functools.lru_cache(maxsize=8)  # claims share their tables
def _texts(path: Path, modified: int) -> pd.DataFrame:
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
) -> list[Point] | NothingFound:
    """Read the one row of a table that has given values, or every such row, if there are columns `by`.

    `about` are columns, and the values that they have in the document's study; in another one, a claim has no verdict.
    """
    where, about = where or {}, about or {}
    if by:
        return rows(results, table=table, where=where, by=by, ends=ends)
    found = rows(results, table=table, where=where, by=list(about), ends=ends)
    if isinstance(found, NothingFound):
        return found
    if len(found) > 1:
        raise ValueError(f"{table} has {len(found)} rows with {dict(where)}; exactly one is allowed.")
    ours = found[0].key
    if any(ours[column] != of_document for column, of_document in about.items()):
        elsewhere = {column: [ours[column], of_document] for column, of_document in about.items()}
        return [replace(found[0], elsewhere=elsewhere)]
    return found


def archived_run(
    results: Path, *, selection: str, table: str, task: int, run: int
) -> list[Point] | NothingFound:
    """Read the row of a run of OpenML's archive; in the table it stands under its flow, which the selection tells."""
    chosen = read_json(results / selection)["tasks"]
    flows = {one["run"]: one["flow_name"] for each in chosen if each["task"] == task for one in each["runs"]}
    if run not in flows:
        return NothingFound("no run", {"selection": selection, "run": run, "task": task})
    return row(results, table=table, where={"task": f"openml_{task}", "model": flows[run]})


# A model's errors, and Figure 1 of the PA paper, with the sampling error of the data, not only of redraws from them.
_STEPS = 4  # between the ends of a rate's interval
Rates = tuple[tuple[Fraction, Fraction], ...]


def error_rate(results: Path, *, table: str, where: Where) -> list[Point] | NothingFound:
    """Give a model's share of errors, as ``error``, within its exact binomial interval."""
    cells = _cells(results, table, where)
    if isinstance(cells, NothingFound):
        return cells
    fp, tp, fn, tn = cells
    errors, n = fp + fn, fp + tp + fn + tn
    return [Point({"error": Fraction(errors, n)}, {"error": binomial_interval(errors, n, CONFIDENCE_LEVEL)})]


def imbalance(
    results: Path, *, table: str, where: Where, counts: str = "tables/measures.csv"
) -> list[Point] | NothingFound:
    """Look at mean measures at every noise level and minority share, themselves known as ``noise, minority_share``.

    The means are of test sets redrawn from the same few cases, so that what is uncertain is the classifier's two rates,
    which the table of `counts` tells. Possible is whatever the measures of the expected table come to within the rates'
    joint 95 % region, the square of two exact binomial intervals (PA paper, Section 5 and Figure 1).
    """
    found = rows(results, table=table, where=where, by=("noise", "minority_share", "measure", "mean"))
    if isinstance(found, NothingFound):
        return found
    cells = _cells(results, counts, where)
    if isinstance(cells, NothingFound):
        return cells
    rates = possible_rates(*cells)
    means: dict[tuple[str, str], dict[str, Fraction | None]] = {}
    for one in found:
        noise, share, measure, mean = one.key.values()
        if CATALOGUE[measure].scale == RATIO:  # of others, arithmetic knows the squares at most
            means.setdefault((noise, share), {})[measure] = Fraction(mean) if mean else None
    return [
        Point(
            {"noise": Fraction(noise), "minority_share": Fraction(share), **measures},
            possible=_possible_measures(Fraction(noise), Fraction(share), rates, tuple(measures)),
            key={"noise": noise, "minority_share": share},
        )
        for (noise, share), measures in means.items()
    ]


def _cells(results: Path, table: str, where: Where) -> list[int] | NothingFound:
    found = rows(results, table=table, where=where, by=TABLE_CELLS)
    if isinstance(found, NothingFound):
        return found
    cells = found[0].key.values()
    if not all(cells):
        return NothingFound("empty columns", {"table": table, "columns": list(TABLE_CELLS)})
    return [int(cell) for cell in cells]


def binomial_interval(successes: int, trials: int, level: float) -> tuple[Fraction, Fraction]:
    """The exact (Clopper-Pearson) interval of a share, rounded to nine decimals."""
    low, high = clopper_pearson(successes, trials, level)
    return round(Fraction(low), 9), round(Fraction(high), 9)


def possible_rates(fp: int, tp: int, fn: int, tn: int) -> Rates:
    """True and false positive rates on a grid over their joint region."""
    each = []
    for called, others in ((tp, fn), (fp, tn)):
        low, high = binomial_interval(called, called + others, CONFIDENCE_LEVEL**0.5)
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
    table = TableCases(*map(Ratios, np.array(tables, dtype=object).T))
    columns = [table.value(name).fractions() for name in names]
    known = {"noise": noise, "minority_share": share}
    return [known | dict(zip(names, numbers, strict=True)) for numbers in zip(*columns, strict=True)]


KINDS: dict[str, Callable[..., list[Point] | NothingFound]] = {
    "row": row,
    "archived run": archived_run,
    "error rate": error_rate,
    "imbalance": imbalance,
}
