"""Measures over the class balance."""

import numpy as np
import pytest
from displays.rankings import MODEL, X, y

from nontrivial.displays import MeasureImbalanceDisplay
from nontrivial.measures import confusion_measures


def test_measures_over_the_class_balance():
    labels, predicted = np.repeat([1, 0], [20, 80]), np.concatenate([np.arange(20) < 15, np.arange(80) < 8])
    display = MeasureImbalanceDisplay.from_predictions(labels, predicted.astype(int), shares=[0.2, 0.5])
    at_observed = confusion_measures(15, 8, 5, 72)
    balanced = confusion_measures(75, 10, 25, 90)
    for measure in display.measures:
        np.testing.assert_allclose(display.measures[measure], [at_observed[measure][0], balanced[measure][0]])
        np.testing.assert_array_equal(display.lines_[measure].get_ydata(), display.measures[measure])
    assert display.observed_share == 0.2
    assert list(display.measures)[-1] == "prediction_advantage"


def test_measures_of_an_estimator_over_the_class_balance():
    display = MeasureImbalanceDisplay.from_estimator(MODEL, X, y, measures=["p4", "recall"])
    assert list(display.lines_) == ["p4", "recall"]
    np.testing.assert_allclose(display.measures["recall"], np.mean(MODEL.predict(X)[y == 1]))


def test_a_second_model_is_paler_and_named():
    first = MeasureImbalanceDisplay.from_estimator(MODEL, X, y)
    ax = first.ax_
    second = MeasureImbalanceDisplay.from_predictions(y, 1 - MODEL.predict(X), name="contrary", ax=ax)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(labels) == len(set(labels)) == 2 * len(first.lines_)
    assert all(line.get_alpha() < 1 and "contrary" in line.get_label() for line in second.lines_.values())
    assert ax.get_title() == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["acuracy"]}, "acuracy"),
        ({"shares": [1.5, 0.5]}, "negative"),
        ({"shares": np.ma.array([0.1, 0.5], mask=[0, 1])}, "shares has masked values"),
    ],
)
def test_measures_over_the_class_balance_refuse(options, message):
    with pytest.raises(ValueError, match=message):
        MeasureImbalanceDisplay.from_predictions(y, y, **options)
