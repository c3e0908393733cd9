"""YAML files, checked against a schema; each error is one sentence.

A schema is JSON Schema in which every value's ``description`` completes the sentence "it must be ...".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from nontrivial.terminal import hide_logins, shorten

if TYPE_CHECKING:
    import jsonschema


def read_yaml(path: str | os.PathLike[str], *, as_written: bool = False) -> dict[str, Any]:
    """Read a YAML file that maps keys to values; with `as_written`, decimals stay texts, so 0.90 differs from 0.9."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            value = yaml.load(stream, _DecimalTextLoader if as_written else _UniqueKeyLoader)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except (yaml.YAMLError, ValueError, LookupError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or " ".join(str(error).split())
        raise ValueError(f"{path}{line}: {problem}.") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path} holds {_shorten_value(value)}; it must hold a mapping of keys to values.")
    return value


class _UniqueKeyLoader(yaml.CSafeLoader):
    """A loader that refuses a key given twice, because YAML would lose its first value."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [str(key.value) for key, _ in node.value]  # before `<<` is replaced
        if len(set(keys)) < len(keys):
            twice = next(key for key, _ in node.value if keys.count(str(key.value)) > 1)
            raise yaml.MarkedYAMLError(problem=f"the key {twice.value!r} is given twice", problem_mark=twice.start_mark)
        return super().construct_mapping(node, deep)


class _DecimalTextLoader(_UniqueKeyLoader):
    """A loader that keeps decimal numbers as texts."""


_DecimalTextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:float"]
    for first, resolvers in _UniqueKeyLoader.yaml_implicit_resolvers.items()
}


def check_schema(value: Any, schema: Mapping[str, Any], name: str = "") -> None:
    """Raise ValueError with a line for each error: the file, the key, its value, and the allowed values."""
    errors = sorted(_validator_class()(schema).iter_errors(value), key=lambda e: [str(p) for p in e.path])
    if errors:
        sentences = (": ".join(filter(None, [name, _describe_error(error)])) for error in errors)
        raise ValueError("\n".join(dict.fromkeys(sentences)))


@cache
def _validator_class() -> Any:
    import jsonschema  # slow, and needless in most jobs

    # JSON Schema would take 10.0 for an integer.
    counts = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda checker, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # the stubs leave it open
        jsonschema.Draft202012Validator, type_checker=counts
    )


def _describe_error(error: jsonschema.ValidationError) -> str:
    while error.context:  # report the alternative that fits most of the value
        error = max(error.context, key=lambda e: len(e.absolute_path))
    schema: Any = error.schema
    instance: Any = error.instance
    required: Any = error.validator_value
    path = [str(part) for part in error.absolute_path]
    if error.validator == "additionalProperties":
        known_keys = list(schema.get("properties", ()))
        key = next(key for key in instance if key not in known_keys)
        return f"there is no key {'.'.join([*path, str(key)])}; the known keys are {', '.join(known_keys)}."
    if error.validator == "required":
        key = next(key for key in required if key not in instance)
        description = schema["properties"].get(key, {}).get("description", "a value")
        return f"the key {'.'.join([*path, key])} is missing; it is {description}."
    if "propertyNames" in error.absolute_schema_path:  # the instance is then the key itself
        key = ".".join([*path, str(instance)])
        return f"the key {key} is not allowed; it must be {schema['description']}."
    allowed = schema.get("description") or error.message
    return f"{'.'.join(path) or 'the file'} is {_shorten_value(instance)}; it must be {allowed}."


def _shorten_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    return shorten(hide_logins(repr(value)), 60)
