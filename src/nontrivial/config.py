"""Configuration files, checked against a schema; what is wrong is said in one sentence.

A schema is JSON Schema in which every value's ``description`` completes the sentence "allowed is ...".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from nontrivial.data.addresses import hide_logins


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML in which a key that is given twice is an error, not a silent loss of the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is given twice; each is allowed once", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a YAML file whose top level maps keys to values.

    Raises
    ------
    ValueError
        One sentence with file and line if it cannot be read, is not YAML, is not a mapping, or repeats a key.
    """
    try:
        value = yaml.load(Path(path).read_text(encoding="utf-8"), _UniqueKeyLoader)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ValueError(f"{path}{line}: {problem or 'this is not YAML'}.") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path} holds {_shown(value)}; allowed is a mapping of keys to values.")
    return value


def with_numbers(value: Any) -> Any:
    """Return a value with its texts read as YAML where that gives a number, true or false.

    Examples
    --------
    >>> with_numbers({"mode": "archive", "archive": {"task_count": "20", "cutoff_date": "2015-07-31"}})
    {'mode': 'archive', 'archive': {'task_count': 20, 'cutoff_date': '2015-07-31'}}
    """
    if isinstance(value, dict):
        return {key: with_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_numbers(inner) for inner in value]
    if not isinstance(value, str):
        return value
    try:
        read = yaml.safe_load(value)
    except (yaml.YAMLError, ValueError):
        return value
    return read if isinstance(read, (bool, int, float)) else value


def check(value: Any, schema: Mapping[str, Any], name: str, *, partial: bool = False) -> None:
    """Check a value against a schema.

    Parameters
    ----------
    value : mapping
    schema : mapping
        JSON Schema; see the module's docstring.
    name : str
        The file the value came from, for the sentence.
    partial : bool
        Whether required keys may be missing, as in a file that overrides another.

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
    ValueError: config.yaml: folds is 'ten'; allowed is a whole number of at least 1.
    >>> check({"fold": 10}, schema, "config.yaml")
    Traceback (most recent call last):
    ValueError: config.yaml: there is no key fold; the known keys are folds.
    """
    errors = sorted(
        jsonschema.Draft202012Validator(schema).iter_errors(value), key=lambda e: [str(p) for p in e.path]
    )
    for error in errors:
        if partial and error.validator == "required":
            continue
        raise ValueError(f"{name}: {_sentence(error)}")


def _sentence(error: jsonschema.ValidationError) -> str:
    while error.context:  # of alternatives, the one that came furthest
        error = max(error.context, key=lambda e: len(e.absolute_path))
    path = [str(part) for part in error.absolute_path]
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        key = next(key for key in error.instance if key not in known)
        return f"there is no key {'.'.join([*path, str(key)])}; the known keys are {', '.join(known)}."
    if error.validator == "required":
        key = next(key for key in error.validator_value if key not in error.instance)
        description = error.schema["properties"].get(key, {}).get("description", "a value")
        return f"the key {'.'.join([*path, key])} is missing; it is {description}."
    if "propertyNames" in error.absolute_schema_path:  # the instance is then the key itself
        key = ".".join([*path, str(error.instance)])
        return f"the key {key} is not allowed; allowed is {error.schema['description']}."
    allowed = error.schema.get("description") or error.message
    return f"{'.'.join(path) or 'the file'} is {_shown(error.instance)}; allowed is {allowed}."


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    text = hide_logins(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


class SettingError(ValueError):
    """A setting that has the right form and yet cannot serve.

    Attributes
    ----------
    setting : str
        The path of keys to it, joined by dots.
    what, name : str
        For a setting that names something unknown, what that should be, and its name; empty for another.
    """

    def __init__(self, setting: str, sentence: str, what: str = "", name: str = "") -> None:
        super().__init__(sentence)
        self.setting, self.what, self.name = setting, what, name


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
        sentence = f"{setting} names the unknown {what} {name!r}; the known ones are {listed}."
        raise SettingError(setting, sentence, what, name)


def find_omission(error: SettingError, usual: Mapping[str, Any], later: Mapping[str, Any]) -> str:
    """Say which later file leaves out what a setting names, and what to add there; nothing if none does.

    Parameters
    ----------
    error : SettingError
    usual : mapping
        The configuration that the files override; its lists have names.
    later : mapping of str to mapping
        The files by path, the last one last.

    Examples
    --------
    >>> error = SettingError("imbalance.dataset", "...", "two-class task", "wdbc")
    >>> find_omission(error, {"tasks": ["wdbc", "iris"]}, {"mine.yaml": {"tasks": ["iris"]}})
    "mine.yaml leaves it out: add 'wdbc' to its tasks, or set imbalance.dataset there"
    """
    for key in ("models",) if error.what == "model" else ("tasks", "datasets"):
        for entry in usual.get(key, ()):
            if error.name != entry and not error.name.startswith(f"{entry}-"):
                continue
            for path, file in reversed(later.items()):
                if isinstance(file.get(key), list) and entry not in file[key]:
                    return f"{path} leaves it out: add {entry!r} to its {key}, or set {error.setting} there"
    return ""
