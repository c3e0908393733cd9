"""Areas under the ROC and the Precision-Recall curve of rankings, as exact ratios.

Every function takes `Rankings` and returns numerator and denominator, which broadcast to one number for each.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio

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


def roc_rectangles(rankings: Rankings) -> Ratio:
    """The sum of the rectangles below the ROC curve's points, of which each is as high as its left side."""
    area = (rankings.added * rankings.tp[:, :-1]).sum(axis=1)
    return area, rankings.positives * rankings.negatives


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
