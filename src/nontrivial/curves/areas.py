"""Areas under the ROC curve and under the Precision-Recall curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import check_choice
from nontrivial.curves.rises import Rises
from nontrivial.curves.scoring import score_classes


def pr_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    interpolation: str = "hyperbolic",
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Return an area under the Precision-Recall curve, over recall from 0 to 1.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: numbers, booleans or strings. Two, or as many as `y_score` has columns.
    y_score : array-like of shape (n,) or (n, n_classes)
        Finite; the greater, the more positive. For three or more classes, a column for each, in sorted order.
    interpolation : {"hyperbolic", "step", "linear"}, default "hyperbolic"
        What lies between neighbouring operating points. "hyperbolic": straight lines between their contingency
        tables (Davis and Goadrich 2006), which is what a random choice between two thresholds achieves. "step":
        the precision of the point with more recall; this is average precision. "linear": straight lines in
        precision and recall, which no choice of thresholds achieves; the trapezoidal rule.
    average : {"macro", "weighted", "micro"} or None, default "macro"
        For three or more classes, each against the rest: the mean of the areas, the mean weighted by the cases of each
        class, the area of all columns as one ranking, or an array of all areas. Two classes have one area.
    labels : array-like of shape (n_classes,), optional
        The classes of the columns; needed if a class occurs in no case.
    prevalence : float, optional
        Share of positives, strictly between 0 and 1, at which to score: the classes are weighted to have this share.
        By default the share in the data.
    pos_label : label, optional
        The positive class of two; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        In (0, 1]; exactly 1 for a perfect ranking. A constant score has the prevalence p, and (1 + p) / 2 for "linear":
        exactly, for whole weights and without `prevalence`. The three numbers differ for the same ranking. The 0/0
        precision of the empty prediction is the limit along the curve for "hyperbolic", is not used by "step"
        and is 1 for "linear".

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or an option is unknown.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

    Notes
    -----
    PRG paper, Sections 2 and 4; tutorial, "The P-R curve". "step" and "linear" equal scikit-learn's
    ``average_precision_score`` and ``auc`` of ``precision_recall_curve``.

    Examples
    --------
    >>> pr_auc_score([1, 0, 1], [3, 2, 1], interpolation="step")
    0.8333333333333333
    >>> pr_auc_score([1, 0, 1], [3, 2, 1])
    0.797267445945...
    >>> pr_auc_score([1, 1, 0], [3, 2, 1])
    1.0
    >>> pr_auc_score([0, 1, 2], [[3, 2, 1], [1, 3, 2], [2, 1, 3]], average=None)
    array([1., 1., 1.])
    """
    check_choice(interpolation, "interpolation", _PR_AREAS)
    area = _PR_AREAS[interpolation]
    return score_classes(area, y_true, y_score, average, labels, pos_label, sample_weight, prevalence)


def roc_area(rises: Rises) -> float:
    """Return AUROC: the mean over the positives of the share of negatives below each, ties counted half."""
    return rises.mean(lambda part: 1.0 - (part.fp_start + part.fp_end) / (2 * part.negatives))


def step_area(rises: Rises) -> float:
    """Return average precision."""
    return rises.mean(lambda part: part.tp[1:] / (part.tp[1:] + part.fp_end))


def linear_area(rises: Rises) -> float:
    """Return the trapezoidal area between the operating points in precision and recall."""

    def middle(part: Rises) -> Floats:
        predicted = part.tp[:-1] + part.fp_start
        start = np.divide(part.tp[:-1], predicted, out=np.ones_like(predicted), where=predicted > 0)
        return np.asarray((start + part.tp[1:] / (part.tp[1:] + part.fp_end)) / 2)

    return rises.mean(middle)


def hyperbolic_area(rises: Rises) -> float:
    """Return the area that is exact when tables are interpolated.

    Along a rise, TP grows by a fixed share s of the predicted positives M, from M1 to M2. Let m be (TP1 + TP2) /
    (M1 + M2) and v = (M2 - M1) / (M1 + M2). The integral of TP/M gives the mean precision
    m + (artanh(v) / v - 1) (m - s): the precision at the middle, and a correction for its curvature.
    """

    def precision(part: Rises) -> Floats:
        before, after = part.tp[:-1] + part.fp_start, part.tp[1:] + part.fp_end
        middle = (part.tp[:-1] + part.tp[1:]) / (before + after)
        added = after - before
        return np.asarray(middle + artanh_excess(added / (before + after)) * (middle - part.gained / added))

    return rises.mean(precision)


def artanh_excess(v: Floats) -> Floats:
    """Return artanh(v) / v - 1 for 0 < v < 1 without cancellation, and something finite for v = 1.

    v = 1 is a rise from the empty prediction, along which precision is constant, so that nothing is corrected.
    """
    squared = v * v
    excess = squared * (1 / 3 + squared * (1 / 5 + squared / 7))
    far = (v > 0.005) & (v < 1)  # nearer, the next term of the series is below 1e-19
    excess[far] = np.arctanh(v[far]) / v[far] - 1
    return excess


_PR_AREAS = {"hyperbolic": hyperbolic_area, "step": step_area, "linear": linear_area}
