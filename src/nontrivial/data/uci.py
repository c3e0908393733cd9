"""Data sets of the UCI repository as canonical tables.

ucimlrepo knows what the repository's documents mean; it waits for ever, never tries again and takes a shortened
file for the whole. So the documents come through `nontrivial.data.http`, and ucimlrepo reads the copies.
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

from nontrivial.data.canonical import canonical_table, dataset_record
from nontrivial.data.failures import AGAIN, DownloadError, WrongAnswer
from nontrivial.data.http import Client, joined


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
        `nontrivial.data.canonical.dataset_record` compares.
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
    nontrivial.data.failures.DownloadError
        If the data set cannot be had, or is not the one expected: one sentence.
    """
    what = f"Data set {name!r}"
    number = entry["uci_id"]
    about = joined(base, "api/dataset", id=number)
    description = client.get(about, what, lambda body: _description(body, number))
    # The description names its file by an absolute address; on a mirror the host in it is not the mirror's.
    place = urlsplit(str(description["data_url"]))
    root = urlsplit(base)
    file = place._replace(scheme=root.scheme, netloc=root.netloc).geturl()

    def accept(body: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
        try:
            data = _read(description, body)
            table = canonical_table(
                data.features, data.targets.iloc[:, 0].astype(str).str.strip(), entry["labels"]
            )
            return table, dataset_record(name, table, entry)
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            ucimlrepo.fetch.DatasetNotFoundError,
        ) as error:
            reason = str(error).strip("'\".").partition("\n")[0]
            raise WrongAnswer(
                f"is not the data set expected: {reason}",
                f"{AGAIN}; if it stays so, the repository has changed the set, and its entry in the "
                "configuration of the data sets is to be reviewed",
            ) from None

    try:
        return client.get(file, what, accept)
    except DownloadError:
        client.forget(about)  # which may be what was wrong
        raise


def _description(body: bytes, number: int) -> dict[str, Any]:
    try:
        answer = json.loads(body)
        data, status = answer.get("data"), answer.get("status")
    except (ValueError, AttributeError):
        raise WrongAnswer("answered with something that is not JSON") from None
    if status != 200:
        raise WrongAnswer(
            f"says that it has no data set {number} ({answer.get('message', 'no reason given')})",
            "check uci_id in the configuration of the data sets and uci.base_url",
            again=False,
        )
    missing = {"uci_id", "data_url", "variables"} - set(data or {})
    if missing:
        raise WrongAnswer(f"left out {', '.join(sorted(missing))} of the data set's description")
    if not data["data_url"]:
        raise WrongAnswer(
            "names no file of data", "check uci_id in the configuration of the data sets", again=False
        )
    return data


def _read(description: Mapping[str, Any], body: bytes) -> Any:
    """Let ucimlrepo read copies of a description and its file, and return its ``data``."""
    # With strict parsing a row of a different length is an error; missing cells stay missing.
    pd.read_csv(io.BytesIO(body), on_bad_lines="error")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "data.csv"
        table.write_bytes(body)
        answer = {"status": 200, "data": {"additional_info": None, "intro_paper": None} | dict(description)}
        answer["data"]["data_url"] = str(table)
        number = int(description["uci_id"])
        # ucimlrepo adds the query to its base address; a file of that name takes the place of the service.
        Path(folder, f"dataset?id={number}").write_text(json.dumps(answer), encoding="utf-8")
        service = ucimlrepo.fetch.API_BASE_URL
        ucimlrepo.fetch.API_BASE_URL = Path(folder, "dataset").as_uri()
        try:
            return ucimlrepo.fetch_ucirepo(id=number).data
        finally:
            ucimlrepo.fetch.API_BASE_URL = service
