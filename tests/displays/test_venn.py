"""The Venn diagram is to scale for every confusion table, and says what it shows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.patches import Circle, Rectangle
from sklearn.dummy import DummyClassifier

from nontrivial.displays import VennDisplay
from nontrivial.displays.labels import lay_out, lens_area

CELLS = st.lists(st.integers(0, 1000), min_size=4, max_size=4).filter(any)


def areas(venn):
    """The areas of called, positive and both, as shares of the rectangle."""
    (left, right), (other_left, other_right) = venn.called, venn.positive
    if venn.are_circles:
        first, second = (right - left) / 2, (other_right - other_left) / 2
        both = lens_area(first, second, abs(left + right - other_left - other_right) / 2)
        shapes = np.pi * first**2, np.pi * second**2, both
    else:
        overlap = max(0.0, min(right, other_right) - max(left, other_left))
        shapes = np.array([right - left, other_right - other_left, overlap]) * venn.height
    return np.array(shapes) / (venn.width * venn.height)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(CELLS)
def test_every_area_is_to_scale_and_inside_the_rectangle(cells):
    tp, fp, fn, tn = cells
    venn = lay_out(tp, fp, fn, tn)
    np.testing.assert_allclose(areas(venn), np.array([tp + fp, tp + fn, tp]) / sum(cells), atol=1e-9)
    assert venn.width * venn.height == pytest.approx(1)
    for left, right in (venn.called, venn.positive):
        assert -1e-9 <= left <= right <= venn.width + 1e-9
        assert not venn.are_circles or right - left <= venn.height + 1e-9


def test_minorities_of_the_usual_kind_are_circles():
    assert lay_out(198, 11, 14, 346).are_circles
    assert lay_out(0, 0, 10, 90).are_circles


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(0.1, 2), st.floats(0.1, 2), st.floats(0, 4.5))
def test_lens_by_counting_points(first, second, distance):
    generator = np.random.default_rng(0)
    x, y = generator.uniform(-first, first, (2, 40_000))
    both = (x**2 + y**2 <= first**2) & ((x - distance) ** 2 + y**2 <= second**2)
    expected = both.mean() * 4 * first**2
    assert lens_area(first, second, distance) == pytest.approx(expected, abs=0.12 * first**2)


def test_labels_say_the_shares_and_the_two_shapes_differ_without_colour():
    axes = VennDisplay(tp=30, fp=10, fn=20, tn=40).plot().ax_
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"a\n10.0 %", "b\n30.0 %", "c\n20.0 %", "d\n40.0 %"}
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert len(circles) == 4  # each filled and outlined
    assert len({patch.get_hatch() for patch in circles if patch.get_hatch()}) == 2
    bars = VennDisplay(0, 50, 50, 0).plot().ax_.patches
    assert all(isinstance(patch, Rectangle) for patch in bars)


@pytest.mark.parametrize("cells", [(0, 0, 0, 0), (-1, 1, 1, 1), (np.nan, 1, 1, 1), (np.inf, 1, 1, 1)])
def test_bad_counts_are_refused(cells):
    with pytest.raises(ValueError, match="needs four counts that are finite, 0 or greater, and not all 0"):
        VennDisplay(*cells)


def test_labels_and_estimators_are_counted_with_their_weights():
    truth, predicted = ["no", "no", "yes", "yes", "yes"], ["no", "yes", "yes", "no", "yes"]
    display = VennDisplay.from_predictions(truth, predicted, pos_label="yes", sample_weight=[1, 2, 3, 4, 5])
    assert (display.tp, display.fp, display.fn, display.tn) == (8, 2, 4, 1)
    other = VennDisplay.from_predictions(truth, predicted, pos_label="no")
    assert (other.tp, other.fp, other.fn, other.tn) == (1, 1, 1, 2)
    features, labels = np.zeros((10, 1)), np.arange(10) < 3
    trivial = VennDisplay.from_estimator(DummyClassifier().fit(features, labels), features, labels)
    assert (trivial.tp, trivial.fp, trivial.fn, trivial.tn) == (0, 0, 3, 7)
    assert trivial.ax_.get_title() == "DummyClassifier"
