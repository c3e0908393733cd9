"""One's own models: the verdicts of `nontrivial score`, and the curves of the best."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import nontrivial
from nontrivial_study.experiments.own.own import (
    MAX_DRAWN_MODELS,
    comparison_rows,
    curve_table,
    judge_external,
    judge_trained,
    verdict_rows,
)
from nontrivial_study.experiments.own.own_figures import plot_own
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions, write_batch
from nontrivial_study.experiments.tasks.models import build_model
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.experiments.tasks.training import train_task
from nontrivial_study.report.findings import find_own_models
from nontrivial_study.tables import check_table, column_names, read_texts, write_result


@pytest.fixture
def member():
    """A task of 300 cases with eight models, of which the last failed."""
    draw = np.random.default_rng(3)
    truth = np.arange(300) % 4 == 0
    parts = []
    for skill in range(7):
        score = np.clip(draw.normal(0.3 + 0.06 * skill * truth, 0.15), 0.01, 0.99)
        part = {"task": "heart", "model": f"model {skill}", "row": np.arange(300), "fold": 0, "truth": truth}
        parts.append(pd.DataFrame(part | {"prediction": score >= 0.5, "score": score}))
    names = [f"model {skill}" for skill in range(8)]
    runs = {"task": "heart", "model": names, "status": ["ok"] * 7 + ["failed in fold 1: no"], "warnings": ""}
    return TaskPredictions(Task("heart", "heart", "ill", 600), pd.concat(parts), pd.DataFrame(runs))


def rows_of(member, judge):
    """The rows of the tables of verdicts and comparisons on a task."""
    scored = judge(member)
    verdicts = pd.DataFrame(verdict_rows(member, scored), columns=column_names("own_verdicts"))
    rows = comparison_rows(member.task.name, scored.result)
    return verdicts, pd.DataFrame(rows, columns=column_names("own_comparisons"))


def test_verdicts_are_those_of_score_and_a_failure_is_a_row(member):
    table, comparisons = rows_of(member, judge_external)
    check_table("own_verdicts", table)
    check_table("own_comparisons", comparisons)
    assert table["model"].nunique() == 8
    failed = table[table["model"] == "model 7"].iloc[0]
    assert (failed["status"], pd.isna(failed["verdict"])) == ("failed in fold 1: no", True)
    best = member.predictions[member.predictions["model"] == "model 6"]
    expected = nontrivial.score(best["truth"], best["score"], best["prediction"]).verdicts
    verdicts = table[table["model"] == "model 6"].set_index("question")
    for question, verdict in expected.items():
        row = verdicts.loc[question]
        assert (row["verdict"], row["value"]) == (verdict.verdict, verdict.value)
    of_ranking = comparisons[comparisons["question"] == "ranking"].set_index("model")
    assert set(of_ranking["best"]) == {"model 6"}
    assert of_ranking["is_worse"].loc[["model 0", "model 5"]].tolist() == [True, False]


@pytest.mark.parametrize(
    ("target", "X", "y", "model"),
    [
        ("positive", *load_breast_cancer(return_X_y=True), {"estimator": "GaussianNB"}),
        ("classes", *load_iris(return_X_y=True), {"estimator": "GaussianNB"}),
        ("numbers", *load_diabetes(return_X_y=True), {"estimator": "LinearRegression"}),
    ],
)
def test_trained_models_have_the_numbers_of_evaluate_on_the_same_folds(target, X, y, model, tmp_path):
    table = pd.DataFrame(X).assign(target=y if target == "numbers" else np.array(["a", "b", "c"])[y])
    task = Task("t", "t", "a" if target == "positive" else None, 0, True, target)
    predictions, runs = train_task(task, table, {"m": model}, 3)
    path = tmp_path / "own-00.parquet"
    write_batch(
        path, {"t": ""}, lambda _: iter([TaskPredictions(task, predictions, runs)]), are_binary=target == "positive"
    )
    (member,) = Batch(path)
    fold = predictions["fold"].to_numpy()
    cv = [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(3)]
    kind = {"kind": "regressor"} if target == "numbers" else {}
    options = {"pos_label": "a"} if target == "positive" else {}
    estimator = build_model("m", model, **kind)
    expected = nontrivial.evaluate(estimator, X, table["target"], cv=cv, **options).verdicts
    verdicts = rows_of(member, lambda member: judge_trained(member, "a"))[0].set_index("question")
    assert set(verdicts.index) == set(expected)
    for question, verdict in expected.items():
        row = verdicts.loc[question]
        numbers = [verdict.value, verdict.low, verdict.high]
        assert row["verdict"] == verdict.verdict
        assert row[["value", "low", "high"]].tolist() == pytest.approx(numbers)


def test_the_curves_are_those_of_the_best_models(member):
    table = curve_table([member])
    check_table("own_curves", table)
    assert table["model"].nunique() == MAX_DRAWN_MODELS
    figure = plot_own(table)
    assert [len(axes.lines) for axes in figure.axes] == [MAX_DRAWN_MODELS] * 3


def test_the_page_shows_each_model_with_its_answers_and_says_which_is_best(member, tmp_path):
    for name, table in zip(("own_verdicts", "own_comparisons"), rows_of(member, judge_external), strict=True):
        write_result(tmp_path / f"{name}.csv", table)
    own = find_own_models({path.stem: read_texts(path) for path in tmp_path.iterdir()})
    assert (len(own["models"]), list(own["questions"])) == (8, ["probabilities", "ranking", "labels"])
    first, *_, last = own["models"]
    assert (last["name"], last["status"], last["answers"]) == ("model 7", "failed in fold 1: no", {})
    assert (first["task"], first["cases"]) == ("heart", "300")
    assert first["answers"].keys() == own["questions"].keys()
    assert (own["best"][0].best["best"], own["best"][0].best["task"]) == ("model 6", "heart")
