"""The tutorial's curves against scikit-learn's, averages by hand, and the figures of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from nontrivial.curves.points import operating_points
from nontrivial_study.experiments.tutorial.tutorial import (
    average_table,
    cost_lines,
    precision_recall_points,
    roc_points,
)
from nontrivial_study.experiments.tutorial.tutorial_figures import plot_averages, plot_precision_recall, plot_roc


@pytest.fixture(scope="module")
def scored():
    generator = np.random.default_rng(4)
    truth = generator.random(90) < 0.4
    score = np.round(truth + generator.normal(size=90), 1)  # with ties
    rows = {"task": "t", "model": "m", "fold": np.arange(90) % 3, "truth": truth, "prediction": score > 0.5}
    return pd.DataFrame(rows | {"score": score})


def test_roc_against_scikit_learn(scored):
    points = roc_points(scored, "t", ["m"])
    fpr, tpr, _ = metrics.roc_curve(scored["truth"], scored["score"], drop_intermediate=False)
    np.testing.assert_allclose(points["false_positive_rate"], fpr)
    np.testing.assert_allclose(points["true_positive_rate"], tpr)
    assert points["area"].iloc[0] == pytest.approx(metrics.roc_auc_score(scored["truth"], scored["score"]))


def test_precision_recall_against_scikit_learn(scored):
    points = precision_recall_points(scored, "t", ["m"])
    precision, recall, _ = metrics.precision_recall_curve(scored["truth"], scored["score"])
    np.testing.assert_allclose(points["precision"], precision[-2::-1])
    np.testing.assert_allclose(points["recall"], recall[-2::-1])
    assert points["prevalence"].iloc[0] == scored["truth"].mean()


def test_no_cost_line_is_below_the_envelope(scored):
    table = cost_lines(scored, "t", ["m"])
    envelope = table[table["part"] == "envelope"]
    x = np.linspace(0, 1, 101)
    lowest = np.interp(x, envelope["probability_cost"], envelope["normalized_cost"])
    lines = table[table["part"] == "line"]
    starts, ends = (lines.loc[lines["probability_cost"] == side, "normalized_cost"] for side in (0, 1))
    lines = np.outer(1 - x, starts) + np.outer(x, ends)
    assert (lines.min(axis=1) >= lowest - 1e-12).all()
    np.testing.assert_allclose(lines.min(axis=1), lowest, atol=1e-12)  # few thresholds: all lines are kept


def test_averages_by_hand(scored):
    table = average_table(scored[::-1], "t", ["m"]).set_index("fold")
    assert table.index.tolist() == ["1", "2", "3", "macro", "micro"]
    folds = table.loc[["1", "2", "3"]]
    for number, row in folds.iterrows():
        part = scored[scored["fold"] == int(number) - 1]
        assert row["precision"] == pytest.approx(metrics.precision_score(part["truth"], part["prediction"]))
        assert row["recall"] == pytest.approx(metrics.recall_score(part["truth"], part["prediction"]))
    macro, micro = table.loc["macro"], table.loc["micro"]
    assert macro["precision"] == pytest.approx(folds["precision"].mean())
    harmonic = 2 / (1 / folds["precision"].mean() + 1 / folds["recall"].mean())
    assert macro["f_beta"] == pytest.approx(harmonic)
    assert micro["f_beta"] == pytest.approx(metrics.f1_score(scored["truth"], scored["prediction"]))
    assert [micro[cell] for cell in ("tp", "fp", "fn", "tn")] == folds[["tp", "fp", "fn", "tn"]].sum().tolist()
    assert macro["undefined_folds"] == 0


def test_a_fold_without_predicted_positives_leaves_the_macro_average_open(scored):
    rows = scored.assign(prediction=scored["prediction"] & (scored["fold"] > 0))
    table = average_table(rows, "t", ["m"]).set_index("fold")
    assert np.isnan(table.loc["macro", "precision"])
    assert np.isfinite(table.loc["micro", "precision"])
    assert table.loc["macro", "undefined_folds"] == 1


def test_a_model_without_predictions_has_no_curve_and_a_row_with_the_reason(scored):
    assert set(roc_points(scored, "t", ["other", "m"])["model"]) == {"m"}
    for points in (roc_points, precision_recall_points, cost_lines):
        assert points(scored, "t", ["other"]).empty
    table = average_table(scored, "t", ["other", "m"]).set_index("model")
    assert table.loc["other", "status"].startswith("no predictions")
    assert set(table.loc["m", "status"]) == {"ok"}


MODELS = ["good", "weak"]


def test_break_even_points_lie_on_the_diagonal_and_on_the_curve(predictions):
    table = precision_recall_points(predictions, "t", MODELS)
    (axes,) = plot_precision_recall(table).axes
    marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert len(marks) == 2
    for mark in marks:
        (value,) = mark.get_xdata()
        assert mark.get_ydata()[0] == value
        (curve,) = [line for line in axes.lines if line.get_color() == mark.get_color() and len(line.get_xdata()) > 2]
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
        averages = [line for line in bars if line.get_linestyle() == dashes]
        expected = table.loc[table["fold"] == kind, "precision"].astype(float).tolist()
        assert [line.get_ydata()[0] for line in averages] == pytest.approx(expected)
        for place, (line, marks) in enumerate(zip(averages, markers, strict=True)):
            beside = side * (line.get_xdata() - place)  # so neither hides the other, nor a fold
            assert beside.min() > np.abs(marks.get_xdata() - place).max()
        assert {f"{value:.3f}" for value in expected} <= {text.get_text() for text in precision.texts}
