"""Exact intervals under 0/1 loss."""

import numpy as np
import pytest
from measures.exact_tables import labels_of
from scipy.stats import beta, chi2

from nontrivial.measures import prediction_advantage_interval, prediction_advantage_score
from nontrivial.measures.finite_sample import _radius, risk_ratio_bounds

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
METHODS = ["bootstrap", "exact", "concentration"]


@pytest.mark.parametrize("tail", [0.2, 0.025, 0.0005])
def test_radius_is_the_quantile_of_the_mixture_of_chi_squares(tail):
    radius = _radius(tail)
    assert chi2.sf(radius**2, 1) / 2 + chi2.sf(radius**2, 2) / 4 == pytest.approx(tail, rel=1e-9)


def test_risk_ratio_bounds_without_any_error_are_binomial():
    """With no case that the model gets wrong, the upper bound is at least each of the two binomial bounds."""
    least, greatest = risk_ratio_bounds(np.array([0]), np.array([20]), np.array([0]), 0.025)
    assert least[0] == 0
    assert greatest[0] > beta.isf(0.025, 1, 20)


def test_risk_ratio_bounds_of_a_marginal_without_error_are_open():
    least, greatest = risk_ratio_bounds(np.array([0]), np.array([0]), np.array([3]), 0.025)
    assert greatest[0] == np.inf
    assert 0 < least[0] < np.inf


def test_either_class_may_be_the_marginal_in_near_balance():
    """The interval spans what it would be were the one class or the other known to be the more frequent."""
    truth, prediction = labels_of((45, 5, 40, 10))
    low, high = prediction_advantage_interval(truth, prediction, method="exact")
    tail = 0.05 * 0.99 / 2
    least, greatest = risk_ratio_bounds(np.array([40, 5]), np.array([50, 50]), np.array([5, 40]), tail)
    assert (low, high) == (1 - greatest.max(), 1 - least.min())
    assert min(np.ptp(least), np.ptp(greatest)) > 0.01


def test_a_known_marginal_prediction_narrows_the_exact_interval():
    truth, prediction = labels_of((60, 5, 10, 35))
    low, high = prediction_advantage_interval(truth, prediction, method="exact", baseline=[0])
    unknown = prediction_advantage_interval(truth, prediction, method="exact")
    assert unknown[0] <= low < high <= unknown[1]
    for method in METHODS:
        low, high = prediction_advantage_interval(truth, prediction, method=method, baseline=[0])
        assert low < prediction_advantage_score(truth, prediction, baseline=[0]) < high


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_known_marginal_prediction_has_the_bounds_of_its_class_and_the_rest(known):
    truth = np.repeat([0, 1, 2], [30, 20, 10])
    prediction = np.where(np.arange(60) % 5 == 0, (truth + 1) % 3, truth)  # errs in 6, 4 and 2 cases
    found = prediction_advantage_interval(truth, prediction, method="exact", baseline=[known])
    cases, wrong = np.array([30, 20, 10]), np.array([6, 4, 2])
    least, greatest = risk_ratio_bounds(
        12 - wrong[[known]], 60 - cases[[known]], wrong[[known]], (1 - 0.95) / 2
    )
    assert found == (1 - greatest[0], 1 - least[0])
