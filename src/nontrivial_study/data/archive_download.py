"""Downloads of archived runs: their predictions, checked, and a replacement for each run that cannot serve."""

import logging
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import pandas as pd

from nontrivial.terminal import shorten
from nontrivial_study.data import prediction_files
from nontrivial_study.data.canonical import TARGET, Entry, Record
from nontrivial_study.data.download_errors import DownloadError, SuspectDocument, WrongAnswer
from nontrivial_study.data.openml import OpenML, OpenMLTask, entries_of, fetch_task, read_document

log = logging.getLogger(__name__)

_MAX_AREA_DIFFERENCE = 1e-4  # the archive rounds to six decimals
_PREDICTION_COLUMNS = ["task", "model", "row", "fold", "truth", "prediction", "score"]
_STATUS_COLUMNS = ["task", "model", "status", "warnings"]


class ArchivedTask(NamedTuple):
    """The predictions of a task's archived runs, a row with the status of each run, and the record of the task."""

    name: str
    predictions: pd.DataFrame
    runs: pd.DataFrame
    record: Record


class _UsableRun(NamedTuple):
    predictions: pd.DataFrame
    record: Record


def fetch_archived_tasks(selection: Mapping[str, Entry], service: OpenML) -> Iterator[ArchivedTask]:
    """Download archived tasks and the runs that were drawn for them, one task at a time."""
    n_failed_tasks, n_used_runs = 0, 0
    failures: list[DownloadError] = []
    for name, entry in selection.items():
        try:
            task = fetch_task(name, entry["task"], service, _advise_leaving_out([entry]))
        except DownloadError as error:
            n_failed_tasks += 1
            if not error.lasting or n_failed_tasks == len(selection):
                raise
            log.warning("%s", error)
            statuses = [(name, run["flow_name"], str(error), "") for run in entry["runs"]]
            runs = pd.DataFrame(statuses, columns=_STATUS_COLUMNS)
            record = {"name": name, "task": entry["task"], "reason": str(error)}
            yield ArchivedTask(name, pd.DataFrame(columns=_PREDICTION_COLUMNS), runs, record)
        else:
            archived = _fetch_runs(entry, task, service, failures)
            n_used_runs += len(archived.record["taken"])
            yield archived
    if failures and not n_used_runs:
        for run_error in failures:
            service.client.forget(run_error.address)
        problem = f"None of {len(failures)} archived runs can be used; the first: {failures[0].problem}"
        failure = DownloadError(problem, failures[0].advice)
        raise failure.or_else(_advise_leaving_out(selection.values()))


def _fetch_runs(entry: Entry, task: OpenMLTask, service: OpenML, failures: list[DownloadError]) -> ArchivedTask:
    """Download the runs drawn for a task. Replace each run that cannot serve by the next run of the reserve."""
    name, reserve = task.record["name"], iter(entry["reserve"])
    tables, statuses, taken, replaced = list[pd.DataFrame](), [], [], []
    for drawn in entry["runs"]:
        run: Entry | None = drawn
        while run is not None:
            number, model, reason = run["run"], run["flow_name"], "is left out by the configuration"
            if number not in entry["left_out"]:
                result = _fetch_run(run, task, service)
                if isinstance(result, _UsableRun):
                    tables.append(result.predictions.assign(task=name, model=model))
                    statuses.append((name, model, "ok", "; ".join(result.record["notes"])))
                    taken.append(result.record)
                    break
                failures.append(result)
                reason = str(result.answer)
            successor = next(reserve, None)
            by = successor["run"] if successor else None
            replaced.append({"run": number, "flow_name": model, "reason": reason, "by": by})
            log.warning("%s: run %s %s; replaced by run %s", name, number, reason, by)
            if successor is None:
                statuses.append((name, model, f"run {number} {reason}", ""))
            run = successor
    none = pd.DataFrame(columns=_PREDICTION_COLUMNS)
    predictions = pd.concat(tables, ignore_index=True)[_PREDICTION_COLUMNS] if tables else none
    runs = pd.DataFrame(statuses, columns=_STATUS_COLUMNS)
    return ArchivedTask(name, predictions, runs, task.record | {"taken": taken, "replaced": replaced})


def _fetch_run(run: Entry, task: OpenMLTask, service: OpenML) -> _UsableRun | DownloadError:
    """Download and check the predictions of a run. Return the error if the run cannot serve."""
    name, number = task.record["name"], run["run"]
    what, address = f"Data set {name!r}, run {number}", service.address(f"run/{number}")
    try:
        file = service.fetch(address, what, partial(_find_predictions_file, number))
        # We build the address from the number: the host in the document may be gone, and any file name serves.
        address = f"{service.data}/data/download/{file}/predictions.arff"
        usable = service.fetch(address, what, partial(_accept_predictions, run, task), "predictions")
    except DownloadError as error:
        if not error.lasting:
            way_out = f"name run {number} under openml.archive.leave_out.runs in the configuration"
            raise error.or_else(way_out) from None
        return error
    usable.record["notes"] = list(map(service.client.clean, usable.record["notes"]))
    for note in usable.record["notes"]:
        log.warning("%s: run %s is used in spite of this: %s", name, number, note)
    return usable


def _find_predictions_file(run: int, body: bytes) -> int:
    """Return the number of the predictions file that the description of a run names."""
    document = read_document(body, "run")
    if int(document["oml:run_id"]) != run:
        raise WrongAnswer(f"describes another run than {run}")
    if error := document.get("oml:error"):
        raise SuspectDocument(f"failed at OpenML ({shorten(' '.join(str(error).split()), 500)})")
    for file in entries_of((document.get("oml:output_data") or {}).get("oml:file")):
        if file.get("oml:name") == "predictions" and file.get("oml:file_id"):
            return int(file["oml:file_id"])
    raise SuspectDocument("has no predictions file")


def _accept_predictions(run: Entry, task: OpenMLTask, content: bytes) -> _UsableRun:
    """Return the run in a predictions file. Raise SuspectDocument if it is unusable, or its areas differ."""
    # No digest would show damage, so the client downloads a suspect file once more.
    try:
        rows, notes = prediction_files.read_predictions_file(content)
        truth, positive = task.table[TARGET], task.record["positive"]
        checked = prediction_files.check_predictions(rows, truth, task.fold, positive)
    except ValueError as error:
        raise SuspectDocument(str(error)) from None
    notes += checked.notes
    areas = [checked.areas[label.strip()] for label in task.record["labels"]]
    pairs = zip(areas, run["areas"], strict=True)
    differences = [round(ours - theirs, prediction_files.AREA_DIGITS) for ours, theirs in pairs]
    record = {
        "run": run["run"],
        "flow_name": run["flow_name"],
        "areas_archived": run["areas"],
        "areas_found": areas,
        "difference": differences,
        "distinct_scores": int(checked.table["score"].nunique()),
        "notes": notes,
    }
    usable = _UsableRun(checked.table, record)
    if max(map(abs, differences)) > _MAX_AREA_DIFFERENCE:
        notes.append(f"areas under the ROC curve {areas} where the archive has {run['areas']}")
        raise SuspectDocument(f"gives {notes[-1]}", content=usable)
    return usable


def _advise_leaving_out(tasks: Collection[Entry]) -> str:
    names = ", ".join(f"task {task['task']}" for task in tasks)
    no_longer = ", and no longer under openml.archive.always" if any(task["always"] for task in tasks) else ""
    return f"name {names} under openml.archive.leave_out.tasks in the configuration{no_longer}"
