"""Downloads of archived runs: their predictions, checked, and a replacement for each run that cannot serve."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.data.download_errors import DownloadError, SuspectDocument, WrongAnswer
from nontrivial_study.data.openml import OpenML, OpenMLTask, as_list, fetch_task, read_document
from nontrivial_study.data.prediction_files import AREA_DIGITS, check_predictions, read_predictions_file

log = logging.getLogger(__name__)

_LEAVE_OUT = "under openml.archive.leave_out"
_MAX_AREA_DIFFERENCE = 1e-4  # the archive rounds to six decimals
_PREDICTION_COLUMNS = ["task", "model", "row", "fold", "truth", "prediction", "score"]


class ArchivedTask(NamedTuple):
    """The predictions of a task's archived runs, the status of each run, and the record of the task."""

    name: str
    predictions: pd.DataFrame
    runs: pd.DataFrame
    record: dict[str, Any]


class _UsableRun(NamedTuple):
    """The predictions of a run, and its record."""

    predictions: pd.DataFrame
    record: dict[str, Any]


class _UnusableRun(NamedTuple):
    """Why a run cannot serve; the address and error of its download, unless the configuration leaves the run out."""

    reason: str
    address: str = ""
    error: DownloadError | None = None


def fetch_archived_tasks(
    selection: Mapping[str, Mapping[str, Any]], service: OpenML
) -> Iterator[ArchivedTask]:
    """Download archived tasks and the runs that were drawn for them, one task at a time."""
    n_failed_tasks, n_used_runs = 0, 0
    failed_runs: list[_UnusableRun] = []
    for name, entry in selection.items():
        try:
            task = fetch_task(name, entry["task"], service, _advise_leaving_out([entry]))
        except DownloadError as error:
            n_failed_tasks += 1
            if not error.lasting or n_failed_tasks == len(selection):
                raise
            log.warning("%s", error)
            statuses = [(name, run["flow_name"], str(error), "") for run in entry["runs"]]
            record = {"name": name, "task": entry["task"], "reason": str(error)}
            yield _archived_task(name, [], statuses, record)
        else:
            archived = _fetch_runs(name, entry, task, service, failed_runs)
            n_used_runs += len(archived.record["taken"])
            yield archived
    if failed_runs and not n_used_runs:
        for run in failed_runs:
            service.client.forget(run.address)
        first = failed_runs[0].error
        assert first is not None
        problem = f"None of {len(failed_runs)} archived runs can be used; the first: {first.problem}"
        raise DownloadError(problem, first.advice).or_else(_advise_leaving_out(selection.values()))


def _fetch_runs(
    name: str,
    entry: Mapping[str, Any],
    task: OpenMLTask,
    service: OpenML,
    failed_runs: list[_UnusableRun],
) -> ArchivedTask:
    """Download the runs drawn for a task, with a replacement from its reserve for each run that cannot serve.

    Runs whose download failed are added to `failed_runs`.
    """
    reserve = iter(entry["reserve"])
    tables, statuses, taken, replaced = list[pd.DataFrame](), [], [], []
    for drawn in entry["runs"]:
        run: Mapping[str, Any] | None = drawn
        while run is not None:
            model = run["flow_name"]
            outcome = _try_run(name, run, task, service, is_left_out=run["run"] in entry["left_out"])
            if isinstance(outcome, _UsableRun):
                tables.append(outcome.predictions.assign(task=name, model=model))
                statuses.append((name, model, "ok", "; ".join(outcome.record["notes"])))
                taken.append(outcome.record)
                break
            if outcome.error:
                failed_runs.append(outcome)
            successor = next(reserve, None)
            by = successor["run"] if successor else None
            replaced.append({"run": run["run"], "flow_name": model, "reason": outcome.reason, "by": by})
            log.warning("%s: run %s %s; replaced by run %s", name, run["run"], outcome.reason, by)
            if successor is None:
                statuses.append((name, model, f"run {run['run']} {outcome.reason}", ""))
            run = successor
    return _archived_task(name, tables, statuses, task.record | {"taken": taken, "replaced": replaced})


def _try_run(
    name: str, run: Mapping[str, Any], task: OpenMLTask, service: OpenML, *, is_left_out: bool
) -> _UsableRun | _UnusableRun:
    """Download the predictions of a run, and check whether it can serve."""
    if is_left_out:
        return _UnusableRun("is left out by the configuration")
    what = f"Data set {name!r}, run {run['run']}"
    address = service.address(f"run/{run['run']}")
    try:
        file = service.fetch(address, what, partial(_find_predictions_file, run["run"]))
        # We build the address from the number: the host in the document may be gone, and any file name serves.
        address = f"{service.data}/data/download/{file}/predictions.arff"
        usable = service.fetch(address, what, partial(_accept_predictions, run, task), "predictions")
    except DownloadError as error:
        if not error.lasting:
            way_out = f"name run {run['run']} {_LEAVE_OUT}.runs in the configuration"
            raise error.or_else(way_out) from None
        return _UnusableRun(str(error.answer), address, error)
    usable.record["notes"] = list(map(service.client.clean, usable.record["notes"]))
    for note in usable.record["notes"]:
        log.warning("%s: run %s is used in spite of this: %s", name, run["run"], note)
    return usable


def _find_predictions_file(run: int, body: bytes) -> int:
    """Return the number of the predictions file in the description of a run."""
    document = read_document(body, "run")
    if int(document["oml:run_id"]) != run:
        raise WrongAnswer(f"describes another run than {run}")
    if error := document.get("oml:error"):
        raise SuspectDocument(f"failed at OpenML ({shortened(' '.join(str(error).split()), 500)})")
    for file in as_list((document.get("oml:output_data") or {}).get("oml:file")):
        if file.get("oml:name") == "predictions" and file.get("oml:file_id"):
            return int(file["oml:file_id"])
    raise SuspectDocument("has no predictions file")


def _accept_predictions(run: Mapping[str, Any], task: OpenMLTask, content: bytes) -> _UsableRun:
    """Return the run that a predictions file holds; SuspectDocument if it cannot serve or has other areas."""
    # No digest would show damage, so the client downloads a suspect file once more.
    try:
        rows, notes = read_predictions_file(content)
        checked = check_predictions(rows, task.table[TARGET], task.fold, task.record["positive"])
    except ValueError as error:
        raise SuspectDocument(str(error)) from None
    notes += checked.notes
    archived = run["areas"]
    computed = [checked.areas[label.strip()] for label in task.record["labels"]]
    differences = [round(ours - theirs, AREA_DIGITS) for ours, theirs in zip(computed, archived, strict=True)]
    record = {
        "run": run["run"],
        "flow_name": run["flow_name"],
        "areas_archived": archived,
        "areas_found": computed,
        "difference": differences,
        "distinct_scores": int(checked.table["score"].nunique()),
        "notes": notes,
    }
    usable = _UsableRun(checked.table, record)
    if max(map(abs, differences)) > _MAX_AREA_DIFFERENCE:
        notes.append(f"areas under the ROC curve {computed} where the archive has {archived}")
        raise SuspectDocument(f"gives {notes[-1]}", content=usable)
    return usable


def _archived_task(
    name: str,
    tables: Sequence[pd.DataFrame],
    statuses: list[tuple[str, str, str, str]],
    record: dict[str, Any],
) -> ArchivedTask:
    """Return a task with the predictions of all its runs in one table, and their statuses in another."""
    none = pd.DataFrame(columns=_PREDICTION_COLUMNS)
    predictions = pd.concat(tables, ignore_index=True)[_PREDICTION_COLUMNS] if tables else none
    runs = pd.DataFrame(statuses, columns=["task", "model", "status", "warnings"])
    return ArchivedTask(name, predictions, runs, record)


def _advise_leaving_out(tasks: Collection[Mapping[str, Any]]) -> str:
    """Return the advice to name some tasks under ``leave_out``."""
    names = ", ".join(f"task {task['task']}" for task in tasks)
    no_longer = ", and no longer under openml.archive.always" if any(task["always"] for task in tasks) else ""
    return f"name {names} {_LEAVE_OUT}.tasks in the configuration{no_longer}"
