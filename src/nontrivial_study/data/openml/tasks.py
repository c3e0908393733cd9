"""OpenML tasks to train on: data set, target and folds.

The package openml knows what the documents mean and how they hang together; it waits for ever, does not try again
where it should, and keeps a web page or half a file for good. So its requests go through `nontrivial_study.data.http.client`,
its own cache is a folder that lives as long as the reading of one task, and the result passes gates.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import openml
import pandas as pd
import pyarrow as pa

from nontrivial import arff
from nontrivial_study.data.canonical import TARGET, canonical_sha256, canonical_table, dataset_record
from nontrivial_study.data.http.failures import Advice, DownloadError, WrongAnswer
from nontrivial_study.data.http.limits import Limits
from nontrivial_study.data.http.reading import reading
from nontrivial_study.data.openml.service import OpenML
from nontrivial_study.data.openml.transport import MD5, transport

log = logging.getLogger(__name__)

_CROSS_VALIDATION = "crossvalidation"
_TAKE_OUT = "take the task out of openml.tasks in the configuration"


def fetch_task(
    name: str, task_id: int, service: OpenML, way_out: str = _TAKE_OUT
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Download a binary classification task.

    Parameters
    ----------
    name : str
        The data set's name in the study.
    task_id : int
    service : OpenML
    way_out : str
        What to do if the task cannot be had however often it is asked for.

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
    nontrivial_study.data.http.failures.DownloadError
        One sentence, if the task cannot be had, has not as many rows as OpenML counted, test folds that do not
        divide the rows, or other than two classes.
    """
    what = f"Data set {name!r} (OpenML task {task_id})"
    client = service.client

    def once() -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
        asked: list[str] = []
        kept_before = client.counts["kept"]
        try:
            loaded = _load_task(task_id, service, what, asked)
            with reading("leads to documents that do not fit together"):
                return _check_task(name, task_id, service, *loaded)
        except (WrongAnswer, DownloadError) as error:
            if isinstance(error, WrongAnswer) and not error.again:
                error.advice = Advice(way_out, last=True)
            if isinstance(error, DownloadError) and not error.lasting:
                raise
            for address in asked:
                client.forget(address)
            if client.counts["kept"] == kept_before:
                raise
            problem = client.clean(str(error))
            log.warning("%s: what was kept from earlier runs can no longer be used: %s", what, problem)
        return once()

    try:
        return client.attempt(once, what, service.address(f"task/{task_id}"))
    except DownloadError as error:
        raise error.or_else(way_out) from None


def _load_task(
    task_id: int, service: OpenML, what: str, asked: list[str]
) -> tuple[Any, Any, pd.DataFrame, list[np.ndarray]]:
    """Let the package openml read a task, its data set, and the test rows of each fold of its first repeat.

    Each document is read before the next is asked for, so that the one that cannot be read is the last of `asked`.
    """

    def unreadable(said: str) -> str:
        own = asked[-1] == service.address(f"task/{task_id}")
        return f"{'' if own else f'leads to {asked[-1]}, which '}cannot be read ({said})"

    with tempfile.TemporaryDirectory() as folder, transport(service, what, asked):
        openml.config.set_root_cache_directory(folder)
        with reading(unreadable):
            task = openml.tasks.get_task(task_id, download_splits=True)
            _, folds, _ = task.get_split_dimensions()
            tests = [task.get_train_test_split_indices(repeat=0, fold=k)[1] for k in range(folds)]
            described: dict[str, Any] = {"download_qualities": True, "download_features_meta_data": True}
            openml.datasets.get_dataset(task.dataset_id, **described)
            data = openml.datasets.get_dataset(task.dataset_id, download_data=True, **described)
        with reading(unreadable, again=not _has_digest(data)):
            columns = _read_columns(data, service.client.limits)
            return task, data, columns, tests  # while the file's folder is there


def _has_digest(data: Any) -> bool:
    """Tell whether OpenML states a digest of the file; in some descriptions the words "NotApplicable" stand there."""
    return bool(MD5.fullmatch(str(data.md5_checksum)))


def _read_columns(data: Any, limits: Limits) -> pd.DataFrame:
    """Return the columns of a data set, the target among them, without those that OpenML says to leave out.

    The package openml gives sparse sets in single precision, with codes in place of labels and without the rows and
    columns at the end that name no cell, and it turns the labels TRUE and FALSE into True and False.
    """
    unwanted = [data.row_id_attribute, data.ignore_attribute]
    names = [name for entry in unwanted if entry for name in ([entry] if isinstance(entry, str) else entry)]
    with Path(data.data_file).open(encoding="utf-8") as file:
        lines = enumerate(file, start=1)
        attributes = arff.read_header(lines)
        places = [place for place, attribute in enumerate(attributes) if attribute.name not in names]
        rows = arff.read_batches(lines, attributes, places, most_cells=limits.most_cells("data"))
        table = pa.Table.from_batches(rows)
    numbers = {attributes[place].name for place in places if attributes[place].is_number}
    columns = zip(table.column_names, table.columns, strict=True)
    return pd.DataFrame(
        {
            name: (cells.cast(pa.float64()) if name in numbers else cells).to_pandas()
            for name, cells in columns
        }
    )


def _check_task(
    name: str,
    task_id: int,
    service: OpenML,
    task: Any,
    data: Any,
    columns: pd.DataFrame,
    tests: list[np.ndarray],
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Pass a task through the gates and give it the study's form."""
    again = not _has_digest(data)  # a digest vouches for the data: another try would bring the same
    if task.task_id != task_id:
        raise WrongAnswer(f"describes another task than {task_id}")
    if data.dataset_id != task.dataset_id:
        address = service.address(f"data/{task.dataset_id}")
        raise WrongAnswer(f"leads to {address}, which describes another data set")
    procedure = task.estimation_procedure["type"]
    if procedure != _CROSS_VALIDATION:
        raise WrongAnswer(f"is evaluated by {procedure} where {_CROSS_VALIDATION} is needed", again=False)
    rows = len(columns)
    counted = (data.qualities or {}).get("NumberOfInstances")
    if counted is None or np.isnan(counted):
        log.warning("%s: OpenML does not state the number of rows; its folds must cover all %d", name, rows)
    elif rows != counted:
        raise WrongAnswer(
            f"leads to a data set of {rows} rows where OpenML counts {counted:.0f}", again=again
        )
    if task.target_name not in columns:
        raise WrongAnswer(
            f"names the target {task.target_name!r}, which its data set does not have", again=again
        )
    target = columns[task.target_name]
    if target.isna().any():
        raise WrongAnswer(f"leads to a target with {int(target.isna().sum())} missing values", again=again)
    declared = _declared(data, task.target_name)
    labels = target.astype(str)
    counts = {label: int(count) for label, count in labels.value_counts().sort_index().items()}
    if len(counts) != 2:
        raise WrongAnswer(f"leads to a target of {len(counts)} classes where two are needed", again=again)
    features = columns.drop(columns=task.target_name).rename(columns={TARGET: f"{TARGET} (feature)"})
    table = canonical_table(features, labels, {label: label for label in counts})
    entry = {
        "title": f"{data.name} (version {data.version})",
        "source": "OpenML",
        "uci_id": None,
        "address": f"https://www.openml.org/d/{data.dataset_id}",
        "licence": data.licence or "none stated at OpenML",
        "rows": rows,
        "features": features.shape[1],
        "classes": counts,
        "sha256": canonical_sha256(table),
    }
    record = dataset_record(name, table, entry)
    md5 = data.md5_checksum if _has_digest(data) else None
    order = [label for label in declared if label in counts]
    record |= {"openml_task": task_id, "openml_data": data.dataset_id, "md5": md5}
    record |= {"labels": order if len(order) == len(counts) else list(counts)}
    return table, _folds(tests, rows, service.address(task.estimation_procedure["data_splits_url"])), record


def _declared(data: Any, target: str) -> list[str]:
    """Return the target's labels in the file's order and spelling."""
    return {feature.name: feature.nominal_values for feature in data.features.values()}.get(target) or []


def _folds(tests: list[np.ndarray], rows: int, address: str) -> np.ndarray:
    """Return the fold in which each row is tested, as the file at an address says."""
    fold = np.full(rows, -1, dtype=np.int8)
    tested = np.zeros(rows, dtype=int)
    for number, test in enumerate(tests):
        if len(test) and not 0 <= test.min() <= test.max() < rows:
            raise WrongAnswer(f"leads to {address}, whose folds have rows that the data set does not have")
        np.add.at(tested, test, 1)
        fold[test] = number
    if (tested != 1).any():
        wrong = int((tested != 1).sum())
        raise WrongAnswer(f"leads to {address}, whose test folds miss or repeat {wrong} of {rows} rows")
    return fold
