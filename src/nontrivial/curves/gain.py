"""The Precision-Recall-Gain curve (PRG paper, Section 3).

With P positives and N negatives, precision gain is 1 - (P/N)(FP/TP) and recall gain 1 - (P/N)(FN/TP).
Straight lines between contingency tables are straight lines between gains (Theorem 1), so whatever lies
between two operating points is interpolated in the table, never in the gains, which are infinite at TP = 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Scores
from nontrivial._binary import undefined_for_one_class
from nontrivial._validation import WIDEST
from nontrivial.curves.points import OperatingPoints, operating_points
from nontrivial.curves.rises import Rises


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
        0 or greater; the greatest at most 1e9 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_points,)
        At most 1; recall gain does not decrease. Both are -inf where there is no true positive. Besides one
        point for each distinct score there is one wherever either gain crosses 0 between two of them.
    thresholds : ndarray of shape (n_points,)
        From inf (nothing predicted positive) downwards, in the order of scikit-learn's ``roc_curve`` and not of its
        ``precision_recall_curve``. It holds no NaN: a crossing, which no single threshold gives, has that of the next
        point.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or the positives weigh more than 1e9 times as much as the
        negatives.

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
    points = operating_points(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return gain_curve(points)


def gain_curve(points: OperatingPoints) -> tuple[Floats, Floats, Scores]:
    """Return precision gain, recall gain and thresholds, crossings included.

    Precision gain is side / (N TP) with the side N TP - P FP, which is linear between tables and, for whole weights,
    exact.
    """
    positives, negatives, total = points.positives, points.negatives, points.positives + points.negatives
    side = negatives * points.tp - positives * points.fp
    if points.rounding:
        side[np.abs(side) <= points.rounding * negatives * points.tp] = 0.0
    x_zero, y_zeros = _recall_crossing(points, side), _precision_crossings(points, side)
    rounding = max(points.rounding, 1e-15)
    # There is one crossing of recall gain, or none. NumPy's isin and isclose would take a third of this function.
    at_once = np.abs(y_zeros.share[:, None] - x_zero.share) <= rounding * x_zero.share
    same = ((y_zeros.before[:, None] == x_zero.before) & at_once).any(axis=1)
    if same.any():
        x_zero = x_zero._replace(side=np.zeros(1))
    before, share, new_tp, new_side = (
        np.concatenate([x, y[~same]]) for x, y in zip(x_zero, y_zeros, strict=True)
    )
    order = np.lexsort((share, before))
    place = before[order] + 1

    tp = np.insert(points.tp, place, new_tp[order])
    precision_gain = np.insert(side, place, new_side[order])
    del side  # the peak of memory lies ahead
    recall_gain = total * tp - positives**2
    recall_gain[_at_zero_recall_gain(tp, points)] = 0.0
    tp *= negatives
    with np.errstate(divide="ignore", invalid="ignore"):
        precision_gain /= tp
        recall_gain /= tp
    del tp
    precision_gain[0] = -np.inf  # 0/0 at the empty prediction
    thresholds = points.thresholds
    return precision_gain, recall_gain, np.insert(thresholds, place, thresholds[place])


def zero_recall_gain_tp(ranking: OperatingPoints | Rises) -> float:
    """Return the TP at which recall gain is 0.

    It is P - N + N^2/(P + N): of far more positives than negatives nearly all, so that rounding hides what is left.
    """
    if ranking.positives > WIDEST * ranking.negatives:
        raise ValueError(
            f"The positives weigh more than {WIDEST:.0e} times as much as the negatives; gains are defined up to that."
        )
    return ranking.positives**2 / (ranking.positives + ranking.negatives)


class _Crossings(NamedTuple):
    """Tables to be inserted: after which point, how far on the way to the next, their TP and their side."""

    before: Ints
    share: Floats
    tp: Floats
    side: Floats


def _precision_crossings(points: OperatingPoints, side: Floats) -> _Crossings:
    below, above = side < 0, side > 0
    before = np.flatnonzero((below[:-1] & above[1:]) | (above[:-1] & below[1:]))
    share = side[before] / (side[before] - side[before + 1])
    return _Crossings(before, share, _between(points.tp, before, share), np.zeros(len(before)))


def _recall_crossing(points: OperatingPoints, side: Floats) -> _Crossings:
    """Return the one crossing, or none if recall gain is 0 at a point."""
    reached = _at_zero_recall_gain(points.tp, points)
    before = np.array([reached.start - 1] if reached.start == reached.stop else [], dtype=np.intp)
    tp, total = points.tp, points.positives + points.negatives
    share = (points.positives**2 - total * tp[before]) / (total * (tp[before + 1] - tp[before]))
    return _Crossings(
        before, share, np.full(len(before), zero_recall_gain_tp(points)), _between(side, before, share)
    )


def _at_zero_recall_gain(tp: Floats, points: OperatingPoints) -> slice:
    """Return which of the increasing `tp` have recall gain 0; where there are none, where they would be."""
    zero = zero_recall_gain_tp(points)
    start = np.searchsorted(tp, zero * (1 - points.rounding), side="left")
    return slice(start, np.searchsorted(tp, zero * (1 + points.rounding), side="right"))


def _between(values: Floats, before: Ints, share: Floats) -> Floats:
    return values[before] + share * (values[before + 1] - values[before])
