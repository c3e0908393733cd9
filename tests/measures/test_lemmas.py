"""The lemmas on the marginal prediction as properties; those on tables are proved by the claims of the papers."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import mean_pinball_loss

from nontrivial.measures import (
    bayesian_marginal_prediction,
    goodman_kruskal_lambda_score,
    prediction_advantage_score,
)

moderately = settings(max_examples=150, deadline=None, derandomize=True)

labels = st.lists(st.integers(0, 3), min_size=2, max_size=30).filter(lambda y: len(set(y)) > 1)
quarters = st.integers(-20, 20).map(lambda x: x / 4)
reals = st.lists(quarters, min_size=2, max_size=30).filter(lambda y: len(set(y)) > 1)


@moderately
@given(labels, st.integers(0, 3), st.lists(st.integers(1, 50), min_size=4, max_size=4))
def test_lemmas_2_2_and_2_3_no_constant_class_or_distribution_has_less_risk(truth, constant, masses):
    assert bayesian_marginal_prediction(truth)[1] <= np.mean(np.array(truth) != constant) + 1e-15
    _, risk = bayesian_marginal_prediction(truth, loss="cross_entropy", labels=[0, 1, 2, 3])
    assert risk <= -np.log((np.array(masses) / sum(masses))[truth]).mean() + 1e-12


@moderately
@given(labels, st.lists(st.integers(0, 9), min_size=16, max_size=16))
def test_section_2_7_no_constant_class_costs_less(truth, costs):
    cost = np.array(costs).reshape(4, 4)
    assume(cost.any())
    prediction, risk = bayesian_marginal_prediction(truth, loss="cost", cost=cost, labels=[0, 1, 2, 3])
    constants = cost[:, truth].mean(axis=1)
    assert risk == constants[prediction]
    assert risk <= constants.min() + 1e-12


RISKS = {
    "squared": lambda y, p, **weights: np.average((y - p) ** 2, **weights),
    "absolute": lambda y, p, **weights: np.average(np.abs(y - p), **weights),
    "pinball": lambda y, p, weights: mean_pinball_loss(y, p, alpha=0.3, sample_weight=weights),
}


@pytest.mark.parametrize("loss", RISKS)
@moderately
@given(reals, quarters, st.data())
def test_lemmas_2_4_and_2_5_no_constant_number_has_less_risk(loss, truth, constant, data):
    n = len(truth)
    weights = data.draw(st.none() | st.lists(st.integers(1, 5), min_size=n, max_size=n))
    options = {"loss": loss, "sample_weight": weights} | ({"quantile": 0.3} if loss == "pinball" else {})
    best, risk = bayesian_marginal_prediction(truth, **options)
    y = np.array(truth)
    assert risk == pytest.approx(RISKS[loss](y, np.full(n, best), weights=weights), rel=1e-12)
    assert risk <= RISKS[loss](y, np.full(n, constant), weights=weights) + 1e-12
    one, other = (data.draw(st.lists(quarters, min_size=n, max_size=n)) for _ in range(2))
    found = [prediction_advantage_score(truth, said, **options) for said in (one, other, truth)]
    risks = [RISKS[loss](y, np.array(said), weights=weights) for said in (one, other)]
    assert found[0] - found[1] == pytest.approx((risks[1] - risks[0]) / risk, rel=1e-9, abs=1e-12)
    assert max(found) == found[2] == 1


@moderately
@given(labels, labels, st.randoms(use_true_random=False))
def test_neither_a_baseline_nor_a_relabelling_lowers_the_advantage(truth, baseline, random):
    prediction = [random.choice(truth) for _ in truth]
    with_hindsight = prediction_advantage_score(truth, prediction)
    assert prediction_advantage_score(truth, prediction, baseline=baseline) >= with_hindsight
    assert goodman_kruskal_lambda_score(truth, prediction) >= with_hindsight
