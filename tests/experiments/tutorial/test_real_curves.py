"""The tutorial's curves against scikit-learn's, and its averages worked by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from nontrivial_study.experiments.tutorial.tutorial import (
    average_table,
    cost_lines,
    precision_recall_points,
    roc_points,
)


@pytest.fixture(scope="module")
def predictions():
    generator = np.random.default_rng(4)
    truth = generator.random(90) < 0.4
    score = np.round(truth + generator.normal(size=90), 1)  # with ties
    rows = {"task": "t", "model": "m", "fold": np.arange(90) % 3, "truth": truth, "prediction": score > 0.5}
    return pd.DataFrame(rows | {"score": score})


def test_roc_against_scikit_learn(predictions):
    points = roc_points(predictions, "t", ["m"])
    fpr, tpr, _ = metrics.roc_curve(predictions["truth"], predictions["score"], drop_intermediate=False)
    np.testing.assert_allclose(points["false_positive_rate"], fpr)
    np.testing.assert_allclose(points["true_positive_rate"], tpr)
    assert points["area"].iloc[0] == pytest.approx(
        metrics.roc_auc_score(predictions["truth"], predictions["score"])
    )


def test_precision_recall_against_scikit_learn(predictions):
    points = precision_recall_points(predictions, "t", ["m"])
    precision, recall, _ = metrics.precision_recall_curve(predictions["truth"], predictions["score"])
    np.testing.assert_allclose(points["precision"], precision[-2::-1])
    np.testing.assert_allclose(points["recall"], recall[-2::-1])
    assert points["prevalence"].iloc[0] == predictions["truth"].mean()


def test_no_cost_line_is_below_the_envelope(predictions):
    table = cost_lines(predictions, "t", ["m"])
    envelope = table[table["part"] == "envelope"]
    x = np.linspace(0, 1, 101)
    lowest = np.interp(x, envelope["probability_cost"], envelope["normalized_cost"])
    lines = table[table["part"] == "line"]
    starts, ends = (lines.loc[lines["probability_cost"] == side, "normalized_cost"] for side in (0, 1))
    lines = np.outer(1 - x, starts) + np.outer(x, ends)
    assert (lines.min(axis=1) >= lowest - 1e-12).all()
    np.testing.assert_allclose(lines.min(axis=1), lowest, atol=1e-12)  # few thresholds: all lines are kept


def test_averages_by_hand(predictions):
    table = average_table(predictions[::-1], "t", ["m"]).set_index("fold")
    assert table.index.tolist() == ["1", "2", "3", "macro", "micro"]
    folds = table.loc[["1", "2", "3"]]
    for number, row in folds.iterrows():
        part = predictions[predictions["fold"] == int(number) - 1]
        assert row["precision"] == pytest.approx(metrics.precision_score(part["truth"], part["prediction"]))
        assert row["recall"] == pytest.approx(metrics.recall_score(part["truth"], part["prediction"]))
    macro, micro = table.loc["macro"], table.loc["micro"]
    assert macro["precision"] == pytest.approx(folds["precision"].mean())
    harmonic = 2 / (1 / folds["precision"].mean() + 1 / folds["recall"].mean())
    assert macro["f_beta"] == pytest.approx(harmonic)
    assert micro["f_beta"] == pytest.approx(metrics.f1_score(predictions["truth"], predictions["prediction"]))
    assert [micro[cell] for cell in ("tp", "fp", "fn", "tn")] == folds[
        ["tp", "fp", "fn", "tn"]
    ].sum().tolist()
    assert macro["undefined_folds"] == 0


def test_a_fold_without_predicted_positives_leaves_the_macro_average_open(predictions):
    rows = predictions.assign(prediction=predictions["prediction"] & (predictions["fold"] > 0))
    table = average_table(rows, "t", ["m"]).set_index("fold")
    assert np.isnan(table.loc["macro", "precision"])
    assert np.isfinite(table.loc["micro", "precision"])
    assert table.loc["macro", "undefined_folds"] == 1


def test_a_model_without_predictions_has_no_curve_and_a_row_with_the_reason(predictions):
    assert set(roc_points(predictions, "t", ["other", "m"])["model"]) == {"m"}
    for points in (roc_points, precision_recall_points, cost_lines):
        assert points(predictions, "t", ["other"]).empty
    table = average_table(predictions, "t", ["other", "m"]).set_index("model")
    assert table.loc["other", "status"].startswith("no predictions")
    assert set(table.loc["m", "status"]) == {"ok"}
