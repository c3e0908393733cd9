"""The confusion tables that printed scores allow, found without rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial._validation import ALIASES
from nontrivial.measures.published.printed import (
    SHARE,
    Interval,
    Limit,
    Printed,
    check_counts,
    read_printed,
)

# The measures of a confusion table as ratios of whole numbers, compared with printed numbers without rounding.
#
# Given the numbers of positives and negatives, each measure, or one minus it, rises with both the true positives and
# the true negatives. The exception is Goodman and Kruskal's lambda: it rises with the hits from half the cases on, and
# falls before.


class Cells:
    """Confusion tables by true positives and negatives, as whole numbers or arrays, and the sizes of the classes."""

    def __init__(self, tp: Any, tn: Any, positives: Any, negatives: Any) -> None:
        self.tp, self.tn, self.positives, self.negatives = tp, tn, positives, negatives
        self.fn, self.fp = positives - tp, negatives - tn
        self.hits, self.errors = tp + tn, self.fp + self.fn
        self.predicted_positives, self.predicted_negatives = tp + self.fp, tn + self.fn
        self.total, self.class_product = positives + negatives, positives * negatives
        self.prediction_product = self.predicted_positives * self.predicted_negatives
        self.minority, self.majority = sorted((positives, negatives))

    def gain(self, errors: Any, weight: int = 1) -> tuple[Any, Any, Any]:
        unit = weight * self.negatives * self.tp
        # Never 0/0: without hits the gain is -inf.
        return unit, self.positives * errors + (self.tp == 0), unit


Ranges = Mapping[str, Interval]
Terms = Callable[[Cells], tuple[Any, Any, Any]]

# Each measure is (a - b) / c; a, b and c are never negative.
RISING: dict[str, Terms] = {
    "accuracy": lambda t: (t.hits, 0, t.total),
    "balanced_accuracy": lambda t: (t.tp * t.negatives + t.tn * t.positives, 0, 2 * t.class_product),
    "precision": lambda t: (t.tp, 0, t.predicted_positives),
    "recall": lambda t: (t.tp, 0, t.positives),
    "specificity": lambda t: (t.tn, 0, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, 0, t.predicted_negatives),
    "f_beta": lambda t: (2 * t.tp, 0, 2 * t.tp + t.errors),
    "p4": lambda t: (4 * t.tp * t.tn, 0, 4 * t.tp * t.tn + t.hits * t.errors),
    "jaccard": lambda t: (t.tp, 0, t.tp + t.errors),
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
    "prediction_advantage": lambda t: (t.minority, t.errors, t.minority),
    "precision_gain": lambda t: t.gain(t.fp),
    "recall_gain": lambda t: t.gain(t.fn),
    "f_beta_gain": lambda t: t.gain(t.errors, weight=2),
}
# One minus these measures.
FALLING: dict[str, Terms] = {
    "error_rate": RISING["accuracy"],
    "false_positive_rate": RISING["specificity"],
    "false_negative_rate": RISING["recall"],
    "false_discovery_rate": RISING["precision"],
    "false_omission_rate": RISING["negative_predictive_value"],
    "negative_likelihood_ratio": lambda t: (t.tn * t.positives, t.fn * t.negatives, t.tn * t.positives),
}
# (a - b) / sqrt(c).
ROOTS: dict[str, Terms] = {
    "matthews_corrcoef": lambda t: (t.tp * t.tn, t.fp * t.fn, t.class_product * t.prediction_product),
    "fowlkes_mallows": lambda t: (t.tp, 0, t.predicted_positives * t.positives),
}
GEOMETRIC_MEAN = "geometric_mean"  # of recall and specificity
THRESHOLD = "prevalence_threshold"
LAMBDA = "goodman_kruskal_lambda"
AREA = "roc_auc"
TERMS: dict[str, Terms] = {
    **RISING,
    **FALLING,
    **ROOTS,
    GEOMETRIC_MEAN: lambda t: (t.tp * t.tn, 0, t.class_product),  # its square
    THRESHOLD: lambda t: (t.tp * t.negatives, t.fp * t.positives, t.tp * t.negatives),  # 1 - (t / (1 - t))^2
}
NAMES = (*TERMS, LAMBDA, AREA)
SCORES = {name: name for name in NAMES} | {other: name for other, name in ALIASES.items() if name in NAMES}
# The least and the greatest value of each score.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(NAMES, SHARE),
    **dict.fromkeys(["cohen_kappa", "matthews_corrcoef", "informedness", "markedness"], (-1, 1)),
    **dict.fromkeys(["positive_likelihood_ratio", "negative_likelihood_ratio"], (0, math.inf)),
    **dict.fromkeys(["diagnostic_odds_ratio", "lift"], (0, math.inf)),
    **dict.fromkeys(["prediction_advantage", "precision_gain", "recall_gain", "f_beta_gain"], (-math.inf, 1)),
}


def read_ranges(scores: Mapping[str, Printed], called: Callable[[str], str] = str) -> dict[str, Interval]:
    """Return what printed scores stand for, by the names of measures; `called` gives the name of a score in errors."""
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
            raise ValueError(f"{called(given)} is given twice, under two names; give it once.")
        ranges[name] = read_printed(printed, called(given), BOUNDS[name])
    return ranges


# What printed scores demand of a table.


NEXT_TO_1 = 1 - Fraction(1, 10**20)  # no threshold lies between
TOLERANCE = 1e-13  # of the sizes compared: hundreds of times what floats lose in these formulas


@dataclass(frozen=True)
class Demand:
    """A quantity (a - b) / c, or (a - b) / sqrt(c), must be at least (`side` 1) or at most (-1) the limit."""

    terms: Terms
    limit: Limit
    side: int
    is_root: bool = False
    may_be_undefined: bool = False

    def met(self, tp: Ints, tn: Ints, sizes: tuple[int, int]) -> Any:
        """Tell which tables meet it; what is 0/0 does."""
        numerator, denominator = self.limit.as_integer_ratio()
        scale = max(abs(numerator), denominator)
        floats = Cells(tp.astype(float), tn.astype(float), *map(float, sizes))
        found = self._difference(floats, numerator / scale, denominator / scale)
        difference, size = (np.broadcast_to(each, tp.shape) for each in found)
        met = self.side * difference >= 0
        unsure = np.flatnonzero(np.abs(difference) <= TOLERANCE * size)
        if unsure.size:  # for whole numbers to decide
            whole = Cells(tp[unsure].astype(object), tn[unsure].astype(object), *sizes)
            met[unsure] = self.side * self._difference(whole, numerator, denominator)[0] >= 0
        return met

    def met_or_undefined(self, tp: Ints, tn: Ints, sizes: tuple[int, int]) -> Any:
        """Tell which tables meet it; what is 0/0 may."""
        plus, minus, over = self.terms(Cells(tp.astype(object), tn.astype(object), *sizes))
        undefined = np.equal(over, 0) & np.equal(plus, minus)
        return np.where(undefined, self.may_be_undefined, self.met(tp, tn, sizes))

    def _difference(self, cells: Cells, numerator: Any, denominator: Any) -> tuple[Any, Any]:
        """Return quantity minus limit, times their denominators, and the size of what was added for that."""
        plus, minus, over = self.terms(cells)
        value, size = plus - minus, plus + minus
        if self.is_root:
            value, size = value * abs(value), size * size
            numerator, denominator = numerator * abs(numerator), denominator * denominator
        return value * denominator - numerator * over, size * denominator + abs(numerator) * over


def _alternatives(ranges: Ranges, positives: int, negatives: int) -> list[list[Demand]]:
    """Return what scores demand of a table: all of one of the lists, no two of which hold for one table."""
    common: list[Demand] = []
    for name, interval in ranges.items():
        if name != LAMBDA:
            common += _demands(name, interval, positives * negatives)
    if LAMBDA not in ranges:
        return [common]
    # With x hits, or as many errors if these are more, lambda is (x - majority) / minority; 0 where that is negative.
    low, high = ranges[LAMBDA].low, ranges[LAMBDA].high
    n, minority = positives + negatives, min(positives, negatives)
    least = n - minority + math.ceil(low * minority) if low else (n + 1) // 2
    most = n - minority + math.floor(high * minority)
    return [
        [*common, *_between(RISING["accuracy"], Fraction(fewest, n), Fraction(greatest, n))]
        for fewest, greatest in [(least, most), (n - most, min(n - least, (n - 1) // 2))]
    ]


def _demands(name: str, interval: Interval, pairs: int) -> list[Demand]:
    """Return what one score demands, as quantities that rise with the true positives and the true negatives."""
    low, high = interval.low, interval.high
    if name == AREA:
        # Of the pairs of a positive and a negative case, TP TN are surely in order and FP FN surely not; each of the
        # others is in order, not, or tied, which counts one half.
        if math.ceil(2 * pairs * low) > 2 * pairs * high:
            high = -1
        return [
            Demand(lambda t: (t.class_product, t.fp * t.fn, t.class_product), low, side=1),
            Demand(lambda t: (t.tp * t.tn, 0, t.class_product), high, side=-1),
        ]
    # Who prints a number for 0/0 prints 0 or 1.
    may_be_undefined = low <= 0 <= high or low <= 1 <= high
    if name in FALLING:
        low, high = 1 - high, 1 - low
    elif name == GEOMETRIC_MEAN:
        low, high = low**2, high**2
    elif name == THRESHOLD:
        least = 1 - (high / (1 - high)) ** 2 if high < 1 else -math.inf
        low = min(low, NEXT_TO_1)
        low, high = least, 1 - (low / (1 - low)) ** 2
    return _between(TERMS[name], low, high, is_root=name in ROOTS, may_be_undefined=may_be_undefined)


def _between(terms: Terms, low: Limit, high: Limit, **kind: bool) -> list[Demand]:
    limits = [(low, 1), (high, -1)]
    return [Demand(terms, limit, side, **kind) for limit, side in limits if abs(limit) != math.inf]


# All binary tables that meet demands, found without trying each.
#
# Every quantity rises, or falls, with both the true positives and the true negatives. Of the tables with a given number
# of one of them, those that meet a demand are therefore neighbours, and their ends are found by bisection. The three
# corners where a measure can be 0/0 are looked at by themselves.


MOST_ROWS = 1_000_000
MOST_TABLES = 5_000_000  # that are listed


@dataclass(frozen=True)
class FittingTables:
    """Tables in rows: in each, TP or TN runs from its number in `fewest` to that in `most`, of shape (2, rows)."""

    fewest: Ints
    most: Ints

    @property
    def count(self) -> int:
        """How many tables there are."""
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
    found = find_tables(read_ranges(scores), positives, n - positives)
    if found.count > MOST_TABLES:
        raise ValueError(
            f"{found.count:,} tables give the scores; at most {MOST_TABLES:,} are listed. Give more scores or more "
            "digits."
        )
    tp, tn = found.all()
    fp, fn = n - positives - tn, positives - tp
    minority = min(positives, n - positives)
    return pd.DataFrame(
        {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "prediction_advantage": (minority - fp - fn) / minority}
    )


def find_tables(ranges: Ranges, positives: int, negatives: int) -> FittingTables:
    """Return the tables whose scores lie in all of the ranges; raise ValueError if there are too many to try."""
    sizes = positives, negatives
    order = 1 if positives <= negatives else -1  # a row is a number of true positives, or of true negatives
    height, width = sizes[::order]
    found = [np.empty((3, 0), dtype=np.int64)]
    for demands in _alternatives(ranges, positives, negatives):
        span = np.array([[0], [0], [height]])
        for each in demands:  # which rows meet it at best, with all hits in the other class or with none
            span[0] = width if each.side > 0 else 0
            span = _search(each, -order, sizes, span)
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
        for each in demands:
            rows = _search(each, order, sizes, rows)
            corners = corners[:, each.met_or_undefined(corners[0], corners[1], sizes)]
        found += [rows, corners[::order][[0, 1, 1]]]
    row, low, high = np.concatenate(found, axis=1)
    return FittingTables(np.array([row, low])[::order], np.array([row, high])[::order])


def _search(demand: Demand, order: int, sizes: tuple[int, int], rows: Ints) -> Ints:
    """Return the rows in which tables meet the demand: in each, its number, the first column and the last."""
    row, low, high = rows

    def turned(at: Ints, column: Ints) -> Any:
        tp, tn = (row[at], column)[::order]
        return demand.met(tp, tn, sizes) == (demand.side > 0)

    place = first_where(turned, low, high)
    low, high = (place, high) if demand.side > 0 else (low, place - 1)
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
