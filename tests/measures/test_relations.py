"""What others call these quantities: logistic models' R^2, lambda, the no-information rate."""

import numpy as np
import pytest

from nontrivial.measures import (
    goodman_kruskal_lambda_score,
    no_information_rate,
)


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
