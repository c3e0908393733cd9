"""Out-of-fold predictions: honest, seeded by what they are, and with failures kept as rows."""

import os
import signal
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from nontrivial.seeds import seed_for
from nontrivial_study.data.bundled import load_bundled
from nontrivial_study.experiments.tasks import training
from nontrivial_study.experiments.tasks.models import positive_scores
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.experiments.tasks.training import train_task

TASK = Task("iris-virginica", "iris", "virginica", 600)
MODELS = {
    "tree": {"estimator": "ExtraTreeClassifier"},
    "bad": {"estimator": "KNeighborsClassifier", "parameters": {"n_neighbors": 140}},
    "naive": {"estimator": "GaussianNB"},
    "short": {"estimator": "MLPClassifier", "parameters": {"max_iter": 1}},
}


@pytest.fixture(scope="module")
def table():
    return load_bundled("load_iris")


@pytest.fixture(scope="module")
def trained(table):
    return train_task(TASK, table, MODELS, folds=5)


def test_every_row_is_predicted_once_by_every_model_that_succeeded(trained):
    predictions, runs = trained
    assert runs.set_index("model")["status"].eq("ok").to_dict() == {
        "tree": True,
        "bad": False,
        "naive": True,
        "short": True,
    }
    counts = predictions.groupby(["model", "row"]).size()
    assert counts.eq(1).all()
    assert len(counts) == 3 * 150
    assert predictions.groupby("model")["truth"].sum().eq(50).all()


def test_a_failure_is_a_row_with_its_reason(trained):
    _, runs = trained
    status = runs.set_index("model").loc["bad", "status"]
    assert status.startswith("failed in fold 0: ValueError: Expected n_neighbors <= n_samples_fit")


def test_warnings_are_counted(trained):
    _, runs = trained
    assert runs.set_index("model").loc["short", "warnings"] == "ConvergenceWarning x5"
    assert runs.set_index("model").loc["naive", "warnings"] == ""


def test_results_do_not_depend_on_the_company_or_the_order(table, trained):
    alone, _ = train_task(TASK, table, {"tree": MODELS["tree"]}, folds=5)
    together = trained[0].query("model == 'tree'").reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together, check_exact=True)


def test_predictions_are_those_of_models_trained_without_the_row(table):
    models = {"stump": {"estimator": "DecisionTreeClassifier", "parameters": {"max_depth": 1}}}
    predictions, _ = train_task(TASK, table, models, folds=5)
    features, truth = table.drop(columns="target").to_numpy(), (table["target"] == "virginica").to_numpy()
    splitter = StratifiedKFold(5, shuffle=True, random_state=seed_for("folds", TASK.name))
    for number, (train, test) in enumerate(splitter.split(features, truth)):
        seed = seed_for("fit", TASK.name, "stump", number)
        model = DecisionTreeClassifier(max_depth=1, random_state=seed).fit(features[train], truth[train])
        of_fold = predictions[predictions["fold"] == number]
        np.testing.assert_array_equal(of_fold["row"], test)
        np.testing.assert_array_equal(of_fold["score"], model.predict_proba(features[test])[:, 1])
        np.testing.assert_array_equal(of_fold["prediction"], model.predict(features[test]))


def test_a_model_past_its_time_is_a_row_and_the_others_are_as_without_a_limit(table, trained):
    # One fit of this, in one call of compiled code, takes minutes.
    endless = {"kernel": "poly", "degree": 6, "coef0": 1.0, "gamma": 1.0, "C": 1e9, "tol": 1e-12}
    slow = {"estimator": "SVC", "parameters": endless}
    models = {"naive": MODELS["naive"], "slow": slow, "tree": MODELS["tree"]}
    predictions, runs = train_task(TASK, table, models, folds=5, seconds=2)
    assert runs.set_index("model")["status"].to_dict() == {
        "naive": "ok",
        "slow": "exceeded its limit of 2 s",
        "tree": "ok",
    }
    for name in ("naive", "tree"):
        mine, other = (part[part["model"] == name].reset_index(drop=True) for part in (predictions, trained[0]))
        pd.testing.assert_frame_equal(mine, other, check_exact=True)


def test_a_model_whose_process_is_ended_is_a_row(table, monkeypatch):
    """Killed where a fit is followed by its scores: in the worker, for it is the worker that fits."""

    def die(model, features, **_):
        if isinstance(model, DecisionTreeClassifier):
            os.kill(os.getpid(), signal.SIGKILL)
        return positive_scores(model, features)

    monkeypatch.setattr(training, "positive_scores", die)
    _, runs = train_task(TASK, table, {"tree": MODELS["tree"], "naive": MODELS["naive"]}, folds=5)
    assert runs["status"].tolist() == [
        "had its process ended by SIGKILL, as the system does when memory runs out",
        "ok",
    ]


def test_models_on_own_data_score_by_probabilities_where_they_can(table):
    """Else logistic regression would score by margins, and get no verdict on its probabilities."""
    models = {"logistic": {"estimator": "LogisticRegression"}, "ridge": {"estimator": "RidgeClassifier"}}
    by_task = [
        train_task(task, table, models, folds=3)[0].groupby("model")["score"]
        for task in (TASK, replace(TASK, probabilities=True))
    ]
    margins, probabilities = ({name: scores.to_numpy() for name, scores in each} for each in by_task)
    assert margins["logistic"].min() < 0
    assert probabilities["logistic"] == pytest.approx(1 / (1 + np.exp(-margins["logistic"])))
    assert (probabilities["ridge"] == margins["ridge"]).all()
