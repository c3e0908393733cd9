"""The Precision-Recall-Gain curve: its points, the area under it, and the F gain to expect along it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import unwrap
from typing import NamedTuple

import numpy as np

import nontrivial.curves.points as points
from nontrivial._arrays import CACHED_LENGTH, Floats, Ints, Mask, Scores, chunk_slices
from nontrivial._validation import check_beta, check_choice, repr_of
from nontrivial._warnings import warn_undefined, warn_user
from nontrivial.curves.scoring import Area, ranking_curve, ranking_score

# With P positives and N negatives, precision gain is 1 - (P/N)(FP/TP) and recall gain 1 - (P/N)(FN/TP) (PRG paper,
# Section 3). Straight lines between contingency tables are straight lines between gains (Theorem 1). So points between
# two thresholds are interpolated in the table, as the gains are infinite at TP = 0.


@ranking_curve(points.operating_points, lambda: (*np.full((2, 1), np.nan), np.array([np.inf])))
def precision_recall_gain_curve(curve_points: points.OperatingPoints) -> tuple[Floats, Floats, Scores]:
    """Return the Precision-Recall-Gain curve (PRG paper, Definition 1 and Theorem 1).

    It ends at the always-positive prediction, with precision gain 0 and recall gain 1. The trapezoidal rule over the
    points with recall gain of at least 0 gives `prg_auc_score`.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_points,)
        At most 1; recall gain does not decrease. Both are -inf without a true positive. There is a point for each
        distinct score, and one for each crossing of 0 by either gain between them. If a class is missing, a single
        point is NaN.
    thresholds : ndarray of shape (n_points,)
        Decreasing from inf (nothing predicted positive), as in scikit-learn's ``roc_curve``. Integers become floats,
        which round beyond 2**53. A crossing of 0 belongs to no threshold, and has the threshold of the next point.

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
    # The gains are N TP - P FP and N TP - P FN over N TP. All three are linear between tables, and exact for counts.
    unit = curve_points.negatives * curve_points.tp
    y, x = (
        points.gain_numerator(unit, curve_points.positives, errors, curve_points.rounding)
        for errors in (curve_points.fp, curve_points.fn)
    )
    thresholds, rounding = curve_points.thresholds, max(curve_points.rounding, 1e-15)
    del curve_points  # saves memory
    crossings = _find_axis_crossings(y, x, rounding)
    before, after = crossings.before, crossings.before + 1

    def between(values: Floats) -> Floats:
        return values[before] + crossings.share * (values[after] - values[before])

    def gain(numerator: Floats, is_zero: Mask) -> Floats:
        at_crossings = np.where(is_zero, 0.0, between(numerator)) / between(unit)
        with np.errstate(divide="ignore", invalid="ignore"):
            numerator /= unit
        if numerator is x:  # no rounding may make recall gain decrease
            at_crossings = at_crossings.clip(numerator[before], numerator[after])
        return np.insert(numerator, after, at_crossings)

    precision_gain, recall_gain = gain(y, crossings.y_is_zero), gain(x, crossings.x_is_zero)
    precision_gain[0] = -np.inf  # 0/0 at the empty prediction
    return precision_gain, recall_gain, np.insert(thresholds, after, thresholds[after])


class _AxisCrossings(NamedTuple):
    """Points between two others at which y or x crosses 0: the point before, the share of the way to the next."""

    before: Ints
    share: Floats
    y_is_zero: Mask
    x_is_zero: Mask


def _find_axis_crossings(y: Floats, x: Floats, rounding: float) -> _AxisCrossings:
    """Find the crossings of 0 by straight lines between points, in their order."""
    (before,) = (y[:-1] * y[1:] < 0).nonzero()
    share = y[before] / (y[before] - y[before + 1])
    x_is_zero = np.zeros(len(before), dtype=bool)
    y_is_zero = ~x_is_zero
    reached = x.searchsorted(0.0)
    if x[reached] > 0:
        start = reached - 1
        x_share = x[start] / (x[start] - x[reached])
        x_is_zero = (before == start) & (np.abs(share - x_share) <= rounding * x_share)
        share[x_is_zero] = x_share
        if not x_is_zero.any():
            before, share = np.append(before, start), np.append(share, x_share)
            y_is_zero, x_is_zero = np.append(y_is_zero, False), np.append(x_is_zero, True)
            order = np.lexsort((share, before))
            return _AxisCrossings(before[order], share[order], y_is_zero[order], x_is_zero[order])
    return _AxisCrossings(before, share, y_is_zero, x_is_zero)


# The same from operating points.
gain_curve: Callable[[points.OperatingPoints], tuple[Floats, Floats, Scores]] = unwrap(precision_recall_gain_curve)


class ExtrapolatedAreaWarning(UserWarning):
    """The area is extrapolated: recall gain 0 lies before the first threshold with a true positive."""


@ranking_score(at_prevalence=True)
def prg_auc_score(*, clip: bool = False) -> Area:
    """Return AUPRG, the area under the Precision-Recall-Gain curve over recall gain from 0 to 1.

    The mean area of random rankings differs from 0: it is -24 for 1 positive among 100 cases, -0.23 for 10, and 0.005
    for 50 (`mean_random_prg_auc`). PRG paper, Section 3.3.

    Parameters
    ----------
    clip : bool, default False
        Count negative precision gain as 0. Theorem 3 holds for the signed area only.

    Returns
    -------
    In [-N/(2P), 1] for P positives and N negatives, in [0, 1] with `clip`; exactly 1 for a perfect ranking
    and 0 for a constant score.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    Examples
    --------
    >>> prg_auc_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.25
    """
    check_choice(clip, "clip", (True, False))

    def area(steps: points.PositiveSteps) -> float:
        warn_if_extrapolated(steps)
        return gain_area(steps, clip=clip)

    return area


def mean_random_prg_auc(positives: int, negatives: int) -> float:
    """Return the mean AUPRG of all rankings of so many cases without ties: the AUPRG by chance.

    With few positives it lies far below 0, because the area (PRG paper, Section 3.3) of a ranking that starts with
    negatives is extrapolated. On average t N / (P + 1) negatives lie before the t-th of P positives, and the area is
    linear in these numbers.

    Parameters
    ----------
    positives, negatives : int
        Number of cases of each class, from 1 to 2**53; others are a ValueError.

    Returns
    -------
    float in [-N/(2P), 1], the range of `prg_auc_score`
        Near 0 with many positives. It is never 0/0.

    Examples
    --------
    >>> [round(mean_random_prg_auc(positives, 100 - positives), 3) for positives in (1, 10, 50)]
    [-24.25, -0.232, 0.005]
    """
    for name, count in (("positives", positives), ("negatives", negatives)):
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= 2**53):
            raise ValueError(f"{name} is {repr_of(count)}; it must be a whole number from 1 to 2**53.")
    positives, negatives = int(positives), int(negatives)  # the powers of NumPy's integers wrap round
    first = positives**2 // (positives + negatives) + 1
    # Precision gain falls short of 1 by (P/N) FP/TP, and recall gain grows by (P^2/N) / TP^2 for each true positive. So
    # the t-th positive adds t (1 / (t - 1)^2 - 1 / t^2) / 2. In their sum, all cancels but sums of 1 / t^2.
    shortfall = Fraction(first * (positives + negatives) ** 2, positives**4) - Fraction(1, positives)
    shortfall += _sum_of_inverse_squares(first) - _sum_of_inverse_squares(positives)
    return float(1 - Fraction(positives**3, negatives * (positives + 1)) * shortfall / 2)


def _sum_of_inverse_squares(first: int) -> Fraction:
    """Return the sum of 1 / t^2 over all t from `first` on, to one part in 10^18, by Euler and Maclaurin's series."""
    start = max(first, 40)
    total = Fraction(1, start) + Fraction(1, 2 * start**2)
    for t in range(first, start):
        total += Fraction(1, t * t)
    for k, bernoulli in enumerate(("1/6", "-1/30", "1/42", "-1/30", "5/66"), start=1):
        total += Fraction(bernoulli) / start ** (2 * k + 1)
    return total


class ZeroRecallGain(NamedTuple):
    """The point of recall gain 0 on the curve: its table, precision gain, and the step that leads on from it.

    If the curve drops there, `top` and `bottom` are the ends of the drop, and the table is at the top.
    """

    tp: float
    fn: float
    fp: float
    tn: float
    top: float
    bottom: float
    step: int


@points.computed_once
def zero_recall_gain(steps: points.PositiveSteps) -> ZeroRecallGain:
    """Return the point of recall gain 0; every curve has one."""
    positives, negatives, total = steps.positives, steps.negatives, steps.positives + steps.negatives
    tp, fn = positives * positives / total, positives * negatives / total
    step = bisect_left(steps.tp, tp) - 1
    # As `tp` is rounded, the step may be a neighbouring one.
    while step and _recall_gain_numerator(steps, step) >= 0:
        step -= 1
    while (after := _recall_gain_numerator(steps, step + 1)) < 0:
        step += 1
    start, end = steps.fp_start.item(step), steps.fp_end.item(step)
    tn_start, tn_end = steps.tn_of(step)
    if after == 0:
        top, bottom = (1.0 - positives * fp / (negatives * tp) for fp in (end, steps.fp_start.item(step + 1)))
        return ZeroRecallGain(tp, fn, end, tn_end, top, bottom, step + 1)
    before = _recall_gain_numerator(steps, step)
    end_share, start_share = before / (before - after), after / (after - before)

    def within(low: float, high: float) -> float:
        return low + end_share * (high - low)

    # For a constant score, P FP and N TP are equal at both ends, and so they stay equal between them.
    unit = within(negatives * steps.tp.item(step), negatives * steps.tp.item(step + 1))
    gain = 1.0 - within(positives * start, positives * end) / unit
    return ZeroRecallGain(tp, fn, within(start, end), start_share * tn_start + end_share * tn_end, gain, gain, step)


def _recall_gain_numerator(steps: points.PositiveSteps, step: int) -> float:
    """Return N TP - P FN before a step, which has the sign of recall gain; 0 if it may be a rounding error."""
    unit = steps.negatives * steps.tp.item(step)
    return float(points.gain_numerator(unit, steps.positives, steps.fn.item(step), steps.rounding))


def gain_area(steps: points.PositiveSteps, *, clip: bool = False) -> float:
    """Return AUPRG, the area under the Precision-Recall-Gain curve."""
    zero = zero_recall_gain(steps)

    def heights_and_widths() -> Iterator[tuple[Floats, Floats]]:
        for part in chunk_slices(len(steps.fp_end), zero.step, CACHED_LENGTH):
            ends = slice(part.start, part.stop + 1)
            tp, fn = steps.tp[ends].copy(), steps.fn[ends].copy()
            if part.start == zero.step:
                tp[0], fn[0] = zero.tp, zero.fn
            unit = steps.negatives * tp
            start = 1.0 - steps.positives * steps.fp_start[part] / unit[:-1]
            end = 1.0 - steps.positives * steps.fp_end[part] / unit[1:]
            if part.start == zero.step:
                start[0] = zero.bottom
            # The difference of the smaller sums keeps more digits.
            gained = np.where(tp[1:] < fn[:-1], points.differences(tp), -points.differences(fn))
            # Recall gain grows by N P^2 times this width; the factor cancels in the mean.
            width = gained / (unit[1:] * unit[:-1])
            yield _mean_above_zero(start, end) if clip else (start + end) / 2, width

    return points.weighted_mean(heights_and_widths())


signed_gain_area = points.computed_once(gain_area)


def _mean_above_zero(start: Floats, end: Floats) -> Floats:
    """Return the mean of max(line, 0) along straight lines between two heights."""
    high, low = np.maximum(start, end), np.minimum(start, end)
    mean = np.maximum((high + low) / 2, 0.0)
    crosses_0 = (low < 0) & (high > 0)
    mean[crosses_0] = high[crosses_0] ** 2 / (2 * (high[crosses_0] - low[crosses_0]))
    return mean


def is_extrapolated(steps: points.PositiveSteps) -> bool:
    return _recall_gain_numerator(steps, 1) > 0


def warn_if_extrapolated(steps: points.PositiveSteps) -> None:
    if not is_extrapolated(steps):
        return
    zero_tp = steps.positives**2 / (steps.positives + steps.negatives)
    warn_user(
        f"AUPRG is partly extrapolated: recall gain is 0 at {zero_tp:.3g} true positives, but the first threshold that "
        f"finds any finds {steps.tp[1]:g}. The mean AUPRG of random rankings can then be far below 0; "
        "mean_random_prg_auc gives it.",
        ExtrapolatedAreaWarning,
    )


@ranking_score(at_prevalence=True)
def expected_f_gain_score(*, beta: float = 1.0) -> Area:
    r"""Return the expected F-beta gain of an operating point drawn at random along the curve.

    The draw makes recall gain / prevalence - precision gain / (1 - prevalence) uniform over the curve, from recall gain
    0 to the always-positive prediction (PRG paper, Theorem 3, for any beta). With prevalence p, area A and precision
    gain y at recall gain 0, the expected gain is

    .. math:: \frac{A (1 - p + \beta^2 p) + p y^2 / 2 + \beta^2 (1 - p) / 2}{(1 + \beta^2) (1 - p (1 - y))}

    which for beta = 1 and y = 1 is A/2 + 1/4.

    Parameters
    ----------
    beta : float, default 1
        How many times as much recall counts as precision, 0 or greater; infinite leaves recall alone.

    Returns
    -------
    At most 1; beta^2 / (1 + beta^2) / 2 for a constant score. NaN (0/0), with an UndefinedMetricWarning, if no negative
    scores below the point with recall gain 0, so that there is nothing to draw from.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    Examples
    --------
    >>> expected_f_gain_score([1, 1, 0, 0], [4, 3, 2, 1])
    0.75
    """
    beta = check_beta(beta)

    def gain(steps: points.PositiveSteps) -> float:
        warn_if_extrapolated(steps)
        value = expected_gain(steps, beta=beta)
        warn_if_undefined(value)
        return value

    return gain


def warn_if_undefined(gain: float) -> None:
    if np.isnan(gain):
        warn_undefined(
            "No negative case scores below the point where recall gain is 0; the expected F gain is set to NaN."
        )


def expected_gain(steps: points.PositiveSteps, *, beta: float = 1.0) -> float:
    """Return the expected F-beta gain by Theorem 3 of the PRG paper; NaN if no negative ranks after recall gain 0."""
    zero = zero_recall_gain(steps)
    if zero.tn == 0:
        return float("nan")
    squared = beta * beta
    precision_share, recall_share = 1 / (1 + squared), squared / (1 + squared) if squared < np.inf else 1.0
    if zero.tn < steps.negatives / 16:  # the theorem's differences would lose more than a digit
        return _integrate_gain(steps, zero, precision_share, recall_share)
    area = signed_gain_area(steps)
    # In this order, the formula is exact for a constant score, and for a perfect ranking if beta is 1.
    main_term = area * precision_share + recall_share / 2
    correction = area * recall_share + precision_share * zero.top**2 / 2 - main_term * zero.top
    return main_term + steps.positives * correction / (steps.negatives + steps.positives * zero.top)


def _integrate_gain(
    steps: points.PositiveSteps, zero: ZeroRecallGain, precision_share: float, recall_share: float
) -> float:
    """Return the mean F gain from recall gain 0 on, with the curve weighted by the decrease of TN / TP."""
    # From recall gain 0 on, the curve drops at each table, which gives two points. The last table is always-positive.
    on = slice(zero.step, None)
    tp, fn = np.repeat(steps.tp[on], 2), np.repeat(steps.fn[on], 2)
    tp[:2], fn[:2] = zero.tp, zero.fn
    tn_start, tn_end = steps.tn_of(on)
    fp, tn = np.empty(len(tp)), np.empty(len(tp))
    fp[::2], tn[::2] = np.append(zero.fp, steps.fp_end[on]), np.append(zero.tn, tn_end)
    fp[1::2], tn[1::2] = np.append(steps.fp_start[on], steps.negatives), np.append(tn_start, 0.0)
    if zero.top == zero.bottom:  # recall gain 0 lies within a step
        fp[1], tn[1] = zero.fp, zero.tn
    precision_gain, recall_gain = (1 - steps.positives * wrong / (steps.negatives * tp) for wrong in (fp, fn))
    precision_gain[:2], recall_gain[:2] = (zero.top, zero.bottom), 0.0
    gain = precision_share * precision_gain + recall_share * recall_gain
    share = -points.differences(tn / tp)
    return points.weighted_mean([(((gain[:-1] + gain[1:]) / 2)[share > 0], share[share > 0])])


class GainSteps(NamedTuple):
    """Steps from recall gain 0 on, a row for each resample. `zero_tp` is TP at recall gain 0."""

    zero_tp: Floats
    tp_start: Floats
    tp_end: Floats
    fp_start: Floats


@points.computed_once
def _steps_from_zero_recall_gain(steps: points.ResampledSteps) -> GainSteps:
    """Cut the steps at recall gain 0; steps before it become empty."""
    zero = steps.positives**2 / (steps.positives + steps.negatives)
    tp, next_tp = np.maximum(steps.tp_start, zero), np.maximum(steps.tp_end, zero)
    share = np.where(steps.tp_gained > 0, (tp - steps.tp_start) / steps.tp_gained, 0.0).clip(0, 1)
    return GainSteps(zero, tp, next_tp, steps.fp_start + share * steps.fp_gained)


@points.computed_once
def resampled_gain_area(steps: points.ResampledSteps) -> Floats:
    """Return AUPRG for each resample."""
    _, tp_start, tp_end, fp_start = _steps_from_zero_recall_gain(steps)
    height = 1 - steps.positives / steps.negatives * (fp_start / tp_start + steps.fp_end / tp_end) / 2
    width = (tp_end - tp_start) / (tp_start * tp_end)
    return np.asarray((width * height).sum(axis=1) / width.sum(axis=1))


def resampled_expected_gain(steps: points.ResampledSteps) -> Floats:
    """Return the expected F1 gain for each resample."""
    gain_steps = _steps_from_zero_recall_gain(steps)
    first = np.argmax(steps.tp_end >= gain_steps.zero_tp, axis=1)
    fp_first = gain_steps.fp_start[np.arange(len(first)), first]
    p, n = steps.positives[:, 0], steps.negatives[:, 0]
    top, tn = 1 - (p + n) * fp_first / (p * n), n - fp_first
    expected = (resampled_gain_area(steps) * (p + n) / 2 + (p * top**2 + n) / 4) / ((p + n) * (tn / n))
    return np.where(tn > 0, expected, np.nan)
