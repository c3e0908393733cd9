"""Addresses: joined, and shown without the name and password that they may hold."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

# A password in which a slash is not written as %2F makes no address, and is not to be shown either.
_LOGIN = re.compile(r"(?<=://)(?:[^\s/?#]*|[^\s/?#:@\[\]]*:(?![0-9]*(?:[/?#\s]|$))\S*)@")


def joined(base: str, path: str, **query: Any) -> str:
    """Return an address below a base.

    Examples
    --------
    >>> joined("http://example.org/", "/api/dataset", id=43)
    'http://example.org/api/dataset?id=43'
    """
    return f"{base.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")


def hide_logins(text: str) -> str:
    """Return a text in which no address shows a name or password.

    Examples
    --------
    >>> hide_logins("see http://me:secret@example.org/x")
    'see http://example.org/x'
    """
    return _LOGIN.sub("", text)
