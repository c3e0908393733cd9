"""Curves as numbers, against scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from nontrivial.curves import operating_points, pr_auc_score, prg_auc_score
from nontrivial_study.experiments.curve_numbers import compared_curves, curve_numbers, non_dominated

RNG = np.random.default_rng(3)
TRUTH = RNG.random(80) < 0.3
SCORE = np.round(TRUTH + RNG.normal(size=80), 1)


def test_the_areas_under_the_numbers_are_those_given():
    table = curve_numbers(TRUTH, SCORE)
    expected = {
        "roc": roc_auc_score(TRUTH, SCORE),
        "pr": pr_auc_score(TRUTH, SCORE),
        "prg": prg_auc_score(TRUTH, SCORE),
    }
    for panel, rows in table.groupby("panel"):
        assert rows["area"].unique().tolist() == pytest.approx([expected[panel]])
        assert np.trapezoid(rows["y"], rows["x"]) == pytest.approx(expected[panel], abs=5e-5)
    fpr, tpr, _ = roc_curve(TRUTH, SCORE, drop_intermediate=False)
    np.testing.assert_allclose(table.loc[table["panel"] == "roc", ["x", "y"]], np.column_stack([fpr, tpr]))


def test_non_dominated_against_comparing_all_pairs():
    points = operating_points(TRUTH, SCORE)
    rates = np.column_stack([-points.fp, points.tp])
    no_worse = (rates[:, np.newaxis] >= rates).all(axis=2)
    better = (rates[:, np.newaxis] > rates).any(axis=2)
    np.testing.assert_array_equal(non_dominated(points), ~(no_worse & better).any(axis=0))


def test_models_are_compared_under_their_names_and_failures_have_a_row():
    rows = {"task": "t", "truth": TRUTH, "score": SCORE}
    predictions = pd.concat([pd.DataFrame(rows | {"model": "a"}), pd.DataFrame(rows | {"model": "b", "score": -SCORE})])
    table = compared_curves(predictions, "t", {"first": ("a", "ok"), "second": (None, "has no predictions file")})
    second = table[table["model"] == "second"]
    assert second["status"].tolist() == ["has no predictions file"]
    assert second[["panel", "x", "y", "area"]].isna().all(axis=None)
    first = table[table["model"] == "first"].reset_index(drop=True)
    assert first["status"].unique().tolist() == ["ok"]
    expected = curve_numbers(TRUTH, SCORE)
    pd.testing.assert_frame_equal(first[list(expected)].astype(expected.dtypes), expected)
    nothing = compared_curves(None, "t", {"first": (None, "not evaluated: why")})
    assert nothing[["task", "model", "status"]].to_numpy().tolist() == [["t", "first", "not evaluated: why"]]
