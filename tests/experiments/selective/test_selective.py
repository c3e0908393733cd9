"""Selective classifiers: a pair found among models that are known, and drawn."""

import numpy as np
import pandas as pd
import pytest

from nontrivial_study.experiments.results import IMPOSSIBLE
from nontrivial_study.experiments.selective.selective import REJECTS, selective_classifiers, worked_example
from nontrivial_study.experiments.selective.selective_figures import plot_selection

SETTINGS = {"task": "t", "coverage": 0.7, "minority_share": 0.2}


def test_the_pair_has_equal_coverage_and_close_risks_and_one_is_worthless(predictions):
    pair, curves = selective_classifiers(predictions, SETTINGS)
    pair = pair.set_index("rejects")
    assert (pair["coverage"] - 0.7).abs().max() <= 0.02
    assert pair.loc["the minority", "advantage"] == 0.0  # exactly: it never says anything but the majority
    assert pair.loc["the minority", "risk"] == pair.loc["the minority", "marginal_risk"]
    assert pair.loc["the unsure", "advantage"] > 0.3
    assert pair.loc["the minority", "minority_answered"] < pair.loc["the unsure", "minority_answered"]
    for rejects, row in pair.iterrows():
        curve = curves[curves["rejects"] == rejects]
        assert (curve["model"] == row["model"]).all()
        assert np.isclose(curve["coverage"], row["coverage"]).sum() == 1


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_numbers_by_hand(predictions, share):
    pair, _ = selective_classifiers(predictions, SETTINGS | {"minority_share": share})
    row = pair.set_index("rejects").loc["the minority"]
    scores = predictions.query("model == @row.model").sort_values("score")
    truth = scores["truth"].to_numpy()
    weights = np.where(truth, share / 40, (1 - share) / 80)
    covered = np.cumsum(weights)
    last = np.searchsorted(covered, 0.7 - 1e-9) + 1
    assert row["coverage"] == pytest.approx(covered[last - 1])
    assert row["risk"] == pytest.approx(weights[:last][truth[:last]].sum() / covered[last - 1])
    assert row["minority_answered"] == pytest.approx(truth[:last].sum() / 40)


def test_nothing_to_choose_from_is_said(predictions):
    constant = predictions.assign(score=0.0, prediction=False)
    pair, curves = selective_classifiers(constant, SETTINGS)
    assert set(pair["outcome"]) == {IMPOSSIBLE}
    assert pair[["model", "risk", "advantage"]].isna().all(axis=None)
    assert curves.empty


def test_selection_marks_the_pair_and_leaves_the_worked_example_out(predictions):
    pair, curves = selective_classifiers(predictions, SETTINGS)
    both = pd.concat([worked_example(), pair], ignore_index=True)
    risk, advantage = plot_selection(curves, both).axes
    marked = [
        line.get_ydata()[0] for line in risk.lines if line.get_marker() in ("P", "s") and len(line.get_xdata()) == 1
    ]
    assert marked == pytest.approx((100 * pair["risk"]).tolist())
    lines = [line for line in advantage.lines if len(line.get_xdata()) == (curves["rejects"] == REJECTS[1]).sum()]
    assert all(np.isfinite(line.get_ydata()[~np.isnan(line.get_ydata())]).all() for line in lines)
