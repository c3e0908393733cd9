"""OpenML's addresses, its XML and its refusals.

Documents name files by absolute addresses, some on hosts that are gone; only their paths are used, on the two
configured bases: one for the API, one for files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import xmltodict

from nontrivial_study.data.http.addresses import joined
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.failures import CHECK_KEY, KEY_VARIABLE, Advice, WrongAnswer
from nontrivial_study.data.http.reading import reading

T = TypeVar("T")

XML = "the XML expected"

_OVERLOADED = {"107"}  # the database has too many connections
_EMPTY = {"372", "482", "500", "512", "542"}  # no results
_TOO_MUCH = {"513", "543"}  # more than 10,000 results
_HEAD = 1_000
_LONGEST = 500  # letters of a message
_KEY = {"102", "103"}  # the key is missing or not known


class OpenML:
    """An OpenML server, or one that speaks its protocol.

    Parameters
    ----------
    api : str
        Such as ``"https://www.openml.org/api/v1/xml"``.
    data : str
        The host root that files stand below, such as ``"https://api.openml.org"``.
    client : Client
    """

    def __init__(self, api: str, data: str, client: Client) -> None:
        self.api, self.data, self.client = api.rstrip("/"), data.rstrip("/"), client

    def address(self, path: str) -> str:
        """Return the address of an API document, or of a file that a document names by an absolute address."""
        if path.startswith((f"{self.api}/", f"{self.data}/")):
            return path
        parts = urlsplit(path)
        if parts.scheme:
            return joined(self.data, parts.path)
        return joined(self.api, path)

    def fetch(self, path: str, what: str, accept: Callable[[bytes], T], **options: Any) -> T:
        """Return a document or file, as `accept` reads it; see `nontrivial_study.data.http.client.Client.get`."""
        return self.client.get(self.address(path), what, accept, refusal=read_refusal, **options)

    def listed(self, path: str, what: str, root: str, entry: str) -> list[dict[str, Any]]:
        """Return the entries of a list, none where the server says that it has no results."""

        def refusal(body: bytes) -> WrongAnswer | None:
            return None if _code(body)[0] in _EMPTY else read_refusal(body)

        def accept(body: bytes) -> list[dict[str, Any]]:
            if _code(body)[0] in _EMPTY:
                return []
            found = read_document(body, root).get(f"oml:{entry}") or []
            return found if isinstance(found, list) else [found]

        return self.client.get(self.address(path), what, accept, kind="lists", form=XML, refusal=refusal)


def secret_parameters() -> dict[str, str]:
    """Return the key from the environment, if there is one. Reading needs none."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    return {"api_key": key} if key else {}


def read_document(body: bytes, root: str) -> dict[str, Any]:
    """Return the content of a document, its tags with their ``oml:`` prefix.

    Raises
    ------
    WrongAnswer
        If the body has another root.
    Exception
        If it is not XML, or declares entities.

    Examples
    --------
    >>> read_document(b'<oml:run xmlns:oml="x"><oml:run_id>1</oml:run_id></oml:run>', "run")["oml:run_id"]
    '1'
    """
    document = xmltodict.parse(body, disable_entities=True)
    if f"oml:{root}" not in document:
        raise WrongAnswer(
            f"answered with the document {next(iter(document))[:60]!r} in place of 'oml:{root}'"
        )
    content = document[f"oml:{root}"]
    return content if isinstance(content, dict) else {}


def read_refusal(body: bytes) -> WrongAnswer:
    """Return what an answer of status 412 says.

    Examples
    --------
    >>> body = b"<oml:error xmlns:oml='x'><oml:code>151</oml:code><oml:message>Unknown task</oml:message></oml:error>"
    >>> read_refusal(body).problem
    'refused with code 151: Unknown task'
    """
    code, message = _code(body)
    if not code:
        return WrongAnswer("answered with status 412 and gives no reason")
    problem = f"refused with code {code[:20]}: {message[:_LONGEST]}"
    if code in _OVERLOADED:
        return WrongAnswer(problem)
    advice = Advice("check the ids and the base addresses under openml in the configuration")
    if code in _KEY:
        advice = CHECK_KEY
    return WrongAnswer(problem, advice, again=False, too_much=code in _TOO_MUCH)


def _code(body: bytes) -> tuple[str, str]:
    """Return code and message of a refusal, empty if the body is none."""
    if b"oml:error" not in body[:_HEAD]:  # a list may be long, and is read once
        return "", ""
    try:
        with reading(f"is not {XML}"):
            error = read_document(body, "error")
    except WrongAnswer:
        return "", ""
    code, message = (" ".join(str(error.get(key) or "").split()) for key in ("oml:code", "oml:message"))
    return code, message
