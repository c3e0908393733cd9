"""What the columns of the study's tables mean and may hold; `columns.yaml` is the one place that names them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Mask
from nontrivial.plain_yaml import parse_yaml

KINDS = {"text": "a text", "truth": "True or False", "whole": "a whole number", "number": "a number"}
_FINITE = "(-inf, inf)"
_RANGES = {"whole": "[0, inf)", "number": _FINITE}
_NUMBER = int | float | np.number
_ROUNDING = 1e-12  # by which a computed number may lie beyond the end of its range


@dataclass(frozen=True)
class Column:
    """A column: what it means, and what it may hold.

    Attributes
    ----------
    name, means : str
    kind : str
        One of `KINDS`.
    range : str
        Of numbers, an interval such as ``[0, 1]`` or ``[0, inf)``; a parenthesis leaves out the end. By default
        ``[0, inf)`` for whole numbers, and all that is finite for others.
    texts : sequence of str
        Those that are allowed; any if there are none.
    missing : bool
        Whether a row may be without a value.
    """

    name: str
    kind: str
    means: str
    range: str = ""
    texts: Sequence[str] = ()
    missing: bool = False

    @property
    def interval(self) -> str:
        """The range, or what takes its place."""
        return self.range or _RANGES[self.kind]

    @property
    def allowed(self) -> str:
        """What the column may hold, in words."""
        told = f"one of {', '.join(self.texts)}" if self.texts else KINDS[self.kind]
        if self.kind in _RANGES and self.interval != _FINITE:
            told += f" in {self.interval}"
        return f"{told}, or missing" if self.missing else told

    def allows(self, values: pd.Series) -> Mask:
        """Tell of each value whether a row may have it."""
        missing = values.isna().to_numpy(dtype=bool)
        allowed = np.full(len(values), self.missing)
        allowed[~missing] = self._allows_given(values[~missing].tolist())
        return allowed

    def _allows_given(self, given: list[Any]) -> Mask:
        if self.kind == "text":
            return np.array(
                [isinstance(one, str) and (not self.texts or one in self.texts) for one in given], dtype=bool
            )
        truths = np.array([isinstance(one, bool | np.bool_) for one in given], dtype=bool)
        if self.kind == "truth":
            return truths
        numbers = np.array([one if isinstance(one, _NUMBER) else np.nan for one in given], dtype=float)
        fits = ~truths & _within(numbers, self.interval)
        return fits & (numbers == np.floor(numbers)) if self.kind == "whole" else fits


@dataclass(frozen=True)
class Layout:
    """A table of the study: what a row of it is, and its columns in their order."""

    row: str
    columns: Sequence[Column]


@cache
def layouts() -> Mapping[str, Layout]:
    """Return the tables of the study, and the numbers of its figures, by the names of their files.

    Examples
    --------
    >>> layouts()["exam"].columns[2].allowed
    'a number in [0, 1]'
    """
    content = parse_yaml(resources.files(__package__).joinpath("columns.yaml").read_bytes(), "columns.yaml")
    found: dict[str, Layout] = {}
    for name, table in (content["tables"] | content["figures"]).items():
        if isinstance(table, str):
            found[name] = found[table]
            continue
        names = [column for item in table["columns"] for column in content["groups"].get(item, [item])]
        here = table.get("here", {})
        columns = [Column(one, **_in_general(one, content) | here.get(one, {})) for one in names]
        found[name] = Layout(table["row"], columns)
    return found


def column_names(name: str) -> list[str]:
    """Return the columns of a table of the study, in their order.

    Examples
    --------
    >>> column_names("exam")
    ['example', 'who', 'error', 'trivial_error', 'stated_advantage', 'advantage', 'exact']
    """
    return [column.name for column in layouts()[name].columns]


def _in_general(name: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of a column, whatever its table."""
    if name in content["groups"]["the measures"]:
        return {**content["measures"], **content["columns"].get(name, {})}
    if name in content["columns"]:
        return {**content["columns"][name]}
    for pattern, rule in content["patterns"].items():
        if match := re.fullmatch(pattern.replace("NAME", "(.+)"), name):
            means = rule["means"].replace("NAME", match[1])
            return {**_in_general(match[1], content), **rule, "means": means}
    raise KeyError(name)


def _within(numbers: Floats, interval: str) -> Mask:
    low, high = map(float, interval[1:-1].split(", "))
    above = numbers > low if interval[0] == "(" else numbers >= low - _ROUNDING
    below = numbers < high if interval[-1] == ")" else numbers <= high + _ROUNDING
    return np.asarray(above & below)
