"""Imbalance and label noise in the training set too; the PA paper has them in the test set alone."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from nontrivial._arrays import Ints, Mask
from nontrivial.files import read_json
from nontrivial.seeds import generator_for, seed_for
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.experiments.imbalance.rates import (
    SWEPT_MEASURES,
    classes_of,
    estimate_rates,
    expected_bands,
    flips_per_class,
    why_impossible,
)
from nontrivial_study.experiments.results import FAILED, IMPOSSIBLE, OK, failure_of
from nontrivial_study.experiments.tasks.models import build_model
from nontrivial_study.experiments.tasks.training import encode_folds
from nontrivial_study.tables import column_names, read_parquet


class TrainingPoint(NamedTuple):
    """One model at one noise and share in the training set; the seeds of its fits are made from these."""

    dataset: str
    model: str
    positive: str
    noise: float
    minority_share: float


class DegradedRun(NamedTuple):
    """Out-of-fold predictions of a model that was trained on degraded data, or why there are none."""

    predicted: Mask | None
    outcome: str
    status: str


def degrade(truth: Mask, share: float, noise: float, generator: np.random.Generator) -> tuple[Ints, Mask]:
    """Draw a training set of the same size with a given share of positives, and flip labels of both classes.

    Returns the rows that are drawn and their labels.
    """
    size = len(truth)
    positives, flips = round(size * share), flips_per_class(size, noise)
    rows = np.concatenate(
        [generator.choice(np.flatnonzero(truth), positives), generator.choice(np.flatnonzero(~truth), size - positives)]
    )
    labels = np.arange(size) < positives
    labels[generator.choice(positives, flips, replace=False)] = False
    labels[positives + generator.choice(size - positives, flips, replace=False)] = True
    return rows, labels


def noise_table(
    table: pd.DataFrame,
    record: Mapping[str, Any],
    models: Mapping[str, Mapping[str, Any]],
    *,
    noises: Sequence[float],
    shares: Sequence[float],
    folds: int,
) -> pd.DataFrame:
    """Train models on imbalanced and noisy data and test them, out of fold, on clean and on noisy labels."""
    name = record["name"]
    features = table.drop(columns=TARGET)
    parts = []
    for positive in classes_of(record):
        truth = (table[TARGET] == positive).to_numpy()
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed_for("folds", name))
        splits = list(splitter.split(truth, truth))
        for (model, specification), noise, share in product(models.items(), noises, shares):
            point = TrainingPoint(name, model, positive, float(noise), float(share))
            run = _predict_out_of_fold(features, truth, splits, specification, point)
            measures = _measure_on_test_labels(truth, run.predicted, point)
            parts.append(measures.assign(**point._asdict(), outcome=run.outcome, status=run.status))
    return pd.concat(parts, ignore_index=True).reindex(columns=column_names("training_noise"))


def _predict_out_of_fold(
    features: pd.DataFrame,
    truth: Mask,
    splits: Sequence[tuple[np.ndarray, np.ndarray]],
    specification: Mapping[str, Any],
    point: TrainingPoint,
) -> DegradedRun:
    """Train the model of a point on degraded data, a new one for each fold, and predict the rows left out."""
    predicted = np.empty(len(truth), dtype=bool)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for fold, (train, test) in enumerate(splits):
            if reason := why_impossible(len(train), point.minority_share, point.noise):
                return DegradedRun(None, IMPOSSIBLE, reason)
            generator = generator_for("degrade", *point, fold)
            rows, labels = degrade(truth[train], point.minority_share, point.noise, generator)
            try:
                train_features, test_features = encode_folds(features, [(train[rows], test)])(0)
                model = build_model(point.model, specification, seed_for("fit degraded", *point, fold))
                predicted[test] = model.fit(train_features, labels).predict(test_features)
            except Exception as error:  # one model's failure is a row with its reason, not the end of the run
                return DegradedRun(None, FAILED, failure_of(error, f" in fold {fold}"))
    return DegradedRun(predicted, OK, OK)


def _measure_on_test_labels(truth: Mask, predicted: Mask | None, point: TrainingPoint) -> pd.DataFrame:
    """Compute the measures on clean and on noisy test labels; they are missing if nothing was predicted."""
    if predicted is None:
        return pd.DataFrame(product(("clean", "noisy"), SWEPT_MEASURES), columns=["tested_on", "measure"])
    rates = estimate_rates(truth, predicted, ("training noise", *point))
    clean, noisy = (expected_bands(rates, point.minority_share, noise) for noise in (0.0, point.noise))
    return pd.concat([clean.assign(tested_on="clean"), noisy.assign(tested_on="noisy")])


def calc_training_noise(
    table: str, record: str, settings: Mapping[str, Any], noises: Sequence[float], models: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Train models on imbalanced and noisy data and test them on clean and on noisy labels."""
    shares, folds = settings["shares"], settings["folds"]
    data, about = read_parquet(table), read_json(record)
    noisy = noise_table(data, about, models, noises=noises, shares=shares, folds=folds)
    return {"training_noise": noisy, "pa_training_noise": noisy}
