"""Intervals for bounded losses, without assumptions."""

import numpy as np
import pytest

from nontrivial.measures import prediction_advantage_interval
from nontrivial.measures.finite_sample import mean_bounds
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")


@pytest.mark.parametrize("loss", ["squared", "cross_entropy"])
def test_concentration_covers_with_a_stated_bound(loss):
    draw = generator_for("concentration", loss)
    for _ in range(40):
        kind = draw.random(300) < 0.5
        truth = (draw.random(300) < np.where(kind, 0.5, 0.1)).astype(int)
        prediction = np.where(kind, 0.6, 0.2)
        if loss == "squared":
            risk, marginal, bound = np.mean([0.1 * 0.64 + 0.9 * 0.04, 0.5 * 0.16 + 0.5 * 0.36]), 0.21, 1
        else:
            risk = -np.mean([0.1 * np.log(0.2) + 0.9 * np.log(0.8), 0.5 * np.log(0.6) + 0.5 * np.log(0.4)])
            marginal, bound = -(0.3 * np.log(0.3) + 0.7 * np.log(0.7)), -np.log(0.1)
        low, high = prediction_advantage_interval(
            truth, prediction, loss=loss, method="concentration", bound=bound
        )
        assert low <= 1 - risk / marginal <= high


@pytest.mark.parametrize(("n", "tail"), [(10, 0.05), (1000, 0.001)])
def test_mean_bounds_have_closed_forms_at_the_ends_and_beat_hoeffdings_square_root(n, tail):
    assert mean_bounds(0.0, n, tail) == (0.0, pytest.approx(1 - tail ** (1 / n), rel=1e-9))
    assert mean_bounds(1.0, n, tail) == (pytest.approx(tail ** (1 / n), rel=1e-9), 1.0)
    for mean in (1e-12, 0.01, 0.3, 0.5, 0.99):
        low, high = mean_bounds(mean, n, tail)
        reach = np.sqrt(-np.log(tail) / (2 * n))
        assert mean - reach - 1e-9 <= low <= mean <= high <= mean + reach + 1e-9


def test_concentration_by_hand_for_a_model_that_is_always_wrong():
    """All of n cases are of one class, so that both empirical means are at the ends, where the bounds are known."""
    n = 20
    low, high = prediction_advantage_interval([1] * n, [0] * n, method="concentration")
    model = (0.05 / 4) ** (1 / n)
    marginal = 1 - (0.05 / 4 / 2) ** (1 / n)  # either of the two classes may be the marginal prediction
    assert low == -np.inf
    assert high == pytest.approx(1 - model / marginal, rel=1e-9)


def test_concentration_chooses_the_constant_on_other_cases_than_it_judges():
    """Every other case is 0, those between are 1: a constant from the one half is wrong on all of the other."""
    n = 40
    truth, prediction = np.arange(n) % 2, np.ones(n) - np.arange(n) % 2
    _, high = prediction_advantage_interval(
        truth, prediction, loss="squared", method="concentration", bound=1
    )
    assert high == pytest.approx(1 - (0.05 / 4) ** (1 / n), rel=1e-9)
    # In cross-entropy the class that the one half lacks would have been infinitely unlikely.
    low, high = prediction_advantage_interval(
        truth, np.full(n, 0.5), loss="cross_entropy", method="concentration", bound=5
    )
    assert -np.inf < low < 0 < high < 1
