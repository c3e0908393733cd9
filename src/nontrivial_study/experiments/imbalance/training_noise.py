"""Imbalance and label noise in the training set, beyond the PA paper, which has them in the test set alone."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from nontrivial.files import read_json
from nontrivial.seeds import generator_for, seed_for
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.experiments.imbalance.imbalance import (
    MEASURES,
    classes_of,
    draw_rates,
    flips_per_class,
    measures_around,
    too_many_flips,
)
from nontrivial_study.experiments.results import FAILED, IMPOSSIBLE, OK, failure_of
from nontrivial_study.experiments.tasks.models import build_model
from nontrivial_study.experiments.tasks.training import encode_folds
from nontrivial_study.tables import column_names, read_parquet

TESTED_ON = ("clean", "noisy")


def degrade(
    truth: np.ndarray, share: float, noise: float, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a training set of the same size with a given share of positives, and flip labels of both classes."""
    size = len(truth)
    positives, flips = round(size * share), flips_per_class(size, noise)
    rows = np.concatenate(
        [
            generator.choice(np.flatnonzero(truth), positives),
            generator.choice(np.flatnonzero(~truth), size - positives),
        ]
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
    name, columns = record["name"], column_names("training_noise")
    features = table.drop(columns=TARGET)
    parts = []
    for positive in classes_of(record):
        truth = (table[TARGET] == positive).to_numpy()
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed_for("folds", name))
        splits = list(splitter.split(truth, truth))
        for (model, specification), noise, share in product(models.items(), noises, shares):
            names = (name, model, positive, float(noise), float(share))
            predicted, outcome, status = _predict(features, truth, splits, specification, names)
            front = dict(zip(columns[:5], names, strict=True)) | {"outcome": outcome, "status": status}
            parts += [front | row for row in _measure(truth, predicted, share, noise, names)]
    return pd.DataFrame(parts, columns=columns)


def _predict(
    features: pd.DataFrame,
    truth: np.ndarray,
    splits: Sequence[tuple[np.ndarray, np.ndarray]],
    specification: Mapping[str, Any],
    names: tuple[str, str, str, float, float],
) -> tuple[np.ndarray | None, str, str]:
    """Return out-of-fold predictions of models trained on degraded data, or None; how it ended, and why."""
    _, model_name, _, noise, share = names
    predicted = np.empty(len(truth), dtype=bool)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (train, test) in enumerate(splits):
            if reason := too_many_flips(len(train), share, noise):
                return None, IMPOSSIBLE, reason
            rows, labels = degrade(truth[train], share, noise, generator_for("degrade", *names, number))
            try:
                known, new = encode_folds(features, [(train[rows], test)])(0)
                model = build_model(model_name, specification, seed_for("fit degraded", *names, number))
                predicted[test] = model.fit(known, labels).predict(new)
            except Exception as error:  # one model's failure is a row with its reason, not the end of the run
                return None, FAILED, failure_of(error, f" in fold {number}")
    return predicted, OK, OK


def _measure(
    truth: np.ndarray, predicted: np.ndarray | None, share: float, noise: float, names: tuple[Any, ...]
) -> list[dict[str, Any]]:
    """Return the measures on clean and on noisy test labels; missing without predictions."""
    if predicted is None:
        return [{"tested_on": labels, "measure": measure} for labels, measure in product(TESTED_ON, MEASURES)]
    rates = draw_rates(truth, predicted, ("training noise", *names))
    return [
        {"tested_on": labels, "measure": measure, "value": value[0], "low": low[0], "high": high[0]}
        for labels in TESTED_ON
        for measure, value, low, high in measures_around(rates, share, noise if labels == "noisy" else 0.0)
    ]


def calc_training_noise(
    table: str, record: str, settings: Mapping[str, Any], noises: Sequence[float], models: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Train models on imbalanced and noisy data and test them on clean and on noisy labels."""
    shares, folds = settings["shares"], settings["folds"]
    noisy = noise_table(
        read_parquet(table), read_json(record), models, noises=noises, shares=shares, folds=folds
    )
    return {"training_noise": noisy, "pa_training_noise": noisy}
