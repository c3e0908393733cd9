"""Predictions that were made elsewhere: a folder of files, one for each task and model, read as if made here."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial.numerals import as_written
from nontrivial.reading.files import Table
from nontrivial.reading.labels import Classes, find_positive
from nontrivial.reading.scores import are_separable, usual_threshold
from nontrivial_study.data.own import column_of, naming_settings, open_with
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import TaskPredictions
from nontrivial_study.experiments.tasks.tasks import Task

_FORMS = (".csv", ".tsv", ".parquet", ".feather", ".arff", ".json", ".jsonl", ".ndjson", ".xlsx")
_PACKINGS = (".gz", ".bz2", ".xz", ".zst", ".zip")
_MOST_FOLDS = 100
_APART = "no threshold on the scores gives the predictions"
_WITHOUT_THRESHOLD = (
    "no labels: these scores have no usual threshold, and own.predictions.threshold gives none"
)


def find_predictions(folder: str) -> dict[str, dict[str, str]]:
    """Return the files of a folder by task and model, from their places: ``<task>/<model>.csv`` or another form."""
    if not os.path.isdir(folder):
        raise ValueError(f"{folder} is not a folder; a folder of predictions is needed.")
    found: dict[str, dict[str, str]] = {}
    for path in sorted(Path(folder).glob("*/*")):
        model = _model_of(path.name)
        if model is None:
            continue
        models = found.setdefault(path.parent.name, {})
        if model in models:
            raise ValueError(f"{path} has the model of {models[model]}; give one file of each model.")
        models[model] = str(path)
    if not found:
        raise ValueError(f"{folder} has no file <task>/<model>.csv or <task>/<model>.parquet; one is needed.")
    return found


def _model_of(file: str) -> str | None:
    """Return the name of a file without its endings; None if it is no file of predictions."""
    name, ending = os.path.splitext(file)
    if ending.lower() in _PACKINGS:
        name, ending = os.path.splitext(name)
    return None if file.startswith(".") or ending.lower() not in _FORMS else name


@naming_settings()
def read_predictions(
    task: str, files: Mapping[str, str], settings: Mapping[str, Any] | None = None
) -> TaskPredictions:
    """Read all predictions on one task, as `nontrivial score` reads them.

    The settings are those under ``own.predictions``: ``positive``, ``threshold``, and how a file is read.
    """
    settings, first_path = settings or {}, next(iter(files.values()))
    positive, truth, parts, notes = "", None, [], []
    for model, path in files.items():
        with _naming(path):
            table = open_with(settings, path)
            positive = positive or _find_positive(table, path, settings)
            answers, has_labels = _read_answers(table, path, positive, settings)
            fold = _read_folds(table, len(answers.truth))
        truth = answers.truth if truth is None else truth
        if not np.array_equal(answers.truth, truth):
            raise ValueError(
                f"{path} has another truth than {first_path}; all models of a task need the same cases."
            )
        columns = {
            "row": np.arange(len(truth)) if answers.groups is None else answers.groups,
            "fold": fold,
            "truth": truth,
            "prediction": answers.prediction if has_labels else None,
            "score": answers.score,
        }
        parts.append(pd.DataFrame({"task": task, "model": model, **columns}))
        if not has_labels:
            notes.append(_WITHOUT_THRESHOLD)
        else:
            notes.append("" if are_separable(answers.score, answers.prediction) else _APART)
    runs = pd.DataFrame({"task": task, "model": list(files), "status": OK, "warnings": notes})
    return TaskPredictions(Task(task, task, positive, 0), pd.concat(parts, ignore_index=True), runs)


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Make errors name a file with its folder, as each task has files of the same names, and columns by their names."""
    try:
        yield
    except ValueError as error:
        text = re.sub(r"name it with --(score|confidence|prediction)", r"call it '\1'", str(error))
        text = re.sub(
            r"give --confidence \S+ --prediction \S+ or --score \S+", "call it 'confidence', or give", text
        )
        text = text.replace(", or leave these cases out with --missing drop", "")
        raise ValueError(text if path in text else text.replace(Path(path).name, path)) from None


def _find_positive(table: Table, path: str, settings: Mapping[str, Any]) -> str:
    """Return the positive label of a task."""
    if "truth" not in table.names:
        raise ValueError(f"{path} has no column 'truth'; it is needed, beside 'score'.")
    truth = column_of(table, "truth", table.read(["truth"])["truth"])
    labels = truth.complete_labels()
    classes = Classes.of(labels.texts)
    if len(classes.names) != 2:
        raise ValueError(f"{path} has {len(classes.names)} different labels in 'truth'; two are needed.")
    named, folder = settings.get("positive"), str(Path(path).parents[1])
    place = find_positive(
        classes,
        np.bincount(classes.number(*labels)),
        truth.place,
        named=None if named is None else as_written(named),
        option="own.predictions.positive",
        order=table.order("truth"),
        ask=lambda label: f"write predictions: {{folder: {folder}, positive: {json.dumps(label)}}} under own",
    )
    assert place is not None  # as there are two
    return classes.names[place]


def _read_answers(table: Table, path: str, positive: str, settings: Mapping[str, Any]) -> tuple[Any, bool]:
    """Return the answers of a file, and whether they have labels: some scores have no usual threshold."""
    from nontrivial.scorecard.options import options_of
    from nontrivial.scorecard.predictions import read_answers  # slow to import

    is_confidence = "confidence" in table.names and "score" not in table.names
    needed = ["confidence", "prediction"] if is_confidence else ["score"]
    lacking = next((name for name in needed if name not in table.names), None)
    if lacking:
        raise ValueError(
            f"{path} has no column {lacking!r}; 'truth' and {' and '.join(map(repr, needed))} are needed."
        )
    threshold = settings.get("threshold")
    columns = {"truth": "truth", needed[0]: needed[0]}
    if "prediction" in table.names and (is_confidence or threshold is None):
        columns["prediction"] = "prediction"
    has_labels = True
    if threshold is None and "prediction" not in columns:
        scores = column_of(table, "score", table.read(["score"])["score"], settings.get("decimal")).numbers
        has_labels = usual_threshold(scores[~np.isnan(scores)]) is not None
        threshold = None if has_labels else 0.0  # which nothing uses
    how = {key: settings.get(key) for key in ("separator", "decimal", "encoding", "sheet") if key in settings}
    options = options_of(**columns, positive=positive, threshold=threshold, **how)
    (answers,) = read_answers([path], options).members
    return answers, has_labels


def _read_folds(table: Table, n: int) -> Ints:
    if "fold" not in table.names:
        return np.zeros(n, dtype=np.int8)
    folds = column_of(table, "fold", table.read(["fold"])["fold"]).names
    if folds.isna().any():
        raise ValueError(
            f"Column 'fold' of {table.name} is empty in data row {int(folds.isna().argmax()) + 1:,}."
        )
    if len(folds.categories) > _MOST_FOLDS:
        raise ValueError(f"{table.name} has {len(folds.categories)} folds; at most {_MOST_FOLDS} are read.")
    return folds.codes.astype(np.int8)
