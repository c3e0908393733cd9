"""The values of parameters, and the names of packages, as an RO-Crate can hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def leaves(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Go through a configuration: dotted keys, and values as a property can hold them."""
    for key, value in config.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", plain_value(value)


def plain_value(value: Any) -> Any:
    """A text, a number or a truth value as it is, anything else as JSON."""
    if isinstance(value, (str, bool, int, float)):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def package_url(name: str, version: str) -> str:
    """The package URL by which software of the Python index is known everywhere."""
    return f"pkg:generic/{name}@{version}" if name == "python" else f"pkg:pypi/{name}@{version}"
