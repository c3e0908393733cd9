"""The one sort from which every curve and area is made, and the steps along which true positives are gained."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import IN_CACHE, Counts, Floats, Ints, Mask, Scores, chunks
from nontrivial._validation import (
    as_array,
    as_labels,
    as_scores,
    as_weights,
    binary_truth_and_scores,
    check_choice,
    check_lengths,
    check_prevalence,
    check_two_classes,
    encode_labels,
    show_some,
    undefined_for_one_class,
)
from nontrivial._warnings import warn_undefined

# The one sort: of integers that hold a score and a label.
#
# Below 2 in magnitude, a float leaves the highest bit of its exponent free. Its bits, moved up by one so that the sign
# drops out, and flipped if it was negative, are an integer of the same order, whose lowest bit takes the label. NumPy
# sorts them several times as fast as it finds the order of scores, and neither labels nor scores need to be gathered.


@dataclass(frozen=True, eq=False)
class SortedCases:
    """Cases in the order of decreasing scores, those of one score and class together; its negatives come first.

    Attributes
    ----------
    keys : int array of shape (n_keys,)
        Increasing, as `scores_of` reads them.
    is_positive, is_shared : bool array of shape (n_keys,)
        Whether these cases are positives, and whether they are negatives whose score the next, positive ones have.
    before : int array of shape (n_keys + 1,) or None
        How many cases come before these, and at last how many there are; None if each key is that of a single case.
    power : int
        Of two, by which the scores are divided.
    dtype : dtype
        Of the scores.
    ranked : ndarray or None
        The distinct scores, if the keys hold their ranks.
    """

    keys: Ints
    is_positive: Mask
    is_shared: Mask
    before: Ints | None
    power: int
    dtype: np.dtype[Any]
    ranked: Scores | None = None

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
        last, before = is_last(keys), None
        if not last.all():
            before = np.concatenate([[0], last.nonzero()[0] + 1])
            keys = keys.take(before[1:] - 1)
        is_positive = np.empty(len(keys), dtype=bool)
        np.bitwise_and(keys, 1, out=is_positive, casting="unsafe")
        keys |= 1  # so that the classes' keys are alike
        return cls(keys, is_positive, ~is_last(keys), before, power, scores.dtype)

    def scores_of(self, keys: Ints) -> Scores:
        """Return the scores of some keys."""
        scores = np.empty(len(keys))
        for part in chunks(len(keys), length=IN_CACHE):
            signs, bits = keys[part] >> 63, scores[part].view(np.int64)
            np.left_shift(signs, 1, out=bits)
            bits ^= keys[part]  # as in `_keys`
            bits >>= 1
            signs <<= 63
            bits |= signs
            scores[part] *= -(2.0**self.power)
            scores[part] += 0.0  # makes 0.0 of -0.0
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
                floats[part] += 0.0  # 0.0 and -0.0 are one score
                key = keys[part]
                flips = key >> 63
                flips <<= 1
                key <<= 1
                key ^= flips
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


@dataclass(frozen=True, eq=False)
class PositiveSteps:
    """The steps of a ranking along which true positives are gained.

    Step i goes in a straight line from the table (``tp[i]``, ``fp_start[i]``) to (``tp[i + 1]``, ``fp_end[i]``).

    Attributes
    ----------
    tp : ndarray of shape (n_steps + 1,)
        From 0, strictly increasing, to `positives`.
    fn : ndarray of shape (n_steps + 1,)
        From `positives` to 0, as in `OperatingPoints`.
    fp_start, fp_end : ndarray of shape (n_steps,)
    thresholds : ndarray of shape (n_steps,)
        The distinct scores of the positives, decreasing.
    positives, negatives, rounding : float
        As in `OperatingPoints`.
    tn : pair of ndarray of shape (n_steps,), or None
        Weight of the negatives below the start and the end of each step; None for counts, which `tn_of` subtracts.
    """

    tp: Floats
    fn: Floats
    fp_start: Floats
    fp_end: Floats
    thresholds: Scores
    positives: float
    negatives: float
    rounding: float
    tn: tuple[Floats, Floats] | None = None

    def tn_of(self, step: int) -> tuple[float, float]:
        """Return the weight of the negatives below the start and the end of a step."""
        if self.tn is None:
            return self.negatives - float(self.fp_start[step]), self.negatives - float(self.fp_end[step])
        start, end = self.tn
        return float(start[step]), float(end[step])

    def parts(self) -> Iterator[PositiveSteps]:
        """Give the steps, a chunk at a time."""
        if len(self.thresholds) <= IN_CACHE:
            yield self
            return
        for part in chunks(len(self.thresholds), length=IN_CACHE):
            ends = slice(part.start, part.stop + 1)
            yield replace(
                self,
                tp=self.tp[ends],
                fn=self.fn[ends],
                fp_start=self.fp_start[part],
                fp_end=self.fp_end[part],
                thresholds=self.thresholds[part],
                tn=self.tn and (self.tn[0][part], self.tn[1][part]),
            )

    def mean(self, of: Callable[[PositiveSteps], Counts]) -> float:
        """Return the mean over the true positives of what is computed of the steps."""
        return mean((of(part), part.gained) for part in self.parts())

    @cached_property
    def gained(self) -> Floats:
        """Weight of the true positives gained on each step."""
        return differences(self.tp)

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
        """Scores at or above which a case is predicted positive; the first is inf, so that integers become floats."""
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
            thresholds=self.scores[before],
            positives=self.positives,
            negatives=self.negatives,
            rounding=self.rounding,
            tn=None if self.below is None else (self.tn[before], self.tn[before + 1]),
        )


def operating_points(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> OperatingPoints:
    """Return one contingency table for each distinct score, and that of the empty prediction.

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
    positive, scores, weights = binary_truth_and_scores(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    if weights is None:
        (scores, tp, fp), below = count_scores(positive, scores), None
    else:
        scores, tp, fp, below = _sum_weights(positive, scores, weights)
    positives, negatives = float(tp[-1]), float(fp[-1])
    whole = weights is None or bool((weights == np.rint(weights)).all())
    return OperatingPoints(
        tp=tp,
        fp=fp,
        scores=scores,
        positives=positives,
        negatives=negatives,
        rounding=rounding_of(positives, negatives, whole=whole),
        below=below,
    )


def find_positive_steps(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> PositiveSteps:
    """Return the steps of a ranking; the parameters are those of `operating_points`."""
    if sample_weight is not None:
        return operating_points(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        ).positive_steps()
    positive, scores, _ = binary_truth_and_scores(y_true, y_score, pos_label=pos_label)
    cases = SortedCases.sort(positive, scores)
    (places,) = cases.is_positive.nonzero()
    thresholds, before = cases.scores_of(cases.keys.take(places)), cases.before
    if before is None:
        tp, total = np.arange(len(places) + 1.0), len(scores)
        fp_end = places - tp[:-1]
    else:
        start, tp, total = before.take(places), np.zeros(len(places) + 1), before[-1]
        (before.take(places + 1) - start).cumsum(out=tp[1:])
        fp_end = start - tp[:-1]
    fp_start = fp_end  # one array where the classes share no score, as nobody writes into steps
    places -= 1
    (tied,) = cases.is_shared.take(places).nonzero()
    if len(tied):
        fp_start = fp_end.copy()
        of_negatives = places.take(tied)
        fp_start[tied] -= 1 if before is None else before.take(of_negatives + 1) - before.take(of_negatives)
    positives = float(tp[-1])
    negatives = float(total - positives)
    return PositiveSteps(
        tp=tp,
        fn=positives - tp,
        fp_start=fp_start,
        fp_end=fp_end,
        thresholds=thresholds,
        positives=positives,
        negatives=negatives,
        rounding=rounding_of(positives, negatives, whole=True),
    )


def count_scores(positive: Mask, scores: Scores) -> tuple[Scores, Floats, Floats]:
    """Return the distinct scores, decreasing; 0, then the positives at or above each; and the same of the negatives.

    Examples
    --------
    >>> count_scores(np.array([False, True, True]), np.array([3, 1, 3]))
    (array([3, 1]), array([0., 1., 2.]), array([0., 1., 1.]))
    """
    cases = SortedCases.sort(positive, scores)
    keys, tp = cases.keys, np.zeros(len(cases.keys) + 1)
    if cases.before is None:
        fp = np.arange(len(tp), dtype=np.float64)
        cases.is_positive.cumsum(out=tp[1:])
    else:
        fp = cases.before.astype(np.float64)
        (differences(fp) * cases.is_positive).cumsum(out=tp[1:])
    fp -= tp
    if cases.is_shared.any():
        kept = ~cases.is_shared
        keys, with_start = keys[kept], np.concatenate([[True], kept])
        tp, fp = tp[with_start], fp[with_start]
    return cases.scores_of(keys), tp, fp


def _sum_weights(
    positive: Mask, scores: Scores, weights: Floats
) -> tuple[Scores, Floats, Floats, tuple[Floats, Floats]]:
    """Return the distinct scores, decreasing; of each class, 0 and the weight at or above each; and those below."""
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
    return scores[last], tp, fp, (fn, tn)


# From labels and scores to one number: of two classes, or of several, each against the rest.


Area = Callable[[PositiveSteps], float]
AVERAGES = ("macro", "weighted", "micro", None)


@undefined_for_one_class(lambda: float("nan"))
def score_classes(
    area: Area,
    y_true: ArrayLike,
    y_score: ArrayLike,
    average: str | None,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    prevalence: float | None = None,
) -> float | Floats:
    """Return a number of the ranking of two classes; for several columns of scores, the average over the classes.

    NaN, with scikit-learn's warning, for one class only.

    Raises
    ------
    ValueError
        If there is not a column for each class, or an option does not fit.
    """
    check_choice(average, "average", AVERAGES)
    scores = as_array(y_score, "y_score")
    if scores.ndim == 2 and scores.shape[1] == 2:
        raise ValueError(
            f"y_score has shape {scores.shape}; pass one column, that of the positive class of two, or one for each of "
            "three or more classes."
        )
    if scores.ndim != 2 or scores.shape[1] < 3:
        if labels is not None:
            check_two_classes(y_true, labels, sample_weight)
        prevalence = None if prevalence is None else check_prevalence(prevalence)
        steps = find_positive_steps(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return area(steps.at_prevalence(prevalence))
    if pos_label is not None or prevalence is not None:
        raise ValueError(
            "pos_label and prevalence are for two classes; y_score has a column for each of several."
        )
    truth = as_labels(y_true, "y_true")
    check_lengths(y_true=truth, y_score=scores)
    weights = as_weights(sample_weight, len(truth))
    if weights is not None:
        for column in scores.T:
            as_scores(column)  # also those of cases that do not count are numbers
        truth, scores, weights = truth[weights > 0], scores[weights > 0], weights[weights > 0]
    classes, (codes,) = encode_labels(truth, names=["y_true"], classes=labels)
    if len(classes) != scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns for {len(classes)} classes; it must have one for each "
            "(name the classes in labels if some do not occur)."
        )
    one_hot = codes == np.arange(len(classes))[:, None]
    mass = np.bincount(codes, weights=weights, minlength=len(classes))
    if average == "micro" and np.count_nonzero(mass) == 1:
        warn_undefined("y_true has one class only; the result is set to NaN.")
        return float("nan")
    if average == "micro":
        pooled = None if weights is None else np.tile(weights, len(classes))
        return area(find_positive_steps(one_hot.ravel(), scores.T.ravel(), sample_weight=pooled))
    values = np.full(len(classes), np.nan)
    for place, (positive, column) in enumerate(zip(one_hot, scores.T, strict=True)):
        if 0 < mass[place] < mass.sum():
            values[place] = area(find_positive_steps(positive, column, sample_weight=weights))
    if np.isnan(values).any():
        absent = show_some(classes[np.isnan(values)])
        warn_undefined(f"The score is undefined for the classes {absent} against the rest.")
    if average is None:
        return values
    return float(
        np.average(values[mass > 0], weights=mass[mass > 0]) if average == "weighted" else values.mean()
    )
