"""Archived runs of a task as predictions of the study: each file is checked, and what cannot serve is replaced."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from nontrivial_study.data.canonical import TARGET
from nontrivial_study.data.http.addresses import joined
from nontrivial_study.data.http.failures import DownloadError, OddAnswer, WrongAnswer
from nontrivial_study.data.http.reading import whole_number
from nontrivial_study.data.openml.predictions_arff import FormatError, read_predictions
from nontrivial_study.data.openml.predictions_check import UnusableRun, check_predictions
from nontrivial_study.data.openml.service import XML, OpenML, read_document
from nontrivial_study.data.openml.tasks import fetch_task

T = TypeVar("T")
log = logging.getLogger(__name__)

_OK = "ok"
_LEFT_OUT = "is left out by the configuration"
_LEAVE_OUT = "under openml.archive.leave_out"
_DIGITS = 12
_LONGEST = 500  # letters of a reason that the archive gives
_TRIES_OF_A_PART = 3  # each after a longer pause: an archive may have hundreds of files that nothing can read
_NOTEWORTHY = 1e-4  # the archive rounds to six decimals
_KINDS = {
    "task": str,
    "model": str,
    "row": np.int64,
    "fold": np.int8,
    "truth": bool,
    "prediction": bool,
    "score": np.float64,
}


def fetch_archived_tasks(
    selected: Mapping[str, Mapping[str, Any]], service: OpenML, step: Callable[[], None] = lambda: None
) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame, dict[str, Any]]]:
    """Download archived tasks and the runs that were drawn for them, one task at a time.

    Parameters
    ----------
    selected : mapping of str to mapping
        Tasks of `nontrivial_study.data.openml.archive.take_tasks` by their name in the study. Runs under ``left_out`` are
        not asked for.
    service : OpenML
    step : callable
        Called after each of the runs that were drawn.

    Yields
    ------
    name : str
    predictions, runs : DataFrame
        As `training.train_task` returns them; the models are flows. A run that cannot serve and
        has no successor left, and every run of a task that cannot serve, is in `runs` with its reason.
    record : dict
        The data set's record, with ``taken``: for each run the archived areas, those found and their differences,
        the number of different scores, and what was odd; and ``replaced``: the runs that cannot serve, why, and
        which took their place. For a task that cannot serve ``name``, ``task`` and ``reason``.

    Raises
    ------
    nontrivial_study.data.http.failures.DownloadError
        If the service fails, none of the tasks can serve, or none of all the runs that were asked for: what is so
        wrong everywhere is more likely the service than the runs.
    """
    failures, taken = 0, 0
    refused: dict[int, list[DownloadError]] = {}
    for name, one in selected.items():
        try:
            task = _twice(partial(fetch_task, name, one["task"], service, _without([one])), service)
        except DownloadError as error:
            failures += 1
            if not error.lasting or failures == len(selected):
                raise
            log.warning("%s", error)
            statuses = [(name, run["flow_name"], str(error), "") for run in one["runs"]]
            for _ in statuses:
                step()
            record = {"name": name, "task": one["task"], "reason": str(error)}
            yield name, _no_predictions(), _table_of_runs(statuses), record
        else:
            said = refused[one["task"]] = []
            predictions, runs, record = _fetch_runs(name, one, task, service, step, said)
            taken += len(record["taken"])
            yield name, predictions, runs, record
    failed = [failure for said in refused.values() for failure in said]
    if failed and not taken:
        unserved = [one for one in selected.values() if refused.get(one["task"])]
        first = f"None of {len(failed)} archived runs can be used; the first: {failed[0].problem}"
        raise DownloadError(first, failed[0].advice, _without(unserved))


def _fetch_runs(
    name: str,
    selected: Mapping[str, Any],
    task: tuple[pd.DataFrame, np.ndarray, dict[str, Any]],
    service: OpenML,
    step: Callable[[], None],
    refused: list[DownloadError],
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Download the runs that were drawn for a task, and as many of its reserve as are needed.

    `refused` takes a failure for each run that was asked for and cannot serve.
    """
    table, fold, record = task
    # The truth is that of the data set; what the files say of it is not relied on.
    case = _Case(table[TARGET].to_numpy(dtype=object), fold, record, service)
    waiting = list(selected["reserve"])
    tables, statuses, taken, replaced = [_no_predictions()], [], [], []
    for drawn in selected["runs"]:
        run: Mapping[str, Any] | None = drawn
        while run:
            try:
                if run["run"] in selected["left_out"]:
                    raise UnusableRun(_LEFT_OUT)
                predictions, found = case.fetch(run, refused)
            except UnusableRun as reason:
                successor = waiting.pop(0) if waiting else None
                by = successor["run"] if successor else None
                replaced.append(
                    {"run": run["run"], "flow_name": run["flow_name"], "reason": str(reason), "by": by}
                )
                log.warning("%s: run %s %s; replaced by run %s", name, run["run"], reason, by)
                if successor is None:
                    statuses.append((name, run["flow_name"], f"run {run['run']} {reason}", ""))
                run = successor
                continue
            for note in found["notes"]:
                log.warning("%s: run %s is used in spite of this: %s", name, run["run"], note)
            tables.append(predictions.assign(task=name, model=run["flow_name"]))
            statuses.append((name, run["flow_name"], _OK, "; ".join(found["notes"])))
            taken.append(found)
            break
        step()
    predictions = pd.concat(tables, ignore_index=True)[list(_KINDS)]
    return predictions, _table_of_runs(statuses), record | {"taken": taken, "replaced": replaced}


def _twice(action: Callable[[], T], service: OpenML) -> T:
    """Return what an action returns; where the service says no, it is asked once more after the usual pause."""
    try:
        return action()
    except DownloadError as error:
        if not error.lasting:
            raise
    time.sleep(service.client.limits.pause)
    return action()


def _without(tasks: Sequence[Mapping[str, Any]]) -> str:
    """Say how the study does without some tasks."""
    named = ", ".join(f"task {one['task']}" for one in tasks)
    no_longer = ", and no longer under openml.archive.always" if any(one["always"] for one in tasks) else ""
    return f"name {named} {_LEAVE_OUT}.tasks in the configuration{no_longer}"


def _odd(unusable: UnusableRun) -> OddAnswer:
    """Return what makes a run unusable as an answer that may be another at the next try."""
    return OddAnswer(str(unusable), unusable, needed=2 if unusable.whole else _TRIES_OF_A_PART)


def _no_predictions() -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in _KINDS.items()})


def _table_of_runs(statuses: list[tuple[str, str, str, str]]) -> pd.DataFrame:
    return pd.DataFrame(statuses, columns=["task", "model", "status", "warnings"])


@dataclass(frozen=True)
class _Case:
    """A task whose runs are to be judged."""

    truth: np.ndarray
    fold: np.ndarray
    record: Mapping[str, Any]
    service: OpenML

    def fetch(
        self, run: Mapping[str, Any], refused: list[DownloadError]
    ) -> tuple[pd.DataFrame, dict[str, Any]]:
        """Download a run and check its predictions; add to `refused` what is wrong with it, and where."""
        what = f"Data set {self.record['name']!r}, run {run['run']}"
        clean = self.service.client.clean

        def ask() -> tuple[str, tuple[pd.DataFrame, dict[str, Any]] | UnusableRun]:
            about = self.service.address(f"run/{run['run']}")
            address = self.service.fetch(
                about, what, partial(self._predictions_address, run["run"]), form=XML
            )
            if isinstance(address, UnusableRun):
                return about, address
            judged = partial(self._judged, run)
            form = "predictions in ARFF"
            return address, self.service.fetch(address, what, judged, kind="predictions", form=form)

        try:
            address, found = _twice(ask, self.service)
        except DownloadError as error:
            if not error.lasting:
                raise error.or_else(f"name run {run['run']} {_LEAVE_OUT}.runs in the configuration") from None
            refused.append(error)
            raise UnusableRun(f"cannot be fetched ({error})") from None
        if isinstance(found, UnusableRun):
            self.service.client.forget(address)  # it may be better another time
            problem = clean(str(found))
            refused.append(DownloadError(clean(f"{what}: {address} {problem}")))
            raise UnusableRun(problem)
        table, about = found
        return table, about | {"notes": list(map(clean, about["notes"]))}

    def _predictions_address(self, number: int, body: bytes) -> str:
        """Return where the predictions of a described run are; raise OddAnswer if it has none."""
        document = read_document(body, "run")
        if whole_number(document["oml:run_id"]) != number:
            raise WrongAnswer(f"describes another run than {number}")
        error = document.get("oml:error")
        if error:
            raise _odd(UnusableRun(f"failed at OpenML ({' '.join(str(error).split())[:_LONGEST]})"))
        files = (document.get("oml:output_data") or {}).get("oml:file") or []
        for file in files if isinstance(files, list) else [files]:
            if file.get("oml:name") == "predictions" and file.get("oml:file_id"):
                place = whole_number(file["oml:file_id"])
                # The document's address may name a host that is gone, and a file may stand under any name.
                return joined(self.service.data, f"data/download/{place}/predictions.arff")
        raise _odd(UnusableRun("has no predictions file"))

    def _judged(self, run: Mapping[str, Any], content: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
        """Return the predictions of a file and what was found in it, if it can serve.

        Raises
        ------
        OddAnswer
            If it cannot serve, with an UnusableRun as result, or does not give the archived areas: it has no digest
            that would show damage. One that may be a part of the file is asked for once more than others.
        """
        try:
            read = read_predictions(content)
            table, by_class, notes = check_predictions(read, self.truth, self.fold, self.record["positive"])
        except FormatError as error:
            raise _odd(UnusableRun(str(error), whole=False)) from None
        except UnusableRun as unusable:
            raise _odd(unusable) from None
        archived = run["areas"]
        found = [by_class[label.strip()] for label in self.record["labels"]]
        differences = [round(a - b, _DIGITS) for a, b in zip(found, archived, strict=True)]
        other = f"areas under the ROC curve {found} where the archive has {archived}"
        differs = max(map(abs, differences)) > _NOTEWORTHY
        if differs:
            notes.append(other)
        judged = (
            table,
            {
                "run": run["run"],
                "flow_name": run["flow_name"],
                "areas_archived": archived,
                "areas_found": found,
                "difference": differences,
                "distinct_scores": int(table["score"].nunique()),
                "notes": notes,
            },
        )
        if differs:
            raise OddAnswer(f"gives {other}", judged)
        return judged
