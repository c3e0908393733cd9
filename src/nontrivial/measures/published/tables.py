"""The confusion tables that printed scores allow, found without rounding."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from nontrivial._arrays import Ints
from nontrivial._validation import canonical_name
from nontrivial.measures.published.printed import Printed, read_range

# The measures of a confusion table as ratios of whole numbers, compared with printed numbers without rounding.
#
# Given the numbers of positives and negatives, every measure but one rises, or falls, with both the true positives and
# the true negatives. The exception is Goodman and Kruskal's lambda: it rises with the hits from half the cases on, and
# falls before.


Limit = Fraction | None  # None is no limit
TOLERANCE = 1e-13  # of the sizes compared: hundreds of times what floats lose in these formulas


@dataclass(frozen=True)
class Cells:
    """True positives and negatives, and the sizes of the classes: whole numbers, or arrays of them or of floats."""

    tp: Any
    tn: Any
    positives: Any
    negatives: Any

    @property
    def fn(self) -> Any:
        return self.positives - self.tp

    @property
    def fp(self) -> Any:
        return self.negatives - self.tn

    @property
    def predicted_positives(self) -> Any:
        return self.tp + self.fp

    @property
    def predicted_negatives(self) -> Any:
        return self.tn + self.fn

    @property
    def total(self) -> Any:
        return self.positives + self.negatives

    @property
    def class_product(self) -> Any:
        return self.positives * self.negatives

    @property
    def prediction_product(self) -> Any:
        return self.predicted_positives * self.predicted_negatives

    @property
    def minority(self) -> Any:
        return min(self.positives, self.negatives)

    @property
    def majority(self) -> Any:
        return max(self.positives, self.negatives)

    def gain(self, errors: Any, weight: int = 1) -> tuple[Any, Any, Any]:
        unit = weight * self.negatives * self.tp
        # Never 0/0: without hits the gain is -inf.
        return unit, self.positives * errors + (self.tp == 0), unit


Terms = Callable[[Cells], tuple[Any, Any, Any]]

# Each measure is (a - b) / c; a, b and c are never negative.
RISING: dict[str, Terms] = {
    "accuracy": lambda t: (t.tp + t.tn, 0, t.total),
    "balanced_accuracy": lambda t: (t.tp * t.negatives + t.tn * t.positives, 0, 2 * t.class_product),
    "precision": lambda t: (t.tp, 0, t.predicted_positives),
    "recall": lambda t: (t.tp, 0, t.positives),
    "specificity": lambda t: (t.tn, 0, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, 0, t.predicted_negatives),
    "f_beta": lambda t: (2 * t.tp, 0, 2 * t.tp + t.fp + t.fn),
    "p4": lambda t: (4 * t.tp * t.tn, 0, 4 * t.tp * t.tn + (t.tp + t.tn) * (t.fp + t.fn)),
    "jaccard": lambda t: (t.tp, 0, t.tp + t.fp + t.fn),
    "informedness": lambda t: (t.tp * t.tn, t.fp * t.fn, t.class_product),
    "markedness": lambda t: (t.tp * t.tn, t.fp * t.fn, t.prediction_product),
    "prevalence": lambda t: (t.positives, 0, t.total),
    "positive_likelihood_ratio": lambda t: (t.tp * t.negatives, 0, t.fp * t.positives),
    "diagnostic_odds_ratio": lambda t: (t.tp * t.tn, 0, t.fp * t.fn),
    "cohen_kappa": lambda t: (
        2 * t.tp * t.tn,
        2 * t.fp * t.fn,
        t.predicted_positives * t.negatives + t.positives * t.predicted_negatives,
    ),
    "no_information_rate": lambda t: (t.majority, 0, t.total),
    "lift": lambda t: (t.tp * t.total, 0, t.predicted_positives * t.positives),
    "prediction_advantage": lambda t: (t.minority, t.fp + t.fn, t.minority),
    "precision_gain": lambda t: t.gain(t.fp),
    "recall_gain": lambda t: t.gain(t.fn),
    "f_beta_gain": lambda t: t.gain(t.fp + t.fn, weight=2),
}
FALLING: dict[str, Terms] = {
    "error_rate": lambda t: (t.fp + t.fn, 0, t.total),
    "false_positive_rate": lambda t: (t.fp, 0, t.negatives),
    "false_negative_rate": lambda t: (t.fn, 0, t.positives),
    "false_discovery_rate": lambda t: (t.fp, 0, t.predicted_positives),
    "false_omission_rate": lambda t: (t.fn, 0, t.predicted_negatives),
    "negative_likelihood_ratio": lambda t: (t.fn * t.negatives, 0, t.tn * t.positives),
}
# (a - b) / sqrt(c), which rise
ROOTS: dict[str, Terms] = {
    "matthews_corrcoef": lambda t: (t.tp * t.tn, t.fp * t.fn, t.class_product * t.prediction_product),
    "fowlkes_mallows": lambda t: (t.tp, 0, t.predicted_positives * t.positives),
}
GEOMETRIC_MEAN = "geometric_mean"  # of recall and specificity
THRESHOLD = "prevalence_threshold"
LAMBDA = "goodman_kruskal_lambda"
AREA = "roc_auc"
NAMES = (*RISING, *FALLING, *ROOTS, GEOMETRIC_MEAN, THRESHOLD, LAMBDA, AREA)


@dataclass(frozen=True)
class Bounds:
    """Limits of one quantity that rises with both the true positives and the true negatives.

    What is 0/0 lies within all limits, if `may_be_undefined`.
    """

    terms: Terms
    low: Limit
    high: Limit
    is_root: bool = False  # the quantity is (a - b) / sqrt(c); else it is (a - b) / c
    may_be_undefined: bool = True

    def hold(self, cells: Cells) -> bool:
        """Tell whether one table is within the limits."""
        plus, minus, over = self.terms(cells)
        if not over and plus == minus:
            return self.may_be_undefined
        return bool(self.reached(cells) and self.kept(cells))

    def reached(self, cells: Cells) -> Any:
        """Tell which tables are not below the lower limit."""
        return True if self.low is None else self._sign(cells, self.low) >= 0

    def kept(self, cells: Cells) -> Any:
        """Tell which tables are not above the upper limit."""
        return True if self.high is None else self._sign(cells, self.high) <= 0

    def _sign(self, cells: Cells, limit: Fraction) -> Any:
        """Return the sign of the quantity minus the limit, by whole numbers where floats cannot be sure of it."""
        if isinstance(cells.tp, int):
            return self._difference(cells, limit.numerator, limit.denominator)[0]
        scale = max(abs(limit.numerator), limit.denominator)
        floats = Cells(
            cells.tp.astype(float), cells.tn.astype(float), float(cells.positives), float(cells.negatives)
        )
        difference, size = self._difference(floats, limit.numerator / scale, limit.denominator / scale)
        sign: Ints = np.broadcast_to(np.sign(difference), cells.tp.shape).astype(np.int8)
        unsure = np.flatnonzero(np.broadcast_to(np.abs(difference) <= TOLERANCE * size, cells.tp.shape))
        if unsure.size:
            whole = Cells(
                cells.tp[unsure].astype(object),
                cells.tn[unsure].astype(object),
                cells.positives,
                cells.negatives,
            )
            exact = self._difference(whole, limit.numerator, limit.denominator)[0]
            sign[unsure] = np.sign(np.broadcast_to(exact, unsure.shape)).astype(np.int8)
        return sign

    def _difference(self, cells: Cells, numerator: Any, denominator: Any) -> tuple[Any, Any]:
        """Return quantity minus limit, times their denominators, and the size of what was added for that."""
        plus, minus, over = self.terms(cells)
        value, size = plus - minus, plus + minus
        if self.is_root:
            value, size = value * abs(value), size * size
            numerator, denominator = numerator * abs(numerator), denominator * denominator
        return value * denominator - numerator * over, size * denominator + abs(numerator) * over


Ranges = Mapping[str, tuple[Limit, Limit]]


def bounds_of(ranges: Ranges, positives: int, negatives: int) -> list[list[Bounds]]:
    """Return what ranges of scores demand of a table: all of one of the lists, no two of which hold for one table."""
    common: list[Bounds] = []
    for name, (low, high) in ranges.items():
        # Who prints a number for 0/0 prints 0 or 1.
        may_be = any((low is None or low <= end) and (high is None or end <= high) for end in (0, 1))
        score = _of_score(name, low, high, positives, negatives)
        common += [replace(each, may_be_undefined=may_be) for each in score]
    if LAMBDA not in ranges:
        return [common]
    return [[*common, *half] for half in _of_lambda(*ranges[LAMBDA], positives + negatives)]


def ranges_of(scores: Mapping[str, Printed]) -> dict[str, tuple[Limit, Limit]]:
    """Return the numbers that printed scores stand for.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a score is given twice, or a number is not one.
    """
    if not isinstance(scores, Mapping):
        raise ValueError(f"scores is of type {type(scores).__name__}; it must map names to printed numbers.")
    if not scores:
        raise ValueError("scores is empty; at least one printed score is needed.")
    ranges = {}
    for given, printed in scores.items():
        name = canonical_name(given)
        if name not in NAMES:
            raise ValueError(f"The score {given!r} is unknown; known are {', '.join(sorted(NAMES))}.")
        if name in ranges:
            raise ValueError(f"{given} is given twice, under two names; give it once.")
        ranges[name] = read_range(printed, given)
    return ranges


def _of_score(name: str, low: Limit, high: Limit, positives: int, negatives: int) -> list[Bounds]:
    if name in RISING:
        return [Bounds(RISING[name], low, high)]
    if name in FALLING:
        return [Bounds(_negated(FALLING[name]), _minus(high), _minus(low))]
    if name in ROOTS:
        return [Bounds(ROOTS[name], low, high, is_root=True)]
    if name == GEOMETRIC_MEAN:
        return [_of_geometric_mean(low, high)]
    if name == THRESHOLD:
        return [_of_threshold(low, high)]
    return _of_area(low, high, positives * negatives) if name == AREA else []


def _negated(terms: Terms) -> Terms:
    def negated(cells: Cells) -> tuple[Any, Any, Any]:
        plus, minus, over = terms(cells)
        return minus, plus, over

    return negated


def _minus(limit: Limit) -> Limit:
    return None if limit is None else -limit


def _of_geometric_mean(low: Limit, high: Limit) -> Bounds:
    """Bound its square."""
    least, greatest = (None if limit is None else limit * abs(limit) for limit in (low, high))
    return Bounds(lambda t: (t.tp * t.tn, 0, t.class_product), least, greatest)


def _of_threshold(low: Limit, high: Limit) -> Bounds:
    """Bound recall / FPR, which is ((1 - threshold) / threshold)^2: infinite at a threshold of 0, and 0 at one of 1."""
    terms = RISING["positive_likelihood_ratio"]
    if (high is not None and high < 0) or (low is not None and low > 1):
        return Bounds(terms, None, Fraction(-1))  # no table but the one with 0/0
    if high == 0:
        return Bounds(RISING["specificity"], Fraction(1), None)
    least = None if high is None or high >= 1 else ((1 - high) / high) ** 2
    greatest = None if low is None or low <= 0 else ((1 - low) / low) ** 2
    return Bounds(terms, least, greatest)


def _of_area(low: Limit, high: Limit, pairs: int) -> list[Bounds]:
    """Bound a table whose predictions are scores above a threshold, by the area under the scores' ROC curve."""
    # Of the pairs of a positive and a negative case, TP TN are surely in order and FP FN surely not; each of the others
    # is in order, not, or tied, which counts one half.
    least = None if low is None else Fraction(math.ceil(2 * pairs * low), 2 * pairs)
    most = None if high is None else Fraction(math.floor(2 * pairs * high), 2 * pairs)
    if least is not None and most is not None and least > most:
        return [Bounds(RISING["accuracy"], Fraction(2), None)]  # nothing
    return [
        Bounds(lambda t: (t.tp * t.tn, 0, t.class_product), None, most),
        Bounds(lambda t: (t.class_product, t.fp * t.fn, t.class_product), least, None),
    ]


def _of_lambda(low: Limit, high: Limit, n: int) -> list[list[Bounds]]:
    """Bound the hits: lambda is (max(hits, errors) - majority) / minority, and 0 where that is negative."""
    half = Fraction((n + 1) // 2, n)
    rising = Bounds(lambda t: (_positive(t.tp + t.tn - t.majority), 0, t.minority), low, high)
    falling = Bounds(
        lambda t: (0, _positive(t.fp + t.fn - t.majority), t.minority), _minus(high), _minus(low)
    )
    return [
        [Bounds(RISING["accuracy"], half, None), rising],
        [Bounds(RISING["accuracy"], None, half - Fraction(1, n)), falling],
    ]


def _positive(number: Any) -> Any:
    return number * (number > 0)


# All binary tables that lie within bounds, found without trying each.
#
# Every bounded quantity rises with both the true positives and the true negatives. Of the tables with a given number
# of one of them, those within the bounds are therefore neighbours, and their ends are found by bisection. The three
# corners where a measure can be 0/0 are looked at by themselves.


IntRange = tuple[int, int]
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


def _narrowed(bounds: Sequence[Bounds], positives: int, negatives: int) -> tuple[IntRange, IntRange] | None:
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


def _narrowed_side(
    bounds: Bounds, span: IntRange, other: IntRange, cells: Callable[[int, int], Cells]
) -> IntRange:
    return (
        _first(span, lambda k: bounds.reached(cells(k, other[1]))),
        _last(span, lambda k: bounds.kept(cells(k, other[0]))),
    )


def _first(span: IntRange, holds: Callable[[int], bool]) -> int:
    low, high = span
    return low + bisect_left(range(low, high + 1), True, key=holds)


def _last(span: IntRange, holds: Callable[[int], bool]) -> int:
    low, high = span
    return low - 1 + bisect_left(range(low, high + 1), True, key=lambda k: not holds(k))


def _search_rows(
    bounds: Sequence[Bounds], cells: Callable[[Ints, Ints], Cells], row: Ints, low: Ints, high: Ints
) -> Ints:
    """Return the rows in which tables are within the bounds, and from which column to which."""
    # No table from `low` to `high` may be a corner, as what is 0/0 is within bounds between tables that are not.
    row, low, high = _within_bounds(row, low, high)
    for each in bounds:
        row, low, high = _search(each, cells, row, low, high)
    return np.array([row, low, high])


def _search(
    bounds: Bounds, cells: Callable[[Ints, Ints], Cells], row: Ints, low: Ints, high: Ints
) -> Iterator[Ints]:
    if bounds.low is not None:
        low = _bisect(low, high, lambda at, column: bounds.reached(cells(row[at], column)))
        row, low, high = _within_bounds(row, low, high)
    if bounds.high is not None:
        high = _bisect(low, high, lambda at, column: ~bounds.kept(cells(row[at], column))) - 1
    return _within_bounds(row, low, high)


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


def _within_bounds(row: Ints, low: Ints, high: Ints) -> Iterator[Ints]:
    there = low <= high
    return (each[there] for each in (row, low, high))


def _corners(bounds: Sequence[Bounds], positives: int, negatives: int) -> list[tuple[int, int]]:
    """Return tp and tn of the tables within the bounds among those where a measure can be 0/0."""
    return [
        (tp, tn)
        for tp, tn in [(0, 0), (0, negatives), (positives, 0)]
        if all(each.hold(Cells(tp, tn, positives, negatives)) for each in bounds)
    ]
