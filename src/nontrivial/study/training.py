"""Out-of-fold predictions of many models on one binary task, each fit seeded by what it is."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from nontrivial.data.canonical import TARGET
from nontrivial.seeds import seed_for
from nontrivial.study.models import build_model, positive_scores
from nontrivial.study.tasks import Task

OK = "ok"


def train_task(
    task: Task, table: pd.DataFrame, models: Mapping[str, Mapping[str, Any]], folds: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Predict every row of a task by models that were trained without it.

    Parameters
    ----------
    task : Task
    table : DataFrame
        The task's data set in canonical form, numeric features.
    models : mapping of str to mapping
        Specifications for `nontrivial.study.models.build_model`.
    folds : int
        Number of stratified folds, drawn once per task, so that all models meet the same ones.

    Returns
    -------
    predictions : DataFrame
        ``task, model, row, fold, truth, prediction, score``, a row for each row of the data and each model that
        succeeded; truth and prediction are True for the positive class.
    runs : DataFrame
        ``task, model, status, warnings``, a row for each model: status ``"ok"`` or the reason of the failure,
        and the kinds of warning that its fits gave with their counts.

    Notes
    -----
    A fit depends on the task, the model and the fold alone: its seed is made from their names and its linear
    algebra runs on one thread, so the results do not change with the order or the division of the work.
    """
    features = table.drop(columns=TARGET).to_numpy(dtype=np.float64)
    truth = (table[TARGET] == task.positive).to_numpy()
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed_for("folds", task.name))
    splits = list(splitter.split(features, truth))
    fold = np.empty(len(truth), dtype=np.int8)
    for number, (_, test) in enumerate(splits):
        fold[test] = number

    predictions, runs = [], []
    with threadpool_limits(1):
        for name, specification in models.items():
            score = np.empty(len(truth))
            prediction = np.empty(len(truth), dtype=bool)
            status = OK
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    for number, (train, test) in enumerate(splits):
                        model = build_model(name, specification, seed_for("fit", task.name, name, number))
                        model.fit(features[train], truth[train])
                        score[test] = positive_scores(model, features[test])
                        prediction[test] = model.predict(features[test])
                except (
                    Exception
                ) as error:  # one model's failure is a row with its reason, not the end of the run
                    status = " ".join(f"failed in fold {number}: {type(error).__name__}: {error}".split())
            runs.append((task.name, name, status, _count_kinds(caught)))
            if status == OK:
                columns = {"row": np.arange(len(truth)), "fold": fold, "truth": truth}
                columns |= {"prediction": prediction, "score": score}
                predictions.append(pd.DataFrame({"task": task.name, "model": name, **columns}))
    return (
        pd.concat(predictions, ignore_index=True),
        pd.DataFrame(runs, columns=["task", "model", "status", "warnings"]),
    )


def _count_kinds(caught: list[warnings.WarningMessage]) -> str:
    """Say which kinds of warning were given and how often, such as ``ConvergenceWarning x10``."""
    kinds = (
        pd.Series([warning.category.__name__ for warning in caught], dtype="str").value_counts().sort_index()
    )
    return ", ".join(f"{kind} x{count}" for kind, count in kinds.items())
