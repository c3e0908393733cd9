"""Precision-Recall and Precision-Recall-Gain displays draw the right numbers, and nothing over another."""

import numpy as np
import pytest
from displays.rankings import RANKINGS, SCORES, y

from nontrivial.curves import pr_auc_score, precision_recall_gain_curve, prg_convex_hull
from nontrivial.displays import HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


# Precision-Recall


@pytest.mark.parametrize(
    ("labels", "scores", "first"),
    [
        (y, SCORES, 1),
        ([1, 1, 0, 0], [2, 2, 1, 1], 1),
        ([1, 0, 0, 1, 0, 1, 0, 0], [2, 2, 2, 2, 1, 1, 1, 1], 1 / 2),
        ([0, 1, 1], [3, 2, 1], 0),
    ],
)
def test_the_drawn_precision_recall_curve_is_hyperbolic_and_starts_at_its_limit(labels, scores, first):
    display = HyperbolicPrecisionRecallDisplay.from_predictions(labels, scores)
    recall, precision = display.line_.get_data()
    assert (recall[0], recall[-1], precision[0]) == (0, 1, pytest.approx(first, abs=1e-12))
    assert np.trapezoid(precision, recall) == pytest.approx(pr_auc_score(labels, scores), abs=2e-5)
    assert (np.diff(recall) >= 0).all()


def test_along_a_hyperbola_of_the_precision_recall_plot_f1_is_the_same():
    display = HyperbolicPrecisionRecallDisplay.from_predictions(y, SCORES)
    prevalence = y.mean()
    recall, precision = display.baseline_.get_data()
    np.testing.assert_allclose(2 / (1 / precision + 1 / recall), 2 * prevalence / (1 + prevalence))
    for path, f1 in zip(display.isometrics_.get_paths(), np.arange(1, 10) / 10, strict=True):
        recall, precision = path.vertices.T
        np.testing.assert_allclose(2 / (1 / precision + 1 / recall), f1, rtol=1e-3)
    assert display.baseline_.get_xydata()[0] == pytest.approx([1, prevalence])


# Precision-Recall-Gain


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
        assert frame.contains(box.x0, box.y0)
        assert frame.contains(box.x1, box.y1)


@pytest.mark.parametrize("beta", [0, 0.5, 1, np.int8(20), 1000])
def test_along_a_line_of_the_gain_plot_the_f_gain_is_the_same(beta):
    display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, beta=beta)
    beta = float(beta)
    for i, path in enumerate(display.isometrics_.get_paths()):
        x, heights = path.vertices.T
        np.testing.assert_allclose((heights + beta**2 * x) / (1 + beta**2), (i + 1) / 10)
    x, heights = display.baseline_.get_data()
    np.testing.assert_allclose(heights + beta**2 * x, beta**2)  # as at (1, 0), the always-positive prediction
    with pytest.raises(ValueError, match="whose square is finite"):
        display.plot(beta=1e200)


def test_a_gain_curve_below_zero_is_shown():
    display = PrecisionRecallGainDisplay.from_predictions([1, 0, 0, 1], [4, 3, 2, 1])
    assert display.ax_.get_ylim()[0] == -1
    assert PrecisionRecallGainDisplay.from_predictions([1, 0], [1, 0]).ax_.get_ylim()[0] == 0


def test_a_hull_is_for_one_curve_and_two_have_one_entry_in_the_legend():
    constant = PrecisionRecallGainDisplay.from_predictions([0, 1, 0, 1], [1, 1, 1, 1])
    assert [len(each) for each in constant.hull] == [1, 1, 0]  # no drop from the always-positive prediction
    with pytest.raises(ValueError, match="display of a single curve"):
        PrecisionRecallGainDisplay(constant.precision_gain, constant.recall_gain).plot(plot_hull=True)
    for _ in range(2):
        display = PrecisionRecallGainDisplay.from_predictions(y, SCORES, plot_hull=True, ax=constant.ax_)
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert sum("hull" in name for name in names) == 1
