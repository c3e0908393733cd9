"""Figures 1 to 3 and 5 of the PRG paper, and that of the better models: what they show and say."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from nontrivial.config import read_yaml
from nontrivial.experiments.curve_numbers import curve_numbers
from nontrivial.experiments.prg_example import plot_example as figures
from nontrivial.experiments.prg_example.example_curves import example_curves
from nontrivial.experiments.prg_example.reconstruction import running_example
from nontrivial.experiments.ranks.plot_compared import plot_compared
from nontrivial.experiments.ranks.plot_model_choice import AREAS, TITLES, YARDSTICKS, plot_model_choice

LABELS = read_yaml("config/published.yaml")["running_example"]
PLOTS = {1: figures.plot_points, 2: figures.plot_isometrics, 3: figures.plot_calibration}


@pytest.fixture(scope="module")
def example():
    return running_example(**LABELS)


@pytest.fixture(scope="module")
def drawn(example):
    """Figure and numbers by number."""
    curves = example_curves(example)
    numbers = {number: figures.shown_numbers(curves, number) for number in PLOTS}
    return {number: (plot(numbers[number], "title"), numbers[number]) for number, plot in PLOTS.items()}


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("number", PLOTS)
def test_every_number_of_the_running_example_is_drawn(drawn, number):
    figure, numbers = drawn[number]
    for axes, (panel, parts) in zip(figure.axes, figures.SHOWN[number], strict=True):
        for part in parts:
            chosen = numbers[(numbers["panel"] == panel) & (numbers["part"] == part)][["x", "y"]].to_numpy()
            if part == "hull" and panel == "prg" and number == 2:
                chosen = chosen[chosen[:, 0] >= 0]  # there it is marked inside the plot
            lines = [line.get_xydata() for line in axes.lines]
            if part == "always positive":  # its hyperbola or diagonal ends there
                assert any(np.abs(line - chosen).sum(axis=1).min() < 1e-9 for line in lines if len(line))
            else:
                assert any(line.shape == chosen.shape and np.allclose(line, chosen) for line in lines), part


def test_figure_3_has_the_papers_labels(drawn):
    roc, prg = drawn[3][0].axes
    assert texts(roc) == LABELS["c"]
    assert texts(prg) == LABELS["d"]


def test_labels_of_figure_3_do_not_cover_one_another(drawn):
    figure = drawn[3][0]
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_labels_of_figure_3_cover_neither_dots_nor_the_curve(drawn):
    figure = drawn[3][0]
    figure.draw_without_rendering()
    for axes in figure.axes:
        lines = [line.get_xydata() for line in axes.lines if line.get_color() != "0.6"]  # but for chance
        hull = next(line.get_xydata() for line in axes.lines if line.get_marker() == "o")
        between = [np.linspace(one, other, 400) for one, other in pairwise(hull)]
        shown = axes.transData.transform(np.vstack([*between, *lines]))
        for text in axes.texts:
            assert text.get_window_extent().count_contains(shown) == 0, text.get_text()


def test_points_on_the_border_are_whole(drawn):
    for number in (1, 2):
        for axes in drawn[number][0].axes:
            assert all(not line.get_clip_on() for line in axes.lines if line.get_marker() == "o")


def test_the_baseline_is_named_by_the_f1_of_calling_everything_positive(example, drawn):
    share = example["positives"].sum() / example[["positives", "negatives"]].to_numpy().sum()
    f1 = 2 * share / (1 + share)
    gain = (f1 - share) / ((1 - share) * f1)
    entries = [text.get_text() for text in drawn[2][0].legends[0].get_texts()]
    assert f"as good as all positive: F1 = {f1:.3f}, F1 gain = 1/2" in entries
    assert gain == pytest.approx(1 / 2)


def test_the_title_says_that_it_is_a_reconstruction(example):
    title = figures.example_title(example)
    assert "reconstructed" in title
    assert f"{example['positives'].sum()} positives" in title
    assert f"{example['negatives'].sum()} negatives" in title


def compared(**statuses):
    rng = np.random.default_rng(0)
    parts = []
    for model, status in statuses.items():
        truth = rng.random(60) < 0.4
        curves = curve_numbers(truth, truth + rng.normal(size=60))
        curves = curves if status == "ok" else pd.DataFrame(index=[0], columns=list(curves))
        parts.append(curves.assign(task="t", model=model, status=status))
    return pd.concat(parts, ignore_index=True)


def test_two_models_are_told_apart_without_colour_and_their_areas_are_said():
    table = compared(one="ok", two="ok")
    figure = plot_compared(table, "white$clover$ (version 1)")
    assert figure.get_suptitle() == "Task t, white$clover$ (version 1)"
    for axes, panel in zip(figure.axes, ("roc", "pr", "prg"), strict=True):
        assert len({line.get_linestyle() for line in axes.lines}) == 2
        assert axes.get_legend() is None
        for line, (_, rows) in zip(axes.lines, table[table["panel"] == panel].groupby("model"), strict=True):
            np.testing.assert_array_equal(line.get_xydata(), rows[["x", "y"]].astype(float))
    (legend,) = figure.legends
    areas = table.groupby(["model", "panel"])["area"].first()
    for text, model in zip(legend.get_texts(), ("one", "two"), strict=True):
        for panel, name in (("roc", "AUROC"), ("pr", "AUPR"), ("prg", "AUPRG")):
            assert f"{name} {areas[model, panel]:.3f}" in text.get_text()
        assert text.get_text().startswith(model)


def test_a_model_without_curves_is_named_with_the_reason():
    figure = plot_compared(compared(one="has no confidences", two="ok"))
    (legend,) = figure.legends
    assert legend.get_texts()[0].get_text() == "one: not shown, has no confidences"
    assert [len(axes.lines) for axes in figure.axes] == [1, 1, 1]


def test_without_any_curves_the_reasons_stand_alone():
    figure = plot_compared(compared(one="has no confidences", two="has no predictions file"))
    said = " ".join(" ".join(text.get_text().split()) for text in figure.findobj(Text))
    assert "one: has no confidences" in said
    assert "two: has no predictions file" in said
    assert not any(axes.lines for axes in figure.axes)


def choice():
    rows = [
        {"yardstick": judge, "of": of, "area": area, "pairs": 10, "agreement": 0.5 + place / 20}
        for of in TITLES
        for judge in YARDSTICKS
        for place, area in enumerate(AREAS)
        if area != judge
    ]
    return pd.DataFrame(rows).assign(agreement_low=0.4, agreement_high=0.9)


def test_better_models_marks_stand_at_their_shares():
    figure = plot_model_choice(choice())
    for axes in figure.axes:
        marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        assert len(marks) == 14
        by_marker = {line.get_marker(): line.get_xdata()[0] for line in marks}
        assert by_marker == {
            marker: pytest.approx(50 + 5 * place) for place, (_, _, marker) in enumerate(AREAS.values())
        }
        heights = [line.get_ydata()[0] for line in marks]
        assert len(set(np.round(heights, 6))) == 14
    assert "(up to 10)" in figure.axes[0].get_title(loc="left")


def test_shares_without_pairs_have_no_marks():
    table = choice()
    table.loc[table["of"] != "all", ["agreement", "agreement_low", "agreement_high"]] = np.nan
    table.loc[table["of"] != "all", "pairs"] = 0
    figure = plot_model_choice(table)
    figure.draw_without_rendering()
    assert "(up to 0)" in figure.axes[1].get_title(loc="left")
