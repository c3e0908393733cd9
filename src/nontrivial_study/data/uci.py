"""Data sets of the UCI repository as canonical tables: downloaded by `data.http`, and read by ucimlrepo."""

import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
import ucimlrepo

from nontrivial.terminal import shorten
from nontrivial_study.data.canonical import Entry, Record, canonical_table, dataset_record
from nontrivial_study.data.download_errors import AGAIN, DownloadError, WrongAnswer, wrong_answer_on_error
from nontrivial_study.data.http import Client

_CHECK = "check uci_id in the configuration of the data sets and uci.base_url"
_REVIEW = f"{AGAIN}; if it stays so, the repository has changed the set; review its entry in the file of data sets"


def fetch_uci(name: str, entry: Entry, base: str, client: Client) -> tuple[pd.DataFrame, Record]:
    """Download a data set. Return its canonical table and record. Raise DownloadError if they differ from its entry."""
    what, root = f"Data set {name!r}", urlsplit(base)
    description_address = f"{base.rstrip('/')}/api/dataset?id={entry['uci_id']}"

    def accept_description(body: bytes) -> tuple[Record, str]:
        description = _parse_uci_description(body, entry["uci_id"])
        # The address of the file names the repository's host, also in the answer of a mirror.
        address = urlsplit(description["data_url"])
        return description, address._replace(scheme=root.scheme, netloc=root.netloc).geturl()

    description, file_address = client.get(description_address, what, accept_description)

    def accept_file(body: bytes) -> tuple[pd.DataFrame, Record]:
        with wrong_answer_on_error("is not the data set expected", advice=_REVIEW):
            data = _read_file(description, body)
            for role, columns in (("Feature", data.features), ("Target", data.targets)):
                if columns is None:
                    raise ValueError(f"no column has the role {role}")
            labels = data.targets.iloc[:, 0].astype(str).str.strip()
            table = canonical_table(data.features, labels, entry["labels"])
            return table, dataset_record(name, table, entry)

    try:
        return client.get(file_address, what, accept_file, kind="data")
    except DownloadError:
        client.forget(description_address)  # the fault may lie in the description
        raise


def _parse_uci_description(body: bytes, uci_id: int) -> Record:
    """Return the description of a data set. Raise WrongAnswer if the answer describes none or another one."""
    answer = json.loads(body)
    description: Record = answer.get("data") or {}
    if answer.get("status") != 200:
        message = shorten(str(answer.get("message", "no reason given")), 200)
        raise WrongAnswer(f"says that it has no data set {uci_id} ({message})", _CHECK)
    if not description["data_url"]:
        raise WrongAnswer("names no file of data", _CHECK)
    if description["uci_id"] != uci_id:
        raise WrongAnswer(f"describes another data set than {uci_id}")
    return description


def _read_file(description: Mapping[str, Any], body: bytes) -> Any:
    """Let ucimlrepo read copies of a description and its file, and return its ``data``."""
    pd.read_csv(io.BytesIO(body), on_bad_lines="error")  # ucimlrepo would hide the error's line number
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "data.csv")
        table.write_bytes(body)
        data = {"additional_info": None, "intro_paper": None, **description, "data_url": str(table)}
        # ucimlrepo adds the query to the service's address. Here, that gives the name of a file.
        copy = Path(folder, f"dataset?id={description['uci_id']}")
        copy.write_text(json.dumps({"status": 200, "data": data}), encoding="utf-8")
        service = ucimlrepo.fetch.API_BASE_URL
        ucimlrepo.fetch.API_BASE_URL = Path(folder, "dataset").as_uri()
        try:
            return ucimlrepo.fetch_ucirepo(id=description["uci_id"]).data
        finally:
            ucimlrepo.fetch.API_BASE_URL = service
