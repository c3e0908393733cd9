"""From a registry entry's plain YAML or JSON values to the typed arguments of a test."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any


def convert(key: str, value: Any, kind: Any) -> Any:
    """Turn a plain value into what a parameter's annotation asks for.

    Parameters
    ----------
    key : str
        The parameter's name, for the sentence if it cannot be done.
    value : object
        As YAML or JSON gives it.
    kind : type
        The annotation; text is read by its method ``parse`` if it has one.

    Raises
    ------
    ValueError
        Naming the parameter, its value and what is allowed.

    Examples
    --------
    >>> convert("factors", [886, 30], tuple[int, ...])
    (886, 30)
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if hasattr(kind, "parse"):
        if isinstance(value, str):
            return kind.parse(value)
        raise ValueError(f"parameter {key!r} is {value!r}; quoted text is allowed, because its digits count.")
    if origin is typing.Literal:
        if value in inner:
            return value
        raise ValueError(f"parameter {key!r} is {value!r}; allowed: {', '.join(inner)}.")
    if origin is types.UnionType:
        return None if value is None else convert(key, value, inner[0])
    if origin is tuple and isinstance(value, (list, tuple)):
        return tuple(convert(key, item, inner[0]) for item in value)
    if origin is dict and isinstance(value, dict) and all(isinstance(name, str) for name in value):
        # Sorted: stored evidence does not keep a mapping's order, so no outcome may depend on it.
        return {name: convert(f"{key}.{name}", value[name], inner[1]) for name in sorted(value)}
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _convert_fields(key, value, kind)
    if kind is int and type(value) is int and value > 0:
        return value
    if kind in (str, bool) and type(value) is kind:
        return value
    raise ValueError(f"parameter {key!r} is {value!r}; {_WORDS.get(origin or kind, 'a mapping')} is allowed.")


def _convert_fields(key: str, value: Mapping[str, Any], kind: type) -> Any:
    hints = typing.get_type_hints(kind)
    if value.keys() != hints.keys():
        raise ValueError(f"parameter {key!r} has the keys {', '.join(value)}; {', '.join(hints)} are needed.")
    return kind(**{name: convert(f"{key}.{name}", value[name], hint) for name, hint in hints.items()})


_WORDS: dict[Any, str] = {
    int: "a positive whole number",
    str: "quoted text",
    bool: "true or false",
    tuple: "a list",
    dict: "a mapping of names",
}
