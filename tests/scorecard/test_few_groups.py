"""Intervals of perfect predictions of a few groups, whose ends can be worked out."""

import numpy as np
import pytest
from scipy.stats import beta

from nontrivial._draws import expanded_tail
from nontrivial.scorecard.draws import Cells
from nontrivial.scorecard.estimates import TABLE, Estimate, estimate_table
from nontrivial.scorecard.verdicts import judge_classes

GROUPS = 8
TRUTH, BY = np.tile([False, True], GROUPS), np.repeat(np.arange(GROUPS), 2)  # a case of each class in each


def test_accuracy_has_a_group_of_errors_of_each_class_and_students_tails():
    """Right are gamma variables of shape 8 beside errors of shape 2."""
    cells = Cells.of_cases(np.where(TRUTH, TABLE.index("tp"), TABLE.index("tn")), len(TABLE), None, BY)
    table = dict(zip(TABLE, cells.weights, strict=True))
    low = estimate_table(table, cells, Estimate(1.0))["accuracy"].low
    assert beta.cdf(low, GROUPS, 2) == pytest.approx(expanded_tail(0.025, GROUPS), rel=0.5)


@pytest.mark.parametrize("wrong", [False, True])
def test_the_verdict_has_a_group_of_errors_and_half_a_one_of_others_and_no_wider_tails(wrong):
    estimate, _, _ = judge_classes(TRUTH, TRUTH ^ wrong, 2, None, BY)
    # A class weighs G, gamma of shape 8, a group 2 I, with I exponential, and half a group 2 H, with H gamma of shape
    # 1/2. Errors weigh E = 0 or 2 G; in the latter case a whole group would show. For x above E / G and 1,
    # P(E + 2 I + 2 H > x (G + 2 H)) is
    x = 1 - estimate.low
    assert x > 1 + wrong
    shown = (1 - wrong + x / 2) ** -GROUPS / np.sqrt(x)
    assert shown == pytest.approx(0.025, rel=0.42)  # three standard deviations of 2,000 draws
