"""One sort for every curve and area: the contingency tables of all thresholds, and the steps that gain positives."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import CACHED_LENGTH, Counts, Floats, Ints, Mask, Scores, chunk_slices
from nontrivial._validation import binary_truth_and_scores

WEIGHT_ROUNDING = 2.0**-40  # more than the rounding error of a sum of ten million weights


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """The contingency tables of all thresholds of one ranking.

    Attributes
    ----------
    tp, fp : ndarray of shape (n_points,)
        Weight of the positives and of the negatives that score at or above each threshold; the first is 0, 0.
    scores : ndarray of shape (n_points - 1,)
        The distinct scores, decreasing, in the type they came in.
    positives, negatives : float
        Weight of each class, both greater than 0.
    rounding : float
        The greatest rounding error of a sum of weights, relative to its class: 0 for whole weights whose sums and
        products are exact.
    below : pair of ndarray of shape (n_points,), or None
        `fn` and `tn`, summed from the least score up, because differences of sums lose light cases beside heavy ones.
        None for counts, whose differences are exact.
    """

    tp: Floats
    fp: Floats
    scores: Scores
    positives: float
    negatives: float
    rounding: float
    below: tuple[Floats, Floats] | None = None

    @property
    def thresholds(self) -> Scores:
        """Scores at or above which a case is predicted positive; the first is inf, so integers become floats."""
        first = np.array([np.inf], dtype=np.result_type(self.scores, np.float16))
        return np.concatenate([first, self.scores])

    @property
    def fn(self) -> Floats:
        """Weight of the positives below each threshold."""
        return self.positives - self.tp if self.below is None else self.below[0]

    @property
    def tn(self) -> Floats:
        """Weight of the negatives below each threshold."""
        return self.negatives - self.fp if self.below is None else self.below[1]

    def positive_steps(self) -> PositiveSteps:
        """Return the steps along which true positives are gained."""
        before = np.flatnonzero(np.diff(self.tp) > 0)
        return PositiveSteps(
            tp=np.append(0.0, self.tp[before + 1]),
            fn=np.append(self.fn[before], 0.0),
            fp_start=self.fp[before],
            fp_end=self.fp[before + 1],
            positives=self.positives,
            negatives=self.negatives,
            rounding=self.rounding,
            scores_of=lambda steps: self.scores[before[steps]],
            tn=None if self.below is None else (self.tn[before], self.tn[before + 1]),
        )


# Computes the height of each step from TP at its start, TP at its end, FP at its start and FP at its end.
Height = Callable[[Floats, Floats, Floats, Floats], Counts]


@dataclass(eq=False)
class PositiveSteps:
    """The steps of a ranking that gain true positives, from (`tp[i]`, `fp_start[i]`) to (`tp[i + 1]`, `fp_end[i]`)."""

    tp: Floats  # of shape (n_steps + 1,): from 0, strictly increasing, to `positives`
    fn: Floats  # shaped like `tp`
    fp_start: Floats  # of shape (n_steps,)
    fp_end: Floats
    positives: float
    negatives: float
    rounding: float
    scores_of: Callable[[Ints], Scores]  # from the numbers of steps to the scores of their positives
    tn: tuple[Floats, Floats] | None = None  # at the start and the end of each step; None for counts
    results: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # stored by `computed_once`

    def tn_of(self, steps: int | slice) -> tuple[Any, Any]:
        """Return the true negatives at the start and the end of steps."""
        if self.tn is None:
            return self.negatives - self.fp_start[steps], self.negatives - self.fp_end[steps]
        return self.tn[0][steps], self.tn[1][steps]

    def mean(self, height: Height) -> float:
        """Return the mean height of the steps, weighted by the true positives that they gain."""

        def parts() -> Iterator[tuple[Counts, Floats]]:
            for part in chunk_slices(len(self.fp_end), length=CACHED_LENGTH):
                start, end = self.tp[part], self.tp[1:][part]
                yield height(start, end, self.fp_start[part], self.fp_end[part]), end - start

        return weighted_mean(parts())

    def at_prevalence(self, prevalence: float | None) -> PositiveSteps:
        """Weight the negatives so that the positives have this share; None leaves them as they are."""
        if prevalence is None:
            return self
        factor = self.positives * (1 - prevalence) / (prevalence * self.negatives)
        return replace(
            self,
            fp_start=self.fp_start * factor,
            fp_end=self.fp_end * factor,
            negatives=self.negatives * factor,
            rounding=WEIGHT_ROUNDING,
            tn=self.tn and (self.tn[0] * factor, self.tn[1] * factor),
        )


@dataclass(eq=False)
class ResampledSteps:
    """The steps of a ranking with many sets of weights: a row for each set, a column for each score, from the top."""

    tp_start: Floats
    tp_end: Floats
    fp_start: Floats
    fp_end: Floats
    tp_gained: Floats  # stored because differences of sums lose the digits of a small weight
    fp_gained: Floats
    positives: Floats  # of shape (n_sets, 1)
    negatives: Floats
    results: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # stored by `computed_once`

    @classmethod
    def from_cells(cls, cells: Floats) -> Self:
        """Sum the cells of a ranking: for each score from the top, the weight of its negatives and of its positives."""
        tp_gained, fp_gained = cells[:, 1::2], cells[:, ::2]
        tp, fp = np.cumsum(tp_gained, axis=1), np.cumsum(fp_gained, axis=1)
        return cls(tp - tp_gained, tp, fp - fp_gained, fp, tp_gained, fp_gained, tp[:, -1:], fp[:, -1:])

    def mean(self, height: Height) -> Floats:
        """Return for each row the mean height of the steps, weighted by the true positives that they gain."""
        return self.mean_of(height(self.tp_start, self.tp_end, self.fp_start, self.fp_end))

    def mean_of(self, heights: Counts) -> Floats:
        """Return for each row the mean of given heights, weighted by the true positives that the steps gain."""
        gained = self.tp_gained
        return np.asarray(np.where(gained > 0, gained * heights, 0.0).sum(axis=1) / self.positives[:, 0])


Steps = TypeVar("Steps", PositiveSteps, ResampledSteps)
Result = TypeVar("Result")


def computed_once(function: Callable[[Steps], Result]) -> Callable[[Steps], Result]:
    """Make a function store its result with the steps, because several areas need it."""

    @wraps(function)
    def stored(steps: Steps) -> Result:
        if function.__name__ not in steps.results:
            steps.results[function.__name__] = function(steps)
        result: Result = steps.results[function.__name__]
        return result

    return stored


def differences(values: NDArray[Any]) -> NDArray[Any]:
    """Return the differences of neighbours, as `np.diff` does at five times the cost for short arrays."""
    return np.asarray(values[1:] - values[:-1])


def weighted_mean(parts: Iterable[tuple[Counts, Counts]]) -> float:
    """Return the weighted mean of values, which come in parts with their weights."""
    average = total = 0.0
    for values, weights in parts:
        weight = np.add.reduce(weights)
        # The mean of ones is exactly 1, and the mean of a single value is exactly this value.
        part_mean = values[0] if len(values) == 1 else np.add.reduce(values * weights) / weight
        total += weight
        average += (part_mean - average) * (weight / total)
    return float(average)


def gain_numerator(unit: Any, positives: float, errors: Any, rounding: float) -> Any:
    """Return N TP - P errors, the numerator of a gain, with N TP as the `unit`; 0 if it may be a rounding error."""
    difference = -positives * errors + unit
    return np.where(np.abs(difference) <= rounding * unit, 0.0, difference) if rounding else difference


def operating_points(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> OperatingPoints:
    """Return the contingency tables of all distinct scores, and of the empty prediction (PRG paper, Section 1).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite numbers of any real type; the greater, the more positive.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    OperatingPoints
        One point for each distinct score, and one for the empty prediction.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or one class is missing.

    Examples
    --------
    >>> points = operating_points([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points.thresholds
    array([inf, 0.8, 0.4, 0.1])
    >>> points.tp, points.fp
    (array([0., 1., 2., 2.]), array([0., 0., 1., 2.]))
    """
    ranking = binary_truth_and_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return count_points(*ranking)


def find_positive_steps(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> PositiveSteps:
    """Return the steps of a ranking; see `operating_points` for the parameters."""
    ranking = binary_truth_and_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return count_steps(*ranking)


def count_points(positive: Mask, scores: Scores, weights: Floats | None = None) -> OperatingPoints:
    """Return the operating points of checked arrays."""
    if weights is not None:
        return _weigh_operating_points(positive, scores, weights)
    cases = sort_cases(positive, scores)
    levels = cases.levels
    if cases.are_tied:
        (ends,) = is_last_of_equal(levels).nonzero()
        levels, tp = levels[ends], np.append(0.0, cases.is_positive.cumsum(dtype=np.uint32)[ends])
        fp = np.append(0.0, ends + 1.0) - tp
    else:
        tp, fp = np.zeros(len(levels) + 1), np.arange(len(levels) + 1.0)
        cases.is_positive.cumsum(out=tp[1:])
        fp -= tp
    positives, negatives = float(tp[-1]), float(fp[-1])
    rounding = _rounding_error(positives, negatives, whole=True)
    return OperatingPoints(tp, fp, cases.scores_of(levels), positives, negatives, rounding)


def count_steps(positive: Mask, scores: Scores, weights: Floats | None = None) -> PositiveSteps:
    """Return the steps of checked arrays, faster than `count_points(...).positive_steps()`."""
    if weights is not None:
        return _weigh_operating_points(positive, scores, weights).positive_steps()
    cases = sort_cases(positive, scores)
    (ranks,) = cases.is_positive.nonzero()
    positives, negatives = float(len(ranks)), float(len(scores) - len(ranks))
    if cases.are_tied:
        (ends,) = is_last_of_equal(cases.levels[ranks]).nonzero()
        ranks, tp = ranks[ends], np.append(0.0, ends + 1.0)
        fp_end = ranks + 1.0 - tp[1:]
        fp_start = cases.levels.searchsorted(cases.levels[ranks]) - tp[:-1]  # a score's negatives come first
    else:
        tp = np.arange(len(ranks) + 1.0)
        fp_start = fp_end = ranks - tp[:-1]
    return PositiveSteps(
        tp=tp,
        fn=positives - tp,
        fp_start=fp_start,
        fp_end=fp_end,
        positives=positives,
        negatives=negatives,
        rounding=_rounding_error(positives, negatives, whole=True),
        scores_of=lambda steps: cases.scores_of(cases.levels[ranks[steps]]),
    )


def _weigh_operating_points(positive: Mask, scores: Scores, weights: Floats) -> OperatingPoints:
    # Weights are summed from both ends, so that heavy cases above a threshold leave no rounding error below it.
    order = np.flatnonzero(weights)
    order = order[np.argsort(scores[order])[::-1]]
    scores, mass = scores[order], weights[order]
    last = np.flatnonzero(is_last_of_equal(scores))
    positive_mass = np.where(positive[order], mass, 0.0)
    masses = positive_mass, mass - positive_mass
    tp, fp = (np.append(0.0, np.cumsum(class_mass)[last]) for class_mass in masses)
    below = [np.append(np.cumsum(class_mass[::-1])[::-1][last[:-1] + 1], 0.0) for class_mass in masses]
    fn, tn = (np.append(above[-1], tail) for above, tail in zip((tp, fp), below, strict=True))
    positives, negatives = float(tp[-1]), float(fp[-1])
    whole = bool((weights == np.rint(weights)).all())
    rounding = _rounding_error(positives, negatives, whole=whole)
    return OperatingPoints(tp, fp, scores[last], positives, negatives, rounding, (fn, tn))


def _rounding_error(positives: float, negatives: float, *, whole: bool) -> float:
    """Return the greatest relative error of a sum of weights; 0 if all weights are whole and their products exact."""
    return 0.0 if whole and positives * (positives + negatives) <= 2**53 else WEIGHT_ROUNDING


# Scores and labels are sorted together, as one integer for each case. Below 2 in magnitude, a float does not use the
# highest bit of its exponent. So its bits can move up by one, which drops the sign; negated for a negative float, they
# are an integer of the same order, and the lowest bit takes the label. NumPy sorts these integers several times as fast
# as it finds the order of scores.


class SortedCases(NamedTuple):
    """Cases in the order of decreasing scores; of equal scores, the negatives come first."""

    levels: Ints  # an increasing integer for each case; equal for equal scores
    is_positive: Mask
    are_tied: bool  # whether some scores are equal
    scores_of: Callable[[Ints], Scores]  # turns levels into scores


def sort_cases(positive: Mask, scores: Scores) -> SortedCases:
    """Sort the cases by their scores, or by the ranks of scores that the integers cannot hold."""
    largest = max(-float(scores.min()), float(scores.max()))
    divisor = 2.0 ** max(math.frexp(largest)[1] - 1, 0)
    keys = None
    if scores.dtype.itemsize <= 8 and (scores.dtype.kind == "f" or largest < 2**53):
        with suppress(FloatingPointError), np.errstate(under="raise"):  # an inexact quotient raises the error
            keys = np.multiply(scores, -1 / divisor, dtype=np.float64).view(np.int64)
    if keys is None:
        ranked, ranks = np.unique(scores, return_inverse=True)
        cases = sort_cases(positive, ranks)
        ranked += 0  # makes 0.0 of -0.0
        return cases._replace(scores_of=lambda levels: ranked[cases.scores_of(levels)])
    sign = keys >> 63
    keys <<= 1
    keys ^= sign
    keys -= sign  # 0.0 and -0.0 get the same key
    keys |= positive
    keys.sort()
    is_positive = np.empty(len(keys), dtype=bool)
    np.bitwise_and(keys, 1, out=is_positive, casting="unsafe")
    keys >>= 1

    def scores_of(levels: Ints) -> Scores:
        values = np.abs(levels).view(np.float64)
        np.copysign(values, levels, out=values)
        values *= -divisor
        values += 0.0  # makes 0.0 of -0.0
        return values.astype(scores.dtype, copy=False)

    return SortedCases(keys, is_positive, bool((keys[1:] == keys[:-1]).any()), scores_of)


def is_last_of_equal(values: NDArray[Any]) -> Mask:
    """Return whether each value of a sorted array is the last of several equal ones."""
    last = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    return last
