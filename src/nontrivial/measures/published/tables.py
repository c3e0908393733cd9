"""The confusion tables that printed scores allow, found without rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables, Quantity
from nontrivial.measures.names import ALIASES
from nontrivial.measures.published.printed import SHARE, Interval, Limit, Printed, check_counts, read_printed

Ranges = Mapping[str, Interval]
AREA = "roc_auc"
LAMBDA = "goodman_kruskal_lambda"
# The scores that can be searched for. With given classes, a measure that is monotone rises, or falls, with both the
# true positives and the true negatives. Lambda does not. The area is bounded by a table only.
NAMES = (*(name for name, measure in CATALOGUE.items() if measure.is_monotone), LAMBDA, AREA)
SCORES = {name: name for name in NAMES} | {other: name for other, name in ALIASES.items() if name in NAMES}
# The least and the greatest value of each score.
BOUNDS: dict[str, tuple[Limit, Limit]] = {
    name: CATALOGUE[name].bounds if name in CATALOGUE else SHARE for name in NAMES
}
# Of the pairs of a positive and a negative case, TP TN are surely in order and FP FN surely not; each of the others is
# in order, not, or tied, which counts one half. So an area lies between these:
LEAST_AREA = Quantity(ratio=lambda t: (t.tp * t.tn, t.class_product))
GREATEST_AREA = Quantity(ratio=lambda t: (t.class_product - t.fp * t.fn, t.class_product))


def read_ranges(scores: Mapping[str, Printed]) -> dict[str, Interval]:
    """Return what printed scores stand for, by the names of measures."""
    if not isinstance(scores, Mapping):
        raise ValueError(f"scores is of type {type(scores).__name__}; it must map names to printed numbers.")
    if not scores:
        raise ValueError("scores is empty; at least one printed score is needed.")
    ranges: dict[str, Interval] = {}
    for given, printed in scores.items():
        name = SCORES.get(given)
        if name is None:
            near = get_close_matches(str(given), SCORES, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(NAMES))}."
            raise ValueError(f"The score {given!r} is unknown; {hint}")
        if name in ranges:
            raise ValueError(f"{given} is given twice, under two names; give it once.")
        ranges[name] = read_printed(printed, str(given), BOUNDS[name])
    return ranges


TOLERANCE = 1e-11  # ten times what floats lose in the catalogue's formulas; absolute, relative above 1


@dataclass(frozen=True)
class Demand:
    """A quantity must be at least (`side` 1) or at most (-1) the limit."""

    quantity: Quantity
    limit: Fraction
    side: int
    may_be_undefined: bool = False

    @property
    def rises(self) -> bool:
        """Whether it is met from some number of true positives, or of true negatives, on; else it is up to one."""
        return self.side * (self.quantity.better or 1) > 0

    def is_missed(self, values: Floats, tolerance: float) -> Mask:
        """Tell which values in floats miss the limit by more than a tolerance, relative above 1; NaN does not."""
        limit = float(self.limit)
        return np.asarray(self.side * values < self.side * limit - tolerance * max(1.0, abs(limit)))

    def met(self, tp: Ints, tn: Ints, sizes: tuple[int, int]) -> Any:
        """Tell which tables meet the demand; one whose quantity is 0/0 does."""
        limit = float(self.limit)
        values = self.quantity.values(_tables(tp.astype(float), tn.astype(float), sizes))
        met = ~(self.side * values < self.side * limit)
        unsure = np.flatnonzero(np.abs(values - limit) <= TOLERANCE * max(1.0, abs(limit)))
        if unsure.size:  # for whole numbers to decide
            whole = _tables(tp[unsure].astype(object), tn[unsure].astype(object), sizes)
            met[unsure] = self.side * self.quantity.compare(whole, *self.limit.as_integer_ratio()) >= 0
        return met

    def met_exactly(self, tables: ConfusionTables) -> Mask:
        """Tell which tables of Python's numbers meet the demand; one whose quantity is 0/0 only if it may be so."""
        above, below = self.quantity.exact_ratio(tables)
        undefined = np.equal(above, 0) & np.equal(below, 0)
        met = self.side * self.quantity.compare(tables, *self.limit.as_integer_ratio()) >= 0
        return np.where(undefined, self.may_be_undefined, met).astype(bool)


def _tables(tp: Any, tn: Any, sizes: tuple[int, int]) -> ConfusionTables:
    return ConfusionTables(tp, sizes[1] - tn, sizes[0] - tp, tn)


def _alternatives(ranges: Ranges, positives: int, negatives: int) -> list[list[Demand]]:
    """Return lists of demands: the scores demand that a table meets all of one list; no table meets two lists."""
    pairs, n, minority = positives * negatives, positives + negatives, min(positives, negatives)
    plain = {name: interval for name, interval in ranges.items() if name != LAMBDA}
    common = [demand for name, interval in plain.items() for demand in demands_on(name, interval, pairs)]
    if LAMBDA not in ranges:
        return [common]
    # With x hits, or as many errors if these are more, lambda is (x - majority) / minority, or 0 if that is negative.
    low, high = ranges[LAMBDA].low, ranges[LAMBDA].high
    least = n - minority + math.ceil(low * minority) if low else (n + 1) // 2
    most = n - minority + math.floor(high * minority)
    hits = [(least, most), (n - most, min(n - least, (n - 1) // 2))]
    accuracies = [replace(ranges[LAMBDA], low=Fraction(low, n), high=Fraction(high, n)) for low, high in hits]
    return [[*common, *demands_on("accuracy", accuracy)] for accuracy in accuracies]


def demands_on(name: str, interval: Interval, pairs: int | None = None) -> list[Demand]:
    """Return what a score other than lambda demands of any table, or of those with so many pairs of classes."""
    low, high = interval.low, interval.high
    if name == AREA:
        if pairs and math.ceil(2 * pairs * low) > 2 * pairs * high:
            high = Fraction(-1)
        return [Demand(GREATEST_AREA, Fraction(low), side=1), Demand(LEAST_AREA, Fraction(high), side=-1)]
    # Who prints a number for 0/0 prints 0 or 1.
    may_be_undefined = low <= 0 <= high or low <= 1 <= high
    limits = [(Fraction(end), side) for end, side in ((low, 1), (high, -1)) if abs(end) != math.inf]
    return [Demand(CATALOGUE[name], limit, side, may_be_undefined) for limit, side in limits]


# All binary tables that meet demands, found without trying each.
#
# Every quantity rises, or falls, with both the true positives and the true negatives. Of the tables with a given number
# of one of them, those that meet a demand are therefore neighbours, and their ends are found by bisection. The three
# corners where a measure can be 0/0 are looked at by themselves.


MOST_ROWS = 1_000_000
MOST_TABLES = 5_000_000  # to list


@dataclass(frozen=True)
class FittingTables:
    """Tables in rows: in each, TP or TN runs from its number in `fewest` to that in `most`, of shape (2, rows)."""

    fewest: Ints
    most: Ints

    @property
    def count(self) -> int:
        return int((self.most - self.fewest).sum() + self.fewest.shape[1])

    def all(self) -> tuple[Ints, Ints]:
        """Return TP and TN of all tables, in the order of TP and then TN."""
        steps = self.most - self.fewest
        lengths = steps.sum(axis=0) + 1
        place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        tp, tn = np.repeat(self.fewest, lengths, axis=1) + np.repeat(steps > 0, lengths, axis=1) * place
        order = np.lexsort((tn, tp))
        return tp[order], tn[order]


def published_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> pd.DataFrame:
    """List all confusion tables that give all of the printed scores.

    Whole numbers decide about every table, so no rounding of floats adds or removes one.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        Printed scores by the names of `confusion_measures`, where `f_beta` is F1; `lift`, `geometric_mean` (of recall
        and specificity) and `roc_auc` (of the scores that became the predictions at one threshold); or by other usual
        names, such as `f1`, `kappa` or `mcc`. A string keeps its trailing zeros, and may be a percentage, such as
        "97%". A number stands for all that round to it, ties either way. After ``<``, ``<=``, ``>`` or ``>=`` it is a
        limit, which itself counts.
    positives, n : int
        Positive cases and all cases.

    Returns
    -------
    pandas.DataFrame
        The columns ``tp, fp, fn, tn, prediction_advantage``, in the order of `tp` and then `tn`; no row if no table
        gives the scores. A score that is 0/0 for a table may have been printed as 0 or 1, as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is none or outside the range of its score, a class has no
        cases, there are more than 5,000,000 tables, or more than 1,000,000 true positives and true negatives to try.

    Examples
    --------
    >>> published_tables({"recall": "0.75", "precision": "0.6"}, positives=4, n=20)
       tp  fp  fn  tn  prediction_advantage
    0   3   2   1  14                  0.25
    >>> len(published_tables({"accuracy": "0.89", "kappa": "0.24"}, positives=4, n=47))
    0
    """
    positives, n = check_counts(positives, n)
    tables = find_tables(read_ranges(scores), positives, n - positives)
    if tables.count > MOST_TABLES:
        raise ValueError(
            f"{tables.count:,} tables give the scores; at most {MOST_TABLES:,} are listed. Give more scores or more "
            "digits."
        )
    tp, tn = tables.all()
    fp, fn = n - positives - tn, positives - tp
    minority = min(positives, n - positives)
    advantage = (minority - fp - fn) / minority
    return pd.DataFrame({"tp": tp, "fp": fp, "fn": fn, "tn": tn, "prediction_advantage": advantage})


def find_tables(ranges: Ranges, positives: int, negatives: int) -> FittingTables:
    """Return the tables whose scores lie in all of the ranges; raise ValueError if there are too many to try."""
    sizes = positives, negatives
    order = 1 if positives <= negatives else -1  # a row is a number of true positives, or of true negatives
    height, width = sizes[::order]
    blocks = [np.empty((3, 0), dtype=np.int64)]
    for demands in _alternatives(ranges, positives, negatives):
        span = np.array([[0], [0], [height]])
        # The rows that meet a demand with all hits in the other class, or with none if that is better.
        for demand in demands:
            span[0] = width if demand.rises else 0
            span = _search(demand, -order, sizes, span)
        least, most = span[1:, 0].tolist() if span.size else (0, -1)
        if most - least >= MOST_ROWS:
            raise ValueError(
                f"The scores leave {most - least + 1:,} numbers of true {('positives', 'negatives')[::order][0]} to "
                f"try; at most {MOST_ROWS:,} are tried. Give more scores or more digits."
            )
        row = np.arange(least, most + 1)
        # Without the corners, as what is 0/0 meets demands between tables that do not.
        low = np.where((row == 0) | (row == height), 1, 0)
        high = np.where(row == 0, width - 1, width)
        rows = np.array([row, low, high])
        corners = np.array([[0, 0, positives], [0, negatives, 0]])
        for demand in demands:
            rows = _search(demand, order, sizes, rows)
            tp, tn = corners.astype(object)
            corners = corners[:, demand.met_exactly(_tables(tp, tn, sizes))]
        blocks += [rows, corners[::order][[0, 1, 1]]]
    row, low, high = np.concatenate(blocks, axis=1)
    return FittingTables(np.array([row, low])[::order], np.array([row, high])[::order])


def _search(demand: Demand, order: int, sizes: tuple[int, int], rows: Ints) -> Ints:
    """Return the rows in which tables meet the demand: in each, its number, the first column and the last."""
    row, low, high = rows

    def turned(at: Ints, column: Ints) -> Any:
        tp, tn = (row[at], column)[::order]
        return demand.met(tp, tn, sizes) == demand.rises

    place = first_where(turned, low, high)
    low, high = (place, high) if demand.rises else (low, place - 1)
    return np.array([row, low, high])[:, low <= high]


def first_where(holds: Callable[[Ints, Ints], Any], low: Ints, high: Ints) -> Ints:
    """Return for each row the first number from `low` to `high` from which on it holds, or the one after `high`."""
    low, end = low.copy(), high + 1
    at = np.flatnonzero(low < end)
    while at.size:
        middle = (low[at] + end[at]) // 2
        reached = holds(at, middle)
        end[at[reached]] = middle[reached]
        low[at[~reached]] = middle[~reached] + 1
        at = at[low[at] < end[at]]
    return low
