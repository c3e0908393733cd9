"""Areas under the ROC, the Precision-Recall and the Precision-Recall-Gain curve of rankings, as exact ratios."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio

# Areas under the ROC and the Precision-Recall curve of rankings, as exact ratios.
#
# Every function takes `Rankings` and returns numerator and denominator, which broadcast to one number for each.


PR_AUC_UNIT = 10**9


@functools.cache
def multiple_up_to(largest: int) -> int:
    """The least number that all whole numbers up to `largest` divide."""
    return math.lcm(*range(1, largest + 1))


def predicted(rankings: Rankings) -> Ints:
    """Cases predicted positive at each operating point."""
    return rankings.tp + rankings.fp


def roc_auc(rankings: Rankings) -> Ratio:
    """Area under the ROC curve, by trapezoids (PRG paper, Section 1; tutorial, the formula for AUC)."""
    doubled = (rankings.added * (rankings.tp[:, 1:] + rankings.tp[:, :-1])).sum(axis=1)
    return doubled, 2 * rankings.positives * rankings.negatives


def roc_auc_after_first(rankings: Rankings) -> Ratio:
    """The trapezoids from the first point behind the origin on (tutorial, the formula for AUC, its sum to m - 1)."""
    doubled = (rankings.added[:, 1:] * (rankings.tp[:, 2:] + rankings.tp[:, 1:-1])).sum(axis=1)
    return doubled, 2 * rankings.positives * rankings.negatives


def roc_auc_axes_exchanged(rankings: Rankings) -> Ratio:
    """The area by trapezoids with the true positive rate across and the false positive rate up."""
    doubled = (rankings.gained * (rankings.fp[:, 1:] + rankings.fp[:, :-1])).sum(axis=1)
    return doubled, 2 * rankings.positives * rankings.negatives


def concordance(rankings: Rankings) -> Ratio:
    """Share of the pairs of a positive and a negative with the positive first, ties counted half.

    Pair by pair of groups, so that it is another computation than the area.
    """
    groups = rankings.n
    twice = (rankings.gained * rankings.added).sum(axis=1)
    for one in range(groups):
        for other in range(one + 1, groups):
            twice = twice + 2 * rankings.gained[:, one] * rankings.added[:, other]
    return twice, 2 * rankings.positives * rankings.negatives


def expected_accuracy(rankings: Rankings) -> Ratio:
    """Mean accuracy where the predicted positive rate is uniform and tables are interpolated."""
    correct = rankings.tp + rankings.negatives - rankings.fp
    doubled = ((rankings.gained + rankings.added) * (correct[:, 1:] + correct[:, :-1])).sum(axis=1)
    return doubled, 2 * rankings.n**2


def expected_accuracy_from_roc_auc(rankings: Rankings) -> Ratio:
    """The PRG paper's formula for it: p (1 - p) (2 AUROC - 1) + 1/2 with the prevalence p (Section 1)."""
    area, unit = roc_auc(rankings)
    product = rankings.positives * rankings.negatives
    return 2 * product * (2 * area - unit) + unit * rankings.n**2, 2 * unit * rankings.n**2


def average_precision(rankings: Rankings) -> Ratio:
    """Average precision: the precision of each point, weighted by the recall gained there."""
    common = multiple_up_to(rankings.n)
    share = common // np.maximum(predicted(rankings)[:, 1:], 1)
    return (rankings.gained * rankings.tp[:, 1:] * share).sum(axis=1), rankings.positives * common


def mean_precision_at_positives(rankings: Rankings) -> Ratio:
    """Arithmetic mean, over the positives, of the precision of the first point that has found them."""
    common = multiple_up_to(rankings.n)
    precision = rankings.tp * (common // np.maximum(predicted(rankings), 1))
    total = np.zeros(len(rankings), dtype=np.int64)
    for wanted in range(1, rankings.positives + 1):
        first = (rankings.tp >= wanted).argmax(axis=1)
        total += precision[np.arange(len(rankings)), first]
    return total, rankings.positives * common


def pr_auc(rankings: Rankings) -> Ratio:
    """Area under the Precision-Recall curve with interpolated tables (Davis and Goadrich), to nine decimals.

    The only number here that is not rational. Along a group of g positives among m cases, from TP to TP + g of M to
    M + m predicted positives, the mean precision is g/m + (TP - g M/m) ln((M + m)/M) / m.
    """
    size = (rankings.gained + rankings.added).astype(float)
    before = predicted(rankings)[:, :-1].astype(float)
    moves, started = size > 0, before > 0
    share = np.divide(rankings.gained, size, out=np.zeros_like(size), where=moves)
    growth = np.log1p(np.divide(size, before, out=np.zeros_like(size), where=started))
    offset = rankings.tp[:, :-1] - share * before
    mean = share + np.divide(offset * growth, size, out=np.zeros_like(size), where=moves)
    area = (rankings.gained * mean).sum(axis=1) / rankings.positives
    return np.rint(area * PR_AUC_UNIT).astype(np.int64), PR_AUC_UNIT


def break_even_point(rankings: Rankings) -> Ratio:
    """Precision where it equals recall, with as many predicted positives as positives; tables are interpolated."""
    common = multiple_up_to(rankings.n)
    before = predicted(rankings)[:, :-1]
    size = np.maximum(rankings.gained + rankings.added, 1)
    inside = (before < rankings.positives) & (predicted(rankings)[:, 1:] >= rankings.positives)
    along = (rankings.positives - before) * rankings.gained * (common // size)
    tp = ((rankings.tp[:, :-1] * common + along) * inside).sum(axis=1)
    return tp, rankings.positives * common


def best_f(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """The greatest F-beta of an operating point, for beta squared as a ratio."""
    b, unit = beta_squared
    best = np.zeros(len(rankings), dtype=np.int64), np.ones(len(rankings), dtype=np.int64)
    for tp, size in zip(rankings.tp.T[1:], predicted(rankings).T[1:], strict=True):
        f = (unit + b) * tp, unit * size + b * rankings.positives
        better = f[0] * best[1] > best[0] * f[1]
        best = np.where(better, f[0], best[0]), np.where(better, f[1], best[1])
    return best


# The Precision-Recall-Gain curve of rankings: its area, the F gain to expect along it, and Delta.
#
# With P positives, N negatives and n cases, the recall gain is 0 where TP = P^2/n, and a table interpolated there has
# FP = FP1 + (P^2/n - TP1) dFP/dTP. So the gains at all corners of the curve from there on are whole multiples of one
# unit, 1/(N P L), with the least common multiple L of 1..P, and everything here is computed in it.


@dataclass(frozen=True, eq=False)
class GainCurve:
    """The part of the curves from recall gain 0 on, one straight piece for each group of tied cases.

    Attributes
    ----------
    unit : int
        Gains are whole multiples of one over it.
    precision_start, precision_end, recall_start, recall_end : ndarray of shape (n_rankings, n_groups)
        Gains at both ends of each piece; where a group ends before recall gain 0, both ends are the same.
    inside : ndarray of bool of the same shape
        Whether the piece lies at recall gain 0 or more.
    top : ndarray of shape (n_rankings,)
        Precision gain at recall gain 0, on the curve's first arrival there.
    """

    unit: int
    precision_start: Ints
    precision_end: Ints
    recall_start: Ints
    recall_end: Ints
    inside: NDArray[np.bool_]
    top: Ints


@functools.lru_cache(maxsize=1)
def gain_curve(rankings: Rankings) -> GainCurve:
    """The curves of a block; only the last one's are kept, because they are large and quickly found."""
    positives, negatives, n = rankings.positives, rankings.negatives, rankings.n
    common = multiple_up_to(positives)
    unit = negatives * positives * common
    tp_start, tp_end = rankings.tp[:, :-1], rankings.tp[:, 1:]
    fp_start, fp_end = rankings.fp[:, :-1], rankings.fp[:, 1:]

    def at_point(tp: Ints, errors: Ints) -> Ints:
        """1 - (P/N) errors/TP."""
        return np.asarray(unit - positives**2 * errors * (common // np.maximum(tp, 1)))

    # The piece on which the curve first arrives at TP = P^2/n.
    zero = positives**2
    arrives = (n * tp_start < zero) & (n * tp_end >= zero)
    gained = np.maximum(rankings.gained, 1)
    at_zero = unit - (n * gained * fp_start + (zero - n * tp_start) * rankings.added) * (common // gained)
    inside = n * tp_end >= zero
    return GainCurve(
        unit=unit,
        precision_start=np.where(arrives, at_zero, at_point(tp_start, fp_start)),
        precision_end=at_point(tp_end, fp_end),
        recall_start=np.where(arrives, 0, at_point(tp_start, positives - tp_start)),
        recall_end=at_point(tp_end, positives - tp_end),
        inside=inside,
        top=(at_zero * arrives).sum(axis=1),
    )


def prg_auc(rankings: Rankings) -> Ratio:
    """AUPRG: negative precision gain counts as negative (PRG paper, Section 3.3)."""
    curve = gain_curve(rankings)
    heights = curve.precision_start + curve.precision_end
    doubled = (heights * (curve.recall_end - curve.recall_start) * curve.inside).sum(axis=1)
    return doubled, 2 * curve.unit**2


def precision_gain_at_zero(rankings: Rankings) -> Ratio:
    """y0, the precision gain where recall gain is 0."""
    curve = gain_curve(rankings)
    return curve.top, curve.unit


def expected_f1_gain(rankings: Rankings) -> Ratio:
    """E[FG1] by the formula of Theorem 3; undefined where no negative is left at recall gain 0.

    (A/2 + 1/4 - p (1 - y^2)/4) / (1 - p (1 - y)) with area A, prevalence p, precision gain y at recall gain 0.
    """
    curve = gain_curve(rankings)
    area, whole = prg_auc(rankings)
    n, positives, unit = rankings.n, rankings.positives, curve.unit
    area, top = np.asarray(area).astype(object), curve.top.astype(object)
    numerator = n * (2 * area + whole) * unit**2 - whole * positives * (unit**2 - top**2)
    return numerator, 4 * whole * unit * (n * unit - positives * (unit - top))


def expected_f_gain(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """E[FG_beta] from the area, in the way of Theorem 3, which it is for beta 1.

    ((1 - p) A + p y^2/2 + b ((1 - p)/2 + p A)) / ((1 + b) (1 - p (1 - y))) with area A, prevalence p, precision gain y
    at recall gain 0, and b for beta squared: the integrals over Delta of precision and of recall gain follow from the
    area by parts.
    """
    b, one = beta_squared
    curve = gain_curve(rankings)
    positives, negatives, unit = rankings.positives, rankings.negatives, curve.unit
    area, whole = prg_auc(rankings)
    area, top = 2 * area.astype(object), curve.top.astype(object)
    precision = negatives * area * unit**2 + positives * top**2 * whole
    recall = (negatives * whole + positives * area) * unit**2
    length = negatives * unit + positives * top
    return one * precision + b * recall, 2 * (one + b) * whole * unit * length


def mean_f_gain(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """E[FG_beta] by integration: FG_beta and Delta are linear on each piece, the final vertical drop included."""
    b, one = beta_squared
    curve = gain_curve(rankings)
    positives, negatives = rankings.positives, rankings.negatives
    # Delta = recG n/P - precG n/N, here without its factor n / (P N unit).
    start = negatives * curve.recall_start - positives * curve.precision_start
    end = negatives * curve.recall_end - positives * curve.precision_end
    precision = curve.precision_start + curve.precision_end
    recall = curve.recall_start + curve.recall_end
    total = ((end - start) * (one * precision + b * recall) * curve.inside).sum(axis=1)
    return total, 2 * (one + b) * curve.unit * (negatives * curve.unit + positives * curve.top)


def delta_falls(rankings: Rankings) -> Ratio:
    """Steps from an operating point with a true positive to the next on which Delta falls."""
    return (_delta_steps(rankings) < 0).sum(axis=1), 1


def _delta_steps(rankings: Rankings) -> Ints:
    """The steps of N recG - P precG, which is Delta but for a positive factor; 0 where there is no gain before."""
    common = multiple_up_to(rankings.positives)
    positives, negatives = rankings.positives, rankings.negatives
    share = common // np.maximum(rankings.tp, 1)
    precision = negatives * common - positives * rankings.fp * share
    recall = negatives * common - positives * (positives - rankings.tp) * share
    steps = np.diff(negatives * recall - positives * precision)
    return np.asarray(steps * (rankings.tp[:, :-1] > 0))


def delta_out_of_range(rankings: Rankings) -> Ratio:
    """Operating points with recall gain 0 or more and Delta outside [-y0/(1 - p), 1/p]."""
    curve = gain_curve(rankings)
    positives, negatives = rankings.positives, rankings.negatives
    # In units of n / (P N unit): the range is -P y0 .. N.
    delta = negatives * curve.recall_end - positives * curve.precision_end
    outside = (delta < -positives * curve.top[:, None]) | (delta > negatives * curve.unit)
    return (curve.inside & outside).sum(axis=1), 1
