"""The Precision-Recall-Gain curve, its area and the F gain along it: theorems, bounds, and means by chance."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from reference.exact_curves import ExactRanking

from nontrivial.curves import mean_random_prg_auc, precision_recall_gain_curve, prg_auc_score

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_points_come_in_order_whatever_is_rounded():
    """The crossing of precision gain lies where recall gain is 1 less 1e-11; their quotient was 1 + 2**-52."""
    weights = [1014072.0, 663410030420.0, 9.0]
    recall_gain = precision_recall_gain_curve([1, 0, 0], [1, 2, 0], sample_weight=weights)[1]
    assert list(recall_gain[3:]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("groups", [[(3, 0), (6, 8), (3, 1)], [(6, 0), (1, 10), (5, 0)]])
def test_both_gains_crossing_in_one_place_make_one_point(groups):
    # In the first, from TP = 3, FP = 0 to 9 and 8 of 12 and 9: at TP = 48/7, FP = 36/7 both gains are 0.
    labels = [label for p, n in groups for label in [1] * p + [0] * n]
    scores = [-place for place, group in enumerate(groups) for _ in range(sum(group))]
    precision_gain, recall_gain, _ = precision_recall_gain_curve(labels, scores)
    assert ((precision_gain == 0) & (recall_gain == 0)).tolist() == [False, False, True, False, False]


@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 99), (7, 3), (50, 50)])
def test_the_signed_area_reaches_its_bounds(positives, negatives):
    labels, scores = np.repeat([0, 1], [negatives, positives]), -np.arange(positives + negatives)
    assert prg_auc_score(labels, scores) == pytest.approx(-negatives / (2 * positives), rel=1e-12)
    assert prg_auc_score(labels, scores, clip=True) == 0
    assert prg_auc_score(labels, -scores) == prg_auc_score(labels, -scores, clip=True) == 1


def test_recall_gain_0_is_found_behind_a_table_that_a_float_takes_for_it():
    """The first positive has all but a part in 10^9 of the weight, and recall gain 0 lies a little beyond it."""
    share = 1 - 1e-9
    weights = [1, 1, 1.00000005e-9, 1]
    result = prg_auc_score([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=weights, prevalence=share)
    assert result == pytest.approx((1 - 0.5 / share + 0.5) / 2, rel=1e-12)  # half of the negatives before it


# The mean by chance.


@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 6), (2, 5), (3, 3), (4, 3), (6, 1)])
def test_the_mean_of_random_rankings_is_that_of_all_rankings(positives, negatives):
    n = positives + negatives
    areas = [
        ExactRanking([(1, 0) if i in places else (0, 1) for i in range(n)]).auprg()
        for places in itertools.combinations(range(n), positives)
    ]
    expected = float(sum(areas) / len(areas))
    assert mean_random_prg_auc(positives, negatives) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("positives", "negatives"), [(1, 99), (20, 30), (21, 2), (49, 99), (300, 700)])
def test_the_mean_of_random_rankings_is_that_of_its_terms(positives, negatives):
    """Precision gain falls short of 1 by (P/N) FP/TP, with t N / (P + 1) false positives before the t-th true one."""
    first = Fraction(positives**2, positives + negatives)
    shortfall = sum(
        t * (1 / max(Fraction(t - 1), first) ** 2 - Fraction(1, t * t)) / 2
        for t in range(int(first) + 1, positives + 1)
    )
    expected = 1 - Fraction(positives**3, negatives * (positives + 1)) * shortfall
    result = mean_random_prg_auc(np.int32(positives), np.int32(negatives))
    assert result == pytest.approx(float(expected), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("positives", "negatives"), [(10**6, 3), (2**53, 1000)])
def test_the_mean_of_random_rankings_is_nearly_1_over_2p_where_negatives_are_few(positives, negatives):
    assert mean_random_prg_auc(positives, negatives) == pytest.approx(1 / (2 * positives), rel=1e-4)


@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (2.5, 5), (-1, 3), (10**30, 5), (5, 2**53 + 1)])
def test_the_mean_of_random_rankings_needs_whole_numbers(counts):
    with pytest.raises(ValueError, match="whole number"):
        mean_random_prg_auc(*counts)
