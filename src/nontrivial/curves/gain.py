"""The Precision-Recall-Gain curve (PRG paper, Section 3).

With P positives and N negatives, precision gain is 1 - (P/N)(FP/TP) and recall gain 1 - (P/N)(FN/TP).
Straight lines between contingency tables are straight lines between gains (Theorem 1), so whatever lies
between two operating points is interpolated in the table, never in the gains, which are infinite at TP = 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Scores
from nontrivial._validation import undefined_for_one_class
from nontrivial.curves.points import OperatingPoints, operating_points
from nontrivial.curves.rises import surplus


@undefined_for_one_class(lambda: (*np.full((2, 1), np.nan), np.array([np.inf])))
def precision_recall_gain_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Floats, Floats, Scores]:
    """Return the Precision-Recall-Gain curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_points,)
        At most 1; recall gain does not decrease. Both are -inf where there is no true positive. Besides one
        point for each distinct score there is one wherever either gain crosses 0 between two of them.
    thresholds : ndarray of shape (n_points,)
        From inf (nothing predicted positive) downwards, in the order of scikit-learn's ``roc_curve`` and not of its
        ``precision_recall_curve``. Integers become floats, which round beyond 2**53. It holds no NaN: a crossing, which
        no single threshold gives, has that of the next point.

    Raises
    ------
    ValueError
        If the lengths differ, or a score is not finite.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the curve is one point, whose gains are NaN.

    See Also
    --------
    prg_auc_score : The area under the part with recall gain in [0, 1].

    Notes
    -----
    PRG paper, Definition 1 and Theorem 1. The always-positive prediction has precision gain 0 and recall gain 1.
    The trapezoidal rule over the points with recall gain of at least 0 gives `prg_auc_score`.

    Examples
    --------
    >>> precision_gain, recall_gain, thresholds = precision_recall_gain_curve([1, 0, 1, 0], [4, 3, 2, 1])
    >>> precision_gain
    array([-inf,  1. ,  0. ,  0.5,  0. ])
    >>> recall_gain
    array([-inf,   0.,   0.,   1.,   1.])
    >>> thresholds
    array([inf, 4., 3., 2., 1.])
    """
    return gain_curve(operating_points(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight))


def gain_curve(points: OperatingPoints) -> tuple[Floats, Floats, Scores]:
    """Return precision gain, recall gain and thresholds, crossings included.

    The gains are sides over N TP, and the sides N TP - P FP and N TP - P FN are linear between tables and, for whole
    weights, exact.
    """
    unit = points.negatives * points.tp
    sides = [  # written out, as a loop over both would keep `points.fn` in memory
        surplus(unit, points.positives * points.fp, points.rounding),
        surplus(unit, points.positives * points.fn, points.rounding),
    ]
    thresholds, rounding = points.thresholds, max(points.rounding, 1e-15)
    del points  # the peak of memory lies ahead
    (y_before,) = (sides[0][:-1] * sides[0][1:] < 0).nonzero()
    reached = sides[1].searchsorted(0.0)  # recall gain only grows
    x_before = np.array([reached - 1] if sides[1][reached] > 0 else [], dtype=np.intp)
    y_share, x_share = (
        side[before] / (side[before] - side[before + 1])
        for side, before in zip(sides, (y_before, x_before), strict=True)
    )
    # There is one crossing of recall gain, or none. NumPy's isin and isclose would take a third of this function.
    near = np.abs(y_share[:, None] - x_share) <= rounding * x_share
    same = ((y_before[:, None] == x_before) & near).any(axis=1)
    before, share = np.concatenate([x_before, y_before[~same]]), np.concatenate([x_share, y_share[~same]])
    crosses_x = np.arange(len(before)) < len(x_before)
    crosses_y = ~crosses_x | same.any()
    order = np.lexsort((share, before))
    place = before[order] + 1

    unit_between = _between(unit, before, share)
    for gain, crosses in enumerate((crosses_y, crosses_x)):
        between = np.where(crosses, 0.0, _between(sides[gain], before, share)) / unit_between
        with np.errstate(divide="ignore", invalid="ignore"):
            sides[gain] /= unit
        if gain and len(y_before):  # recall gain does not decrease, whatever is rounded
            between = between.clip(sides[gain][before], sides[gain][before + 1])
        sides[gain] = np.insert(sides[gain], place, between[order])
    del unit
    precision_gain, recall_gain = sides
    precision_gain[0] = -np.inf  # 0/0 at the empty prediction
    return precision_gain, recall_gain, np.insert(thresholds, place, thresholds[place])


def _between(values: Floats, before: Ints, share: Floats) -> Floats:
    return values[before] + share * (values[before + 1] - values[before])
