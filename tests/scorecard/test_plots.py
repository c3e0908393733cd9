"""Pictures show every value and interval."""

import dataclasses

import numpy as np
import pytest

from nontrivial import score_predictions
from nontrivial.scorecard import page, plots
from nontrivial.scorecard.estimates import Estimate
from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.notes import label_of


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
        "prediction_advantage": Estimate(-3.0, -np.inf, 0.5, "fieller"),
    }
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    plots.measures_svg(dataclasses.replace(card, measures=endless))
    (axes,) = figures[0].axes
    (arrow,) = [line for line in axes.lines if line.get_marker() == "<"]
    assert arrow.get_xydata().tolist() == [[axes.get_xlim()[0], 0]]


@pytest.fixture
def drawn(monkeypatch):
    """The figures that were drawn."""
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    return figures


@pytest.mark.parametrize("n_models", [2, page.MOST_DRAWN + 1])
def test_the_models_of_a_comparison_have_their_curves_in_common_pictures(cases, drawn, n_models):
    names = ["$x^2$", *(f"model {place}" for place in range(1, n_models))]
    frame = cases[["y"]].assign(
        **{name: (cases["good"] + place * cases["weak"]) / (1 + place) for place, name in enumerate(names)}
    )
    found = score_predictions(frame, score=names, positive="ill")
    html = found.to_html()
    common, first = drawn[:4], [card.model for card in found.result.cards[: page.MOST_DRAWN]]
    for figure in common:
        labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        told = [label.split(" (")[0].replace(r"\$", "$") for label in labels]
        assert [name for name in told if name in names] == first
        figure.canvas.draw()
    assert ("cost curve of the models" in html) == (n_models <= page.MOST_DRAWN)
