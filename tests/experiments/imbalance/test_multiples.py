"""Measures and crossings of many data sets, against closed forms."""

import numpy as np
import pandas as pd
import pytest

from nontrivial_study.experiments.imbalance.crossings import crossing_summary, crossing_table
from nontrivial_study.experiments.imbalance.imbalance import measure_curves, multiples_table
from nontrivial_study.experiments.imbalance.imbalance_figures import plot_multiples

TPR, FPR = 0.9, 0.2


def predictions(name):
    truth = np.repeat([True, False], [400, 600])
    called = np.concatenate([np.arange(400) < 400 * TPR, np.arange(600) < 600 * FPR])
    return pd.DataFrame({"task": name, "model": "m", "truth": truth, "prediction": called})


def record(name):
    return {"name": name, "classes": {"yes": 400, "no": 600}, "positive": "yes"}


@pytest.fixture(scope="module")
def crossings():
    of_rarer = {"noises": [0.0, 0.1], "classes": ["yes"]}
    parts = [crossing_table(predictions(name), record(name), "m", **of_rarer) for name in ("a", "b")]
    return pd.concat(parts, ignore_index=True)


def test_curves_are_the_measures_of_an_unlimited_test_set():
    shares = [0.01, 0.05, 0.2, 0.5]
    table = measure_curves(predictions("a"), record("a"), "m", 0.1, shares)
    assert table["minority_share"].unique().tolist() == [0.05, 0.2, 0.5]  # 5 % of labels flip in each class
    share, flipped = np.array(shares[1:]), 0.05
    tp = (share - flipped) * TPR + flipped * FPR
    fp = (1 - share - flipped) * FPR + flipped * TPR
    advantage = table[table["measure"] == "prediction_advantage"]
    assert advantage["value"].tolist() == pytest.approx((1 - (share - tp + fp) / share).tolist())
    assert (advantage["low"] < advantage["value"]).all()
    assert (advantage["value"] < advantage["high"]).all()
    assert measure_curves(predictions("a"), record("a"), "other", 0.1, shares).empty


def test_the_summary_counts_who_warns_and_who_warns_later(crossings):
    summary = crossing_summary(crossings).set_index(["at", "reading", "measure"])
    advantage = summary.loc[0.1, "zero", "prediction_advantage"]
    closed = (0.1 * TPR + 0.9 * FPR) / (TPR + FPR)
    assert advantage[["datasets", "warns", "later"]].tolist() == [2, 2, 0]
    assert advantage["median"] == pytest.approx(closed, abs=1e-4)
    assert summary.loc[0.1, "zero", "accuracy"][["datasets", "warns", "later"]].tolist() == [2, 0, 2]
    assert summary.loc[0.1, "best_constant", "accuracy"]["later"] == 0


def test_each_data_set_has_its_panel_and_its_marks(crossings):
    curves = [measure_curves(predictions(name), record(name), "m", 0.1, [0.1, 0.3, 0.5]) for name in "ab"]
    table = multiples_table(pd.concat(curves), crossings, 0.1)
    figure = plot_multiples(table)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a", "b", ""]
    assert "2 data sets" in figure.get_suptitle()
    ends = crossings[(crossings["at"] == 0.1) & (crossings["reading"] == "zero")]
    first = ends[ends["measure"] == "prediction_advantage"].iloc[0]
    drawn = [line.get_xdata().tolist() for line in figure.axes[-1].lines]
    assert pytest.approx([100 * first["low"], 100 * first["high"]]) in drawn
    assert len(plot_multiples(table.iloc[:0]).axes) == 0
