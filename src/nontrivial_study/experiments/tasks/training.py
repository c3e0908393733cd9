"""Out-of-fold predictions of many models on one task, each fit seeded by what it is."""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits

from nontrivial._estimators import class_scores
from nontrivial.seeds import seed_for
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.experiments.results import OK, failure_of
from nontrivial_study.experiments.tasks.models import (
    build_model,
    positive_scores,
    predicted_classes,
    predicted_positive,
)
from nontrivial_study.experiments.tasks.subprocess_pool import Failure, run_in_subprocess
from nontrivial_study.experiments.tasks.tasks import Task

# A column of texts with more values than this, such as a name or a date, has its rare ones taken together.
_MOST_CATEGORIES = 30
_MOST_KEPT = 200_000_000  # bytes


def encode_folds(
    features: pd.DataFrame, splits: Sequence[tuple[np.ndarray, np.ndarray]]
) -> Callable[[int], tuple[np.ndarray, np.ndarray]]:
    """Return a function that gives the rows to train on and to test on of a fold, as numbers.

    What is learnt for it is learnt from the training rows alone. It is learnt once for all models that ask, as far as
    the encoded folds fit into 200 MB: one encoding takes as long as many a fit.
    """
    encoder = make_encoder(features)
    if encoder is None:
        values = features.to_numpy(dtype=np.float64)
        return lambda number: tuple(values[rows] for rows in splits[number])
    kept: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def encode(number: int) -> tuple[np.ndarray, np.ndarray]:
        if number in kept:
            return kept[number]
        train, test = (features.iloc[rows] for rows in splits[number])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of texts that training did not have, which is provided for
            fitted = clone(encoder)
            encoded = fitted.fit_transform(train), fitted.transform(test)
        for part in encoded:
            part.flags.writeable = False  # the next model must meet the same
        if sum(part.nbytes for pair in [*kept.values(), encoded] for part in pair) <= _MOST_KEPT:
            kept[number] = encoded
        return encoded

    return encode


def make_encoder(features: pd.DataFrame) -> ColumnTransformer | None:
    """Return an unfitted transformer to numbers, or None for a table that is complete and numeric as it is.

    A missing number becomes the median; each text becomes a column of zeros and ones, a missing one too, and one
    that the training rows do not have becomes none, or the rare ones' where there are such.
    """
    numbers = [name for name, column in features.items() if pd.api.types.is_numeric_dtype(column)]
    texts = [name for name in features if name not in numbers]
    if not texts and not features.isna().to_numpy().any():
        return None
    steps = []
    if numbers:
        steps.append(("numbers", SimpleImputer(strategy="median", keep_empty_features=True), numbers))
    if texts:
        encode = OneHotEncoder(
            handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
        )
        fill = SimpleImputer(strategy="constant", fill_value="", missing_values=pd.NA)
        steps.append(("texts", make_pipeline(fill, encode), texts))
    return ColumnTransformer(steps)


def train_task(
    task: Task,
    table: pd.DataFrame,
    models: Mapping[str, Mapping[str, Any]],
    folds: int | ArrayLike,
    seconds: float | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Predict every row of a task by models that were trained without it.

    Returns
    -------
    predictions : DataFrame
        ``task, model, row, fold, truth, prediction, score``, a row for each row of the data and each model that
        succeeded; truth and prediction are True for the positive class. If the task has all classes, these are numbered
        in the order of their names, and ``scores`` has a list with a score for each; if it has numbers, None.
    runs : DataFrame
        ``task, model, status, warnings``, a row for each model: status ``"ok"`` or the reason of the failure, and the
        kinds of warning that its fits gave with their counts.

    A fit depends on the task, the model and the fold alone: its seed is made from their names and its linear
    algebra runs on one thread, so the results do not change with the order or the division of the work. Models are
    fitted in a process apart, so that one that takes too long or too much memory is lost alone.
    """
    truth = _encode_target(task, table[TARGET])
    splits = _split(task, truth, folds)
    rows_of = encode_folds(table.drop(columns=TARGET), splits)
    fold = np.empty(len(truth), dtype=np.int8)
    for number, (_, test) in enumerate(splits):
        fold[test] = number

    # Built here and not by the workers, of which each would import all of scikit-learn's estimators again.
    unfitted: dict[str, list[BaseEstimator]] = {}
    for name, model in models.items():
        seeds = [seed_for("fit", task.name, name, number) for number in range(len(splits))]
        kind = "regressor" if task.target == "numbers" else "classifier"
        unfitted[name] = [build_model(name, model, seed, kind=kind) for seed in seeds]

    def predict(name: str) -> tuple[str, str, np.ndarray, Any]:
        return _predict_folds(unfitted[name], rows_of, truth, splits, task)

    scores = "score" if task.target == "positive" else "scores"
    predictions = [pd.DataFrame(columns=["task", "model", "row", "fold", "truth", "prediction", scores])]
    runs = []
    with threadpool_limits(1):
        for name, result in zip(models, run_in_subprocess(predict, list(models), seconds), strict=True):
            if isinstance(result, Failure):
                runs.append((task.name, name, result.reason, ""))
                continue
            status, kinds, prediction, score = result
            runs.append((task.name, name, status, kinds))
            if status == OK:
                columns = {"row": np.arange(len(truth)), "fold": fold, "truth": truth}
                columns |= {"prediction": prediction, scores: score}
                predictions.append(pd.DataFrame({"task": task.name, "model": name, **columns}))
    table_of_runs = pd.DataFrame(runs, columns=["task", "model", "status", "warnings"])
    return pd.concat(predictions[1:] or predictions, ignore_index=True), table_of_runs


def _predict_folds(
    unfitted: list[BaseEstimator],
    rows_of: Callable[[int], tuple[np.ndarray, np.ndarray]],
    truth: np.ndarray,
    splits: list[tuple[np.ndarray, np.ndarray]],
    task: Task,
) -> tuple[str, str, np.ndarray, Any]:
    """Return status, kinds of warning, predictions and scores of one model, a new one for each fold."""
    prediction, classes = np.empty_like(truth), range(int(truth.max()) + 1)
    scores = np.empty((len(truth), len(classes)) if task.target == "classes" else len(truth))
    status = OK
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            for number, (train, test) in enumerate(splits):
                known, new = rows_of(number)
                model = clone(unfitted[number]).fit(known, truth[train])  # so that none is kept
                if task.target == "positive":
                    scores[test] = positive_scores(model, new, probabilities=task.probabilities)
                    prediction[test] = predicted_positive(model, new)
                elif task.target == "classes":
                    scores[test] = class_scores(model, new, classes)
                    prediction[test] = predicted_classes(model, new, classes)
                else:
                    prediction[test] = model.predict(new)
        except Exception as error:  # one model's failure is a row with its reason, not the end of the run
            status = failure_of(error, f" in fold {number}")
    if task.target == "positive":
        return status, _count_kinds(caught), prediction, scores
    of_cases = list(scores) if task.target == "classes" else None
    return status, _count_kinds(caught), prediction, of_cases


def _encode_target(task: Task, target: pd.Series) -> np.ndarray:
    """Return whether each case is positive, or the place of its class, or its number."""
    if task.target == "numbers":
        return target.to_numpy(dtype=np.float64)
    if task.target == "classes":
        return np.asarray(pd.factorize(target.astype(str), sort=True)[0])
    return (target == task.positive).to_numpy()


def _split(task: Task, truth: np.ndarray, folds: int | ArrayLike) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the rows to train on and to test on, for each fold."""
    if not isinstance(folds, int):
        return list(PredefinedSplit(folds).split())
    kind = KFold if task.target == "numbers" else StratifiedKFold
    splitter = kind(folds, shuffle=True, random_state=seed_for("folds", task.name))
    return list(splitter.split(truth, truth))


def _count_kinds(caught: list[warnings.WarningMessage]) -> str:
    """Say which kinds of warning were given and how often, such as ``ConvergenceWarning x10``."""
    kinds = Counter(warning.category.__name__ for warning in caught)
    return ", ".join(f"{kind} x{count}" for kind, count in sorted(kinds.items()))


def train_repeat(
    dataset: str,
    positive: str,
    table: pd.DataFrame,
    models: Mapping[str, Mapping[str, Any]],
    *,
    folds: int,
    repeat: int,
    seconds: float | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Train every model in one repetition of the cross-validation, with folds and seeds of its own."""
    task = Task(f"{dataset}, repeat {repeat}", dataset, positive, table.size)
    predictions, runs = (
        part.rename(columns={"task": "repeat"}).assign(repeat=repeat)
        for part in train_task(task, table, models, folds, seconds)
    )
    return predictions, runs
