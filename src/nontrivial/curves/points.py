"""The one sort from which every curve and area is made.

`operating_points` lists every point. The areas need less: true positives are gained only along *rises*, one
for each distinct score that a positive has, and between rises the curve of any kind is a drop with no area.
Sorting the positives and the negatives apart and finding the positives' places among the negatives gives the
rises faster than one argsort of all scores would.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nontrivial._validation import binary_truth_and_scores

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """The contingency tables of all thresholds of one ranking.

    Attributes
    ----------
    tp, fp : ndarray of shape (n_points,)
        Weight of the positives and of the negatives that score at or above each threshold; the first is 0, 0.
    thresholds : ndarray of shape (n_points,)
        Decreasing; the first is inf, the empty prediction.
    positives, negatives : float
        Weight of each class, both greater than 0.
    rounding : float
        How far, relative to a class, two sums of weights that are equal on paper may lie apart: 0 for whole
        weights, whose sums are exact.
    """

    tp: Floats
    fp: Floats
    thresholds: NDArray
    positives: float
    negatives: float
    rounding: float

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
            thresholds=self.thresholds[before + 1],
            positives=self.positives,
            negatives=self.negatives,
            rounding=self.rounding,
        )


@dataclass(frozen=True, eq=False)
class Rises:
    """The stretches of a ranking along which true positives are gained.

    Rise i goes in a straight line from the table (``tp[i]``, ``fp_start[i]``) to (``tp[i + 1]``, ``fp_end[i]``).

    Attributes
    ----------
    tp : ndarray of shape (n_rises + 1,)
        From 0, strictly increasing, to `positives`.
    fp_start, fp_end : ndarray of shape (n_rises,)
    thresholds : ndarray of shape (n_rises,)
        The distinct scores of the positives, decreasing.
    positives, negatives, rounding : float
        As in `OperatingPoints`.
    """

    tp: Floats
    fp_start: Floats
    fp_end: Floats
    thresholds: NDArray
    positives: float
    negatives: float
    rounding: float

    @cached_property
    def gained(self) -> Floats:
        """Weight of the true positives gained on each rise."""
        return self.tp[1:] - self.tp[:-1]


@dataclass(frozen=True, eq=False)
class _SortedClass:
    """The scores of one class, increasing, with the weight above each place (None: every case weighs 1)."""

    scores: NDArray
    weight_from: Floats | None

    @classmethod
    def of(cls, scores: NDArray, weights: Floats | None) -> _SortedClass:
        if weights is None:
            scores.sort()
            return cls(scores, None)
        order = np.argsort(scores)
        # Summed from the greatest score down, so that a point's weight does not depend on what lies below it.
        weight_from = np.zeros(len(order) + 1)
        np.cumsum(weights[order[::-1]], out=weight_from[-2::-1])
        return cls(scores[order], weight_from)

    def weight_above(self, thresholds: NDArray, *, or_at: bool) -> Floats:
        place = np.searchsorted(self.scores, thresholds, side="left" if or_at else "right")
        return self._from(place)

    def distinct(self) -> tuple[NDArray, Floats]:
        """Return the distinct scores, decreasing, and the weight at or above each."""
        first = np.flatnonzero(np.concatenate([[True], self.scores[1:] != self.scores[:-1]]))[::-1]
        return self.scores[first], self._from(first)

    def _from(self, place: NDArray[np.intp]) -> Floats:
        if self.weight_from is None:
            return np.subtract(len(self.scores), place, dtype=np.float64)
        return self.weight_from[place]


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
    positive, negative, rounding = _sorted_classes(y_true, y_score, pos_label, sample_weight)
    everything = _SortedClass.of(np.concatenate([positive.scores, negative.scores]), None)
    scores, _ = everything.distinct()
    tp = positive.weight_above(scores, or_at=True)
    fp = negative.weight_above(scores, or_at=True)
    return OperatingPoints(
        tp=np.concatenate([[0.0], tp]),
        fp=np.concatenate([[0.0], fp]),
        thresholds=np.concatenate([np.array([np.inf], dtype=np.result_type(scores, np.float16)), scores]),
        positives=float(tp[-1]),
        negatives=float(fp[-1]),
        rounding=rounding,
    )


def find_rises(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> Rises:
    """Return the rises of a ranking; the parameters are those of `operating_points`."""
    positive, negative, rounding = _sorted_classes(y_true, y_score, pos_label, sample_weight)
    scores, tp = positive.distinct()
    return Rises(
        tp=np.concatenate([[0.0], tp]),
        fp_start=negative.weight_above(scores, or_at=False),
        fp_end=negative.weight_above(scores, or_at=True),
        thresholds=scores,
        positives=float(tp[-1]),
        negatives=float(negative._from(0)),
        rounding=rounding,
    )


def _sorted_classes(
    y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[_SortedClass, _SortedClass, float]:
    """Sort each class apart; also return the rounding of sums of the weights."""
    positive, scores, weights = binary_truth_and_scores(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    if weights is None:
        return _SortedClass.of(scores[positive], None), _SortedClass.of(scores[~positive], None), 0.0
    counted = weights > 0
    sides = [counted & positive, counted & ~positive]
    classes = [_SortedClass.of(scores[side], weights[side]) for side in sides]
    whole = bool((weights == np.rint(weights)).all())
    return classes[0], classes[1], 0.0 if whole else _ROUNDING


# Far above what a sum of ten million weights loses, far below what any ranking can show.
_ROUNDING = 2.0**-40
