"""Data sets of the UCI repository as canonical tables.

ucimlrepo knows what the repository's documents mean; it waits for ever, never tries again and takes a shortened
file for the whole. So the documents come through `nontrivial_study.data.http.client`, and ucimlrepo reads the copies.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
import ucimlrepo

from nontrivial_study.data.canonical import canonical_table, dataset_record
from nontrivial_study.data.http.addresses import joined
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.failures import AGAIN, Advice, DownloadError, WrongAnswer
from nontrivial_study.data.http.reading import reading, whole_number

_REVIEW = Advice(
    f"{AGAIN.text}; if it stays so, the repository has changed the set; review its entry in the configuration of the "
    "data sets"
)
_MOST_COLUMNS = 50_000
_LONGEST = 200  # letters of a message


def fetch_uci(
    name: str, entry: Mapping[str, Any], base: str, client: Client
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Download a data set and check that it is the one the configuration means.

    Parameters
    ----------
    name : str
        The data set's name in the configuration.
    entry : mapping
        Its configuration: ``uci_id``, ``labels`` (from UCI's label to the class name), and what
        `nontrivial_study.data.canonical.dataset_record` compares.
    base : str
        The repository's address, such as ``"https://archive.ics.uci.edu"``.
    client : Client

    Returns
    -------
    table : DataFrame
        In canonical form.
    record : dict
        What ``data/<dataset>.json`` holds.

    Raises
    ------
    nontrivial_study.data.http.failures.DownloadError
        If the data set cannot be had, or is not the one expected: one sentence.
    """
    what = f"Data set {name!r}"
    number = entry["uci_id"]
    about = joined(base, "api/dataset", id=number)
    root = urlsplit(base)

    def described(body: bytes) -> tuple[dict[str, Any], str]:
        description = _description(body, number)
        # It names its file by an absolute address; on a mirror the host in it is not the mirror's.
        place = urlsplit(description["data_url"])
        return description, place._replace(scheme=root.scheme, netloc=root.netloc).geturl()

    description, file = client.get(about, what, described, form="JSON that describes a data set")

    def accept(body: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
        with reading(lambda said: f"is not the data set expected: {said}", advice=_REVIEW):
            data = _read(description, body)
            for role, columns in (("Feature", data.features), ("Target", data.targets)):
                if columns is None:
                    raise WrongAnswer(f"is not the data set expected: no column has the role {role}", _REVIEW)
            table = canonical_table(
                data.features, data.targets.iloc[:, 0].astype(str).str.strip(), entry["labels"]
            )
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
        message = str(answer.get("message", "no reason given"))[:_LONGEST]
        raise WrongAnswer(
            f"says that it has no data set {number} ({message})",
            Advice("check uci_id in the configuration of the data sets and uci.base_url"),
            again=False,
        )
    missing = {"uci_id", "data_url", "variables"} - set(data)
    if missing:
        raise WrongAnswer(f"lacks {', '.join(sorted(missing))} in the data set's description")
    if not data["data_url"]:
        raise WrongAnswer(
            "names no file of data", Advice("check uci_id in the configuration of the data sets"), again=False
        )
    if whole_number(str(data["uci_id"])) != number:
        raise WrongAnswer(f"describes another data set than {number}")
    return data


def _read(description: Mapping[str, Any], body: bytes) -> Any:
    """Let ucimlrepo read copies of a description and its file, and return its ``data``."""
    columns = body.partition(b"\n")[0].count(b",") + 1
    if columns > _MOST_COLUMNS:
        raise ValueError(f"it has {columns:,} columns where at most {_MOST_COLUMNS:,} can be read")
    # With strict parsing a row of a different length is an error; missing cells stay missing.
    pd.read_csv(io.BytesIO(body), on_bad_lines="error")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "data.csv"
        table.write_bytes(body)
        data = {"additional_info": None, "intro_paper": None, **description, "data_url": str(table)}
        number = whole_number(str(description["uci_id"]))
        # ucimlrepo adds the query to its base address; a file of that name takes the place of the service.
        Path(folder, f"dataset?id={number}").write_text(
            json.dumps({"status": 200, "data": data}), encoding="utf-8"
        )
        service = ucimlrepo.fetch.API_BASE_URL
        ucimlrepo.fetch.API_BASE_URL = Path(folder, "dataset").as_uri()
        try:
            return ucimlrepo.fetch_ucirepo(id=number).data
        finally:
            ucimlrepo.fetch.API_BASE_URL = service
