"""Published errors and repeated cross-validation: numbers by hand, and the level of the tests."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from nontrivial_study.experiments.repeats.repeats import haberman_table, repeated_table, summary_table
from nontrivial_study.experiments.tasks.training import train_repeat


def haberman(**entry):
    errors = [{"source": "[0]", "error": "0.27", "bound": "equal", "stated_advantage": "-0.02"} | entry]
    return haberman_table({"positives": 81, "cases": 306, "errors": errors}).iloc[0]


def test_haberman_by_hand():
    row = haberman()
    assert row["advantage"] == pytest.approx(1 - 0.27 * 306 / 81, rel=1e-12)
    assert row["low"] == pytest.approx(1 - 0.275 * 306 / 81, rel=1e-12)
    assert row["high"] == pytest.approx(1 - 0.265 * 306 / 81, rel=1e-12)
    assert row["sign_certain"]
    assert row["possible"]  # 82 of 306 prints as 0.27
    assert not haberman(error="0.266")["possible"]  # 81 and 82 of 306 print as 0.265 and 0.268
    assert not haberman(error="0.3")["sign_certain"]  # 0.25 is better than 81 of 306


def test_an_error_above_the_printed_one():
    row = haberman(error="0.30", bound="greater")
    assert row["low"] == pytest.approx(1 - 306 / 81, rel=1e-12)
    assert row["high"] == row["advantage"] == pytest.approx(1 - 0.30 * 306 / 81, rel=1e-12)
    assert row["sign_certain"]


MODELS = {
    "logistic": {"estimator": "LogisticRegression"},
    "prior": {"estimator": "DummyClassifier", "parameters": {"strategy": "prior"}},
    "bad": {"estimator": "KNeighborsClassifier", "parameters": {"n_neighbors": 500}},
}


@pytest.fixture(scope="module")
def trained():
    generator = np.random.default_rng(0)
    positive = np.arange(80) < 24
    table = pd.DataFrame({"x": positive + generator.normal(size=80), "target": np.where(positive, "yes", "no")})
    parts = [train_repeat("set", "yes", table, MODELS, folds=4, repeat=number) for number in range(3)]
    return tuple(pd.concat(part, ignore_index=True) for part in zip(*parts, strict=True))


def test_numbers_from_the_predictions(trained):
    predictions, runs = trained
    row = repeated_table("set", predictions, runs).set_index("model").loc["logistic"]
    of_model = predictions[predictions["model"] == "logistic"]
    errors = [(part["truth"] != part["prediction"]).mean() for _, part in of_model.groupby("repeat")]
    assert (row["repeats"], row["folds"], row["trivial_error"]) == (3, 4, 0.3)
    assert row["error"] == pytest.approx(np.mean(errors))
    assert (row["error_least"], row["error_greatest"]) == (min(errors), max(errors))
    assert row["advantage"] == pytest.approx(1 - np.mean(errors) / 0.3)
    p_values = []
    for _, part in of_model.groupby("repeat"):
        right = part["truth"] == part["prediction"]
        # Against calling all negative.
        won, lost = (right & part["truth"]).sum(), (~right & ~part["truth"]).sum()
        p_values.append(binom.sf(won - 1, won + lost, 0.5))
    assert row["p_value"] == pytest.approx(min(1, 2 * np.median(p_values)))


def test_the_corrected_interval(trained):
    predictions, runs = trained
    row = repeated_table("set", predictions, runs).set_index("model").loc["logistic"]
    of_model = predictions[predictions["model"] == "logistic"]
    surplus = [
        (part["truth"].mean() - (part["truth"] != part["prediction"]).mean()) / 0.3
        for _, part in of_model.groupby(["repeat", "fold"])
    ]
    # 12 folds, so 11 degrees of freedom of t; a third as many test as training rows.
    spread = np.std(surplus, ddof=1) * np.sqrt(1 / 12 + 1 / 3)
    assert row["advantage"] - row["low"] == pytest.approx(2.2009851600916384 * spread)


def test_the_majority_is_not_better_than_trivial(trained):
    row = repeated_table("set", *trained).set_index("model").loc["prior"]
    assert (row["advantage"], row["p_value"], bool(row["better_than_trivial"])) == (0.0, 1.0, False)


def test_failures_are_counted_and_not_tested(trained):
    table = repeated_table("set", *trained)
    bad = table.set_index("model").loc["bad"]
    assert bad["outcome"] == "failed"
    assert "n_neighbors" in bad["status"]
    assert bad[["advantage", "p_holm", "better_than_trivial"]].isna().all()
    (summary,) = summary_table(table).to_dict("records")
    assert (summary["models"], summary["failed"], summary["outcome"]) == (2, 1, "ok")
    assert summary["better_than_trivial"] <= summary["better_uncorrected"] <= summary["models"]


def test_the_level_holds_over_all_tests_under_the_null():
    """Thirty models that answer at random in three repeats: seldom is even one of them called better."""
    generator = np.random.default_rng(5)
    truth = np.arange(60) < 24
    called = 0
    models = [f"m{model}" for model in range(6)]
    runs = pd.DataFrame({"model": models, "status": "ok"})
    rows = pd.MultiIndex.from_product([models, range(3), range(60)], names=["model", "repeat", "row"])
    rows = rows.to_frame(index=False).assign(fold=lambda table: table["row"] % 5, truth=np.tile(truth, 18))
    for _ in range(60):
        answers = rows.assign(prediction=generator.random(len(rows)) < 0.1)
        called += repeated_table("set", answers, runs)["better_than_trivial"].any()
    assert called <= 8  # 3 expected at most
