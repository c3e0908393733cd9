"""The Precision-Recall-Gain curve, its area, and the F gain to expect along it (PRG paper, Section 3).

With P positives and N negatives, precision gain is 1 - (P/N)(FP/TP) and recall gain 1 - (P/N)(FN/TP).
Straight lines between contingency tables are straight lines between gains (Theorem 1), so whatever lies
between two operating points is interpolated in the table, never in the gains, which are infinite at TP = 0.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nontrivial._validation import check_beta
from nontrivial.curves.points import Floats, OperatingPoints, Rises, find_rises, operating_points


class ExtrapolatedAreaWarning(UserWarning):
    """Recall gain 0 lies before the first operating point that has a true positive."""


def precision_recall_gain_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Floats, Floats, NDArray]:
    """Return the Precision-Recall-Gain curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    pos_label : label, optional
        The positive class; by default the greater label.
    sample_weight : array-like of shape (n,), optional
        0 or greater; a weight of k counts like k equal cases.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_points,)
        At most 1; recall gain does not decrease. Both are -inf where there is no true positive. Besides one
        point for each distinct score there is one wherever either gain crosses 0 between two of them.
    thresholds : ndarray of shape (n_points,)
        Decreasing from inf (nothing predicted positive); NaN at a crossing, which no single threshold gives.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or one class is missing.

    See Also
    --------
    prg_auc_score : The area under the part with recall gain in [0, 1].

    Notes
    -----
    PRG paper, Definition 1 and Theorem 1. The always-positive prediction has precision gain 0 and recall gain 1.

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


def prg_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    clip: bool = False,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return AUPRG, the area under the Precision-Recall-Gain curve over recall gain from 0 to 1.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    clip : bool, default False
        Count negative precision gain as 0. Theorem 3 holds for the signed area only.
    pos_label : label, optional
        The positive class; by default the greater label.
    sample_weight : array-like of shape (n,), optional
        0 or greater; a weight of k counts like k equal cases.

    Returns
    -------
    float
        In [-N/(2P), 1] for P positives and N negatives, in [0, 1] with `clip`; exactly 1 for a perfect ranking
        and 0 for a constant score.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or one class is missing.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    Notes
    -----
    PRG paper, Section 3.3. A random ranking of finitely many cases does not have area 0: the mean is about -24
    for 1 positive among 100 cases, -0.23 for 10, and 0 for 50.

    Examples
    --------
    >>> prg_auc_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.25
    >>> prg_auc_score([1, 1, 0, 0], [4, 3, 2, 1])
    1.0
    """
    rises = find_rises(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    warn_if_extrapolated(rises)
    return gain_area(rises, clip=clip)


def expected_f_gain_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    beta: float = 1.0,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Return the F-beta gain to expect when the operating point is drawn at random along the curve.

    The point is drawn so that recall gain / prevalence - precision gain / (1 - prevalence) is uniform over the
    curve from recall gain 0 to the always-positive prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    beta : float, default 1
        How many times as much recall counts as precision, 0 or greater; infinite leaves recall alone.
    pos_label : label, optional
        The positive class; by default the greater label.
    sample_weight : array-like of shape (n,), optional
        0 or greater; a weight of k counts like k equal cases.

    Returns
    -------
    float
        At most 1; NaN (0/0) where no negative is below the point with recall gain 0, so that there is nothing
        to draw from.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, one class is missing, or `beta` is negative.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    Notes
    -----
    PRG paper, Theorem 3, for any beta: with prevalence p, area A and precision gain y at recall gain 0,

    .. math:: \frac{A (1 - p + \beta^2 p) + p y^2 / 2 + \beta^2 (1 - p) / 2}{(1 + \beta^2) (1 - p (1 - y))}

    which for beta = 1 and y = 1 is A/2 + 1/4.

    Examples
    --------
    >>> expected_f_gain_score([1, 1, 0, 0], [4, 3, 2, 1])
    0.75
    """
    beta = check_beta(beta)
    rises = find_rises(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    warn_if_extrapolated(rises)
    return expected_gain(rises, beta=beta)


def gain_curve(points: OperatingPoints) -> tuple[Floats, Floats, NDArray]:
    """Return precision gain, recall gain and thresholds, crossings included."""
    tp, positives, negatives = points.tp, points.positives, points.negatives
    # Gain = side / (N TP), with N TP - P FP and N TP - P FN for sides: these are linear between tables, and exact.
    precision_side = negatives * tp - positives * points.fp
    recall_side = (positives + negatives) * tp - positives**2
    rounding = max(points.rounding, 4 * np.finfo(float).eps)
    table = (tp, precision_side, recall_side, points.thresholds)
    # Recall goes first: where both gains cross in one place, the second pass finds a point there and adds none.
    table = _insert_zeros(table, 2, rounding * positives**2)
    tp, precision_side, recall_side, thresholds = _insert_zeros(table, 1, rounding * negatives * table[0])

    def gain(side: Floats) -> Floats:
        return np.divide(side, negatives * tp, out=np.full(len(tp), -np.inf), where=tp > 0)

    return gain(precision_side), gain(recall_side), thresholds


def _insert_zeros(columns: tuple[NDArray, ...], number: int, slack: Floats | float) -> tuple[NDArray, ...]:
    """Add a row wherever a column changes sign; all columns but the last, the thresholds, are interpolated."""
    side = columns[number]
    side[np.abs(side) <= slack] = 0.0
    before = np.flatnonzero(side[:-1] * side[1:] < 0)
    share = side[before] / (side[before] - side[before + 1])
    rows = [column[before] + share * (column[before + 1] - column[before]) for column in columns[:-1]]
    rows[number] = np.zeros(len(before))
    rows.append(np.full(len(before), np.nan))
    return tuple(np.insert(column, before + 1, row) for column, row in zip(columns, rows, strict=True))


@dataclass(frozen=True)
class _ZeroRecallGain:
    """Where the curve reaches recall gain 0: the table there, and the rise that leads on from it.

    `fp` belongs to the first table reached, the top of a drop that lies on recall gain 0; `fp_after` to the
    last, from which rise number `rise` goes on.
    """

    tp: float
    fp: float
    fp_after: float
    rise: int


def _zero_recall_gain(rises: Rises) -> _ZeroRecallGain:
    tp = rises.positives**2 / (rises.positives + rises.negatives)
    ends = rises.tp[1:]
    rise = int(np.searchsorted(ends, tp * (1 - rises.rounding)))
    if ends[rise] <= tp * (1 + rises.rounding):
        return _ZeroRecallGain(tp, float(rises.fp_end[rise]), float(rises.fp_start[rise + 1]), rise + 1)
    share = (tp - rises.tp[rise]) / (ends[rise] - rises.tp[rise])
    fp = float(rises.fp_start[rise] + share * (rises.fp_end[rise] - rises.fp_start[rise]))
    return _ZeroRecallGain(tp, fp, fp, rise)


def gain_area(rises: Rises, *, clip: bool = False) -> float:
    """Return AUPRG."""
    zero = _zero_recall_gain(rises)
    tp = rises.tp[zero.rise :].copy()
    fp_start = rises.fp_start[zero.rise :].copy()
    tp[0], fp_start[0] = zero.tp, zero.fp_after
    balance = rises.positives / rises.negatives
    start = 1.0 - balance * (fp_start / tp[:-1])
    end = 1.0 - balance * (rises.fp_end[zero.rise :] / tp[1:])
    # Recall gain grows by P^2/N times this; the sum over [0, 1] is known, so the factor cancels in the mean.
    width = (tp[1:] - tp[:-1]) / (tp[1:] * tp[:-1])
    return float(np.average(_mean_above_zero(start, end) if clip else (start + end) / 2, weights=width))


def _mean_above_zero(start: Floats, end: Floats) -> Floats:
    """Return the mean of max(line, 0) along straight lines between two heights."""
    high, low = np.maximum(start, end), np.minimum(start, end)
    mean = np.maximum((high + low) / 2, 0.0)
    across = (low < 0) & (high > 0)
    mean[across] = high[across] ** 2 / (2 * (high[across] - low[across]))
    return mean


def expected_gain(rises: Rises, *, beta: float = 1.0, area: float | None = None) -> float:
    """Return the expected F-beta gain (Theorem 3); `area` is the signed AUPRG if it is known already."""
    zero = _zero_recall_gain(rises)
    positives, negatives = rises.positives, rises.negatives
    tn = negatives - zero.fp
    if tn <= rises.rounding * negatives:
        return float("nan")
    area = gain_area(rises) if area is None else area
    top = 1.0 - (positives + negatives) * zero.fp / (positives * negatives)
    precision_share = 1 / (1 + beta * beta)
    recall_share = 1 - precision_share
    numerator = area * (precision_share * negatives + recall_share * positives)
    numerator += (precision_share * positives * top**2 + recall_share * negatives) / 2
    # Delta is linear in TN/TP and ends where TN = 0; 1 - p(1 - y) is the specificity at recall gain 0.
    return numerator / ((positives + negatives) * (tn / negatives))


def warn_if_extrapolated(rises: Rises) -> None:
    """Tell the user when part of the area rests on no operating point."""
    zero_tp = _zero_recall_gain(rises).tp
    if rises.tp[1] > zero_tp * (1 + rises.rounding):
        warnings.warn(
            f"The first operating point with a true positive has TP = {rises.tp[1]:g}, past recall gain 0 at "
            f"TP = {zero_tp:.3g}, so part of AUPRG is extrapolated from no true positive: read it against the "
            "mean of random rankings of the same size, which can lie far below 0.",
            ExtrapolatedAreaWarning,
            stacklevel=3,
        )
