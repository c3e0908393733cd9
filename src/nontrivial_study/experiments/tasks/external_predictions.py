"""External predictions: a folder of files, one for each task and model, is read as if the study had made them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.files import OpenedTable, open_table
from nontrivial.reading.scores import are_separable
from nontrivial.terminal import listed
from nontrivial_study.data.own import file_column, naming_settings
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import TaskPredictions
from nontrivial_study.experiments.tasks.tasks import Task

if TYPE_CHECKING:
    from nontrivial.scorecard.answers.answers import Predictions

_FILE_FORMATS = (".csv", ".tsv", ".parquet", ".feather", ".arff", ".json", ".jsonl", ".ndjson", ".xlsx")
_COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst", ".zip")
_MAX_FOLDS = 100
SETTING = "own.predictions"
# Options of `nontrivial score` that are settings under own.predictions, too.
_COLUMN_OPTIONS = ("truth", "score", "confidence", "prediction", "id", "group")
_SHARED_OPTIONS = {*_COLUMN_OPTIONS, "task", "positive", "threshold", "separator", "decimal", "encoding", "sheet"}


def find_predictions(folder: str) -> dict[str, dict[str, str]]:
    """Return the files of a folder by task and model, from their paths: ``<task>/<model>.csv`` or another format."""
    if not os.path.isdir(folder):
        raise ValueError(f"{folder} is not a folder; a folder of predictions is needed.")
    tasks: dict[str, dict[str, str]] = {}
    for path in sorted(Path(folder).glob("*/*")):
        model = _model_name(path.name)
        if model is None:
            continue
        models = tasks.setdefault(path.parent.name, {})
        if model in models:
            raise ValueError(f"{path} has the model of {models[model]}; give one file of each model.")
        models[model] = str(path)
    if not tasks:
        raise ValueError(f"{folder} has no file <task>/<model>.csv or <task>/<model>.parquet; one is needed.")
    return tasks


def _model_name(file: str) -> str | None:
    """Return the name of a file without its endings; None if it is not a file of predictions."""
    name, ending = os.path.splitext(file)
    if ending.lower() in _COMPRESSIONS:
        name, ending = os.path.splitext(name)
    return None if file.startswith(".") or ending.lower() not in _FILE_FORMATS else name


@naming_settings()
def read_external_predictions(
    task: str, files: Mapping[str, str], settings: Mapping[str, Any] | None = None
) -> TaskPredictions:
    """Read all external predictions on one task, as `nontrivial score` reads and pairs them.

    `settings` are the settings under ``own.predictions``, such as ``positive`` or ``separator``. In the column ``row``,
    all rows of one case have the same number.
    """
    from nontrivial.scorecard.answers.answers import Forecasts  # slow to import
    from nontrivial.scorecard.answers.pairing import align_cases

    options = {name: value for name, value in (settings or {}).items() if name in _SHARED_OPTIONS}
    members: list[Any] = []
    for model, path in files.items():
        with _errors_naming_file(path):
            answers = _read_answers(path, options)
        options["positive"] = getattr(answers, "positive", None)  # all files have the same positive class
        members.append(replace(answers, model=model))
    if len({type(answers) for answers in members}) > 1:
        raise ValueError(f"Some files of task {task!r} have classes and others have numbers; give one kind.")
    try:
        aligned = align_cases(members, named=options.get("id"), are_same_rows=False)
    except UnsettledError as error:
        raise ValueError(error.with_settings(_SHARED_OPTIONS, SETTING)) from None
    if aligned.unpaired:
        raise ValueError(
            f"The files of task {task!r}, {listed(map(os.path.basename, files.values()))}, have different cases "
            f"({aligned.unpaired.replace('_', ' ')}); all models of a task need the same cases."
        )
    target = "positive" if options["positive"] is not None else "classes"
    if isinstance(members[0], Forecasts):
        target = "numbers"
    parts, warnings = [], []
    for answers in aligned.members:
        columns = {
            "row": np.arange(len(answers.truth)) if answers.groups is None else answers.groups,
            "fold": np.zeros(len(answers.truth), np.int8) if answers.parts is None else answers.parts,
            "truth": answers.truth,
            "prediction": answers.prediction,
        }
        if target == "positive":
            columns["score"] = answers.score
        else:
            scores = getattr(answers, "probabilities", None)
            columns["scores"] = None if scores is None else list(scores)
        parts.append(pd.DataFrame({"task": task, "model": answers.model, **columns}))
        warnings.append(_label_warning(answers) if target == "positive" else "")
    runs = pd.DataFrame({"task": task, "model": list(files), "status": OK, "warnings": warnings})
    predictions = pd.concat(parts, ignore_index=True)
    return TaskPredictions(Task(task, task, options["positive"], 0, target=target), predictions, runs)


def _label_warning(answers: Predictions) -> str:
    """Return why a model has no labels, or that its labels do not follow from its scores; else an empty text."""
    if answers.prediction is None or answers.score is None:
        return f"no labels: these scores have no usual threshold, and {SETTING}.threshold gives none"
    is_consistent = are_separable(answers.score, answers.prediction)
    return "" if is_consistent else "no threshold on the scores gives the predictions"


@contextlib.contextmanager
def _errors_naming_file(path: str) -> Iterator[None]:
    """Make errors name the file with its folder, and settings of the study in place of options of a command."""
    try:
        yield
    except ValueError as error:
        text = error.with_settings(_SHARED_OPTIONS, SETTING) if isinstance(error, UnsettledError) else str(error)
        text = text.replace(", or leave these cases out with --missing drop", "")
        raise ValueError(f"{path}: {text}") from None


def _read_answers(path: str, options: Mapping[str, Any]) -> Any:
    """Read the answers of the one model in a file; its column ``fold``, if there is one, has the folds."""
    from nontrivial.reading.options import options_of
    from nontrivial.scorecard.answers.reading import read_file

    members, _ = read_file(path, options_of(**options), has_others=True)
    if len(members) > 1:
        raise ValueError(f"{path} has several models; give each a file of its own.")
    answers = members[0]
    if getattr(answers, "positive", None) is not None and answers.score is None:
        raise ValueError(f"{path} has no scores; a column 'score' is needed.")
    table = open_table(path, *(options.get(key) for key in ("separator", "encoding", "sheet")))
    return replace(answers, parts=_read_folds(table) if "fold" in table.names else None)


def _read_folds(table: OpenedTable) -> Ints:
    """Return the folds of a table as numbers from 0 on."""
    folds = file_column(table, "fold", table.read(["fold"])["fold"]).names
    if folds.isna().any():
        row = int(folds.isna().argmax()) + 1
        raise ValueError(f"Column 'fold' of {table.name} is empty in data row {row:,}.")
    if len(folds.categories) > _MAX_FOLDS:
        raise ValueError(f"{table.name} has {len(folds.categories)} folds; at most {_MAX_FOLDS} are read.")
    return folds.codes.astype(np.int8)
