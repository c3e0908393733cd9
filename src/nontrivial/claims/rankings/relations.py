"""Relations between two rankings with the same class counts, evaluated for each pair of a row and a row.

A curve is straight between the false positives with which it leaves, and reaches, each whole number of true positives.
"""

import functools

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.claims.rankings.quantities import RankingCases, multiple_up_to


def _true_positives_on_curve(rankings: RankingCases) -> Ints:
    """The whole numbers that a curve leaves, 0..P - 1, and then those that it reaches, 1..P."""
    counts = np.arange(rankings.positives + 1)
    return np.concatenate([counts[:-1], counts[1:]])


@functools.lru_cache(maxsize=2)
def _false_positives_on_curve(rankings: RankingCases) -> Ints:
    """The false positives at these true positives, times a common multiple."""
    common, reached = multiple_up_to(rankings.positives), np.arange(1, rankings.positives + 1)
    group = (rankings.tp[:, 1:, None] >= reached).argmax(axis=1)  # the group that reaches the number
    tp, fp, gained, added = (
        np.take_along_axis(part, group, axis=1)
        for part in (rankings.tp, rankings.fp, rankings.gained, rankings.added)
    )
    slope = added * (common // gained)
    start = fp * common + (reached - 1 - tp) * slope
    return np.concatenate([start, start + slope], axis=1)


def roc_covered(first: RankingCases, second: RankingCases) -> Mask:
    """Whether the ROC curve of the first is nowhere above the second's: its false positives are never fewer."""
    first_fp, second_fp = _false_positives_on_curve(first)[:, None], _false_positives_on_curve(second)
    return np.asarray((second_fp <= first_fp).all(axis=2))


def pr_covered(first: RankingCases, second: RankingCases) -> Mask:
    """Whether the Precision-Recall curve of the first is nowhere above the second's, with hyperbolas between."""
    first_fp, second_fp = _false_positives_on_curve(first)[:, None], _false_positives_on_curve(second)
    # Precision is TP / (TP + FP). With TP at least 1, precision just above recall 0 compares by FP, too.
    tp = np.maximum(_true_positives_on_curve(first) * multiple_up_to(first.positives), 1)
    return np.asarray((tp * (tp + second_fp) <= tp * (tp + first_fp)).all(axis=2))


def same_from_zero(first: RankingCases, second: RankingCases) -> Mask:
    """Whether both curves are the same from recall gain 0 on."""
    one, other = (rankings.value("precision_gain_at_zero") for rankings in (first, second))
    same_start = np.equal.outer(one.numerator, other.numerator)
    same_start &= np.equal.outer(one.denominator, other.denominator)
    is_beyond = first.n * _true_positives_on_curve(first) >= first.positives**2
    first_fp = _false_positives_on_curve(first)[:, None, is_beyond]
    second_fp = _false_positives_on_curve(second)[:, is_beyond]
    return np.asarray(same_start & (first_fp == second_fp).all(axis=2))


RANKING_RELATIONS = {"roc_covered": roc_covered, "pr_covered": pr_covered, "same_from_zero": same_from_zero}
