"""Out-of-fold predictions of many models on one task, each fit seeded by what it is."""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

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

# Rows to train on and rows to test on: their numbers, or their features.
TrainAndTest = tuple[np.ndarray, np.ndarray]
# A column of texts with more values, such as a name or a date, has its rare values grouped.
_MAX_CATEGORIES = 30
_MAX_CACHED_BYTES = 200_000_000


def encode_folds(features: pd.DataFrame, splits: Sequence[TrainAndTest]) -> Callable[[int], TrainAndTest]:
    """Return a function that encodes a fold as numbers: the rows to train on and the rows to test on.

    The encoding is learnt from the training rows alone. An encoding can take longer than a fit, so encoded folds are
    cached for all models, as far as they fit into 200 MB.
    """
    encoder = make_encoder(features)
    if encoder is None:
        values = features.to_numpy(dtype=np.float64)
        return lambda fold: (values[splits[fold][0]], values[splits[fold][1]])
    cached: dict[int, TrainAndTest] = {}

    def encode(fold: int) -> TrainAndTest:
        if fold in cached:
            return cached[fold]
        train, test = (features.iloc[rows] for rows in splits[fold])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the encoder expects texts that training did not have
            fitted = clone(encoder)
            encoded = fitted.fit_transform(train), fitted.transform(test)
        for part in encoded:
            part.flags.writeable = False  # no model may change it for the next
        if sum(part.nbytes for pair in [*cached.values(), encoded] for part in pair) <= _MAX_CACHED_BYTES:
            cached[fold] = encoded
        return encoded

    return encode


def make_encoder(features: pd.DataFrame) -> ColumnTransformer | None:
    """Return an unfitted transformer to numbers, or None for a table that is complete and numeric as it is.

    A missing number becomes the median. Each text, and a missing one too, becomes a column of zeros and ones. A text
    that the training rows lack counts as one of the rare texts, or gets no column if there are none.
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
            handle_unknown="infrequent_if_exist", max_categories=_MAX_CATEGORIES, sparse_output=False
        )
        fill = SimpleImputer(strategy="constant", fill_value="", missing_values=pd.NA)
        steps.append(("texts", make_pipeline(fill, encode), texts))
    return ColumnTransformer(steps)


class _OutOfFold(NamedTuple):
    """How the fits of one model ended, the kinds of their warnings, and the model's answers for all rows."""

    status: str
    warnings: str
    prediction: np.ndarray
    score: Any  # for each row a score, or a list with a score for each class, or None


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
        succeeded; truth and prediction are True for the positive class. If the target is all classes or numbers,
        ``scores`` stands in place of ``score``. Classes are then numbered in the order of their names, and ``scores``
        has a list with a score for each class; for numbers it is None.
    runs : DataFrame
        ``task, model, status, warnings``, a row for each model: status ``"ok"`` or the reason of the failure, and the
        kinds of warning in its fits with their counts.

    A fit depends on the task, the model and the fold alone: its seed is made from their names and its linear
    algebra runs on one thread, so the results do not change with the order or the division of the work. Models are
    fitted in another process, so that one that takes too long or too much memory is lost alone.
    """
    truth = _encode_target(task, table[TARGET])
    splits = _split_rows(task, truth, folds)
    encode = encode_folds(table.drop(columns=TARGET), splits)
    fold_of_row = np.empty(len(truth), dtype=np.int8)
    for fold, (_, test) in enumerate(splits):
        fold_of_row[test] = fold

    # Built here, because otherwise each worker would import all of scikit-learn's estimators again.
    unfitted: dict[str, list[BaseEstimator]] = {}
    kind = "regressor" if task.target == "numbers" else "classifier"
    for name, model in models.items():
        seeds = [seed_for("fit", task.name, name, fold) for fold in range(len(splits))]
        unfitted[name] = [build_model(name, model, seed, kind=kind) for seed in seeds]

    def predict(name: str) -> _OutOfFold:
        return _predict_folds(unfitted[name], encode, truth, splits, task)

    score_column = "score" if task.target == "positive" else "scores"
    columns = ["task", "model", "row", "fold", "truth", "prediction", score_column]
    predictions, runs = [], []
    with threadpool_limits(1):
        for name, result in zip(models, run_in_subprocess(predict, list(models), seconds), strict=True):
            if isinstance(result, Failure):
                runs.append((task.name, name, result.reason, ""))
                continue
            runs.append((task.name, name, result.status, result.warnings))
            if result.status == OK:
                answers = {"prediction": result.prediction, score_column: result.score}
                rows = {"row": np.arange(len(truth)), "fold": fold_of_row, "truth": truth}
                predictions.append(pd.DataFrame({"task": task.name, "model": name} | rows | answers))
    joined = pd.concat(predictions, ignore_index=True) if predictions else pd.DataFrame(columns=columns)
    return joined, pd.DataFrame(runs, columns=["task", "model", "status", "warnings"])


def _predict_folds(
    unfitted: Sequence[BaseEstimator],
    encode: Callable[[int], TrainAndTest],
    truth: np.ndarray,
    splits: Sequence[TrainAndTest],
    task: Task,
) -> _OutOfFold:
    """Fit one model, a new one for each fold, and predict the rows that the fold left out."""
    prediction, classes = np.empty_like(truth), range(int(truth.max()) + 1)
    scores = np.empty((len(truth), len(classes)) if task.target == "classes" else len(truth))
    status = OK
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            for fold, (train, test) in enumerate(splits):
                train_features, test_features = encode(fold)
                # A clone is fitted, so that no fitted model stays in memory.
                model = clone(unfitted[fold]).fit(train_features, truth[train])
                if task.target == "positive":
                    scores[test] = positive_scores(model, test_features, probabilities=task.probabilities)
                    prediction[test] = predicted_positive(model, test_features)
                elif task.target == "classes":
                    scores[test] = class_scores(model, test_features, classes)
                    prediction[test] = predicted_classes(model, test_features, classes)
                else:
                    prediction[test] = model.predict(test_features)
        except Exception as error:  # one model's failure is a row with its reason, not the end of the run
            status = failure_of(error, f" in fold {fold}")
    score: Any = None if task.target == "numbers" else scores
    if task.target == "classes":
        score = list(scores)  # a list for each row
    return _OutOfFold(status, _count_kinds(caught), prediction, score)


def _encode_target(task: Task, target: pd.Series) -> np.ndarray:
    """Return whether each case is positive, or the code of its class, or its number."""
    if task.target == "numbers":
        return target.to_numpy(dtype=np.float64)
    if task.target == "classes":
        return np.asarray(pd.factorize(target.astype(str), sort=True)[0])
    return (target == task.positive).to_numpy()


def _split_rows(task: Task, truth: np.ndarray, folds: int | ArrayLike) -> list[TrainAndTest]:
    """Divide the rows into so many folds, or into given folds."""
    if not isinstance(folds, int):
        return list(PredefinedSplit(folds).split())
    splitter_class = KFold if task.target == "numbers" else StratifiedKFold
    splitter = splitter_class(folds, shuffle=True, random_state=seed_for("folds", task.name))
    return list(splitter.split(truth, truth))


def _count_kinds(caught: list[warnings.WarningMessage]) -> str:
    """Return the kinds of warnings with their counts, such as ``ConvergenceWarning x10``."""
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
    """Train every model in one repetition of the cross-validation, which has its own folds and seeds."""
    task = Task(f"{dataset}, repeat {repeat}", dataset, positive, table.size)
    predictions, runs = (
        part.rename(columns={"task": "repeat"}).assign(repeat=repeat)
        for part in train_task(task, table, models, folds, seconds)
    )
    return predictions, runs
