"""Two models on the same cases: McNemar's test, symmetry, level, weights and groups."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import UnboundedLossWarning, compare_models, prediction_advantage_score
from nontrivial.seeds import generator_for


def case(n=200, seed=0):
    draw = generator_for("comparison", n, seed)
    truth = draw.random(n) < 0.3
    return truth, truth ^ (draw.random(n) < 0.1), truth ^ (draw.random(n) < 0.25)


def test_the_p_value_is_that_of_mcnemar():
    truth, first, second = case()
    found = compare_models(truth, first, second)
    won, lost = np.sum((first == truth) & (second != truth)), np.sum((first != truth) & (second == truth))
    assert found.pvalue == pytest.approx(binomtest(won, won + lost).pvalue)
    scores = [prediction_advantage_score(truth, each) for each in (first, second)]
    assert found.difference == pytest.approx(scores[0] - scores[1])
    assert found.low < found.difference < found.high


@pytest.mark.parametrize("loss", ["zero_one", "squared"])
@pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
def test_the_other_way_round_is_the_negative(loss):
    truth, first, second = (each.astype(float if loss == "squared" else int) for each in case())
    found = compare_models(truth, first, second, loss=loss)
    reverse = compare_models(truth, second, first, loss=loss)
    assert found.difference == -reverse.difference
    assert found.pvalue == pytest.approx(reverse.pvalue, abs=0.01)
    assert (found.low, found.high) == pytest.approx((-reverse.high, -reverse.low), abs=0.05)


def test_the_same_model_does_not_differ():
    truth, first, _ = case()
    found = compare_models(truth, first, first)
    assert found.difference == 0
    assert found.pvalue == 1
    assert found.low < 0 < found.high


def test_equal_models_are_told_apart_in_no_more_than_the_level():
    """Ten positives of 100, and models that err as often, each by itself."""
    draw = generator_for("comparison", "level")
    rejected = outside = 0
    for _ in range(300):
        truth = np.arange(100) < 10
        models = [truth ^ (draw.random(100) < np.where(truth, 0.3, 0.05)) for _ in range(2)]
        found = compare_models(truth, *models, n_resamples=300)
        rejected += found.pvalue <= 0.05
        outside += not found.low <= 0 <= found.high
    assert rejected <= 15 + 2 * np.sqrt(300 * 0.05 * 0.95)
    assert outside <= 15 + 2 * np.sqrt(300 * 0.05 * 0.95)


def test_integer_weights_are_repetitions_of_the_estimate():
    truth, first, second = case(60)
    weights = np.arange(60) % 3 + 1
    repeated = [np.repeat(each, weights) for each in (truth, first, second)]
    assert compare_models(truth, first, second, sample_weight=weights).difference == pytest.approx(
        compare_models(*repeated).difference
    )


def test_groups_of_copies_are_single_cases():
    truth, first, second = case(60)
    once = compare_models(truth, first, second, groups=np.arange(60))
    twice = compare_models(
        *(np.repeat(each, 2) for each in (truth, first, second)), groups=np.repeat(np.arange(60), 2)
    )
    assert once == pytest.approx(twice)


def test_cost_and_numbers():
    truth, first, second = case()
    cost = [[0, 4], [1, 0]]
    found = compare_models(truth, first, second, loss="cost", cost=cost)
    scores = [prediction_advantage_score(truth, each, loss="cost", cost=cost) for each in (first, second)]
    assert found.difference == pytest.approx(scores[0] - scores[1])
    with pytest.warns(UnboundedLossWarning):
        compare_models([1.0, 2.0, 4.0], [1.0, 2.0, 3.0], [2.0, 2.0, 2.0], loss="squared")


def test_one_class_only_has_no_comparison():
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(compare_models([1, 1], [1, 0], [1, 1])).all()
