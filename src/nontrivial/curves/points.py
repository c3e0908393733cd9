"""The one sort from which every curve and area is made.

`operating_points` lists every point. The areas need less: true positives are gained only along *rises*, one
for each distinct score that a positive has, and between rises the curve of any kind is a drop with no area.
Without weights, one sort of scores with their labels in the lowest bit gives the rises; where scores tie or a class is
rare, sorting both classes apart and finding the places of the one among the other does. docs/speed.md compares that
with one argsort of all scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Counts, Floats, Mask, Scores
from nontrivial._binary import binary_truth_and_scores
from nontrivial._stretches import STRETCH, stretches
from nontrivial.curves.rises import ROUNDING, Rises


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
        weights, whose sums are exact.
    """

    tp: Floats
    fp: Floats
    scores: Scores
    positives: float
    negatives: float
    rounding: float

    @property
    def thresholds(self) -> Scores:
        """Scores at or above which a case is predicted positive; the first is inf, so that integers become floats."""
        return np.concatenate(
            [np.array([np.inf], dtype=np.result_type(self.scores, np.float16)), self.scores]
        )

    @property
    def fn(self) -> Floats:
        """Weight of the positives below each threshold."""
        return self.positives - self.tp

    @property
    def tn(self) -> Floats:
        """Weight of the negatives below each threshold."""
        return self.negatives - self.fp

    def rises(self) -> Rises:
        """Return the stretches along which true positives are gained."""
        before = np.flatnonzero(np.diff(self.tp) > 0)
        return Rises(
            tp=np.concatenate([[0.0], self.tp[before + 1]]),
            fp_start=self.fp[before],
            fp_end=self.fp[before + 1],
            thresholds=self.scores[before],
            positives=self.positives,
            negatives=self.negatives,
            rounding=self.rounding,
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
        The positive class; by default the greater label.
    sample_weight : array-like of shape (n,), optional
        0 or greater; a weight of k counts like k equal cases.

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
        scores, tp, fp = _count(positive, scores)
    else:
        scores, tp, fp = _sum_weights(positive, scores, weights)
    whole = weights is None or bool((weights == np.rint(weights)).all())
    return OperatingPoints(
        tp=np.concatenate([[0.0], tp]),
        fp=np.concatenate([[0.0], fp]),
        scores=scores,
        positives=float(tp[-1]),
        negatives=float(fp[-1]),
        rounding=0.0 if whole else ROUNDING,
    )


def find_rises(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> Rises:
    """Return the rises of a ranking; the parameters are those of `operating_points`."""
    if sample_weight is not None:
        return operating_points(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight).rises()
    positive, scores, _ = binary_truth_and_scores(y_true, y_score, pos_label=pos_label)
    kind = np.float64 if len(scores) <= STRETCH else np.min_scalar_type(-len(scores))
    ranked = _ranked_labels(positive, scores)
    of_positives = np.compress(positive, scores)
    of_positives.sort()
    positives = len(of_positives)
    negatives = len(scores) - positives
    if ranked is None:
        changes = _changes(of_positives[::-1])
        thresholds = of_positives[::-1][changes]
        del of_positives
        tp = _places(np.concatenate([[True], changes]), kind)
        of_negatives = np.compress(~positive, scores)
        of_negatives.sort()
        fp_start, fp_end = np.empty((2, len(thresholds)), dtype=kind)
        for part in stretches(len(thresholds)):
            below = np.searchsorted(of_negatives, thresholds[part])
            fp_end[part] = negatives - below
            tied = np.flatnonzero(np.take(of_negatives, below, mode="clip") == thresholds[part])
            below[tied] = np.searchsorted(of_negatives, thresholds[part][tied], side="right")
            fp_start[part] = negatives - below
    else:
        tp, thresholds = np.arange(positives + 1, dtype=kind), of_positives[::-1]
        fp_start = fp_end = _places(ranked, kind) - tp[:-1]
    return Rises(
        tp=tp,
        fp_start=fp_start,
        fp_end=fp_end,
        thresholds=thresholds,
        positives=float(positives),
        negatives=float(negatives),
        rounding=0.0,
    )


def _count(positive: Mask, scores: Scores) -> tuple[Scores, Scores, Scores]:
    """Return the distinct scores, decreasing, and the positives and the negatives at or above each.

    Scores sort faster than their order is found, and the rarer class has few places to look up.
    """
    ranked = _ranked_labels(positive, scores)
    if ranked is not None:
        tp = np.cumsum(ranked, dtype=np.int64)
        return np.sort(scores)[::-1], tp, np.arange(1, len(tp) + 1) - tp
    positives_are_rarer = 2 * np.count_nonzero(positive) <= len(positive)
    rarer = np.compress(positive if positives_are_rarer else ~positive, scores)
    rarer.sort()
    scores = np.sort(scores)[::-1]
    last = np.flatnonzero(_changes(scores))
    scores = scores[last]
    of_rarer = np.bincount(np.searchsorted(scores[::-1], rarer), minlength=len(scores))[::-1].cumsum()
    of_other = last + 1 - of_rarer
    return scores, *((of_rarer, of_other) if positives_are_rarer else (of_other, of_rarer))


def _places(flags: Mask, kind: Any) -> Counts:
    """Return where a flag is set."""
    places = np.empty(np.count_nonzero(flags), dtype=kind)
    done = 0
    for part in stretches(len(flags)):
        found = np.flatnonzero(flags[part])
        places[done : done + len(found)] = found + part.start
        done += len(found)
    return places


def _ranked_labels(positive: Mask, scores: Scores) -> Mask | None:
    """Return the labels by decreasing score, or None where scores tie or another way is no slower.

    Taken as an integer, a float keeps its order once the other bits of a negative one are flipped. The label takes the
    lowest bit, so that one sort orders both; scores that differ in that bit alone count as tied.
    """
    positives = np.count_nonzero(positive)
    rarer = min(positives, len(positive) - positives)
    if scores.dtype != np.float64 or rarer < _FEW * len(scores) or not _distinct(np.sort(scores[:_LOOK])):
        return None
    keys = (scores + 0.0).view(np.int64)  # a new array, in which -0.0 has become 0.0
    for part in stretches(len(keys)):
        keys[part] ^= (keys[part] >> 63) & np.int64(2**63 - 1)
    keys &= ~np.int64(1)
    keys |= positive
    keys.sort()
    ranked = np.bitwise_and(keys, 1, out=np.empty(len(keys), dtype=bool), casting="unsafe")
    keys >>= 1
    return ranked[::-1] if _distinct(keys) else None


def _sum_weights(positive: Mask, scores: Scores, weights: Floats) -> tuple[Scores, Floats, Floats]:
    """Return the distinct scores, decreasing, and the weight of either class at or above each.

    Weights are summed from the greatest score down, so that a point does not depend on what lies below it.
    """
    order = np.flatnonzero(weights)
    order = order[np.argsort(scores[order])[::-1]]
    scores = scores[order]
    last = np.flatnonzero(_changes(scores))
    tp, fp = (np.cumsum((weights * side)[order])[last] for side in (positive, ~positive))
    return scores[last], tp, fp


def _distinct(values: Scores) -> bool:
    """Return whether no two neighbours of a sorted array are equal."""
    return not bool((values[1:] == values[:-1]).any())


def _changes(scores: Scores) -> Mask:
    """Return whether each score is the last of its kind in a sorted array."""
    return np.concatenate([scores[1:] != scores[:-1], [True]])


_FEW = 0.1  # the share of the rarer class below which looking up its places is as fast as a sort of all
_LOOK = 1000  # scores; tied ones mostly show among these, before all are sorted in vain
