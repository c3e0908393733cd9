"""All binary tables that lie within bounds, found without trying each.

Every bounded quantity rises with both the true positives and the true negatives. Of the tables with a given number of
one of them, those within the bounds are therefore neighbours, and their ends are found by bisection. The three corners
where a measure can be 0/0 are looked at by themselves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nontrivial._arrays import Ints
from nontrivial.measures.published.ratios import Bounds, Cells

Span = tuple[int, int]
MOST_ROWS = 3_000_000
NARROWINGS = 20  # rounds; each may narrow the ranges by little
CHUNK = 2**15  # rows at a time


@dataclass(frozen=True)
class FittingTables:
    """Tables in rows: for each `row` all whole numbers from `low` to `high`.

    The rows are numbers of true positives and what runs is that of true negatives, or the other way round.
    """

    positives: int
    negatives: int
    rows_are_positives: bool
    row: Ints
    low: Ints
    high: Ints

    @property
    def count(self) -> int:
        """How many tables there are, which may be more than 64 bits hold."""
        parts = np.divmod(self.high - self.low + 1, 2**32)
        whole, rest = (int(part.sum()) for part in parts)
        return whole * 2**32 + rest

    def least(self) -> tuple[Ints, Ints]:
        """Return tp and tn of the tables with the fewest hits in each row."""
        return self._pair(self.row, self.low)

    def greatest(self) -> tuple[Ints, Ints]:
        """Return tp and tn of the tables with the most hits in each row."""
        return self._pair(self.row, self.high)

    def all(self) -> tuple[Ints, Ints]:
        """Return tp and tn of all tables, in the order of tp and then tn."""
        lengths = self.high - self.low + 1
        starts = np.repeat(self.low - np.cumsum(lengths) + lengths, lengths)
        tp, tn = self._pair(np.repeat(self.row, lengths), starts + np.arange(lengths.sum()))
        order = np.lexsort((tn, tp))
        return tp[order], tn[order]

    def _pair(self, row: Ints, column: Ints) -> tuple[Ints, Ints]:
        return (row, column) if self.rows_are_positives else (column, row)


def find_tables(alternatives: Sequence[Sequence[Bounds]], positives: int, negatives: int) -> FittingTables:
    """Return the tables that lie within all bounds of one of the alternatives, which exclude each other.

    Raises
    ------
    ValueError
        If there are too many rows to search.
    """
    parts: list[Ints] = [np.empty((3, 0), dtype=np.int64)]
    rows_are_positives = positives <= negatives
    boxes = [_narrowed(bounds, positives, negatives) for bounds in alternatives]
    heights = [sum(high - low for low, high in axis) for axis in zip(*filter(None, boxes), strict=True)]
    if heights:
        rows_are_positives = heights[0] <= heights[1]
        if min(heights) >= MOST_ROWS:
            side = "positives" if rows_are_positives else "negatives"
            raise ValueError(
                f"The scores leave {min(heights):,} numbers of true {side} to try; at most {MOST_ROWS:,} are tried. "
                "Give more scores or more digits."
            )
    sizes = (positives, negatives) if rows_are_positives else (negatives, positives)
    for bounds, box in zip(alternatives, boxes, strict=True):
        if box is not None:
            rows, columns = box if rows_are_positives else box[::-1]
            cells = partial(_cells, positives, negatives, rows_are_positives)
            for start in range(rows[0], rows[1] + 1, CHUNK):
                row = np.arange(start, min(start + CHUNK, rows[1] + 1), dtype=np.int64)
                low = np.where((row == 0) | (row == sizes[0]), max(columns[0], 1), columns[0])
                high = np.where(row == 0, min(columns[1], sizes[1] - 1), columns[1])
                parts.append(_search_rows(bounds, cells, row, low, high))
        for corner in _corners(bounds, positives, negatives):
            at = corner if rows_are_positives else corner[::-1]
            parts.append(np.array([[at[0]], [at[1]], [at[1]]], dtype=np.int64))
    row, low, high = np.concatenate(parts, axis=1)
    return FittingTables(positives, negatives, rows_are_positives, row, low, high)


def _cells(positives: int, negatives: int, rows_are_positives: bool, row: Any, column: Any) -> Cells:
    return Cells(*((row, column) if rows_are_positives else (column, row)), positives, negatives)


def _narrowed(bounds: Sequence[Bounds], positives: int, negatives: int) -> tuple[Span, Span] | None:
    """Return ranges of tp and tn that hold all tables but corners, or None if there is none."""
    tp, tn = (0, positives), (0, negatives)
    for _ in range(NARROWINGS):
        before = tp, tn
        for each in bounds:
            tp = _narrowed_side(each, tp, tn, partial(_cells, positives, negatives, True))
            tn = _narrowed_side(each, tn, tp, partial(_cells, positives, negatives, False))
            if tp[0] > tp[1] or tn[0] > tn[1]:
                return None
        if before == (tp, tn):
            break
    return tp, tn


def _narrowed_side(bounds: Bounds, span: Span, other: Span, cells: Callable[[int, int], Cells]) -> Span:
    return (
        _first(span, lambda k: bounds.reached(cells(k, other[1]))),
        _last(span, lambda k: bounds.kept(cells(k, other[0]))),
    )


def _first(span: Span, holds: Callable[[int], bool]) -> int:
    low, high = span
    return low + bisect_left(range(low, high + 1), True, key=holds)


def _last(span: Span, holds: Callable[[int], bool]) -> int:
    low, high = span
    return low - 1 + bisect_left(range(low, high + 1), True, key=lambda k: not holds(k))


def _search_rows(
    bounds: Sequence[Bounds], cells: Callable[[Ints, Ints], Cells], row: Ints, low: Ints, high: Ints
) -> Ints:
    """Return the rows in which tables are within the bounds, and from which column to which.

    No table from `low` to `high` may be a corner, as what is 0/0 is within bounds between tables that are not.
    """
    row, low, high = _kept(row, low, high)
    for each in bounds:
        row, low, high = _search(each, cells, row, low, high)
    return np.array([row, low, high])


def _search(
    bounds: Bounds, cells: Callable[[Ints, Ints], Cells], row: Ints, low: Ints, high: Ints
) -> Iterator[Ints]:
    if bounds.low is not None:
        low = _bisect(low, high, lambda at, column: bounds.reached(cells(row[at], column)))
        row, low, high = _kept(row, low, high)
    if bounds.high is not None:
        high = _bisect(low, high, lambda at, column: ~bounds.kept(cells(row[at], column))) - 1
    return _kept(row, low, high)


def _bisect(low: Ints, high: Ints, holds: Callable[[Ints, Ints], Any]) -> Ints:
    """Return for each row the first column from `low` to `high` from which on it holds, or the one after `high`."""
    low, end = low.copy(), high + 1
    at = np.flatnonzero(low < end)
    while at.size:
        middle = (low[at] + end[at]) // 2
        reached = holds(at, middle)
        end[at[reached]] = middle[reached]
        low[at[~reached]] = middle[~reached] + 1
        at = at[low[at] < end[at]]
    return low


def _kept(row: Ints, low: Ints, high: Ints) -> Iterator[Ints]:
    there = low <= high
    return (each[there] for each in (row, low, high))


def _corners(bounds: Sequence[Bounds], positives: int, negatives: int) -> list[tuple[int, int]]:
    """Return tp and tn of the tables within the bounds among those where a measure can be 0/0."""
    return [
        (tp, tn)
        for tp, tn in [(0, 0), (0, negatives), (positives, 0)]
        if all(each.hold(Cells(tp, tn, positives, negatives)) for each in bounds)
    ]
