"""The tutorial's figures show the numbers of their tables, and nothing that is not there."""

import numpy as np
import pytest

from nontrivial.curves.points import operating_points
from nontrivial_study.experiments.tutorial.tutorial import (
    average_table,
    precision_recall_points,
    roc_points,
)
from nontrivial_study.experiments.tutorial.tutorial_figures import (
    plot_averages,
    plot_precision_recall,
    plot_roc,
)

MODELS = ["good", "weak"]


def test_break_even_points_lie_on_the_diagonal_and_on_the_curve(predictions):
    table = precision_recall_points(predictions, "t", MODELS)
    (axes,) = plot_precision_recall(table).axes
    marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert len(marks) == 2
    for mark in marks:
        (value,) = mark.get_xdata()
        assert mark.get_ydata()[0] == value
        (curve,) = [
            line for line in axes.lines if line.get_color() == mark.get_color() and len(line.get_xdata()) > 2
        ]
        distance = np.hypot(curve.get_xdata() - value, curve.get_ydata() - value)
        assert distance.min() < 0.01


def test_roc_draws_the_points(predictions):
    (axes,) = plot_roc(roc_points(predictions, "t", ["good"])).axes
    of_model = predictions[predictions["model"] == "good"]
    points = operating_points(of_model["truth"], of_model["score"])
    (curve,) = [line for line in axes.lines if "area" in str(line.get_label())]
    np.testing.assert_allclose(curve.get_xdata(), points.fp / points.negatives)


def test_averages_have_a_marker_for_each_fold(predictions):
    table = average_table(predictions, "t", MODELS)
    precision, *_ = plot_averages(table).axes
    markers = [line for line in precision.lines if len(line.get_xdata()) == 4]
    assert len(markers) == 2
    bars = [line for line in precision.lines if len(line.get_xdata()) == 2]
    for kind, side, dashes in (("macro", -1, "-"), ("micro", 1, "--")):
        found = [line for line in bars if line.get_linestyle() == dashes]
        expected = table.loc[table["fold"] == kind, "precision"].astype(float).tolist()
        assert [line.get_ydata()[0] for line in found] == pytest.approx(expected)
        for place, (line, marks) in enumerate(zip(found, markers, strict=True)):
            beside = side * (line.get_xdata() - place)  # so neither hides the other, nor a fold
            assert beside.min() > np.abs(marks.get_xdata() - place).max()
        assert {f"{value:.3f}" for value in expected} <= {text.get_text() for text in precision.texts}
