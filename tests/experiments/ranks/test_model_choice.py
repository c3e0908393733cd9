"""How often areas pick the better model, by hand and against counting pairs one by one."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial_study.experiments.ranks.model_choice import CHOOSING_AREAS, OPPOSED_PAIRS, YARDSTICKS, choice_table

VALUES = list(dict.fromkeys([*CHOOSING_AREAS, *YARDSTICKS]))


def study(*tasks, **columns):
    """The table of areas in which every value orders the models alike, but for those given."""
    parts = []
    for number, of_task in enumerate(tasks):
        models = len(of_task["held_out_f1"])
        plain = dict.fromkeys(VALUES, np.linspace(0.9, 0.1, models))
        about = {"task": f"t{number}", "rows_of": f"d{number}", "status": "ok"}
        parts.append(pd.DataFrame(about | plain | of_task))
    return pd.concat(parts, ignore_index=True).assign(model="m", **columns)


def row(table, yardstick, area, subset="all"):
    return table.set_index(["yardstick", "of", "area"]).loc[yardstick, subset, area]


def test_by_hand():
    """Held-out F1 orders a > b > c; AUPR says a > c > b, AUPRG a = b > c, AUROC nothing."""
    task = {
        "held_out_f1": [0.9, 0.8, 0.7],
        "pr_auc": [0.9, 0.5, 0.6],
        "prg_auc": [0.5, 0.5, 0.1],
        "roc_auc": [0.5, 0.5, 0.5],
    }
    table = choice_table(study(task), resamples=100)
    columns = ["tasks", "pairs", "agreeing", "area_ties", "yardstick_ties", "undefined", "agreement"]
    assert row(table, "held_out_f1", "pr_auc")[columns].tolist() == [1, 3, 2, 0, 0, 0, 2 / 3]
    assert row(table, "held_out_f1", "prg_auc")[columns].tolist() == [1, 3, 2, 1, 0, 0, 2.5 / 3]
    assert row(table, "held_out_f1", "roc_auc")[columns].tolist() == [1, 3, 0, 3, 0, 0, 0.5]
    assert row(table, "held_out_f1", "average_precision")["agreement"] == 1
    assert row(table, "held_out_f1", "prg_auc")["more_than_pr_auc"] == pytest.approx(0.5 / 3)
    # AUPR and AUPRG disagree on b and c alone: a tie is not a disagreement.
    assert row(table, "held_out_f1", "pr_auc", OPPOSED_PAIRS)[columns].tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert row(table, "held_out_f1", "prg_auc", OPPOSED_PAIRS)[columns].tolist() == [1, 1, 1, 0, 0, 0, 1]
    assert np.isnan(row(table, "held_out_f1", "prg_auc", OPPOSED_PAIRS)["agreement_low"])


def test_what_is_equal_by_the_yardstick_or_undefined_is_left_out_and_counted():
    task = {"held_out_f1": [0.9, 0.9, 0.7], "expected_f1_gain": [np.nan, 0.5, 0.4]}
    table = choice_table(study(task), resamples=100)
    columns = ["pairs", "agreeing", "yardstick_ties", "undefined"]
    assert row(table, "held_out_f1", "pr_auc")[columns].tolist() == [2, 2, 1, 0]
    assert row(table, "held_out_f1", "expected_f1_gain")[columns].tolist() == [1, 1, 0, 2]
    assert row(table, "expected_f1_gain", "pr_auc")[columns].tolist() == [1, 1, 0, 2]
    assert not ((table["yardstick"] == "expected_f1_gain") & (table["area"] == "expected_f1_gain")).any()


def test_tasks_of_one_data_set_are_drawn_together():
    """Of 100 tasks in 50 data sets the interval is as for 50 trials; one data set has no interval."""
    right, wrong = {"held_out_f1": [0.9, 0.8, 0.7]}, {"held_out_f1": [0.7, 0.8, 0.9]}
    table = study(*[right, right, wrong, wrong] * 25)
    number = table["task"].str[1:].astype(int)
    of_pairs = row(choice_table(table.assign(rows_of=number // 2), resamples=1000), "held_out_f1", "pr_auc")
    of_trials = row(choice_table(study(*[right, wrong] * 25), resamples=1000), "held_out_f1", "pr_auc")
    ends = ["agreement", "agreement_low", "agreement_high", "more_than_pr_auc_low"]
    assert of_pairs[ends].tolist() == of_trials[ends].tolist()
    assert of_pairs[["tasks", "datasets", "pairs"]].tolist() == [100, 50, 300]
    alone = row(choice_table(table.assign(rows_of="one"), resamples=100), "held_out_f1", "pr_auc")
    assert (alone["agreement"], alone["datasets"]) == (0.5, 1)
    assert alone[["agreement_low", "agreement_high"]].isna().all()


def test_the_interval_of_two_data_sets_by_hand():
    """Three pairs of one data set, all right, and six of another, all wrong: a quarter of the resamples each way."""
    right, wrong = {"held_out_f1": [0.9, 0.8, 0.7]}, {"held_out_f1": [0.7, 0.8, 0.9]}
    table = study(right, wrong, wrong)
    table["rows_of"] = table["task"].map({"t0": "a", "t1": "b", "t2": "b"})
    agreement = row(choice_table(table, resamples=4000), "held_out_f1", "pr_auc")
    assert agreement[["agreement", "agreement_low", "agreement_high"]].tolist() == [1 / 3, 0, 1]


@settings(deadline=None, derandomize=True, max_examples=12)
@given(st.integers(0, 10**6))
def test_against_counting_pairs_one_by_one(seed):
    rng = np.random.default_rng(seed)
    tasks = [{name: rng.integers(0, 4, 6) / 4 for name in VALUES} for _ in range(3)]
    table = choice_table(study(*tasks), resamples=100)
    for counted in table.itertuples():
        agreeing = ties = pairs = 0
        for of_task in tasks:
            for i, j in combinations(range(6), 2):
                sign = {name: np.sign(values[i] - values[j]) for name, values in of_task.items()}
                if counted.of != "all" and sign["pr_auc"] * sign["prg_auc"] >= 0:
                    continue
                if sign[counted.yardstick]:
                    pairs += 1
                    agreeing += sign[counted.area] == sign[counted.yardstick]
                    ties += sign[counted.area] == 0
        assert (counted.pairs, counted.agreeing, counted.area_ties) == (pairs, agreeing, ties)
        if pairs:
            assert counted.agreement == pytest.approx((agreeing + ties / 2) / pairs)
    rivals = table[table["of"] != "all"].set_index(["yardstick", "area"])["agreement"]
    for judge in YARDSTICKS:
        if np.isfinite(rivals[judge, "pr_auc"]):
            assert rivals[judge, "pr_auc"] + rivals[judge, "prg_auc"] == pytest.approx(1)
