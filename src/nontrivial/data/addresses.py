"""Addresses: joined, and without the name and password that they may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlencode

Login = tuple[str, str]

_LOGIN = re.compile(r"(?<=://)[^\s/?#]*@")
# A password in which a slash is not written as %2F makes no address, and is not to be shown either.
_SHOWN = re.compile(rf"{_LOGIN.pattern}|(?<=://)[^\s/?#:@\[\]]*:(?![0-9]*(?:[/?#\s]|$))\S*@")


def joined(base: str, path: str, **query: Any) -> str:
    """Return an address below a base.

    Examples
    --------
    >>> joined("http://example.org/", "/api/dataset", id=43)
    'http://example.org/api/dataset?id=43'
    """
    return f"{base.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")


def split_login(address: str) -> tuple[str, Login | None]:
    """Return an address without name and password, and these.

    Examples
    --------
    >>> split_login("http://me:p%40ss@example.org/x")
    ('http://example.org/x', ('me', 'p@ss'))
    >>> split_login("http://example.org/x")
    ('http://example.org/x', None)
    """
    found = _LOGIN.search(address)
    if not found:
        return address, None
    name, _, password = found[0][:-1].partition(":")
    return address[: found.start()] + address[found.end() :], (unquote(name), unquote(password))


def hide_logins(text: str) -> str:
    """Return a text in which no address shows a name or password.

    Examples
    --------
    >>> hide_logins("see http://me:secret@example.org/x")
    'see http://example.org/x'
    """
    return _SHOWN.sub("", text)


def without_logins(value: Any) -> Any:
    """Return a value whose texts, however deep they lie, show no login.

    Examples
    --------
    >>> without_logins({"uci": {"base_url": "http://me:secret@example.org"}})
    {'uci': {'base_url': 'http://example.org'}}
    """
    if isinstance(value, Mapping):
        return {key: without_logins(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_logins(inner) for inner in value]
    return hide_logins(value) if isinstance(value, str) else value
