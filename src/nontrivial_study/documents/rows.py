"""Rows of the study's tables."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pandas as pd

from nontrivial.claims.domains import Point, judge_point
from nontrivial.claims.language import Formula
from nontrivial.claims.verdict import Absent, Numbers
from nontrivial_study.tables import read_texts

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


def count(
    results: Path,
    *,
    table: str,
    that: str,
    where: Mapping[str, str] | None = None,
    surely: str | None = None,
    possibly: str | None = None,
) -> list[Point] | Absent:
    """Count the rows whose numbers are as the condition `that` says.

    The count may lie between those that are so `surely` and those that are `possibly`, if these are given.
    """
    conditions = [Formula.condition(text) for text in (that, surely or that, possibly or that)]
    columns = sorted({name for condition in conditions for name in condition.names})
    found = read_rows(results, table, where or {}, columns)
    if isinstance(found, Absent):
        return found
    points = [_point(line, {}) for line in found if all(line[name] for name in columns)]
    if not points:
        return Absent("empty columns", {"table": table, "columns": columns})
    value, low, high = (sum(_holds(condition, point) for point in points) for condition in conditions)
    return [Point({"count": Fraction(value)}, {"count": (Fraction(low), Fraction(high))})]


def _holds(condition: Formula, point: Point) -> bool:
    found = judge_point(condition, [], {}, point)
    assert isinstance(found, Numbers)  # the condition is a relation, and the point has all its names
    return found.holds


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
