"""The area under the Precision-Recall-Gain curve (PRG paper, Section 3.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import IN_CACHE, Floats, chunks
from nontrivial._validation import check_flag, show
from nontrivial._warnings import warn_user
from nontrivial.curves.rises import Rises, mean, steps, surplus
from nontrivial.curves.scoring import score_classes


class ExtrapolatedAreaWarning(UserWarning):
    """Recall gain 0 lies before the first operating point that has a true positive."""


def prg_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    clip: bool = False,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Return AUPRG, the area under the Precision-Recall-Gain curve over recall gain from 0 to 1.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: numbers, booleans or strings. Two, or as many as `y_score` has columns.
    y_score : array-like of shape (n,) or (n, n_classes)
        Finite; the greater, the more positive. For three or more classes, a column for each, in sorted order.
    clip : bool, default False
        Count negative precision gain as 0. Theorem 3 holds for the signed area only.
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
        In [-N/(2P), 1] for P positives and N negatives, in [0, 1] with `clip`; exactly 1 for a perfect ranking
        and 0 for a constant score.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or an option is unknown.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

    Notes
    -----
    PRG paper, Section 3.3. Random rankings of finitely many cases do not have area 0 on average: the mean, which
    `mean_random_prg_auc` gives, is -24 for 1 positive among 100 cases, -0.23 for 10, and 0.005 for 50.

    Examples
    --------
    >>> prg_auc_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.25
    >>> prg_auc_score([1, 1, 0, 0], [4, 3, 2, 1])
    1.0
    """
    check_flag(clip, "clip")

    def area(rises: Rises) -> float:
        warn_if_extrapolated(rises)
        return gain_area(rises, clip=clip)

    return score_classes(area, y_true, y_score, average, labels, pos_label, sample_weight, prevalence)


def mean_random_prg_auc(positives: int, negatives: int) -> float:
    """Return the mean AUPRG of all rankings of so many cases without ties, which is what chance gives.

    It lies far below 0 for few positives, where the area of a ranking that starts with negatives is extrapolated,
    and near 0 for many.

    Parameters
    ----------
    positives, negatives : int
        Number of cases of each class, at least 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a number is not a whole number from 1 to 2**53.

    Notes
    -----
    On average t N / (P + 1) negatives lie before the t-th of P positives, and the area is linear in these numbers.

    Examples
    --------
    >>> [round(mean_random_prg_auc(positives, 100 - positives), 3) for positives in (1, 10, 50)]
    [-24.25, -0.232, 0.005]
    """
    for name, count in (("positives", positives), ("negatives", negatives)):
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= 2**53):
            raise ValueError(f"{name} is {show(count)}; it must be a whole number from 1 to 2**53.")
    positives, negatives = int(positives), int(negatives)  # the powers of NumPy's integers wrap round
    first = positives**2 // (positives + negatives) + 1
    # Precision gain falls short of 1 by (P/N) FP/TP; recall gain grows by (P^2/N) / TP^2 for each true positive. So the
    # t-th adds t (1 / (t - 1)^2 - 1 / t^2) / 2, the first from recall gain 0 on; all but sums of 1 / t^2 cancels.
    shortfall = Fraction(first * (positives + negatives) ** 2, positives**4) - Fraction(1, positives)
    shortfall += _sum_of_inverse_squares(first) - _sum_of_inverse_squares(positives)
    return float(1 - Fraction(positives**3, negatives * (positives + 1)) * shortfall / 2)


def _sum_of_inverse_squares(first: int) -> Fraction:
    """Return the sum of 1 / t^2 from a number on, by Euler and Maclaurin's series, to one part in 10^18."""
    start = max(first, 40)
    total = Fraction(1, start) + Fraction(1, 2 * start**2)
    for t in range(first, start):
        total += Fraction(1, t * t)
    for k, bernoulli in enumerate(("1/6", "-1/30", "1/42", "-1/30", "5/66"), start=1):
        total += Fraction(bernoulli) / start ** (2 * k + 1)
    return total


@dataclass(frozen=True)
class ZeroRecallGain:
    """Where the curve reaches recall gain 0: the table there, and the rise that leads on from it.

    `fp` and the precision gain `top` belong to the first table reached, the top of a drop that lies on recall gain 0;
    the precision gain `bottom` to the last, from which rise number `rise` goes on.
    """

    tp: float
    fn: float
    fp: float
    tn: float
    top: float
    bottom: float
    rise: int


def zero_recall_gain(rises: Rises) -> ZeroRecallGain:
    """Return where the curve reaches recall gain 0; it always does."""
    positives, negatives, total = rises.positives, rises.negatives, rises.positives + rises.negatives
    tp, fn = positives * positives / total, positives * negatives / total
    rise = bisect_left(rises.tp, tp) - 1
    # As tp is rounded, the rise may be a neighbour; `_side` decides.
    while rise and _side(rises, rise) >= 0:
        rise -= 1
    while (after := _side(rises, rise + 1)) < 0:
        rise += 1
    before = _side(rises, rise)
    start, end = float(rises.fp_start[rise]), float(rises.fp_end[rise])
    tn_start, tn_end = rises.tn_of(rise)
    if after == 0:
        top, bottom = (
            1.0 - positives * fp / (negatives * tp) for fp in (end, float(rises.fp_start[rise + 1]))
        )
        return ZeroRecallGain(tp, fn, end, tn_end, top, bottom, rise + 1)
    share, rest = before / (before - after), after / (after - before)

    def within(low: float, high: float) -> float:
        return low + share * (high - low)

    # For a constant score P FP and N TP are the same at both ends, and so they are between.
    unit = within(negatives * rises.tp[rise], negatives * rises.tp[rise + 1])
    gain = float(1.0 - within(positives * start, positives * end) / unit)
    return ZeroRecallGain(tp, fn, within(start, end), rest * tn_start + share * tn_end, gain, gain, rise)


def _side(rises: Rises, place: int) -> float:
    """Return N TP - P FN before a rise, which has the sign of recall gain; 0 where rounding hides it."""
    unit = rises.negatives * rises.tp.item(place)
    return float(surplus(unit, rises.positives * rises.fn.item(place), rises.rounding))


def gain_area(rises: Rises, *, clip: bool = False) -> float:
    """Return AUPRG."""
    zero = zero_recall_gain(rises)

    def heights_and_widths() -> Iterator[tuple[Floats, Floats]]:
        for part in chunks(len(rises.fp_end), zero.rise, IN_CACHE):
            ends = slice(part.start, part.stop + 1)
            tp, fn = rises.tp[ends], rises.fn[ends].astype(np.float64, copy=False)
            unit, lost = rises.negatives * tp, steps(fn)
            if rises.rounding:  # the difference of the smaller sums keeps more digits
                lost = np.where(tp[1:] < fn[:-1], -steps(tp), lost)
            if part.start == zero.rise:
                unit[0] = rises.negatives * zero.tp
                lost[0] = zero.tp - tp[1] if tp[1] < zero.fn else fn[1] - zero.fn
            start = 1.0 - rises.positives * rises.fp_start[part] / unit[:-1]
            end = 1.0 - rises.positives * rises.fp_end[part] / unit[1:]
            if part.start == zero.rise:
                start[0] = zero.bottom
            # Recall gain grows by -N P^2 times this; the sum over [0, 1] is known, so the factor cancels in the mean.
            width = lost / (unit[1:] * unit[:-1])
            yield _mean_above_zero(start, end) if clip else (start + end) / 2, width

    return mean(heights_and_widths())


def _mean_above_zero(start: Floats, end: Floats) -> Floats:
    """Return the mean of max(line, 0) along straight lines between two heights."""
    high, low = np.maximum(start, end), np.minimum(start, end)
    mean = np.maximum((high + low) / 2, 0.0)
    across = (low < 0) & (high > 0)
    mean[across] = high[across] ** 2 / (2 * (high[across] - low[across]))
    return mean


def is_extrapolated(rises: Rises) -> bool:
    """Return whether recall gain 0 lies before the first operating point with a true positive."""
    return _side(rises, 1) > 0


def warn_if_extrapolated(rises: Rises) -> None:
    """Warn the user if part of the area rests on no operating point."""
    if not is_extrapolated(rises):
        return
    zero_tp = rises.positives**2 / (rises.positives + rises.negatives)
    chance = "can be far below 0, on average"
    if not rises.rounding:
        chance = f"is {mean_random_prg_auc(int(rises.positives), int(rises.negatives)):.3g} on average"
    warn_user(
        f"AUPRG is partly extrapolated: recall gain is 0 at {zero_tp:.3g} true positives, but the first threshold that "
        f"finds any finds {rises.tp[1]:g}. The AUPRG of random rankings of "
        f"{_counted(rises.positives, 'positive')} and {_counted(rises.negatives, 'negative')} {chance}.",
        ExtrapolatedAreaWarning,
    )


def _counted(n: float, what: str) -> str:
    """Say how many there are."""
    return f"{n:g} {what}{'' if n == 1 else 's'}"
