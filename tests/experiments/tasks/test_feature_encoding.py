"""Texts and missing values: learnt from the training rows, and nothing at all for tables that need none."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import RidgeClassifier

from nontrivial.schemas import read_yaml
from nontrivial_study.data.bundled import load_bundled
from nontrivial_study.data.canonical import canonical_table
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.experiments.tasks.training import make_encoder, train_task

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


@pytest.fixture(scope="module")
def awkward():
    """A table with everything that a fold can stumble over, and the folds to do so."""
    generator = np.random.default_rng(0)
    positive, fold = np.arange(120) % 3 == 0, (np.arange(120) // 3 % 3).astype(np.int8)
    first, noise = fold == 0, generator.random(120)
    colours = [
        None if yes and some else "red" if some else "blue" for yes, some in zip(positive, noise < 0.7, strict=True)
    ]
    features = pd.DataFrame(
        {
            "all_missing": np.full(120, np.nan),
            "all_missing_text": pd.Series([None] * 120, dtype="str"),
            "constant": 3.0,
            "constant_text": "same",
            "text_only_tested": np.where(first, "only here", "elsewhere"),
            "missing_in_training": np.where(first, noise, np.nan),
            "constant_in_training": np.where(first, noise, 1.0),
            "size": np.where(generator.random(120) < 0.2, np.nan, positive + generator.normal(size=120)),
            "colour": colours,
        }
    )
    return canonical_table(features, np.where(positive, "yes", "no"), {"yes": "yes", "no": "no"}), fold


def test_every_model_of_the_study_takes_what_is_missing_constant_or_new(awkward):
    table, fold = awkward
    models = read_yaml(Path(__file__).parents[3] / "config" / "models.yaml")
    predictions, runs = train_task(Task("a", "a", "yes", 0), table, models, folds=fold, seconds=60)
    assert runs["model"].tolist() == list(models)
    assert runs.loc[runs["status"] != "ok", ["model", "status"]].to_numpy().tolist() == []
    assert np.isfinite(predictions["score"]).all()
    assert predictions.groupby("model").size().eq(120).all()


def test_numbers_and_texts_are_encoded_from_the_training_rows_alone(awkward):
    table, fold = awkward
    model = {"estimator": "RidgeClassifier"}
    predictions, _ = train_task(Task("a", "a", "yes", 0), table, {"m": model}, folds=fold)
    truth = (table["target"] == "yes").to_numpy()
    for number, mine in predictions.groupby("fold"):
        train, columns = fold != number, []
        for name in table.columns.drop("target"):
            column = table[name]
            if pd.api.types.is_numeric_dtype(column):
                middle = column[train].median()
                columns.append(column.fillna(0.0 if np.isnan(middle) else middle))
            else:
                column = column.astype(object).fillna("")
                columns += [(column == text).astype(float) for text in sorted(set(column[train]))]
        values = np.column_stack(columns)
        by_hand = RidgeClassifier().fit(values[train], truth[train]).decision_function(values[~train])
        np.testing.assert_allclose(mine["score"], by_hand, rtol=1e-9, atol=1e-12)
