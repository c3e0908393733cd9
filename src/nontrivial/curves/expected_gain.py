"""The F gain to expect along the Precision-Recall-Gain curve (PRG paper, Section 3.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import check_beta
from nontrivial._warnings import warn_undefined
from nontrivial.curves.gain_areas import ZeroRecallGain, gain_area, warn_if_extrapolated, zero_recall_gain
from nontrivial.curves.rises import Rises, mean, steps
from nontrivial.curves.scoring import score_classes


def expected_f_gain_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    beta: float = 1.0,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    r"""Return the F-beta gain to expect when the operating point is drawn at random along the curve.

    The point is drawn so that recall gain / prevalence - precision gain / (1 - prevalence) is uniform over the
    curve from recall gain 0 to the always-positive prediction.

    Parameters
    ----------
    y_true, y_score, average, labels, prevalence, pos_label, sample_weight
        As in `prg_auc_score`.
    beta : float, default 1
        How many times as much recall counts as precision, 0 or greater; infinite leaves recall alone.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        At most 1; beta^2 / (1 + beta^2) / 2 for a constant score; NaN (0/0) where no negative is below the point
        with recall gain 0, so that there is nothing to draw from.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or `beta` is negative.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.
    UndefinedMetricWarning
        If the result is NaN: there is nothing to draw from, or all cases are of one class.

    Notes
    -----
    PRG paper, Theorem 3, for any beta: with prevalence p, area A and precision gain y at recall gain 0,

    .. math:: \frac{A (1 - p + \beta^2 p) + p y^2 / 2 + \beta^2 (1 - p) / 2}{(1 + \beta^2) (1 - p (1 - y))}

    which for beta = 1 and y = 1 is A/2 + 1/4. With weights, a recall gain that is 0 but for the rounding of their sums
    is taken for 0.

    Examples
    --------
    >>> expected_f_gain_score([1, 1, 0, 0], [4, 3, 2, 1])
    0.75
    """
    beta = check_beta(beta)

    def gain(rises: Rises) -> float:
        warn_if_extrapolated(rises)
        value = expected_gain(rises, beta=beta)
        warn_if_undefined(value)
        return value

    return score_classes(gain, y_true, y_score, average, labels, pos_label, sample_weight, prevalence)


def warn_if_undefined(gain: float) -> None:
    """Warn the user if an expected F gain is NaN."""
    if np.isnan(gain):
        warn_undefined(
            "No negative case scores below the point where recall gain is 0; the expected F gain is set to NaN."
        )


def expected_gain(rises: Rises, *, beta: float = 1.0, area: float | None = None) -> float:
    """Return the expected F-beta gain (Theorem 3); `area` is the signed AUPRG if it is known already."""
    zero = zero_recall_gain(rises)
    if zero.tn == 0:
        return float("nan")
    squared = beta * beta
    precision_share, recall_share = 1 / (1 + squared), squared / (1 + squared) if squared < np.inf else 1.0
    if zero.tn < rises.negatives / 16:  # the sums of the theorem would lose more than one digit
        return _mean_gain(rises, zero, precision_share, recall_share)
    area = gain_area(rises) if area is None else area
    # The formula of the theorem in an order that is exact for a constant score, and for a perfect ranking if beta is 1.
    alone = area * precision_share + recall_share / 2
    beside = area * recall_share + precision_share * zero.top**2 / 2 - alone * zero.top
    return alone + rises.positives * beside / (rises.negatives + rises.positives * zero.top)


def _mean_gain(rises: Rises, zero: ZeroRecallGain, precision_share: float, recall_share: float) -> float:
    """Return the mean F gain from recall gain 0 on; what is uniform along the curve falls like TN / TP.

    The points are those of recall gain 0, the first and the last, then the end of each rise and the start of the next,
    and at last the always-positive prediction.
    """
    on, positives, negatives = slice(zero.rise, None), rises.positives, rises.negatives
    tn_start, tn_end = (
        each[on] for each in rises.tn or (negatives - rises.fp_start, negatives - rises.fp_end)
    )
    tp = np.repeat(np.append(zero.tp, rises.tp[1:][on]), 2)
    fn = np.repeat(np.append(zero.fn, rises.fn[1:][on]), 2)
    fp = _in_turns(np.append(zero.fp, rises.fp_end[on]), np.append(rises.fp_start[on], negatives))
    tn = _in_turns(np.append(zero.tn, tn_end), np.append(tn_start, 0.0))
    if zero.top == zero.bottom:  # recall gain 0 lies within a rise, whose start is before it
        fp[1], tn[1] = zero.fp, zero.tn
    precision_gain, recall_gain = (1 - positives * errors / (negatives * tp) for errors in (fp, fn))
    precision_gain[:2], recall_gain[:2] = (zero.top, zero.bottom), 0.0
    gain = precision_share * precision_gain + recall_share * recall_gain
    share = -steps(tn / tp)
    return mean([(((gain[:-1] + gain[1:]) / 2)[share > 0], share[share > 0])])


def _in_turns(first: Floats, second: Floats) -> Floats:
    """Return the values of two arrays in turns."""
    return np.column_stack([first, second]).ravel()
