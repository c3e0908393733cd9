"""The numbers of the running example's figures, against exact fractions, and as they are drawn."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.prg_example import prg_example_figures as figures
from nontrivial_study.experiments.prg_example.prg_example import (
    FIGURE_PARTS,
    example_curves,
    gain_to_rates,
    rates_to_gain,
    shown_numbers,
)


@pytest.fixture(scope="module")
def curves(example):
    return example_curves(example)


def points(curves, panel, part):
    chosen = curves[(curves["panel"] == panel) & (curves["part"] == part)]
    return chosen[["x", "y"]].to_numpy(), chosen["value"].to_numpy()


def vertices(example):
    """Exact tables at the ends of the segments."""
    positives, negatives = int(example["tp"].max()), int(example["fp"].max())
    ends = [(Fraction(int(tp)), Fraction(int(fp))) for tp, fp in zip(example["tp"], example["fp"], strict=True)]
    return positives, negatives, ends


def test_hulls_and_their_labels(example, curves):
    positives, negatives, ends = vertices(example)
    roc, c = points(curves, "roc", "hull")
    exact = [(0, 0), *((fp / negatives, tp / positives) for tp, fp in ends)]
    np.testing.assert_allclose(roc, np.array(exact, dtype=float), rtol=1e-12)
    np.testing.assert_allclose(c[:-1], example["c"])
    prg, d = points(curves, "prg", "hull")
    odds = Fraction(positives, negatives)
    exact = [(1 - odds * (positives - tp) / tp, 1 - odds * fp / tp) for tp, fp in ends]
    np.testing.assert_allclose(prg, np.array(exact, dtype=float), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(d[:-1], example["d"][1:], rtol=1e-12)
    assert np.isnan([c[-1], d[-1]]).all()


def test_points_that_no_other_dominates(example, curves):
    """All vertices but the two trivial predictions, which the first and the last but one dominate."""
    positives, negatives, ends = vertices(example)
    roc, _ = points(curves, "roc", "non-dominated")
    exact = [(fp / negatives, tp / positives) for tp, fp in ends[:-1]]
    np.testing.assert_allclose(roc, np.array(exact, dtype=float), rtol=1e-12)
    pr, _ = points(curves, "pr", "non-dominated")
    exact = [(tp / positives, tp / (tp + fp)) for tp, fp in ends[:-1]]
    np.testing.assert_allclose(pr, np.array(exact, dtype=float), rtol=1e-12)


def test_the_always_positive_prediction(example, curves):
    positives, negatives, _ = vertices(example)
    share = positives / (positives + negatives)
    f1 = 2 * positives / (2 * positives + negatives)
    for panel, place in (("pr", [[1, share]]), ("prg", [[1, 0]])):
        places, value = points(curves, panel, "always positive")
        np.testing.assert_allclose(places, place)
        np.testing.assert_allclose(value, f1)


def test_grids_are_regular_in_the_other_plot(example, curves):
    """The dots of one plot, carried over to the other, are multiples of a tenth."""
    share = example["positives"].sum() / example[["positives", "negatives"]].to_numpy().sum()
    of_gains, _ = points(curves, "roc", "grid")
    assert len(of_gains) == 81
    gains = np.column_stack(rates_to_gain(*of_gains.T, share))
    np.testing.assert_allclose(gains * 10, np.rint(gains * 10), atol=1e-9)
    assert len(np.unique(gains.round(9), axis=0)) == 81
    of_rates, _ = points(curves, "prg", "grid")
    rates = np.column_stack(gain_to_rates(*of_rates.T, share))
    np.testing.assert_allclose(rates * 10, np.rint(rates * 10), atol=1e-9)
    assert ((of_rates >= 0) & (of_rates <= 1)).all()
    # Both gains are 0 or greater.
    remaining = [(x, y) for x in range(1, 10) for y in range(x, 10) if 1 - share / (1 - share) * (10 / y - 1) >= 0]
    assert sorted(map(tuple, np.rint(rates * 10).astype(int).tolist())) == sorted(remaining)


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
    for axes, (panel, parts) in zip(figure.axes, FIGURE_PARTS[number], strict=True):
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


def test_labels_of_figure_3_cover_neither_one_another_nor_dots_nor_the_curve(drawn):
    figure = drawn[3][0]
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(box.overlaps(earlier) for i, box in enumerate(boxes) for earlier in boxes[:i])
        lines = [line.get_xydata() for line in axes.lines if line.get_color() != "0.6"]  # but for chance
        hull = next(line.get_xydata() for line in axes.lines if line.get_marker() == "o")
        between = [np.linspace(start, end, 400) for start, end in pairwise(hull)]
        shown = axes.transData.transform(np.vstack([*between, *lines]))
        assert not any(box.count_contains(shown) for box in boxes)
