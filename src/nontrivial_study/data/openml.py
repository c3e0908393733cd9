"""OpenML: addresses, documents and refusals of its service, and tasks with data set, target and folds.

The package openml waits for ever, gives up after a passing fault, and keeps a web page or half a file for good. So
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
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import numpy as np
import openml
import pandas as pd
import pyarrow as pa
import tenacity
import xmltodict

from nontrivial.reading import arff
from nontrivial.terminal import shorten
from nontrivial_study.data.canonical import TARGET, Record, canonical_sha256, canonical_table, dataset_record
from nontrivial_study.data.download_errors import DownloadError, WrongAnswer, wrong_answer_on_error
from nontrivial_study.data.http import Client, is_refusal

T = TypeVar("T")
log = logging.getLogger(__name__)

KEY_VARIABLE = "OPENML_API_KEY"
_OVERLOAD_CODES = {"107"}  # the database has too many connections
_NO_RESULT_CODES = {"372", "482", "500", "512", "542"}
_WRONG_KEY_CODES = {"102", "103"}
_CROSS_VALIDATION = "crossvalidation"
_TAKE_OUT = "take the task out of openml.tasks in the configuration"
_MAX_DATASET_CELLS = 13_000_000  # including the cells that sparse rows leave out
_TASK_TYPE = b"<oml:task_type>Supervised Classification</oml:task_type>"


class OpenMLTask(NamedTuple):
    """A task in the study's form: its canonical table, the fold in which each row is tested, and its record."""

    table: pd.DataFrame
    fold: np.ndarray
    record: Record


class OpenML:
    """A server with OpenML's protocol: the base addresses of its API and its files, and a client."""

    def __init__(self, api: str, data: str, client: Client) -> None:
        self.api, self.data, self.client = api.rstrip("/"), data.rstrip("/"), client

    def address(self, path: str) -> str:
        """Return the address of an API document; for the absolute address of a file, its path on the data server."""
        parts = urlsplit(path)
        return f"{self.data}/{parts.path.lstrip('/')}" if parts.scheme else f"{self.api}/{path}"

    def fetch(self, path: str, what: str, accept: Callable[[bytes], T], kind: str = "descriptions") -> T:
        """Download a document or file by `Client.get`, and return what `accept` makes of it."""

        def accept_document(body: bytes) -> T:
            """Return what `accept` makes of the document. Raise WrongAnswer if it is a refusal."""
            if is_refusal(body):
                raise describe_refusal(body)
            return accept(body)

        return self.client.get(self.address(path), what, accept_document, kind=kind)

    def fetch_list(self, path: str, what: str, root: str, entry: str) -> list[Record]:
        """Return the entries of a list. Return an empty list if the server answers that it has no results."""

        def accept_list(body: bytes) -> list[Record]:
            if not is_refusal(body):
                return entries_of(read_document(body, root).get(f"oml:{entry}"))
            if _parse_refusal(body)[0] in _NO_RESULT_CODES:
                return []
            raise describe_refusal(body)

        return self.client.get(self.address(path), what, accept_list, kind="lists")


def secret_parameters() -> dict[str, str]:
    """Return the key from the environment as a query parameter if it is set. OpenML can be read without a key."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    return {"api_key": key} if key else {}


def read_document(body: bytes, root: str) -> Record:
    """Return the content of a document with this root. The names of its tags keep the prefix ``oml:``."""
    document = xmltodict.parse(body, disable_entities=True)
    if f"oml:{root}" not in document:
        actual_root = next(iter(document))[:60]
        raise WrongAnswer(f"answered with the document {actual_root!r} in place of 'oml:{root}'")
    content = document[f"oml:{root}"]
    return content if isinstance(content, dict) else {}


def entries_of(entries: Any) -> list[Any]:
    """Return the entries of a tag as a list. xmltodict gives a list only for several entries."""
    return entries if isinstance(entries, list) else [entries] if entries else []


def describe_refusal(body: bytes) -> WrongAnswer:
    """Return a WrongAnswer with the code, the message and our advice for a refusal of OpenML."""
    code, message = _parse_refusal(body)
    problem = f"refused with code {code[:20]}: {shorten(message, 500)}"
    if code in _OVERLOAD_CODES:
        return WrongAnswer(problem, retry="always")
    if code in _WRONG_KEY_CODES:
        advice = f"check {KEY_VARIABLE} in the environment, or unset it: reading needs no key"
        return WrongAnswer(problem, advice, retry="never", is_general=True)
    advice = "check the ids and the base addresses under openml in the configuration"
    return WrongAnswer(problem, advice)


def _parse_refusal(body: bytes) -> tuple[str, str]:
    """Return code and message of a refusal."""
    error = read_document(body, "error")
    code, message = (" ".join(str(error.get(key) or "").split()) for key in ("oml:code", "oml:message"))
    return code, message


def fetch_task(name: str, task_id: int, service: OpenML, way_out: str = _TAKE_OUT) -> OpenMLTask:
    """Download a binary classification task. Raise DownloadError with advice `way_out` if it cannot be studied."""
    what = f"Data set {name!r} (OpenML task {task_id})"

    def try_once() -> OpenMLTask:
        addresses: list[str] = []
        try:
            with wrong_answer_on_error("leads to documents that cannot be read"):
                documents = _fetch_documents(task_id, service, what, addresses)
                return _read_openml_task(name, task_id, documents)
        except WrongAnswer as wrong:
            error = service.client.failure(what, addresses[0], wrong, lasting=True)
        except DownloadError as failure:
            error = failure
        if error.lasting:  # we cannot tell which document is wrong, or which copy is out of date
            log.warning("%s The documents of the task are kept no longer.", error)
            for address in addresses:
                service.client.forget(address)
        raise error.or_else(way_out)

    is_lasting = tenacity.retry_if_exception(lambda error: isinstance(error, DownloadError) and error.lasting)
    return tenacity.Retrying(retry=is_lasting, stop=tenacity.stop_after_attempt(2), reraise=True)(try_once)


def _fetch_documents(task_id: int, service: OpenML, what: str, addresses: list[str]) -> dict[str, bytes]:
    """Return the documents of a task by their paths in openml's cache. Append their addresses to `addresses`."""

    def fetch_document(path: str, accept: Callable[[bytes], T], kind: str = "descriptions") -> T:
        addresses.append(service.address(path))
        return service.fetch(path, what, accept, kind)

    def check_md5(body: bytes) -> bytes:
        digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
        if _is_md5(md5) and digest != md5:
            raise WrongAnswer(f"has md5 {digest} where OpenML's description says {md5}")
        return body

    task_xml, task = fetch_document(f"task/{task_id}", partial(_parse_description, "task", "task", task_id))
    inputs = {part["@name"]: part for part in entries_of(task["oml:input"])}
    procedure = inputs["estimation_procedure"]["oml:estimation_procedure"]
    if procedure["oml:type"] != _CROSS_VALIDATION:
        raise WrongAnswer(f"is evaluated by {procedure['oml:type']} where {_CROSS_VALIDATION} is needed")
    if b"<oml:task_type_id>" not in task_xml:  # openml needs this tag, and old descriptions lack it
        task_xml = task_xml.replace(_TASK_TYPE, b"<oml:task_type_id>1</oml:task_type_id>" + _TASK_TYPE)
    data_id = int(inputs["source_data"]["oml:data_set"]["oml:data_set_id"])
    parse_data = partial(_parse_description, "data_set_description", "data set", data_id)
    data_xml, data = fetch_document(f"data/{data_id}", parse_data)
    md5 = str(data.get("oml:md5_checksum") or "").lower()
    documents = {
        f"tasks/{task_id}/task.xml": task_xml,
        f"tasks/{task_id}/datasplits.arff": fetch_document(procedure["oml:data_splits_url"], bytes, "splits"),
        f"datasets/{data_id}/description.xml": data_xml,
        f"datasets/{data_id}/dataset.arff": fetch_document(data["oml:url"], check_md5, "data"),
    }
    for part in ("features", "qualities"):
        parse_part = partial(_parse_description, f"data_{part}", "", 0)
        document, _ = fetch_document(f"data/{part}/{data_id}", parse_part)
        documents[f"datasets/{data_id}/{part}.xml"] = document
    return documents


def _parse_description(root: str, kind: str, number: int, body: bytes) -> tuple[bytes, Record]:
    """Return a document and its content. Raise WrongAnswer if it describes another task or data set."""
    document = read_document(body, root)
    if kind and int(document["oml:task_id" if kind == "task" else "oml:id"]) != number:
        raise WrongAnswer(f"describes another {kind} than {number}")
    return body, document


def _read_openml_task(name: str, task_id: int, documents: Mapping[str, bytes]) -> OpenMLTask:
    """Let the package openml read documents in a temporary folder that it takes for its cache."""
    os.environ["OPENML_SKIP_PARQUET"] = "true"  # parquet comes without a digest
    with tempfile.TemporaryDirectory() as folder:
        openml.config.set_root_cache_directory(folder)
        for path, body in documents.items():
            copy = Path(openml.config.get_cache_directory(), path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(body.replace(b"\0", b""))
        task = openml.tasks.get_task(task_id, download_splits=True)
        data = openml.datasets.get_dataset(
            task.dataset_id, download_data=True, download_qualities=True, download_features_meta_data=True
        )
        return _build_task(name, task, data)


def _read_columns(data: Any) -> pd.DataFrame:
    """Return the columns of a data set with its target. Leave out columns that OpenML says to ignore."""
    # The package openml would change the cells. In sparse sets it rounds numbers to single precision, replaces labels
    # by codes, and drops empty rows and columns at the end. In all sets it turns the label TRUE into True.
    attributes_left_out = (data.row_id_attribute, data.ignore_attribute)
    left_out = {name for attribute in attributes_left_out for name in entries_of(attribute)}
    with Path(data.data_file).open(encoding="utf-8") as file:
        lines = enumerate(file, start=1)
        attributes = arff.read_header(lines)
        positions = [i for i, attribute in enumerate(attributes) if attribute.name not in left_out]
        table = arff.read_rows(lines, attributes, positions, max_cells=_MAX_DATASET_CELLS)
    types = [pa.float64() if attributes[i].is_number else pa.string() for i in positions]
    columns: pd.DataFrame = table.cast(pa.schema(zip(table.column_names, types, strict=True))).to_pandas()
    return columns


def _build_task(name: str, task: Any, data: Any) -> OpenMLTask:
    """Return a task of the package openml in the study's form. Raise WrongAnswer if it cannot be studied."""
    columns = _read_columns(data)
    n_rows, target = len(columns), task.target_name
    n_stated = (data.qualities or {}).get("NumberOfInstances")
    if n_stated is None or np.isnan(n_stated):
        log.warning("%s: OpenML does not state the number of rows; its folds must cover all %d", name, n_rows)
    elif n_rows != n_stated:
        raise WrongAnswer(f"leads to a data set of {n_rows} rows where OpenML counts {n_stated:.0f}")
    if target not in columns:
        raise WrongAnswer(f"names the target {target!r}, which its data set does not have")
    if n_missing := int(columns[target].isna().sum()):
        raise WrongAnswer(f"leads to a target with {n_missing} missing values")
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
        "rows": n_rows,
        "features": features.shape[1],
        "classes": counts,
        "sha256": canonical_sha256(table),
    }
    declared = {feature.name: feature.nominal_values for feature in data.features.values()}.get(target)
    declared_labels = [label for label in declared or [] if label in counts]
    record = dataset_record(name, table, entry) | {
        "openml_task": task.task_id,
        "openml_data": data.dataset_id,
        "md5": data.md5_checksum if _is_md5(data.md5_checksum) else None,
        "labels": declared_labels if len(declared_labels) == len(counts) else list(counts),
    }
    return OpenMLTask(table, _fold_of_rows(task, n_rows), record)


def _is_md5(text: str | None) -> bool:
    """Return whether a description states a digest. Some descriptions have the words "NotApplicable" in its place."""
    return bool(re.fullmatch("[0-9a-f]{32}", text or "", re.IGNORECASE))


def _fold_of_rows(task: Any, n_rows: int) -> np.ndarray:
    """Return the fold in which each row is tested, in the first repeat."""
    _, n_folds, _ = task.get_split_dimensions()
    test_rows = [task.get_train_test_split_indices(repeat=0, fold=fold)[1] for fold in range(n_folds)]
    tested = np.concatenate(test_rows)
    if len(tested) and not 0 <= tested.min() <= tested.max() < n_rows:
        raise WrongAnswer("leads to folds that have rows which the data set does not have")
    if n_wrong := int((np.bincount(tested, minlength=n_rows) != 1).sum()):
        raise WrongAnswer(f"leads to test folds that miss or repeat {n_wrong} of {n_rows} rows")
    folds = np.empty(n_rows, dtype=np.int8)
    for fold, rows in enumerate(test_rows):
        folds[rows] = fold
    return folds
