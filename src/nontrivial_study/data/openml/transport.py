"""The requests of the package openml, sent through a client that waits, tries again and checks.

This replaces the one private name of that package that this project knows: ``openml._api_calls._send_request``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import openml

from nontrivial_study.data.http.failures import WrongAnswer
from nontrivial_study.data.http.limits import Kind
from nontrivial_study.data.openml.service import OpenML

_CLASSIFICATION = "<oml:task_type>Supervised Classification</oml:task_type>"
MD5 = re.compile("[0-9a-f]{32}", re.IGNORECASE)
_NUMBER = re.compile(
    rb"<oml:(?:task_id|task_type_id|data_set_id|id|version|index|number_of_missing_values|value)>([^<]*)</"
)
_ATTRIBUTE = re.compile(rb"^[ \t]*@attribute\b", re.IGNORECASE | re.MULTILINE)
_MOST_COLUMNS = 50_000


@contextlib.contextmanager
def transport(service: OpenML, what: str, asked: list[str]) -> Iterator[None]:
    """Send the requests of the package openml through the service's client."""

    def send(
        request_method: str,
        url: str,
        data: dict[str, Any],
        files: None = None,
        md5_checksum: str | None = None,
    ) -> SimpleNamespace:
        if request_method != "get" or files:
            raise ValueError("Only reading is allowed.")
        address = service.address(url)
        asked.append(address)
        body = service.fetch(
            url, what, _check_numbers, kind=_kind(address, service), form="a document of a task"
        )
        digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
        if md5_checksum and MD5.fullmatch(md5_checksum) and digest != md5_checksum.lower():
            raise WrongAnswer(  # which of the two is wrong cannot be told, so that both are asked for again
                f"leads to {address}, which has md5 {digest} where OpenML's description says {md5_checksum}"
            )
        text = _completed(body.decode("utf-8", errors="replace"))
        return SimpleNamespace(status_code=200, headers={"Content-Encoding": "gzip"}, content=body, text=text)

    calls: Any = openml._api_calls  # of which a private name is replaced
    settings = openml.config
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


def _kind(address: str, service: OpenML) -> Kind:
    if "/api_splits/" in address:
        return "splits"
    return "descriptions" if address.startswith(f"{service.api}/") else "data"


def _check_numbers(body: bytes) -> bytes:
    """Return a document; raise where the package openml would read as a number what is none, such as 1_0."""
    for found in _NUMBER.finditer(body):
        text = found[1].decode()
        if "_" in text or not text.isascii():
            raise ValueError(f"{text[:20]!r} is not a number")
    columns = len(_ATTRIBUTE.findall(body))
    if columns > _MOST_COLUMNS:
        raise ValueError(f"it has {columns:,} columns where at most {_MOST_COLUMNS:,} can be read")
    return body


def _completed(text: str) -> str:
    """Return a document in the form that the package openml can read: no NUL bytes, and a type's number."""
    text = text.replace("\0", "")
    if _CLASSIFICATION in text and "<oml:task_type_id>" not in text:
        text = text.replace(_CLASSIFICATION, f"<oml:task_type_id>1</oml:task_type_id>{_CLASSIFICATION}", 1)
    return text
