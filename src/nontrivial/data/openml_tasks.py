"""OpenML tasks to train on: data set, target and folds.

The package openml knows what the documents mean and how they hang together; it waits for ever, does not try again
where it should, and keeps a web page or half a file for good. So its requests go through `nontrivial.data.http`,
its own cache is a folder that lives as long as the reading of one task, and the result passes gates.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import openml
import pandas as pd

from nontrivial.data.canonical import TARGET, canonical_sha256, canonical_table, dataset_record
from nontrivial.data.http import AGAIN, DownloadError, WrongAnswer
from nontrivial.data.openml_api import OpenML

_CROSS_VALIDATION = "crossvalidation"
_LASTING = f"{AGAIN}; if it stays so, take the task out of openml.tasks in the configuration"


def fetch_task(name: str, task_id: int, service: OpenML) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Download a binary classification task.

    Parameters
    ----------
    name : str
        The data set's name in the study.
    task_id : int
    service : OpenML

    Returns
    -------
    table : DataFrame
        The data set in canonical form, texts and missing values as they are.
    fold : ndarray of shape (n_rows,), int8
        The fold of the task's own cross-validation in which each row is tested.
    record : dict
        What ``data/<dataset>.json`` holds.

    Raises
    ------
    nontrivial.data.http.DownloadError
        One sentence, if the task cannot be had, has not as many rows as OpenML counted, test folds that do not
        divide the rows, or other than two classes.
    """
    what = f"Data set {name!r} (OpenML task {task_id})"
    asked: list[str] = []

    def once() -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
        asked.clear()
        try:
            return _check_task(name, task_id, *_load_task(task_id, service, what, asked))
        except WrongAnswer:
            for address in asked:
                service.client.forget(address)
            raise

    return service.client.attempt(once, what, service.address(f"task/{task_id}"))


def _load_task(
    task_id: int, service: OpenML, what: str, asked: list[str]
) -> tuple[Any, Any, tuple, list[np.ndarray]]:
    """Let the package openml read a task, its data set, and the test rows of each fold of its first repeat."""
    with tempfile.TemporaryDirectory() as folder, _transport(service, what, asked):
        openml.config.set_root_cache_directory(folder)
        try:
            task = openml.tasks.get_task(task_id, download_splits=True)
            data = openml.datasets.get_dataset(
                task.dataset_id,
                download_data=True,
                download_qualities=True,
                download_features_meta_data=True,
            )
            columns = data.get_data(target=task.target_name)  # reads the file while its folder is there
            _, folds, _ = task.get_split_dimensions()
            tests = [task.get_train_test_split_indices(repeat=0, fold=k)[1] for k in range(folds)]
        except (DownloadError, WrongAnswer):
            raise
        except Exception as error:  # a damaged document can do anything to the package's readers
            reason = " ".join(str(error).split())[:200]
            raise WrongAnswer(
                f"leads to documents that cannot be read ({type(error).__name__}: {reason})", _LASTING
            ) from error
        return task, data, columns[:2], tests


@contextlib.contextmanager
def _transport(service: OpenML, what: str, asked: list[str]) -> Iterator[None]:
    """Send the requests of the package openml through the service's client."""

    def send(
        request_method: str, url: str, data: dict, files: None = None, md5_checksum: str | None = None
    ) -> SimpleNamespace:
        if request_method != "get" or files:
            raise ValueError("Only reading is allowed.")
        address = service.address(url)
        asked.append(address)

        def accept(body: bytes) -> bytes:
            digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
            if md5_checksum and digest != md5_checksum:
                # The digest comes from the description; if that is what is wrong, a kept one would stay wrong.
                raise WrongAnswer(
                    f"has md5 {digest} where OpenML's description says {md5_checksum}", _LASTING
                )
            return body

        try:
            body = service.fetch(url, what, accept)
        except DownloadError:
            for earlier in asked:
                service.client.forget(earlier)
            raise
        text = body.decode("utf-8", errors="replace")
        return SimpleNamespace(status_code=200, headers={"Content-Encoding": "gzip"}, content=body, text=text)

    calls, settings = openml._api_calls, openml.config
    before = calls._send_request, settings.server, settings.apikey, os.environ.get("OPENML_SKIP_PARQUET")
    calls._send_request, settings.server, settings.apikey = send, service.api, ""
    os.environ["OPENML_SKIP_PARQUET"] = "true"  # parquet comes without a digest
    try:
        yield
    finally:
        calls._send_request, settings.server, settings.apikey = before[:3]
        os.environ.pop("OPENML_SKIP_PARQUET")
        if before[3] is not None:
            os.environ["OPENML_SKIP_PARQUET"] = before[3]


def _check_task(
    name: str, task_id: int, task: Any, data: Any, columns: tuple, tests: list[np.ndarray]
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Pass a task through the gates and give it the study's form."""
    features, target = columns
    rows = int(float((data.qualities or {}).get("NumberOfInstances", len(target))))
    if len(target) != rows:
        raise WrongAnswer(f"leads to a data set of {len(target)} rows where OpenML counts {rows}", _LASTING)
    if target.isna().any():
        raise WrongAnswer(f"leads to a target with {int(target.isna().sum())} missing values", _LASTING)
    labels = target.astype(str).replace(_spellings(data, target.name))
    counts = {label: int(count) for label, count in labels.value_counts().sort_index().items()}
    if len(counts) != 2:
        raise WrongAnswer(f"leads to a target of {len(counts)} classes where two are needed", _LASTING)
    features = features.rename(columns={TARGET: f"{TARGET} (feature)"})
    table = canonical_table(features, labels, {label: label for label in counts})
    entry = {
        "title": f"{data.name} (version {data.version})",
        "source": "OpenML",
        "uci_id": None,
        "licence": data.licence or "none stated at OpenML",
        "rows": rows,
        "features": features.shape[1],
        "classes": counts,
        "sha256": canonical_sha256(table),
    }
    record = dataset_record(name, table, entry)
    record |= {"openml_task": task_id, "openml_data": data.dataset_id, "md5": data.md5_checksum}
    return table, _folds(task.estimation_procedure["type"], tests, rows), record


def _spellings(data: Any, target: str) -> dict[str, str]:
    """Return the file's own words for True and False, into which the package openml turns labels such as TRUE."""
    [declared] = [feature.nominal_values for feature in data.features.values() if feature.name == target]
    spelt = {label.lower().capitalize(): label for label in declared or ()}
    return spelt if set(spelt) == {"True", "False"} else {}


def _folds(procedure: str, tests: list[np.ndarray], rows: int) -> np.ndarray:
    """Return the fold in which each row is tested."""
    if procedure != _CROSS_VALIDATION:
        raise WrongAnswer(f"is evaluated by {procedure} where {_CROSS_VALIDATION} is needed", _LASTING)
    fold = np.full(rows, -1, dtype=np.int8)
    tested = np.zeros(rows, dtype=int)
    for number, test in enumerate(tests):
        if len(test) and not 0 <= test.min() <= test.max() < rows:
            raise WrongAnswer("leads to folds with rows that the data set does not have", _LASTING)
        np.add.at(tested, test, 1)
        fold[test] = number
    if (tested != 1).any():
        wrong = int((tested != 1).sum())
        raise WrongAnswer(f"leads to test folds that miss or repeat {wrong} of {rows} rows", _LASTING)
    return fold
