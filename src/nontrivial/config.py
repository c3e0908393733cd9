"""Configuration files, checked against a schema; what is wrong is said in one sentence.

A schema is JSON Schema in which every value's ``description`` completes the sentence "it must be ...".
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jsonschema

from nontrivial_study.data.http.addresses import hide_logins
from nontrivial.plain_yaml import parse_yaml

LARGEST = 1 << 22  # bytes of a configuration file; 10,000 data sets fit in half of it


def read_yaml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file of plain YAML whose top level maps keys to values.

    Raises
    ------
    ValueError
        One sentence with file and line if it cannot be read, is not YAML or more than `parse_yaml` takes, or is not
        a mapping.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"{path} is not a file; it must be a YAML file.")
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > LARGEST:
        raise ValueError(f"{path} is larger than {LARGEST >> 20} MiB; a configuration file is smaller.")
    value = parse_yaml(content, str(path))
    if not isinstance(value, dict):
        raise ValueError(f"{path} holds {_shown(value)}; it must hold a mapping of keys to values.")
    return value


def check(value: Any, schema: Mapping[str, Any], name: str = "") -> None:
    """Check a value against a schema.

    Parameters
    ----------
    value : mapping
    schema : mapping
        JSON Schema; see the module's docstring.
    name : str
        The file the value came from, for the sentence; empty where the caller says it.

    Raises
    ------
    ValueError
        One sentence: file, key, what is there and what is allowed.

    Examples
    --------
    >>> count = {"type": "integer", "minimum": 1, "description": "a whole number of at least 1"}
    >>> schema = {"properties": {"folds": count}, "additionalProperties": False}
    >>> check({"folds": "ten"}, schema, "config.yaml")
    Traceback (most recent call last):
    ValueError: config.yaml: folds is 'ten'; it must be a whole number of at least 1.
    >>> check({"fold": 10}, schema, "config.yaml")
    Traceback (most recent call last):
    ValueError: config.yaml: there is no key fold; the known keys are folds.
    """
    errors = sorted(_Validator(schema).iter_errors(value), key=lambda e: [str(p) for p in e.path])
    if errors:
        raise ValueError(": ".join(filter(None, [name, _sentence(errors[0])])))


def _is_whole(checker: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # 10.0 is not a count


def _is_finite(checker: Any, value: Any) -> bool:
    return _is_whole(checker, value) or (isinstance(value, float) and math.isfinite(value))


def _different(validator: Any, wanted: bool, items: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    """Compare texts, where the library compares each item with each other as soon as their types are mixed."""
    if wanted and isinstance(items, list) and len(set(map(repr, items))) < len(items):
        yield jsonschema.ValidationError("an item occurs twice")


_Validator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # the stubs leave it open
    jsonschema.Draft202012Validator,
    {"uniqueItems": _different},
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_whole, "number": _is_finite}
    ),
)


def _sentence(error: jsonschema.ValidationError) -> str:
    while error.context:  # of alternatives, the one that came furthest
        error = max(error.context, key=lambda e: len(e.absolute_path))
    schema: Any = error.schema
    instance: Any = error.instance
    wanted: Any = error.validator_value
    path = [str(part) for part in error.absolute_path]
    if error.validator == "additionalProperties":
        known = list(schema.get("properties", ()))
        key = next(key for key in instance if key not in known)
        return f"there is no key {'.'.join([*path, str(key)])}; the known keys are {', '.join(known)}."
    if error.validator == "required":
        key = next(key for key in wanted if key not in instance)
        description = schema["properties"].get(key, {}).get("description", "a value")
        return f"the key {'.'.join([*path, key])} is missing; it is {description}."
    if "propertyNames" in error.absolute_schema_path:  # the instance is then the key itself
        key = ".".join([*path, str(instance)])
        return f"the key {key} is not allowed; it must be {schema['description']}."
    allowed = schema.get("description") or error.message
    return f"{'.'.join(path) or 'the file'} is {_shown(instance)}; it must be {allowed}."


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    # A login may be none that an address can have.
    if isinstance(value, str) and "//" in value and "@" in value:
        value = f"{value.partition('//')[0]}//{value.rpartition('@')[2]}"
    text = hide_logins(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def require_folder(path: str, setting: str) -> None:
    """Raise ValueError unless a folder can be written to, or made where it is not there.

    Examples
    --------
    >>> require_folder("README.md/mine", "results")
    Traceback (most recent call last):
    ValueError: results is 'README.md/mine', but README.md is not a folder; it must be the path of a folder.
    """
    place = os.path.normpath(path)
    while not os.path.lexists(place):
        place = os.path.dirname(place) or "."
    if not os.path.isdir(place):
        raise ValueError(
            f"{setting} is {path!r}, but {place} is not a folder; it must be the path of a folder."
        )
    if not os.access(place, os.W_OK | os.X_OK):
        raise ValueError(
            f"{setting} is {path!r}, but nothing can be written to {os.path.abspath(place)}; "
            "it must be a folder that can be written to."
        )


class SettingError(ValueError):
    """A setting that has the right form and yet cannot serve.

    Attributes
    ----------
    setting : str
        The path of keys to it, joined by dots.
    """

    def __init__(self, setting: str, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting


def require_known(name: str, known: Iterable[str], what: str, setting: str) -> None:
    """Raise SettingError, naming the known ones, unless `name` is among them.

    Examples
    --------
    >>> require_known("irs", ["iris", "wine"], "data set", "tasks")
    Traceback (most recent call last):
    nontrivial.config.SettingError: tasks names the unknown data set 'irs'; the known ones are iris, wine.
    """
    known = list(known)
    if name not in known:
        listed = ", ".join(known) or "none"
        raise SettingError(
            setting, f"{setting} names the unknown {what} {name!r}; the known ones are {listed}."
        )
