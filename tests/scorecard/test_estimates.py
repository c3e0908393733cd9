"""Estimates with their intervals."""

import numpy as np
import pytest
from scipy.stats import binomtest

from nontrivial.scorecard.evaluate import make_scorecard


def test_every_interval_holds_its_value(predictions):
    card = make_scorecard(predictions()[0])
    estimates = {**card.measures, **card.areas, "advantage": card.advantage}
    assert [name for name, each in estimates.items() if not each.method] == ["cost_curve_area"]
    del estimates["cost_curve_area"]
    for name, each in estimates.items():
        assert each.low <= each.value <= each.high, name
    assert card.advantage.low > 0


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(35, 15, 10, 140), (10, 0, 0, 190), (1, 9, 0, 40)])
def test_the_interval_of_a_proportion_is_that_of_scipy(predictions, tp, fn, fp, tn):
    measures = make_scorecard(predictions(tp=tp, fn=fn, fp=fp, tn=tn)[0]).measures
    trials = {
        "accuracy": (tp + tn, tp + fn + fp + tn),
        "recall": (tp, tp + fn),
        "precision": (tp, tp + fp),
        "false_positive_rate": (fp, fp + tn),
        "jaccard": (tp, tp + fn + fp),
    }
    for name, (successes, n) in trials.items():
        expected = binomtest(successes, n).proportion_ci(method="exact")
        assert measures[name][:3] == pytest.approx((successes / n, expected.low, expected.high), rel=1e-9), (
            name
        )
        assert measures[name].method == "clopper_pearson"


def test_resamples_in_which_a_measure_is_undefined_or_infinite_do_not_spoil_its_interval(predictions):
    value, low, high, _ = make_scorecard(predictions(tp=35, fn=15, fp=1, tn=149)[0]).measures[
        "positive_likelihood_ratio"
    ]
    assert value == pytest.approx(0.7 * 150)
    assert 10 < low < value < high
    perfect = make_scorecard(predictions(tp=50, fn=0, fp=0, tn=150)[0]).measures["diagnostic_odds_ratio"]
    assert 100 < perfect.low < perfect.high == np.inf
