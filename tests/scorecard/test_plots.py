"""Pictures show every value and interval."""

import dataclasses

import numpy as np
import pytest

from nontrivial.scorecard import plots
from nontrivial.scorecard.card import make_scorecard
from nontrivial.scorecard.estimates import Estimate
from nontrivial.scorecard.glossary import label_of


@pytest.fixture
def picture(predictions, monkeypatch):
    """Return the card of a table, and the axes on which its measures are drawn."""

    def draw(**table):
        card, figures = make_scorecard(predictions(**table)[0]), []
        monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
        plots.measures_svg(card)
        (axes,) = figures[0].axes
        return card, axes

    return draw


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(1, 9, 40, 150), (0, 1, 29, 0), (35, 15, 10, 140)])
def test_the_picture_of_the_measures_has_the_advantage_however_low(picture, tp, fn, fp, tn):
    card, axes = picture(tp=tp, fn=fn, fp=fp, tn=tn)
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    place = axes.get_yticks()[names.index("Prediction Advantage (PA)")]
    shown = {
        y: x for line in axes.lines if line.get_marker() == "o" for x, y in zip(*line.get_data(), strict=True)
    }
    assert shown[place] == card.advantage.value
    left, right = axes.get_xlim()
    assert left < card.advantage[1] < card.advantage[2] < right
    assert (axes.get_xscale() == "symlog") == (card.advantage[1] < -1)


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(35, 15, 10, 140), (35, 65, 65, 35), (1, 9, 40, 150)])
def test_the_picture_draws_each_interval_from_end_to_end(picture, tp, fn, fp, tn):
    """Of the second, ends lie between -1 and 0; of the third, one lies below -1."""
    card, axes = picture(tp=tp, fn=fn, fp=fp, tn=tn)
    (bars,) = axes.collections
    of_label = {label_of(name): name for name in card.measures}
    names = [of_label[tick.get_text()] for tick in axes.get_yticklabels()]
    drawn = {names[place]: segment[:, 0] for place, segment in enumerate(bars.get_segments())}
    assert "prediction_advantage" in drawn
    assert not any(name.endswith("_ratio") for name in drawn)
    assert len(drawn.keys() & card.measures.keys()) > 10
    for name, ends in drawn.items():
        np.testing.assert_array_equal(ends, card.measures[name][1:3], err_msg=name)


def test_an_interval_without_a_lower_end_is_an_arrow(predictions, monkeypatch):
    card = make_scorecard(predictions()[0])
    endless = {
        "accuracy": card.measures["accuracy"],
        "prediction_advantage": Estimate(-3.0, -np.inf, 0.5, "exact"),
    }
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    plots.measures_svg(dataclasses.replace(card, measures=endless))
    (axes,) = figures[0].axes
    (arrow,) = [line for line in axes.lines if line.get_marker() == "<"]
    assert arrow.get_xydata().tolist() == [[axes.get_xlim()[0], 0]]
