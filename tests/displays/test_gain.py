"""The Precision-Recall-Gain plot: its curve, its hull, its lines of one F gain."""

import numpy as np
import pytest
from displays.rankings import RANKINGS, SCORES, y

from nontrivial.curves import ExtrapolatedAreaWarning, precision_recall_gain_curve, prg_convex_hull
from nontrivial.displays import PrecisionRecallGainDisplay

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_the_gain_curve_starts_where_recall_gain_is_zero():
    display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, plot_hull=True)
    precision_gain, recall_gain, _ = precision_recall_gain_curve(y, SCORES)
    np.testing.assert_array_equal(display.precision_gain, precision_gain)
    np.testing.assert_array_equal(display.recall_gain, recall_gain)
    x, heights = display.line_.get_data()
    assert x[0] == 0
    assert np.trapezoid(heights, x) == pytest.approx(display.prg_auc)
    hull_precision, hull_recall, _, beta_squared = prg_convex_hull(y, SCORES)
    vertices = np.column_stack([hull_recall, hull_precision])
    always_positive = (1, 0)
    np.testing.assert_allclose(display.hull_.get_xydata(), [*vertices, always_positive])
    np.testing.assert_allclose(display.hull[2], [*1 / (1 + beta_squared), 0])


@pytest.mark.parametrize("ranking", RANKINGS)
def test_labels_of_the_hull_stay_inside_the_axes(ranking):
    display = PrecisionRecallGainDisplay.from_predictions(*RANKINGS[ranking], plot_hull=True)
    display.figure_.draw_without_rendering()
    frame = display.ax_.get_window_extent().padded(1)
    labels = [text for text in display.ax_.texts if text.get_color() == display.hull_.get_color()]
    assert labels or ranking == "below zero"
    for label in labels:
        box = label.get_window_extent()
        assert frame.containsx(box.x0)
        assert frame.containsx(box.x1)
        assert frame.containsy(box.y0)
        assert frame.containsy(box.y1)


def test_a_segment_is_labelled_in_the_middle_of_what_is_seen_of_it():
    """From (-3, 1) to (1, 0.5): right of recall gain 0 it begins at 0.625."""
    display = PrecisionRecallGainDisplay(
        np.array([1, 0.5]), np.array([-3.0, 1]), hull=(np.array([1, 0.5]), np.array([-3.0, 1]), [0.7])
    ).plot(plot_hull=True, plot_isometrics=False)
    (label,) = display.ax_.texts
    assert label.get_text() == "0.7"
    np.testing.assert_allclose(label.xy, [0.5, 0.5625])


def test_a_hull_that_ends_at_the_always_positive_prediction_has_no_drop():
    display = PrecisionRecallGainDisplay.from_predictions([0, 1, 0, 1], [1, 1, 1, 1])
    np.testing.assert_array_equal(display.hull[0], [0])
    assert len(display.hull[2]) == 0


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 1000])
def test_along_a_line_of_the_gain_plot_the_f_gain_is_the_same(beta):
    display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, beta=beta)
    for i, line in enumerate(display.isometrics_):
        x, heights = line.get_data()
        np.testing.assert_allclose((heights + beta**2 * x) / (1 + beta**2), (i + 1) / 10)
    x, heights = display.baseline_.get_data()
    np.testing.assert_allclose(heights + beta**2 * x, beta**2)  # as at (1, 0), the always-positive prediction


def test_any_kind_of_number_is_squared_as_a_float():
    display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, beta=np.int8(20))
    assert display.baseline_.get_ydata()[0] == 400
    with pytest.raises(ValueError, match="whose square is finite"):
        display.plot(beta=1e200)


def test_a_gain_curve_below_zero_is_shown():
    display = PrecisionRecallGainDisplay.from_predictions([1, 0, 0, 1], [4, 3, 2, 1])
    assert display.ax_.get_ylim()[0] == -1
    assert PrecisionRecallGainDisplay.from_predictions([1, 0], [1, 0]).ax_.get_ylim()[0] == 0


@pytest.mark.filterwarnings("always::nontrivial.curves.ExtrapolatedAreaWarning")
def test_an_extrapolated_area_is_announced():
    with pytest.warns(ExtrapolatedAreaWarning) as caught:
        PrecisionRecallGainDisplay.from_predictions(np.arange(50) < 2, np.arange(50))
    assert [warning.filename for warning in caught] == [__file__]


def test_a_hull_is_for_one_curve():
    precision_gain, recall_gain, _ = precision_recall_gain_curve(y, SCORES)
    with pytest.raises(ValueError, match="display of a single curve"):
        PrecisionRecallGainDisplay(precision_gain, recall_gain).plot(plot_hull=True)


def test_two_hulls_have_one_entry_in_the_legend():
    ax = None
    for _ in range(2):
        display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, plot_hull=True, ax=ax)
        ax = display.ax_
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert sum("hull" in name for name in names) == 1
