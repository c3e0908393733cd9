"""The one sort from which every curve and area is made.

`operating_points` lists every point. The areas need less: true positives are gained only along *rises*, one
for each distinct score that a positive has, and between rises the curve of any kind is a drop with no area. So
`find_rises` sorts the classes apart, and looks up the scores of the positives among those of the negatives.
docs/speed.md compares both with one argsort of all scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import IN_CACHE, Floats, Mask, Scores, chunks
from nontrivial._validation import binary_truth_and_scores
from nontrivial.curves.counted_scores import count_scores, counting_type, is_last, run_ends
from nontrivial.curves.rises import Rises, rounding_of


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

    def rises(self) -> Rises:
        """Return the stretches along which true positives are gained."""
        before = np.flatnonzero(np.diff(self.tp) > 0)
        return Rises(
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


def find_rises(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> Rises:
    """Return the rises of a ranking; the parameters are those of `operating_points`."""
    if sample_weight is not None:
        return operating_points(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight).rises()
    positive, scores, _ = binary_truth_and_scores(y_true, y_score, pos_label=pos_label)
    # Here and below, methods of arrays: functions of NumPy cost a microsecond more, of a hundred in all.
    of_positives, of_negatives = scores.compress(positive), scores.compress(~positive)
    for side in (of_positives, of_negatives):
        # NumPy's quick sort leaves millions of float16 unsorted on processors with AVX-512.
        side.sort(kind="stable" if side.dtype.itemsize == 2 else None)
    positives, negatives = len(of_positives), len(of_negatives)
    kind = counting_type(len(scores))
    last = run_ends(of_positives)
    if last is None:
        thresholds, tp = of_positives, np.arange(positives + 1, dtype=kind)
        fn = tp[::-1]
    else:
        thresholds = of_positives.take(last)
        fn = np.zeros(len(thresholds) + 1, dtype=kind)
        np.add(last[::-1], 1, out=fn[:-1], casting="unsafe")
        tp = positives - fn
    del of_positives, last  # the peak of memory lies ahead
    fp_end = np.empty(len(thresholds), dtype=kind)
    fp_start = fp_end  # one array where the classes share no score, as nobody writes into rises
    for part in chunks(len(thresholds), length=IN_CACHE):
        below = of_negatives.searchsorted(thresholds[part])
        np.subtract(negatives, below, out=fp_end[part])
        (tied,) = (of_negatives.take(below, mode="clip") == thresholds[part]).nonzero()
        if len(tied) and fp_start is fp_end:
            fp_start = fp_end.copy()
        elif fp_start is not fp_end:
            fp_start[part] = fp_end[part]
        if len(tied):
            not_above = of_negatives.searchsorted(thresholds[part][tied], side="right")
            fp_start[part][tied] = negatives - not_above
    return Rises(
        tp=tp,
        fn=fn,
        fp_start=fp_start[::-1],
        fp_end=fp_end[::-1],
        thresholds=thresholds[::-1],
        positives=float(positives),
        negatives=float(negatives),
        rounding=rounding_of(positives, negatives, whole=True),
    )


def _sum_weights(
    positive: Mask, scores: Scores, weights: Floats
) -> tuple[Scores, Floats, Floats, tuple[Floats, Floats]]:
    """Return the distinct scores, decreasing; of each class, 0 and the weight at or above each; and the weights below.

    Weights are summed from both ends, so that a point does not depend on what lies on its other side. What is below
    begins with all, for the threshold inf.
    """
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
