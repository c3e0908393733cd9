"""Texts and missing values: learnt from the training rows, and nothing at all for tables that need none."""

import numpy as np
import pandas as pd
import pytest

from nontrivial.data.bundled import load_bundled
from nontrivial.data.canonical import canonical_table
from nontrivial.study.encoding import make_encoder
from nontrivial.study.tasks import Task, settle_task
from nontrivial.study.training import train_task

MODELS = {"tree": {"estimator": "DecisionTreeClassifier"}, "prior": {"estimator": "DummyClassifier"}}


@pytest.fixture(scope="module")
def mixed():
    """Sixty rows whose class is told by a text that is missing for the positive ones."""
    positive = np.arange(60) % 4 == 0
    features = pd.DataFrame(
        {
            "size": np.where(np.arange(60) % 7 == 0, np.nan, 1.0),
            "colour": [None if yes else "red" for yes in positive],
            "nothing": np.full(60, np.nan),
        }
    )
    return canonical_table(features, np.where(positive, "yes", "no"), {"yes": "yes", "no": "no"})


@pytest.mark.parametrize("loader", ["load_iris", "load_wine", "load_breast_cancer", "load_digits"])
def test_complete_numeric_tables_need_no_encoder(loader):
    assert make_encoder(load_bundled(loader).drop(columns="target")) is None


def test_a_missing_number_is_the_training_rows_median():
    encoder = make_encoder(pd.DataFrame({"x": [1.0, 2.0, 6.0, None]}))
    encoder.fit(pd.DataFrame({"x": [1.0, 2.0, 6.0]}))
    assert encoder.transform(pd.DataFrame({"x": [None, 9.0]}, dtype=float)).tolist() == [[2.0], [9.0]]


def test_a_text_that_training_did_not_have_is_no_column():
    table = canonical_table(pd.DataFrame({"x": ["a", "b", "c"]}), [0, 1, 1], {0: "n", 1: "y"})[["x"]]
    encoder = make_encoder(table).fit(table.iloc[:2])
    assert encoder.transform(table).tolist() == [[1, 0], [0, 1], [0, 0]]


def test_a_text_of_many_values_stays_within_bounds():
    table = pd.DataFrame({"x": [f"name {number}" for number in range(200)]})
    assert make_encoder(table).fit_transform(table).shape == (200, 30)


def test_missing_texts_carry_their_information_through_training(mixed):
    predictions, runs = train_task(Task("m", "m", "yes", 0), mixed, MODELS, folds=5)
    assert runs["status"].eq("ok").all()
    tree = predictions[predictions["model"] == "tree"]
    assert (tree["truth"] == tree["prediction"]).all()


def test_given_folds_are_used(mixed):
    folds = (np.arange(60) // 4 % 3).astype(np.int8)
    predictions, _ = train_task(Task("m", "m", "yes", 0), mixed, MODELS, folds=folds)
    for _, mine in predictions.groupby("model"):
        assert mine["fold"].tolist() == folds.tolist()
    # The prior of the training rows, which only the right division gives.
    prior = predictions[predictions["model"] == "prior"]
    truth = (mixed["target"] == "yes").to_numpy()
    for fold, mine in prior.groupby("fold"):
        assert mine["score"].unique().tolist() == [truth[folds != fold].mean()]


def test_a_task_is_settled_by_its_record():
    assert settle_task(Task("m", "m", None, 0), {"positive": "yes"}) == Task("m", "m", "yes", 0)
    assert settle_task(Task("m", "m", "no", 0), {"positive": "yes"}) == Task("m", "m", "no", 0)
