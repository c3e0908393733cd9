"""Ends of intervals from draws, widened for few units as Student's distribution widens the normal one."""

import numpy as np
import pytest
from scipy.stats import norm, t

from nontrivial._draws import ends_of_draws, expanded_tail
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import UnequalCasesWarning, compare_models, prediction_advantage_interval


@pytest.mark.parametrize("units", [3, 5, 10, 36.8, 1000])
@pytest.mark.parametrize("tail", [0.005, 0.025, 0.3])
def test_the_reach_is_students_over_the_root_of_n_less_one_in_n(units, tail):
    reach = norm.isf(expanded_tail(tail, units))
    assert reach == pytest.approx(np.sqrt(units / (units - 1)) * t.isf(tail, units - 1), rel=1e-9)


def test_of_many_units_nothing_changes():
    assert expanded_tail(0.025, 10**7) == pytest.approx(0.025, rel=1e-5)


@pytest.mark.parametrize(
    "how", [{"groups": np.arange(60) % 4}, {"sample_weight": np.array([1e4] + [1.0] * 59)}]
)
def test_too_few_units_have_no_interval_anywhere(how):
    draw = np.random.default_rng(0)
    truth, *guesses = (draw.random((3, 60)) < 0.5).astype(int)
    scores = draw.random((2, 60))
    with pytest.warns(UserWarning, match="effective sample size is below 5") as caught:
        areas = bootstrap_curve_areas(truth, scores[0], compared_with=scores[1], **how)
    assert UnequalCasesWarning not in [each.category for each in caught]
    assert areas.loc["estimate", "roc_auc"] != 0
    assert areas.loc[["low", "high", "pvalue"]].isna().all(axis=None)
    with pytest.warns(UserWarning, match="effective sample size is below 5"):
        compared = compare_models(truth, *guesses, **how)
    assert np.isnan([compared.low, compared.high, compared.pvalue]).all()
    for loss, method in (("zero_one", "bootstrap"), ("squared", "fieller")):
        with pytest.warns(UserWarning, match="effective sample size is below 5"):
            ends = prediction_advantage_interval(truth, guesses[0], loss=loss, method=method, **how)
        assert np.isnan(ends).all()


def test_the_end_with_fewer_draws_decides_whether_they_reach_the_tail():
    many, few = np.linspace(1, 2, 1000), np.linspace(1, 2, 20)
    assert ends_of_draws(many, many, 0.025)[0] > 0
    for lower, upper in ((many, few), (few, many)):
        assert ends_of_draws(lower, upper, 0.025)[0] == 0
