"""Intervals of perfect predictions of a few groups, whose ends can be worked out."""

import numpy as np
import pytest
from scipy.stats import beta

from nontrivial._draws import expanded_tail
from nontrivial.measures.bootstrap import Cells
from nontrivial.scorecard.estimates import TABLE, Estimate, estimate_table, judge_cells

GROUPS = 8
TRUTH, BY = np.tile([False, True], GROUPS), np.repeat(np.arange(GROUPS), 2)  # a case of each class in each


@pytest.mark.parametrize(
    ("groups", "unit"), [([0, 0, 1, 1], 4.0), ([0, 1, 0, 1], 2.0), ([0, 0, 0, 1], 17 / 7)]
)
def test_alike_cases_of_a_group_count_together(groups, unit):
    cells, weights = np.array([0, 0, 1, 1]), np.full(4, 2.0)
    assert Cells.of_cases(cells, 2, weights, np.array(groups)).unit == unit


def test_cases_of_a_group_that_go_wrong_one_by_one_are_supposed_to_do_so():
    """Ten groups of ten, each with an error: a typical lump is supposed beside the ten errors that are seen."""
    wrong = np.arange(100) % 10 == 0
    apart = Cells.of_cases(wrong.astype(int), 2, None, np.arange(100) // 10)
    typical = (10 * 9**2 + 10 * 1**2) / 100
    assert apart.unit == pytest.approx((10 + typical**2) / (10 + typical))
    together = Cells.of_cases((np.arange(100) < 10).astype(int), 2, None, np.arange(100) // 10)
    assert together.unit == pytest.approx(10)


def test_what_is_not_seen_weighs_what_most_of_the_weight_does():
    weights = np.array([1.0] * 9 + [11.0])
    assert Cells.of_cases(np.zeros(10, dtype=int), 1, weights, None).unit == (9 * 1 + 11 * 11) / 20


def test_the_share_of_positives_has_one_more_case_of_the_one_class_or_of_the_other():
    """Drawn of 20 and 80 cases, as Clopper's and Pearson's bounds are, with Student's tails of 100."""
    cells = Cells.of_cases(
        np.repeat([TABLE.index("tp"), TABLE.index("tn")], [20, 80]), 4, None, np.arange(100)
    )
    found = estimate_table(cells, Estimate(1.0))["prevalence"]
    tail = expanded_tail(0.025, 100)
    assert found.low == pytest.approx(beta.ppf(tail, 20, 81), abs=0.008)
    assert found.high == pytest.approx(beta.ppf(1 - tail, 21, 80), abs=0.008)


def test_accuracy_has_an_error_of_each_class_and_students_tails():
    """Right are 2 R, where R is gamma of shape 8, and errors E of shape 2; R / (R + E) has a beta distribution."""
    cells = Cells.of_cases(np.where(TRUTH, TABLE.index("tp"), TABLE.index("tn")), len(TABLE), None, BY)
    low = estimate_table(cells, Estimate(1.0))["accuracy"].low
    assert beta.cdf(low / (2 - low), GROUPS, 2) == pytest.approx(expanded_tail(0.025, GROUPS), rel=0.5)


@pytest.mark.parametrize("wrong", [False, True])
def test_the_verdict_has_an_error_and_half_a_one_of_others_and_no_wider_tails(wrong):
    estimate, _, _ = judge_cells(Cells.of_predictions(TRUTH, TRUTH ^ wrong, 2, None, BY))
    # A class weighs G, gamma of shape 8, an error I, exponential, and half a one H, gamma of shape 1/2. Errors weigh
    # E = 0 or 2 G; in the latter case a whole one would show. For x above E / G, P(E + I + H > x (G + H)) is
    x = 1 - estimate.low
    assert x > 2 * wrong
    shown = (1 + x - 2 * wrong) ** -GROUPS / np.sqrt(x)
    assert shown == pytest.approx(0.025, rel=0.42)  # three standard deviations of 2,000 draws
