"""Displays of cost curves and of net benefit draw the right numbers."""

import numpy as np
import pytest
from displays.rankings import MODEL, SCORES, X, y
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from nontrivial.curves import cost_curve
from nontrivial.displays import CostCurveDisplay, NetBenefitDisplay
from nontrivial.measures import net_benefit_score

# Costs


def test_the_cost_plot_holds_its_envelope_and_the_lines_of_a_single_model():
    display = CostCurveDisplay.from_predictions(y, SCORES)
    np.testing.assert_array_equal(display.line_.get_data(), cost_curve(y, SCORES))
    segments = np.array(display.cost_lines_.get_segments())
    assert len(segments) < len(np.unique(SCORES))  # of many lines not all are drawn
    x = np.linspace(0, 1, 501)
    costs = [(1 - x) * start + x * end for (_, start), (_, end) in segments]
    np.testing.assert_allclose(np.min(costs, axis=0), np.interp(x, *cost_curve(y, SCORES)), atol=1e-12)
    for scores in (-SCORES, np.ones(len(y))):
        assert CostCurveDisplay.from_predictions(y, scores, ax=display.ax_).cost_lines_ is None
    assert not display.ax_.collections


# Net benefit


@pytest.mark.parametrize("weights", [None, np.random.default_rng(0).integers(1, 5, len(y))])
def test_the_curve_holds_the_net_benefit_up_to_the_greatest_probability(weights):
    display = NetBenefitDisplay.from_predictions(y, SCORES, sample_weight=weights)

    def benefit(scores, thresholds):
        return [net_benefit_score(y, scores, threshold=t, sample_weight=weights) for t in thresholds]

    np.testing.assert_allclose(display.net_benefit[1:], benefit(SCORES, display.thresholds[1:]), atol=1e-12)
    assert display.net_benefit[0] == pytest.approx(np.average(y, weights=weights))
    assert display.ax_.get_xlim() == (0, min(SCORES.max(), 0.99))
    everybody = benefit(np.ones(len(y)), (0.2, 0.5))
    np.testing.assert_allclose(np.interp([0.2, 0.5], *display.all_.get_data()), everybody, atol=1e-4)


def test_estimators_and_folds_share_the_lines_of_all_and_none():
    display = NetBenefitDisplay.from_estimator(MODEL, X, y)
    cv = cross_validate(LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True)
    folds = NetBenefitDisplay.from_cv_results(cv, X, y, name="folds", ax=display.ax_)
    assert len(folds.line_) == 3
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["all", "none", "LogisticRegression", "folds"]


def test_the_axes_fit_rare_events_and_the_widest_of_several_curves():
    rare = np.arange(500) % 50 == 0
    display = NetBenefitDisplay.from_predictions(rare, np.where(rare, 0.06, 0.01))
    assert display.ax_.get_xlim()[1] == pytest.approx(0.06)
    assert display.ax_.get_ylim()[1] == pytest.approx(1.1 * 0.02)
    assert display.net_benefit[-1] == 0.02  # a case at the threshold is acted on
    NetBenefitDisplay.from_predictions(rare, np.where(rare, 0.3, 0.01), ax=display.ax_)
    assert display.ax_.get_xlim()[1] == pytest.approx(0.3)


def test_what_has_no_net_benefit():
    with pytest.raises(ValueError, match=r"outside \[0, 1\]"):
        NetBenefitDisplay.from_predictions([0, 1], [0.5, 1.5])
    with pytest.warns(UndefinedMetricWarning, match="one class only"):
        display = NetBenefitDisplay.from_predictions([0, 0], [0.1, 0.2])
    assert np.isnan(display.net_benefit).all()
    assert display.all_ is None
    alone = NetBenefitDisplay.from_predictions([0, 1], [0, 0])  # the model acts on nobody
    assert alone.net_benefit[-1] == 0 == alone.line_.get_ydata()[-1]
