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

from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import canonical_table, dataset_record
from nontrivial_study.data.http import AGAIN, Client, DownloadError, WrongAnswer, reading

_CHECK = "check uci_id in the configuration of the data sets and uci.base_url"
_REVIEW = (
    f"{AGAIN}; if it stays so, the repository has changed the set; review its entry in the file of data sets"
)


def fetch_uci(
    name: str, entry: Mapping[str, Any], base: str, client: Client
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Download a data set and check that it is the one the configuration means."""
    what, root = f"Data set {name!r}", urlsplit(base)
    about = f"{base.rstrip('/')}/api/dataset?id={entry['uci_id']}"

    def described(body: bytes) -> tuple[dict[str, Any], str]:
        description = _description(body, entry["uci_id"])
        # It names its file by an absolute address; on a mirror the host in it is not the mirror's.
        place = urlsplit(description["data_url"])
        return description, place._replace(scheme=root.scheme, netloc=root.netloc).geturl()

    description, file = client.get(about, what, described)

    def accept(body: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
        with reading("is not the data set expected", advice=_REVIEW):
            data = _read(description, body)
            for role, columns in (("Feature", data.features), ("Target", data.targets)):
                if columns is None:
                    raise ValueError(f"no column has the role {role}")
            labels = data.targets.iloc[:, 0].astype(str).str.strip()
            table = canonical_table(data.features, labels, entry["labels"])
            return table, dataset_record(name, table, entry)

    try:
        return client.get(file, what, accept, kind="data")
    except DownloadError:
        client.forget(about)  # which may be what was wrong
        raise


def _description(body: bytes, number: int) -> dict[str, Any]:
    answer = json.loads(body)
    data: dict[str, Any] = answer.get("data") or {}
    if answer.get("status") != 200:
        message = shortened(str(answer.get("message", "no reason given")), 200)
        raise WrongAnswer(f"says that it has no data set {number} ({message})", _CHECK)
    if not data["data_url"]:
        raise WrongAnswer("names no file of data", _CHECK)
    if data["uci_id"] != number:
        raise WrongAnswer(f"describes another data set than {number}")
    return data


def _read(description: Mapping[str, Any], body: bytes) -> Any:
    """Let ucimlrepo read copies of a description and its file, and return its ``data``."""
    # With strict parsing a row of a different length is an error; missing cells stay missing.
    pd.read_csv(io.BytesIO(body), on_bad_lines="error")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "data.csv")
        table.write_bytes(body)
        data = {"additional_info": None, "intro_paper": None, **description, "data_url": str(table)}
        # ucimlrepo adds the query to its base address; a file of that name takes the place of the service.
        copy = Path(folder, f"dataset?id={description['uci_id']}")
        copy.write_text(json.dumps({"status": 200, "data": data}), encoding="utf-8")
        service = ucimlrepo.fetch.API_BASE_URL
        ucimlrepo.fetch.API_BASE_URL = Path(folder, "dataset").as_uri()
        try:
            return ucimlrepo.fetch_ucirepo(id=description["uci_id"]).data
        finally:
            ucimlrepo.fetch.API_BASE_URL = service
