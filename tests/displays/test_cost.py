"""The plot of cost curves: an envelope, and the lines under which it lies."""

import numpy as np
import pytest
from displays.rankings import SCORES, y

from nontrivial.curves import cost_curve
from nontrivial.displays import CostCurveDisplay

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_the_cost_plot_holds_its_envelope_and_its_lines():
    display = CostCurveDisplay.from_predictions(y, SCORES)
    np.testing.assert_array_equal(display.line_.get_data(), cost_curve(y, SCORES))
    segments = np.array(display.cost_lines_.get_segments())
    assert len(segments) < len(np.unique(SCORES))  # of many lines not all are drawn
    x = np.linspace(0, 1, 501)
    costs = [(1 - x) * start + x * end for (_, start), (_, end) in segments]
    np.testing.assert_allclose(np.min(costs, axis=0), np.interp(x, *cost_curve(y, SCORES)), atol=1e-12)


def test_the_lines_of_several_models_are_not_drawn():
    display = CostCurveDisplay.from_predictions(y, SCORES)
    for scores in (-SCORES, np.ones(len(y))):
        assert CostCurveDisplay.from_predictions(y, scores, ax=display.ax_).cost_lines_ is None
    assert not display.ax_.collections
