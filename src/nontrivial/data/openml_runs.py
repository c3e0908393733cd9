"""Archived runs of a task as predictions of the study: each file is checked, and what cannot serve is replaced."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from nontrivial.data.canonical import TARGET
from nontrivial.data.http import DownloadError
from nontrivial.data.openml_api import OpenML
from nontrivial.data.openml_tasks import fetch_task
from nontrivial.data.predictions_arff import FormatError, Predictions, read_predictions

log = logging.getLogger(__name__)

_OK = "ok"
_DIGITS = 12


class UnusableRun(ValueError):
    """A run that cannot serve; the message is the part of a sentence that says why."""


def fetch_archived_task(
    name: str, selected: Mapping[str, Any], service: OpenML
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Download an archived task and the runs that were drawn for it, and as many of its reserve as are needed.

    Parameters
    ----------
    name : str
        The task's name in the study.
    selected : mapping
        One task of `nontrivial.data.openml_archive.select_runs`.
    service : OpenML

    Returns
    -------
    predictions, runs : DataFrame
        As `nontrivial.study.training.train_task` returns them; the models are flows. Where the reserve did not
        last, a run that cannot serve stays in `runs` with its reason.
    record : dict
        The data set's record, with ``taken``: for each run the archived areas, those found and their differences,
        the number of different scores, and what was odd; and ``replaced``: the runs that cannot serve, why, and
        which took their place.

    Raises
    ------
    nontrivial.data.http.DownloadError
        If the service fails, or the task itself cannot serve; a run that is not there is replaced.
    """
    table, fold, record = fetch_task(name, selected["task"], service)
    # What the files say the truth is, is not relied on.
    truth, positive = table[TARGET].to_numpy(dtype=object), record["positive"]
    waiting = list(selected["reserve"])
    tables, statuses, taken, replaced = [], [], [], []
    for drawn in selected["runs"]:
        run = drawn
        while True:
            try:
                table, found = _fetch_run(run, truth, fold, positive, service)
            except UnusableRun as reason:
                successor = waiting.pop(0) if waiting else None
                replaced.append(
                    {"run": run["run"], "flow_name": run["flow_name"], "reason": str(reason)}
                    | {"by": successor["run"] if successor else None}
                )
                if successor is None:
                    statuses.append((name, run["flow_name"], f"run {run['run']} {reason}", ""))
                    break
                run = successor
                continue
            tables.append(table.assign(task=name, model=run["flow_name"]))
            statuses.append((name, run["flow_name"], _OK, "; ".join(found["notes"])))
            taken.append(found)
            break
    columns = ["task", "model", "row", "fold", "truth", "prediction", "score"]
    predictions = pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)
    runs = pd.DataFrame(statuses, columns=["task", "model", "status", "warnings"])
    _log_oddities(name, taken, replaced)
    return predictions, runs, record | {"taken": taken, "replaced": replaced}


def _log_oddities(name: str, taken: list[dict[str, Any]], replaced: list[dict[str, Any]]) -> None:
    for one in taken:
        for note in one["notes"]:
            log.warning("%s: run %s, taken all the same: %s", name, one["run"], note)
    for one in replaced:
        log.warning("%s: run %s %s; replaced by run %s", name, one["run"], one["reason"], one["by"])


def _fetch_run(
    run: Mapping[str, Any], truth: np.ndarray, fold: np.ndarray, positive: str, service: OpenML
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Download one run and check its file, once more where it fails: a shortened file has no digest to tell."""
    what = f"Run {run['run']}"
    try:
        document = service.document(f"run/{run['run']}", what, "run")
        address = _predictions_address(document)
        content = service.fetch(address, what)
        try:
            return _judge(run, content, truth, fold, positive)
        except UnusableRun:
            service.client.forget(service.address(address))
            again = service.fetch(address, what)
            if again == content:
                raise
            return _judge(run, again, truth, fold, positive)
    except DownloadError as error:
        if not error.lasting:
            raise
        raise UnusableRun(f"cannot be had ({error})") from None


def _predictions_address(document: Mapping[str, Any]) -> str:
    error = document.get("oml:error")
    if error:
        raise UnusableRun(f"failed at OpenML ({' '.join(str(error).split())})")
    files = (document.get("oml:output_data") or {}).get("oml:file", [])
    files = files if isinstance(files, list) else [files]
    for file in files:
        if file.get("oml:name") == "predictions":
            # The document's address may name a host that is gone, and a file may stand under any name.
            return f"http://file.invalid/data/download/{file['oml:file_id']}/predictions.arff"
    raise UnusableRun("has no predictions file")


def _judge(
    run: Mapping[str, Any], content: bytes, truth: np.ndarray, fold: np.ndarray, positive: str
) -> tuple[pd.DataFrame, dict[str, Any]]:
    try:
        read = read_predictions(content)
    except FormatError as error:
        raise UnusableRun(str(error)) from None
    table, areas, notes = check_predictions(read, truth, fold, positive)
    archived = run["areas"]
    return table, {
        "run": run["run"],
        "flow_name": run["flow_name"],
        "areas_archived": list(archived),
        "areas_found": areas,
        "difference": [round(a - b, _DIGITS) for a, b in zip(areas, archived, strict=True)],
        "distinct_scores": int(table["score"].nunique()),
        "notes": notes,
    }


def check_predictions(
    read: Predictions, truth: np.ndarray, fold: np.ndarray, positive: str
) -> tuple[pd.DataFrame, list[float], list[str]]:
    """Turn the content of a predictions file into the study's form, if it can be trusted.

    Parameters
    ----------
    read : Predictions
    truth : ndarray of str, shape (n_rows,)
    fold : ndarray of int, shape (n_rows,)
    positive : str

    Returns
    -------
    table : DataFrame
        ``row, fold, truth, prediction, score``, a row for each row of the data.
    areas : list of float
        The pooled area under the ROC curve of each class, in the order of the file's confidences.
    notes : list of str
        What was odd.

    Raises
    ------
    UnusableRun
    """
    classes = sorted(set(truth))
    rows = len(truth)
    notes = list(read.notes)
    missing = [name for name in classes if name not in read.confidence]
    if missing:
        raise UnusableRun(f"has no confidences for the class {missing[0]!r}")
    if np.nanmax(read.repeat, initial=0) > 0:
        raise UnusableRun("has repeats that the task does not have")
    if not np.array_equal(np.sort(read.row_id), np.arange(rows)):
        raise UnusableRun(
            f"predicts {len(read.row_id)} rows, which are not the {rows} of the data set once each"
        )
    order = np.argsort(read.row_id)
    if np.isnan(read.fold).any():
        notes.append("folds missing, taken from the task")
    elif not np.array_equal(read.fold[order], fold):
        raise UnusableRun("has folds that are not the task's")
    confidences = {name: values[order] for name, values in read.confidence.items() if name in classes}
    scores = np.column_stack(list(confidences.values()))
    if not np.isfinite(scores).all():
        raise UnusableRun("has confidences that are not finite")
    if (scores.sum(axis=1) == 0).any():
        raise UnusableRun("has rows whose confidences are all zero")
    predicted = np.asarray(read.prediction, dtype=object)[order]
    strange = sorted(set(map(str, predicted)) - set(classes))
    if strange:
        raise UnusableRun(f"predicts the label {strange[0]!r}, which the data set does not have")
    said = None if read.truth is None else np.asarray(read.truth, dtype=object)[order]
    if said is not None and not np.array_equal(said, truth):
        if np.array_equal(predicted, truth):
            raise UnusableRun("has prediction and truth in each other's place")
        raise UnusableRun("has a truth that is not the data set's")
    greatest = np.array(list(confidences))[scores.argmax(axis=1)]
    clear = scores.max(axis=1) > scores.min(axis=1)
    if clear.any() and np.mean(greatest[clear] != predicted[clear]) > 0.5:
        raise UnusableRun("has predictions that its own confidences speak against")
    if np.isin(scores, (0, 1)).all():
        notes.append("confidences of 0 and 1 alone")
    table = pd.DataFrame(
        {
            "row": np.arange(rows),
            "fold": fold.astype(np.int8),
            "truth": truth == positive,
            "prediction": predicted == positive,
            "score": confidences[positive],
        }
    )
    areas = [
        round(float(roc_auc_score(truth == name, values)), _DIGITS) for name, values in confidences.items()
    ]
    return table, areas, notes
