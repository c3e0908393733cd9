"""Addresses: joined, and shown without the name and password that they may hold."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode


def joined(base: str, path: str, **query: Any) -> str:
    """Return an address below a base.

    Examples
    --------
    >>> joined("http://example.org/", "/api/dataset", id=43)
    'http://example.org/api/dataset?id=43'
    """
    return f"{base.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")
