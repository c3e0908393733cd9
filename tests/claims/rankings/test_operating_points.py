"""Operating points of rankings."""

from fractions import Fraction

import pytest
from claims.rankings.cases import FEW, number, points

from nontrivial.claims.rankings.enumeration import all_rankings

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")


def test_counts_of_points_by_hand():
    # One negative, a mixed pair, one positive: points (0, 0), (0, 1), (1, 2), (2, 2).
    rankings = all_rankings(2, 2)
    row = next(row for row in range(len(rankings)) if rankings.integers(row) == (0, 1, 1, 1, 1, 0))
    by_hand = {
        "n": 4,
        "prevalence": Fraction(1, 2),
        "groups": 3,
        "ties": 1,
        "is_perfect": 0,
        "is_reversed": 0,
        "is_calibrated": 0,
        "f1_best": Fraction(2, 3),
        "f1_threshold": Fraction(1, 3),
        "roc_auc_after_first": Fraction(1, 8),  # of the mixed pair, up from 0 to a half over a half
        "roc_auc_axes_exchanged": Fraction(7, 8),
        "mean_precision_at_positives": Fraction(5, 12),
        "f1_better_subsets": 1,  # without the first negative F1 is 4/5; everything has the 2/3 of the best threshold
    }
    for name, value in by_hand.items():
        assert number(rankings, row, name) == value, name


def test_the_two_extreme_rankings():
    for rankings, row in FEW:
        tables = points(rankings.integers(row))[1:]
        assert number(rankings, row, "is_perfect") == ((rankings.positives, 0) in tables)
        assert number(rankings, row, "is_reversed") == ((0, rankings.negatives) in tables)
