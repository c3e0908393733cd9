"""Figures 1 to 3 of the PRG paper: what they show and say."""

from itertools import pairwise

import numpy as np
import pytest

from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.prg_example import prg_example_figures as figures
from nontrivial_study.experiments.prg_example.prg_example import SHOWN, example_curves, shown_numbers

LABELS = read_yaml("config/published.yaml")["running_example"]
PLOTS = {1: figures.plot_points, 2: figures.plot_isometrics, 3: figures.plot_calibration}


@pytest.fixture(scope="module")
def drawn(example):
    """Figure and numbers by number."""
    curves = example_curves(example)
    numbers = {number: shown_numbers(curves, number) for number in PLOTS}
    return {number: (plot(numbers[number], example), numbers[number]) for number, plot in PLOTS.items()}


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("number", PLOTS)
def test_every_number_of_the_running_example_is_drawn(drawn, number):
    figure, numbers = drawn[number]
    for axes, (panel, parts) in zip(figure.axes, SHOWN[number], strict=True):
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
