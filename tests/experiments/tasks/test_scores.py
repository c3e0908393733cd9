"""Measures, areas, and thresholds chosen on other folds, against scikit-learn and trying one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, cohen_kappa_score, roc_auc_score

from nontrivial_study.experiments.tasks.scores import area_table, held_out_cost_advantage, held_out_f1, measure_table
from nontrivial_study.experiments.tasks.tasks import Task

RNG = np.random.default_rng(0)
TRUTH = np.arange(60) % 3 == 0
FOLD = np.arange(60) // 3 % 4
PREDICTIONS = pd.concat(
    pd.DataFrame({"task": "t", "model": name, "fold": FOLD, "truth": TRUTH, "prediction": s > 0.6, "score": s})
    for name, s in [("one", RNG.random(60)), ("two", RNG.random(60).round(1) + TRUTH)]
)


def test_measures():
    table = measure_table(PREDICTIONS, Task("t", "data", "yes", 1)).set_index("model")
    two = PREDICTIONS[PREDICTIONS["model"] == "two"]
    assert table.loc["two", ["dataset", "positive"]].tolist() == ["data", "yes"]
    assert table.loc["two", ["tp", "fp", "fn", "tn"]].sum() == 60
    assert table.loc["two", "cohen_kappa"] == pytest.approx(
        cohen_kappa_score(two["truth"], two["prediction"]), rel=1e-12
    )
    errors = (two["truth"] != two["prediction"]).sum()
    assert table.loc["two", "prediction_advantage"] == pytest.approx(1 - errors / 20, rel=1e-12)


RUNS = pd.DataFrame(
    {
        "task": "t",
        "model": ["two", "lost", "one"],
        "status": ["ok", "failed in fold 3: E: x", "ok"],
        "warnings": ["", "W x1", ""],
    }
)


def test_areas_keep_every_run_in_its_order():
    table = area_table(PREDICTIONS, RUNS, 5)
    assert table["model"].tolist() == ["two", "lost", "one"]
    assert table["status"].tolist() == RUNS["status"].tolist()
    assert table.loc[1, ["roc_auc", "prg_auc", "positives"]].isna().all()
    assert table["warnings"].tolist() == ["", "W x1", ""]
    one = PREDICTIONS[PREDICTIONS["model"] == "one"]
    assert table.loc[2, "roc_auc"] == pytest.approx(roc_auc_score(one["truth"], one["score"]), rel=1e-12)
    assert table.loc[2, "average_precision"] == pytest.approx(
        average_precision_score(one["truth"], one["score"]), rel=1e-12
    )
    assert table.loc[2, ["positives", "negatives"]].tolist() == [20, 40]
    errors = (one["truth"] != one["prediction"]).sum()
    assert table.loc[2, "prediction_advantage"] == pytest.approx(1 - errors / 20, rel=1e-12)
    assert table.loc[2, "held_out_f1"] == held_out_f1(TRUTH, one["score"].to_numpy(), FOLD)
    assert table.loc[1, ["extrapolated", "held_out_f1", "prediction_advantage"]].isna().all()


@pytest.mark.parametrize(("first", "extrapolated"), [(4, False), (5, True)])
def test_an_area_is_extrapolated_if_the_first_point_lies_past_recall_gain_zero(first, extrapolated):
    """With 20 positives of 100 cases recall gain is 0 at 4 true positives."""
    truth = np.repeat([True, False], [20, 80])
    score = np.where(np.arange(100) < first, 200.0, np.arange(100)[::-1])
    rows = {"task": "t", "model": "m", "fold": np.arange(100) % 2, "truth": truth, "prediction": truth}
    run = {"task": ["t"], "model": ["m"], "status": ["ok"], "warnings": [""]}
    table = area_table(pd.DataFrame(rows | {"score": score}), pd.DataFrame(run), 5)
    assert table["extrapolated"].tolist() == [extrapolated]


COST = 5


def f1(truth, called):
    """0 without a true positive: the truth holds one."""
    return 2 * (truth & called).sum() / max(truth.sum() + called.sum(), 1)


def saved(truth, called):
    """The cost that is saved, in false alarms, against calling nothing positive."""
    return (1 + COST) * (truth & called).sum() - called.sum()


def tried(worth, truth, score, fold):
    """Call each fold's cases by the best of the other folds' scores, the greatest of equals."""
    called = np.zeros(len(truth), dtype=bool)
    for number in set(fold):
        is_held_out = fold == number
        reached = {t: worth(truth[~is_held_out], score[~is_held_out] >= t) for t in set(score[~is_held_out])}
        best = max(reached.values())
        if best > 0:
            called[is_held_out] = score[is_held_out] >= max(
                t for t in reached if np.isclose(reached[t], best, rtol=1e-12)
            )
    return called


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.data())
def test_against_trying_every_threshold(data):
    n = data.draw(st.integers(4, 25))
    column = lambda values: np.array(data.draw(st.lists(values, min_size=n, max_size=n)))  # noqa: E731
    truth, score, fold = column(st.booleans()), column(st.integers(0, 8)), column(st.integers(0, 3))
    truth[:2], fold[:2] = [True, False], [0, 1]
    assert held_out_f1(truth, score, fold) == pytest.approx(f1(truth, tried(f1, truth, score, fold)), abs=1e-12)
    constant = min(COST * truth.sum(), (~truth).sum())
    spent = COST * truth.sum() - saved(truth, tried(saved, truth, score, fold))
    assert held_out_cost_advantage(truth, score, fold, COST) == pytest.approx(1 - spent / constant, abs=1e-12)


def test_the_threshold_is_not_chosen_on_the_cases_it_is_judged_on():
    """Each fold ranks its own cases perfectly, but on a scale of its own."""
    truth = np.array([True, False] * 4)
    score = np.array([0.9, 0.8, 0.9, 0.8, 0.3, 0.2, 0.3, 0.2])
    fold = np.repeat([0, 1], 4)
    # By the other's scale everything of the first fold is positive, and nothing of the second.
    assert held_out_f1(truth, score, fold) == pytest.approx(2 * 2 / (4 + 4))
    # With both scales in each fold, the least score of a positive is best: 3 of 4 cases are called positive.
    assert held_out_f1(truth, score, np.tile([0, 0, 1, 1], 2)) == pytest.approx(2 * 4 / (6 + 4))


def test_one_fold_leaves_nothing_to_choose_on():
    assert np.isnan(held_out_f1(np.array([True, False]), np.array([1, 0]), np.array([0, 0])))
    # All positives in one fold: the others know of none, and it is not called.
    assert held_out_f1(np.array([True, False, False]), np.array([3, 2, 1]), np.array([0, 1, 1])) == 0
