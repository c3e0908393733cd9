"""One sort for every curve and area, and the steps along which true positives are gained."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import IN_CACHE, Counts, Floats, Ints, Mask, Scores, chunks
from nontrivial._validation import binary_truth_and_scores

# The one sort: of integers that hold a score and a label.
#
# Below 2 in magnitude, a float leaves the highest bit of its exponent free. Its bits, moved up by one so that the sign
# drops out, and negated if it was negative, are an integer of the same order, whose lowest bit takes the label. NumPy
# sorts them several times as fast as it finds the order of scores, and neither labels nor scores need to be gathered.


@dataclass(eq=False)
class SortedCases:
    """Cases in the order of decreasing scores, those of one score and class together; its negatives come first."""

    keys: Ints  # increasing, as `scores_of` reads them
    is_positive: Mask
    is_shared: (
        Mask | None
    )  # negatives whose score the next, positive cases have; None if no two cases share one
    before: Ints | None  # the number of cases before, and at last of all; None if each key is a single case's
    power: int  # of two, by which the scores are divided
    dtype: np.dtype[Any]  # of the scores
    ranked: Scores | None = None  # the distinct scores, if the keys hold their ranks

    @classmethod
    def sort(cls, positive: Mask, scores: Scores) -> SortedCases:
        """Sort the cases by their scores, or by ranks where keys cannot hold these."""
        largest = max(-float(scores.min()), float(scores.max()))
        power = max(math.frexp(largest)[1] - 1, 0)
        keys = _keys(positive, scores, power) if largest <= _most(scores.dtype) else None
        if keys is None:
            ranked, ranks = np.unique(scores, return_inverse=True)
            return replace(cls.sort(positive, ranks), ranked=ranked + 0)  # makes 0.0 of -0.0
        keys.sort()
        before = is_shared = None
        apart = (keys[1:] ^ keys[:-1]).view(np.uint64)
        if apart.min() < 2:  # 0 within a score and a class, 1 between the classes of a score
            (ends,) = is_last(keys).nonzero()
            if len(ends) < len(keys):
                before, keys = np.append(0, ends + 1), keys.take(ends)
            is_shared = keys[1:] ^ keys[:-1] == 1
        is_positive = np.empty(len(keys), dtype=bool)
        np.bitwise_and(keys, 1, out=is_positive, casting="unsafe")
        return cls(keys, is_positive, is_shared, before, power, scores.dtype)

    def scores_of(self, keys: Ints) -> Scores:
        """Return the scores of some keys."""
        scores = np.empty(len(keys))
        for part in chunks(len(keys), length=IN_CACHE):
            signed = keys[part] >> 1
            np.abs(signed, out=scores[part].view(np.int64))
            scores[part] *= 2.0**self.power
            np.copysign(scores[part], -signed, out=scores[part])
        found = scores.astype(self.dtype, copy=False)
        return found if self.ranked is None else self.ranked[found]


def _keys(positive: Mask, scores: Scores, power: int) -> Ints | None:
    """Return the keys in the order of the cases; None if a score is too small to be divided."""
    keys = np.empty(len(scores), dtype=np.int64)
    floats = keys.view(np.float64)
    with np.errstate(under="raise"):  # a product that is not exact underflows
        try:
            for part in chunks(len(scores), length=IN_CACHE):
                np.multiply(scores[part], -(2.0**-power), out=floats[part], dtype=np.float64)
                key = keys[part]
                sign = key >> 63
                key <<= 1
                key ^= sign
                key -= sign  # 0.0 and -0.0 are one score
                key |= positive[part]
        except FloatingPointError:
            return None
    return keys


def _most(dtype: np.dtype[Any]) -> float:
    """Return the magnitude up to which all numbers of a type are those of float64; 0 for longer floats."""
    if dtype.kind in "iu":
        return 2.0**53 - 1
    return float(np.finfo(np.float64).max) if dtype.itemsize <= 8 else 0.0


def is_last(values: NDArray[Any]) -> Mask:
    """Return whether each value is the last of its kind in a sorted array."""
    last = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    return last


# The contingency tables of all thresholds, and the steps of a ranking along which true positives are gained. Between
# steps the curve of any kind is a drop with no area, so that areas need the steps alone.


# Far above what a sum of ten million weights loses, far below what any ranking can show.
ROUNDING = 2.0**-40


@dataclass(eq=False)
class PositiveSteps:
    """The steps of a ranking along which true positives are gained.

    Step i goes in a straight line from the table (``tp[i]``, ``fp_start[i]``) to (``tp[i + 1]``, ``fp_end[i]``).
    What has a name of `OperatingPoints` is what it is there.
    """

    tp: Floats  # of shape (n_steps + 1,): from 0, strictly increasing, to `positives`
    fn: Floats  # of the same shape
    fp_start: Floats  # of shape (n_steps,)
    fp_end: Floats
    positives: float
    negatives: float
    rounding: float
    scores_of: Callable[[Ints | slice], Scores]  # of the positives on the steps of these numbers
    tn: tuple[Floats, Floats] | None = (
        None  # below the start and the end of each; None for counts, as in `tn_of`
    )

    @cached_property
    def thresholds(self) -> Scores:
        """The distinct scores of the positives, decreasing."""
        return self.scores_of(slice(None))

    def tn_of(self, step: int) -> tuple[float, float]:
        """Return the weight of the negatives below the start and the end of a step."""
        if self.tn is None:
            return self.negatives - float(self.fp_start[step]), self.negatives - float(self.fp_end[step])
        start, end = self.tn
        return float(start[step]), float(end[step])

    def mean(self, height: Callable[[Floats, Floats, Floats, Floats], Counts]) -> float:
        """Return the mean over the true positives of a height above each step.

        `height` computes it from TP at the start and at the end of some steps, and FP at the start and at the end.
        """

        def parts() -> Iterator[tuple[Counts, Floats]]:
            for part in chunks(len(self.fp_end), length=IN_CACHE):
                before, after = self.tp[part], self.tp[1:][part]
                yield height(before, after, self.fp_start[part], self.fp_end[part]), after - before

        return mean(parts())

    def at_prevalence(self, prevalence: float | None) -> PositiveSteps:
        """Return the same ranking with the negatives weighted so that the positives have this share; None leaves it."""
        if prevalence is None:
            return self
        factor = self.positives * (1 - prevalence) / (prevalence * self.negatives)
        return replace(
            self,
            fp_start=self.fp_start * factor,
            fp_end=self.fp_end * factor,
            negatives=self.negatives * factor,
            rounding=ROUNDING,
            tn=self.tn and (self.tn[0] * factor, self.tn[1] * factor),
        )


def rounding_of(positives: float, negatives: float, *, whole: bool) -> float:
    """Return how far, relative to a class, sums that are equal on paper may lie apart; 0 if products are exact, too."""
    return 0.0 if whole and positives * (positives + negatives) <= 2**53 else ROUNDING


def excess(unit: Any, errors: Any, rounding: float) -> Any:
    """Return how far N TP exceeds P times some errors, which has the sign of a gain; 0 where rounding hides it."""
    difference = unit - errors
    return np.where(np.abs(difference) <= rounding * unit, 0.0, difference) if rounding else difference


def differences(values: NDArray[Any]) -> NDArray[Any]:
    """Return the differences of neighbours; np.diff, at a fifth of its cost for the short arrays of hulls."""
    differences: NDArray[Any] = values[1:] - values[:-1]
    return differences


def mean(parts: Iterable[tuple[Counts, Counts]]) -> float:
    """Return the weighted mean of values that come with their weights.

    That of ones is exactly 1, as both sums are taken in the same order. That of a single value is exactly the value: a
    constant score has a single step.
    """
    average = total = 0.0
    for values, weights in parts:
        weight = np.add.reduce(weights)
        of_part = values[0] if len(values) == 1 else np.add.reduce(values * weights) / weight
        total += weight
        average += (of_part - average) * (weight / total)
    return float(average)


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
        How far, relative to a class, two sums of weights that are equal on paper may lie apart: 0 for whole
        weights whose sums and products are exact.
    below : pair of ndarray of shape (n_points,), or None
        `fn` and `tn`, summed from the least score up: a difference of sums would lose a light case beside a heavy one
        above. None for counts, whose differences are exact.
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
        return np.concatenate(
            [np.array([np.inf], dtype=np.result_type(self.scores, np.float16)), self.scores]
        )

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
            tp=np.concatenate([[0.0], self.tp[before + 1]]),
            fn=np.concatenate([self.fn[before], [0.0]]),
            fp_start=self.fp[before],
            fp_end=self.fp[before + 1],
            positives=self.positives,
            negatives=self.negatives,
            rounding=self.rounding,
            scores_of=lambda steps: self.scores[before[steps]],
            tn=None if self.below is None else (self.tn[before], self.tn[before + 1]),
        )


def operating_points(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> OperatingPoints:
    """Return the contingency table of each distinct score, and that of the empty prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive. Any real type, compared as it is.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    OperatingPoints
        Tied scores share a point.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or one class is missing.

    Notes
    -----
    PRG paper, Section 1; tutorial, "The P-R curve" and "ROC & AUC".

    Examples
    --------
    >>> points = operating_points([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> points.thresholds
    array([inf, 0.8, 0.4, 0.1])
    >>> points.tp, points.fp
    (array([0., 1., 2., 2.]), array([0., 0., 1., 2.]))
    """
    return count_points(
        *binary_truth_and_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    )


def find_positive_steps(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> PositiveSteps:
    """Return the steps of a ranking; the parameters are those of `operating_points`."""
    return count_steps(
        *binary_truth_and_scores(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    )


# The same of arrays that are checked already: which cases are positive, finite scores, and weights or None.


def count_points(positive: Mask, scores: Scores, weights: Floats | None = None) -> OperatingPoints:
    """Return the points of a ranking.

    Examples
    --------
    >>> points = count_points(np.array([False, True, True]), np.array([3, 1, 3]))
    >>> points.scores, points.tp, points.fp
    (array([3, 1]), array([0., 1., 2.]), array([0., 1., 1.]))
    """
    if weights is not None:
        return _weigh_points(positive, scores, weights)
    cases = SortedCases.sort(positive, scores)
    keys, tp = cases.keys, np.zeros(len(cases.keys) + 1)
    if cases.before is None:
        fp = np.arange(len(tp), dtype=np.float64)
        cases.is_positive.cumsum(out=tp[1:])
    else:
        fp = cases.before.astype(np.float64)
        (differences(fp) * cases.is_positive).cumsum(out=tp[1:])
    fp -= tp
    if cases.is_shared is not None:
        kept = np.append(~cases.is_shared, True)
        with_start = np.append(True, kept)
        keys, tp, fp = keys[kept], tp[with_start], fp[with_start]
    return _points(tp, fp, cases.scores_of(keys))


def count_steps(positive: Mask, scores: Scores, weights: Floats | None = None) -> PositiveSteps:
    """Return the steps of a ranking, in less time than `count_points(...).positive_steps()`."""
    if weights is not None:
        return _weigh_points(positive, scores, weights).positive_steps()
    cases = SortedCases.sort(positive, scores)
    start: Ints
    (places,) = cases.is_positive.nonzero()
    if cases.before is None:
        start, tp, total = places, np.arange(len(places) + 1.0), len(scores)
    else:
        start, tp, total = cases.before.take(places), np.zeros(len(places) + 1), int(cases.before[-1])
        (cases.before.take(places + 1) - start).cumsum(out=tp[1:])
    fp_start = fp_end = start - tp[:-1]
    if cases.is_shared is not None:
        first = places - cases.is_shared.take(places - 1, mode="clip")
        fp_start = (first if cases.before is None else cases.before.take(first)) - tp[:-1]
    positives = float(tp[-1])
    negatives = float(total - positives)
    return PositiveSteps(
        tp=tp,
        fn=positives - tp,
        fp_start=fp_start,
        fp_end=fp_end,
        positives=positives,
        negatives=negatives,
        rounding=rounding_of(positives, negatives, whole=True),
        scores_of=lambda steps: cases.scores_of(cases.keys[places[steps]]),
    )


def _weigh_points(positive: Mask, scores: Scores, weights: Floats) -> OperatingPoints:
    # Weights are summed from both ends, so that a point does not depend on what lies on its other side. What is below
    # begins with all, for the threshold inf.
    order = np.flatnonzero(weights)
    order = order[np.argsort(scores[order])[::-1]]
    scores, mass = scores[order], weights[order]
    last = np.flatnonzero(is_last(scores))
    of_positives = mass * positive[order]
    classes = of_positives, mass - of_positives
    tp, fp = (np.concatenate([[0.0], np.cumsum(each)[last]]) for each in classes)
    fn, tn = (
        np.concatenate([sums[-1:], np.cumsum(each[::-1])[::-1][last[:-1] + 1], [0.0]])
        for each, sums in zip(classes, (tp, fp), strict=True)
    )
    whole = bool((weights == np.rint(weights)).all())
    return _points(tp, fp, scores[last], whole=whole, below=(fn, tn))


def _points(
    tp: Floats,
    fp: Floats,
    scores: Scores,
    *,
    whole: bool = True,
    below: tuple[Floats, Floats] | None = None,
) -> OperatingPoints:
    positives, negatives = float(tp[-1]), float(fp[-1])
    rounding = rounding_of(positives, negatives, whole=whole)
    return OperatingPoints(tp, fp, scores, positives, negatives, rounding, below)
