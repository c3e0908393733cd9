"""Pictures show every value and interval."""

import dataclasses

import numpy as np
import pytest

from nontrivial import score_predictions
from nontrivial.measures import net_benefit_score
from nontrivial.scorecard import plots
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
    """The figures that were drawn, laid out."""
    figures = []

    def keep(figure):
        figure.draw_without_rendering()
        figures.append(figure)
        return ""

    monkeypatch.setattr(plots, "_svg", keep)
    return figures


def legend_of(figure):
    return [text.get_text().split(" (")[0].replace(r"\$", "$") for text in figure.legends[0].get_texts()]


def test_the_models_of_a_comparison_have_their_curves_in_common_pictures(cases, drawn):
    names = ["$x^2$", "other"]
    frame = cases[["y"]].assign(**{"$x^2$": cases["good"], "other": cases["weak"]})
    score_predictions(frame, score=names, positive="ill").to_html()
    for figure in drawn[:3]:  # calibration, PRG and net benefit
        assert [name for name in legend_of(figure) if name in names] == names


def test_legends_stand_beside_the_curves(cases, drawn):
    score_predictions(cases, score=["good", "weak"], positive="ill").to_html()
    assert len(drawn) > 5
    for figure in drawn:
        (axes,) = figure.axes
        assert axes.get_legend() is None
        assert figure.legends[0].get_window_extent().y1 <= axes.get_window_extent().y0


def test_the_axes_fit_rare_events(drawn):
    truth = np.arange(4_000) % 50 == 0
    chances = np.where(truth, 0.06, 0.015) + 0.005 * np.sin(np.arange(4_000))
    found = score_predictions({"y": truth, "p": chances})
    found.to_html()
    calibration, _, benefit = (figure.axes[0] for figure in drawn[:3])
    rows = found.result.calibration.reliability
    assert max(row.high for row in rows) < calibration.get_xlim()[1] == calibration.get_ylim()[1] < 0.3
    assert benefit.get_xlim()[1] == pytest.approx(chances.max())
    assert benefit.get_ylim()[1] < 0.03


def test_net_benefit_is_drawn_as_it_is_computed(cases, drawn):
    score_predictions(cases, score="good", positive="ill", weight="w").to_html()
    (line,) = [line for line in drawn[2].axes[0].lines if line.get_label() == "model"]
    x, y = line.get_data()
    for place in (20, 120):
        expected = net_benefit_score(
            cases["y"], cases["good"], threshold=x[place], pos_label="ill", sample_weight=cases["w"]
        )
        assert y[place] == pytest.approx(expected, abs=1e-12)
