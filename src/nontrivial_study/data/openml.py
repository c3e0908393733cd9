"""OpenML: its addresses, its XML and its refusals; tasks to train on, with data set, target and folds.

The package openml waits for ever, does not try again where it should, and keeps a web page or half a file for good. So
`data.http` fetches the documents, and openml reads copies of them in a folder that it takes for its cache.
"""

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
import openml
import pandas as pd
import pyarrow as pa
import tenacity
import xmltodict

from nontrivial.reading import arff
from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import TARGET, canonical_sha256, canonical_table, dataset_record
from nontrivial_study.data.http import Client, DownloadError, WrongAnswer, is_refusal, reading

T = TypeVar("T")
log = logging.getLogger(__name__)

KEY_VARIABLE = "OPENML_API_KEY"
_OVERLOADED = {"107"}  # the database has too many connections
_EMPTY = {"372", "482", "500", "512", "542"}  # no results
_KEY = {"102", "103"}  # the key is missing or not known
_CROSS_VALIDATION = "crossvalidation"
_TAKE_OUT = "take the task out of openml.tasks in the configuration"
_MOST_CELLS = 13_000_000  # of a table, those that a sparse one does not name among them
_TYPE = b"<oml:task_type>Supervised Classification</oml:task_type>"


class OpenML:
    """An OpenML server, or one that speaks its protocol: base addresses of its API and its files, and a client."""

    def __init__(self, api: str, data: str, client: Client) -> None:
        self.api, self.data, self.client = api.rstrip("/"), data.rstrip("/"), client

    def address(self, path: str) -> str:
        """Return the address of an API document, or of a file that a document names by an absolute address."""
        parts = urlsplit(path)
        return f"{self.data}/{parts.path.lstrip('/')}" if parts.scheme else f"{self.api}/{path}"

    def fetch(self, path: str, what: str, accept: Callable[[bytes], T], kind: str = "descriptions") -> T:
        """Return a document or file, as `accept` reads it; see `nontrivial_study.data.http.Client.get`."""

        def read(body: bytes) -> T:
            if is_refusal(body):
                raise read_refusal(body)
            return accept(body)

        return self.client.get(self.address(path), what, read, kind=kind)

    def listed(self, path: str, what: str, root: str, entry: str) -> list[dict[str, Any]]:
        """Return the entries of a list, none where the server says that it has no results."""

        def read(body: bytes) -> list[dict[str, Any]]:
            if not is_refusal(body):
                return as_list(read_document(body, root).get(f"oml:{entry}"))
            if _code(body)[0] in _EMPTY:
                return []
            raise read_refusal(body)

        return self.client.get(self.address(path), what, read, kind="lists")


def secret_parameters() -> dict[str, str]:
    """Return the key from the environment, if there is one. Reading needs none."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    return {"api_key": key} if key else {}


def read_document(body: bytes, root: str) -> dict[str, Any]:
    """Return the content of a document with this root, its tags with their ``oml:`` prefix."""
    document = xmltodict.parse(body, disable_entities=True)
    if f"oml:{root}" not in document:
        other = next(iter(document))[:60]
        raise WrongAnswer(f"answered with the document {other!r} in place of 'oml:{root}'")
    content = document[f"oml:{root}"]
    return content if isinstance(content, dict) else {}


def as_list(entries: Any) -> list[Any]:
    """Return what a document has of a tag: xmltodict gives several as a list, one as itself and none as None."""
    return entries if isinstance(entries, list) else [entries] if entries else []


def read_refusal(body: bytes) -> WrongAnswer:
    """Return what an explanation of OpenML says."""
    code, message = _code(body)
    problem = f"refused with code {code[:20]}: {shortened(message, 500)}"
    if code in _OVERLOADED:
        return WrongAnswer(problem, again="always")
    if code in _KEY:
        advice = f"check {KEY_VARIABLE} in the environment, or unset it: reading needs no key"
        return WrongAnswer(problem, advice, again="never", everywhere=True)
    advice = "check the ids and the base addresses under openml in the configuration"
    return WrongAnswer(problem, advice)


def _code(body: bytes) -> tuple[str, str]:
    """Return code and message of a refusal."""
    error = read_document(body, "error")
    code, message = (" ".join(str(error.get(key) or "").split()) for key in ("oml:code", "oml:message"))
    return code, message


def fetch_task(
    name: str, task_id: int, service: OpenML, way_out: str = _TAKE_OUT
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Download a binary classification task."""
    what = f"Data set {name!r} (OpenML task {task_id})"

    def once() -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
        asked: list[str] = []
        try:
            with reading("leads to documents that cannot be read"):
                return _fetch_task(name, task_id, service, what, asked)
        except WrongAnswer as wrong:
            error = service.client.failure(what, asked[0], wrong, lasting=True)
        except DownloadError as failure:
            error = failure
        if error.lasting:  # nobody can tell which document is wrong, or which kept copy is out of date
            log.warning("%s The documents of the task are kept no longer.", error)
            for address in asked:
                service.client.forget(address)
        raise error.or_else(way_out)

    again = tenacity.retry_if_exception(lambda error: isinstance(error, DownloadError) and error.lasting)
    return tenacity.Retrying(retry=again, stop=tenacity.stop_after_attempt(2), reraise=True)(once)


def _fetch_task(
    name: str, task_id: int, service: OpenML, what: str, asked: list[str]
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Fetch the documents of a task, add their addresses to `asked`, and return what they hold."""

    def get(path: str, accept: Callable[[bytes], T], kind: str = "descriptions") -> T:
        asked.append(service.address(path))
        return service.fetch(path, what, accept, kind)

    def check_md5(body: bytes) -> bytes:
        found = hashlib.md5(body, usedforsecurity=False).hexdigest()
        if _is_md5(md5) and found != md5:
            raise WrongAnswer(f"has md5 {found} where OpenML's description says {md5}")
        return body

    task_xml, task = get(f"task/{task_id}", partial(_described, "task", "task", task_id))
    inputs = {part["@name"]: part for part in as_list(task["oml:input"])}
    procedure = inputs["estimation_procedure"]["oml:estimation_procedure"]
    if procedure["oml:type"] != _CROSS_VALIDATION:
        raise WrongAnswer(f"is evaluated by {procedure['oml:type']} where {_CROSS_VALIDATION} is needed")
    if b"<oml:task_type_id>" not in task_xml:  # which openml needs, and old descriptions lack
        task_xml = task_xml.replace(_TYPE, b"<oml:task_type_id>1</oml:task_type_id>" + _TYPE)
    data_id = int(inputs["source_data"]["oml:data_set"]["oml:data_set_id"])
    data_xml, data = get(f"data/{data_id}", partial(_described, "data_set_description", "data set", data_id))
    md5 = str(data.get("oml:md5_checksum") or "").lower()
    copies = {
        f"tasks/{task_id}/task.xml": task_xml,
        f"tasks/{task_id}/datasplits.arff": get(procedure["oml:data_splits_url"], bytes, "splits"),
        f"datasets/{data_id}/description.xml": data_xml,
        f"datasets/{data_id}/dataset.arff": get(data["oml:url"], check_md5, "data"),
    }
    for part in ("features", "qualities"):
        document, _ = get(f"data/{part}/{data_id}", partial(_described, f"data_{part}", "", 0))
        copies[f"datasets/{data_id}/{part}.xml"] = document
    return _checked(name, *_read_copies(task_id, data_id, copies))


def _described(root: str, thing: str, number: int, body: bytes) -> tuple[bytes, dict[str, Any]]:
    """Return a document and its content, after comparing the number of what it describes."""
    document = read_document(body, root)
    if thing and int(document["oml:task_id" if thing == "task" else "oml:id"]) != number:
        raise WrongAnswer(f"describes another {thing} than {number}")
    return body, document


def _read_copies(
    task_id: int, data_id: int, copies: Mapping[str, bytes]
) -> tuple[Any, Any, pd.DataFrame, list[np.ndarray]]:
    """Let the package openml read a task, its data set, and the test rows of each fold of its first repeat."""
    os.environ["OPENML_SKIP_PARQUET"] = "true"  # parquet comes without a digest
    with tempfile.TemporaryDirectory() as folder:
        openml.config.set_root_cache_directory(folder)
        for path, body in copies.items():
            copy = Path(openml.config.get_cache_directory(), path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(body.replace(b"\0", b""))
        task = openml.tasks.get_task(task_id, download_splits=True)
        _, folds, _ = task.get_split_dimensions()
        tests = [task.get_train_test_split_indices(repeat=0, fold=k)[1] for k in range(folds)]
        data = openml.datasets.get_dataset(
            data_id, download_data=True, download_qualities=True, download_features_meta_data=True
        )
        return task, data, _read_columns(data), tests


def _read_columns(data: Any) -> pd.DataFrame:
    """Return the columns of a data set, the target among them, without those that OpenML says to leave out."""
    # The package openml gives sparse sets in single precision, with codes for labels and without the rows and columns
    # at the end that name no cell, and it turns the labels TRUE and FALSE into True and False.
    unwanted = {name for entry in (data.row_id_attribute, data.ignore_attribute) for name in as_list(entry)}
    with Path(data.data_file).open(encoding="utf-8") as file:
        lines = enumerate(file, start=1)
        attributes = arff.read_header(lines)
        places = [place for place, attribute in enumerate(attributes) if attribute.name not in unwanted]
        table = arff.read_table(lines, attributes, places, most_cells=_MOST_CELLS)
    kinds = [pa.float64() if attributes[place].is_number else pa.string() for place in places]
    columns: pd.DataFrame = table.cast(pa.schema(zip(table.column_names, kinds, strict=True))).to_pandas()
    return columns


def _checked(
    name: str, task: Any, data: Any, columns: pd.DataFrame, tests: list[np.ndarray]
) -> tuple[pd.DataFrame, np.ndarray, dict[str, Any]]:
    """Return a task in the study's form, or raise WrongAnswer if it cannot be studied."""
    rows, target = len(columns), task.target_name
    counted = (data.qualities or {}).get("NumberOfInstances")
    if counted is None or np.isnan(counted):
        log.warning("%s: OpenML does not state the number of rows; its folds must cover all %d", name, rows)
    elif rows != counted:
        raise WrongAnswer(f"leads to a data set of {rows} rows where OpenML counts {counted:.0f}")
    if target not in columns:
        raise WrongAnswer(f"names the target {target!r}, which its data set does not have")
    if missing := int(columns[target].isna().sum()):
        raise WrongAnswer(f"leads to a target with {missing} missing values")
    labels = columns[target].astype(str)
    counts = {label: int(count) for label, count in labels.value_counts().sort_index().items()}
    if len(counts) != 2:
        raise WrongAnswer(f"leads to a target of {len(counts)} classes where two are needed")
    features = columns.drop(columns=target).rename(columns={TARGET: f"{TARGET} (feature)"})
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
    declared = {feature.name: feature.nominal_values for feature in data.features.values()}.get(target)
    order = [label for label in declared or [] if label in counts]
    record = dataset_record(name, table, entry) | {
        "openml_task": task.task_id,
        "openml_data": data.dataset_id,
        "md5": data.md5_checksum if _is_md5(data.md5_checksum) else None,
        "labels": order if len(order) == len(counts) else list(counts),
    }
    return table, _folds(tests, rows), record


def _is_md5(text: str | None) -> bool:
    """Tell whether OpenML states a digest; in some descriptions the words "NotApplicable" stand there."""
    return bool(re.fullmatch("[0-9a-f]{32}", text or "", re.IGNORECASE))


def _folds(tests: list[np.ndarray], rows: int) -> np.ndarray:
    """Return the fold in which each row is tested."""
    tested = np.concatenate(tests)
    if len(tested) and not 0 <= tested.min() <= tested.max() < rows:
        raise WrongAnswer("leads to folds that have rows which the data set does not have")
    if wrong := int((np.bincount(tested, minlength=rows) != 1).sum()):
        raise WrongAnswer(f"leads to test folds that miss or repeat {wrong} of {rows} rows")
    fold = np.empty(rows, dtype=np.int8)
    for number, test in enumerate(tests):
        fold[test] = number
    return fold
