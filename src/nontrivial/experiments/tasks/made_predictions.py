"""Predictions that were made elsewhere: a folder of files, one for each task and model, read as if made here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial.data.own import column_names, read_columns
from nontrivial.experiments.status import OK
from nontrivial.experiments.tasks.batches import TaskPredictions
from nontrivial.experiments.tasks.binary_tasks import Task

_ENDINGS = (".csv", ".parquet")
_NEEDED = ("truth", "score")
_MAY_HAVE = ("prediction", "fold")
_LABELS = ("truth", "prediction")
_MOST_FOLDS = 100


def find_predictions(folder: str) -> dict[str, dict[str, str]]:
    """Return the files of a folder by task and model, from their places: ``<task>/<model>.csv`` or ``.parquet``.

    Raises
    ------
    ValueError
        With one sentence, if there is none, or a task has two files of one model.
    """
    if not os.path.isdir(folder):
        raise ValueError(f"{folder} is not a folder; a folder of predictions is needed.")
    found: dict[str, dict[str, str]] = {}
    for path in sorted(Path(folder).glob("*/*")):
        if path.suffix.lower() not in _ENDINGS or path.name.startswith("."):
            continue
        models = found.setdefault(path.parent.name, {})
        if path.stem in models:
            raise ValueError(f"{path} has the model of {models[path.stem]}; give one file of each model.")
        models[path.stem] = str(path)
    if not found:
        raise ValueError(f"{folder} has no file <task>/<model>.csv or <task>/<model>.parquet; one is needed.")
    return found


def read_predictions(task: str, files: Mapping[str, str]) -> TaskPredictions:
    """Read all predictions on one task.

    Parameters
    ----------
    task : str
    files : mapping of str to str
        By model: a file with the columns ``truth`` (two labels, of which the greater is positive) and ``score``
        (finite; the greater, the more positive), and, if it has them, ``prediction`` (of the same labels) and
        ``fold`` (whole numbers). Without predictions a score of 0.5 or more is positive where all scores lie in
        [0, 1], and else one of 0 or more. All models have the same cases in the same order.

    Raises
    ------
    ValueError
        With one sentence that names the file.
    """
    parts, truths = [], {}
    for model, file in files.items():
        table = _read(file)
        truth, positive = _positives(table["truth"], file)
        score = table["score"].to_numpy(dtype=np.float64)
        columns = {"row": np.arange(len(table)), "fold": _folds(table, file), "truth": truth}
        columns |= {"prediction": _predictions(table, score, positive, file), "score": score}
        truths[file] = table["truth"].tolist()
        first = next(iter(truths))
        if truths[file] != truths[first]:
            raise ValueError(
                f"{file} has another truth than {first}; all models of a task need the same cases."
            )
        parts.append(pd.DataFrame({"task": task, "model": model, **columns}))
    runs = pd.DataFrame({"task": task, "model": list(files), "status": OK, "warnings": ""})
    return TaskPredictions(Task(task, task, positive, 0), pd.concat(parts, ignore_index=True), runs)


def _read(file: str) -> pd.DataFrame:
    names = column_names(file)
    lacking = [name for name in _NEEDED if name not in names]
    if lacking:
        raise ValueError(f"{file} has no column {lacking[0]!r}; {' and '.join(_NEEDED)} are needed.")
    columns = [*_NEEDED, *(name for name in _MAY_HAVE if name in names)]
    table = read_columns(file, columns, text=[name for name in columns if name in _LABELS])
    if table.isna().any(axis=None):
        column = table.columns[table.isna().any()][0]
        row = int(table[column].isna().argmax()) + 1
        raise ValueError(f"{file} has nothing in column {column!r} of row {row}; each row needs a value.")
    scores = pd.to_numeric(table["score"], errors="coerce")
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores))) + 1
        raise ValueError(
            f"{file} has no finite score in data row {row}, but {table['score'].iloc[row - 1]!r}."
        )
    return table.astype({name: "str" for name in columns if name in _LABELS}).assign(score=scores)


def _positives(truth: pd.Series, file: str) -> tuple[np.ndarray, str]:
    labels = sorted(truth.unique())
    if len(labels) != 2:
        raise ValueError(f"{file} has {len(labels)} different labels in 'truth'; two are needed.")
    return (truth == labels[1]).to_numpy(), labels[1]


def _predictions(table: pd.DataFrame, score: np.ndarray, positive: str, file: str) -> np.ndarray:
    if "prediction" not in table:
        are_probabilities = score.min() >= 0 and score.max() <= 1
        return score >= (0.5 if are_probabilities else 0)
    unknown = set(table["prediction"]) - set(table["truth"])
    if unknown:
        raise ValueError(f"{file} predicts {min(unknown)!r}, which is no label in its 'truth'.")
    return (table["prediction"] == positive).to_numpy()


def _folds(table: pd.DataFrame, file: str) -> np.ndarray:
    if "fold" not in table:
        return np.zeros(len(table), dtype=np.int8)
    codes, folds = pd.factorize(table["fold"])
    if len(folds) > _MOST_FOLDS:
        raise ValueError(f"{file} has {len(folds)} folds; at most {_MOST_FOLDS} are read.")
    return codes.astype(np.int8)
