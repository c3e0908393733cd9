"""Pictures of several models at once, with axes that fit."""

import numpy as np
import pytest

from nontrivial import score_predictions
from nontrivial.measures import net_benefit_score
from nontrivial.scorecard import plots


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
    assert benefit.get_xlim()[1] == pytest.approx(np.quantile(chances, 0.99))
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
