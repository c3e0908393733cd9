"""What others call these quantities: logistic models' R^2, lambda, the no-information rate."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.preprocessing import scale

from nontrivial.measures import (
    efron_r2_score,
    goodman_kruskal_lambda_score,
    mcfadden_r2_score,
    no_information_rate,
    prediction_advantage_score,
)


@pytest.fixture(scope="module")
def logistic():
    features, truth = load_breast_cancer(return_X_y=True)
    features = scale(features[:, :2])
    return truth, LogisticRegression(C=np.inf).fit(features, truth).predict_proba(features)[:, 1]


def test_efron_is_the_brier_score_beside_that_of_the_prevalence(logistic):
    truth, probability = logistic
    trivial = brier_score_loss(truth, np.full(len(truth), truth.mean()))
    expected = 1 - brier_score_loss(truth, probability) / trivial
    assert efron_r2_score(truth, probability) == pytest.approx(expected, rel=1e-12)
    assert efron_r2_score(truth, probability) == pytest.approx(
        prediction_advantage_score(truth.astype(float), probability, loss="squared"), rel=1e-15
    )


def test_mcfadden_is_the_likelihood_beside_that_of_the_intercept(logistic):
    truth, probability = logistic
    trivial = log_loss(truth, np.full(len(truth), truth.mean()))
    assert mcfadden_r2_score(truth, probability) == pytest.approx(1 - log_loss(truth, probability) / trivial)
    assert mcfadden_r2_score(truth, probability) == prediction_advantage_score(
        truth, probability, loss="cross_entropy"
    )


@pytest.mark.parametrize("score", [efron_r2_score, mcfadden_r2_score])
def test_labels_weights_and_the_positive_class(score, logistic):
    truth, probability = logistic
    expected = score(truth, probability)
    assert score(np.where(truth, "b", "a"), probability, pos_label="b") == expected
    assert score(truth, 1 - probability, pos_label=0) == pytest.approx(expected, rel=1e-12)
    weights = np.arange(len(truth)) % 3
    weighted = score(truth, probability, sample_weight=weights)
    assert weighted == pytest.approx(score(truth.repeat(weights), probability.repeat(weights)), rel=1e-12)
    with pytest.raises(ValueError, match="outside"):
        score(truth, 2 * probability)
    with pytest.warns(UndefinedMetricWarning, match="one class only") as caught:
        assert np.isnan(score([1, 1], [0.5, 0.5]))
    assert caught[0].filename == __file__


def test_no_information_rate_is_the_share_of_the_greatest_class():
    assert no_information_rate([2, 1, 2, 3, 2]) == pytest.approx(0.6, rel=1e-15)
    assert no_information_rate(["a", "b"], sample_weight=[1, 3]) == 0.75


def test_lambda_relabels_the_predictions():
    truth = ["ant", "ant", "bee", "bee", "bee", "cat"]
    prediction = [1, 1, 2, 2, 1, 2]  # 1 becomes ant, 2 becomes bee; 2 errors are left of the 3 of always bee
    assert goodman_kruskal_lambda_score(truth, prediction) == pytest.approx(1 / 3, rel=1e-15)
    weights = [1, 2, 1, 1, 0, 4]
    repeated = goodman_kruskal_lambda_score(np.repeat(truth, weights), np.repeat(prediction, weights))
    assert goodman_kruskal_lambda_score(truth, prediction, sample_weight=weights) == pytest.approx(repeated)


def test_lambda_of_as_many_labels_as_cases_needs_no_table_of_all_pairs():
    labels = np.arange(100_000)
    assert goodman_kruskal_lambda_score(labels, labels[::-1]) == 1


def test_lambda_of_useless_predictions_is_zero():
    assert goodman_kruskal_lambda_score([0, 0, 0, 1], [5, 5, 7, 7]) == 0.0
    with pytest.raises(ValueError, match="lengths differ"):
        goodman_kruskal_lambda_score([0, 1], [0])
