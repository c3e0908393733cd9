"""Predictions that were made elsewhere: a folder of files, one for each task and model, read as if made here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.numerals import numbers_in
from nontrivial.reading.scores import are_confidences, are_separable
from nontrivial_study.data.own import (
    LabelColumn,
    as_floats,
    column_names,
    distinct_texts,
    is_text,
    read_columns,
)
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import TaskPredictions
from nontrivial_study.experiments.tasks.tasks import Task

_ENDINGS = (".csv", ".parquet")
_MOST_FOLDS = 100
_APART = "no threshold on the scores gives the predictions"


def find_predictions(folder: str) -> dict[str, dict[str, str]]:
    """Return the files of a folder by task and model, from their places: ``<task>/<model>.csv`` or ``.parquet``."""
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
    """Read all predictions on one task."""
    read = {model: _File(path) for model, path in files.items()}
    first = next(iter(read.values()))
    places = first.truth.places_in(first.classes)
    parts, notes = [], []
    for model, file in read.items():
        if not np.array_equal(file.truth.places_in(first.classes), places):
            raise ValueError(
                f"{file.path} has another truth than {first.path}; all models of a task need the same cases."
            )
        columns = {"row": np.arange(len(places)), "fold": file.fold, "truth": places == 1}
        columns |= {"prediction": file.prediction, "score": file.score}
        parts.append(pd.DataFrame({"task": task, "model": model, **columns}))
        notes.append("" if are_separable(file.score, file.prediction) else _APART)
    runs = pd.DataFrame({"task": task, "model": list(files), "status": OK, "warnings": notes})
    positive = first.classes.names[1]
    return TaskPredictions(Task(task, task, positive, 0), pd.concat(parts, ignore_index=True), runs)


class _File:
    """The predictions of one model."""

    def __init__(self, path: str) -> None:
        names = column_names(path)
        self.path = path
        self._kind = "confidence" if "confidence" in names and "score" not in names else "score"
        needed = ("truth", self._kind, *(["prediction"] if self._kind == "confidence" else []))
        lacking = [name for name in needed if name not in names]
        if lacking:
            raise ValueError(f"{path} has no column {lacking[0]!r}; {' and '.join(needed)} are needed.")
        optional = [name for name in ("prediction", "fold") if name in names and name not in needed]
        self._table = read_columns(path, [*needed, *optional])
        said = self._numbers()
        self.truth = LabelColumn(self._table, "truth", path)
        self.classes = self.truth.classes
        if len(self.classes.names) != 2:
            raise ValueError(
                f"{path} has {len(self.classes.names)} different labels in 'truth'; two are needed."
            )
        self.fold = self._folds()
        self.prediction, self.score = self._answers(said)

    def _answers(self, said: Floats) -> tuple[Mask, Floats]:
        """Return whether each case is predicted positive, and its score."""
        if "prediction" not in self._table.column_names:
            are_probabilities = said.min() >= 0 and said.max() <= 1
            return said >= (0.5 if are_probabilities else 0), said
        labels = LabelColumn(self._table, "prediction", self.path)
        stranger = labels.first_outside(self.classes)
        if stranger is not None:
            raise ValueError(f"{self.path} predicts {stranger!r}, which is no label in its 'truth'.")
        predicted = labels.places_in(self.classes) == 1
        if self._kind == "confidence":
            return predicted, np.where(predicted, said, 1 - said)
        if are_confidences(said, predicted, 2):
            raise ValueError(
                f"{self.path} has in 'score' the confidence in the predicted label: all scores lie in [0.5, 1], and no "
                "threshold on them gives the predictions; rename the column to 'confidence', or write 1 minus the "
                f"score where {self.classes.names[0]!r} is predicted."
            )
        return predicted, said

    def _numbers(self) -> Floats:
        column = self._table[self._kind]
        decimal: str | None = "."
        if is_text(column.type):
            codes, texts = distinct_texts(column, self._kind, self.path)
            read, decimal = numbers_in(texts)
            numbers = np.array(read, dtype=np.float64)[codes]
        else:
            numbers = as_floats(column, self._kind, self.path)
        what, wrong = "finite score", ~np.isfinite(numbers)
        if self._kind == "confidence":
            what, wrong = "confidence from 0 to 1", ~((numbers >= 0) & (numbers <= 1))
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(f"{self.path} has no {what} in data row {row + 1}, but {column[row].as_py()!r}.")
        if decimal is None:
            raise ValueError(
                f"{self.path} has commas in {self._kind!r} that may be decimal marks or separate thousands; write "
                "decimal points."
            )
        return numbers

    def _folds(self) -> Ints:
        if "fold" not in self._table.column_names:
            return np.zeros(self._table.num_rows, dtype=np.int8)
        folds = LabelColumn(self._table, "fold", self.path)
        n_folds = len(folds.classes.names)
        if n_folds > _MOST_FOLDS:
            raise ValueError(f"{self.path} has {n_folds} folds; at most {_MOST_FOLDS} are read.")
        return folds.places_in(folds.classes).astype(np.int8)
