"""The threshold that costs least, and the verdict on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nontrivial
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.answers.thresholds import judge_best_threshold, least_cost_threshold

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(1, 4)), min_size=1, max_size=12)


def cost_at(threshold, truth, scores, weights, cost):
    predicted = scores >= threshold
    return (weights * (cost * (truth & ~predicted) + (~truth & predicted))).sum()


@given(CASES, st.sampled_from([0.5, 1, 3, 40]))
def test_no_threshold_costs_less(cases, cost):
    truth, scores, weights = (np.array(column) for column in zip(*cases, strict=True))
    best = least_cost_threshold(truth, scores.astype(float), weights, cost)
    all_costs = [cost_at(threshold, truth, scores, weights, cost) for threshold in (*range(-3, 4), np.inf)]
    assert cost_at(best, truth, scores, weights, cost) == pytest.approx(min(all_costs))
    assert np.isfinite(best)
    assert best == least_cost_threshold(truth, scores.astype(float), weights * 1e-9, cost)


def answers(truth, scores, **options):
    return Predictions("a.csv", {"score": "p"}, truth, None, score=scores, positive="1", n_classes=2, **options)


def test_no_case_is_predicted_by_a_threshold_that_it_helped_to_choose():
    """With its label changed, a case keeps its prediction, as do all cases of its group."""
    draws = np.random.default_rng(0)
    truth, scores, groups = draws.random(60) < 0.4, draws.normal(size=60), np.arange(60) // 3
    # Folds have the classes in equal shares, so that two labels are exchanged at once, in the same group.
    mixed = next(place for place in range(0, 60, 3) if truth[place] != truth[place + 1])
    changed = truth.copy()
    changed[[mixed, mixed + 1]] = truth[[mixed + 1, mixed]]
    before, after = (judge_best_threshold(answers(labels, scores, groups=groups)) for labels in (truth, changed))
    of_group = slice(mixed, mixed + 3)
    assert (before.prediction[of_group] == after.prediction[of_group]).all()


def test_a_class_of_one_case_has_no_threshold():
    with pytest.raises(ValueError, match="one case only"):
        judge_best_threshold(answers(np.arange(10) == 3, np.arange(10.0)))


RARE = np.random.default_rng(1)
POSITIVE = RARE.random(2000) < 0.03
SCORES = 1 / (1 + np.exp(-(RARE.normal(size=2000) + 2 * POSITIVE + 2)))  # far too high as probabilities


def test_costs_propose_the_best_threshold_where_they_set_one_that_does_not_fit():
    by_cost = nontrivial.score(POSITIVE.astype(int), SCORES, cost=40)
    assert by_cost.verdicts["labels"].verdict != "better"
    assert "threshold='best'" in str(by_cost)
    best = nontrivial.score(POSITIVE.astype(int), SCORES, cost=40, threshold="best")
    assert best.verdicts["labels"].verdict == "better"
    assert best.result.threshold == least_cost_threshold(POSITIVE, SCORES, cost=40)
    assert "without the cases they are applied to" in str(best)
    logits = nontrivial.score(POSITIVE.astype(int), np.log(SCORES / (1 - SCORES)), cost=40, threshold="best")
    # Between the same scores, the middle lies elsewhere.
    assert logits.verdicts["labels"].value == pytest.approx(best.verdicts["labels"].value, abs=0.01)
