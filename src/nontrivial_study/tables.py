"""The study's tables: CSV files whose columns their experiments declare, and Parquet files between the steps."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Mask
from nontrivial.files import atomic_path, naming_file, no_formula
from nontrivial.schemas import read_yaml
from nontrivial_study.declarations import FILE, declared

KINDS = {"text": "a text", "truth": "True or False", "whole": "a whole number", "number": "a number"}
# As what a column is read if none of its values may be missing, and otherwise.
_TYPES = {
    "text": ["str"] * 2,
    "truth": ["bool", "boolean"],
    "whole": ["int64", "float64"],
    "number": ["float64"] * 2,
}
_FINITE = "(-inf, inf)"
_RANGES = {"whole": "[0, inf)", "number": _FINITE}
_NUMBER = int | float | np.number
_ROUNDING = 1e-12  # by which a computed number may lie beyond the end of its range


@dataclass(frozen=True)
class Column:
    """A column: what it means, and what it may hold."""

    name: str
    kind: str  # one of `KINDS`
    means: str
    # Of numbers, an interval such as ``[0, 1]`` or ``[0, inf)``; a parenthesis leaves out the end. By default ``[0,
    # inf)`` for whole numbers, and all that is finite for others.
    range: str = ""
    texts: Sequence[str] = ()  # those that are allowed; any if there are none
    missing: bool = False  # whether a row may be without a value

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
            fitting = [isinstance(value, str) and value in (self.texts or [value]) for value in given]
            return np.array(fitting, dtype=bool)
        truths = np.array([isinstance(value, bool | np.bool_) for value in given], dtype=bool)
        if self.kind == "truth":
            return truths
        numbers = np.array([value if isinstance(value, _NUMBER) else np.nan for value in given], dtype=float)
        fits = ~truths & _within(numbers, self.interval)
        return fits & (numbers == np.floor(numbers)) if self.kind == "whole" else fits


@dataclass(frozen=True)
class Layout:
    """A table of the study: what a row of it is, and its columns in their order."""

    row: str
    columns: Sequence[Column]


@cache
def _shared() -> dict[str, Any]:
    shared: dict[str, Any] = read_yaml(Path(__file__).with_name("columns.yaml"))
    return shared


@cache
def layouts() -> Mapping[str, Layout]:
    """Return the tables of the study, and the numbers of its figures, by the names of their files."""
    shared, found = _shared(), dict[str, Layout]()
    same: dict[str, str] = {}
    for experiment in declared().values():
        content = shared | {key: shared[key] | getattr(experiment, key) for key in ("groups", "columns")}
        for name, layout in experiment.layouts.items():
            if isinstance(layout, str):
                same[name] = layout
            else:
                found[name] = _read_layout(layout, content)
    return found | {name: found[other] for name, other in same.items()}


def _read_layout(layout: Mapping[str, Any], content: Mapping[str, Any]) -> Layout:
    names = [column for item in layout["columns"] for column in content["groups"].get(item, [item])]
    here = layout.get("here", {})
    columns = [Column(name, **_in_general(name, content) | here.get(name, {})) for name in names]
    return Layout(layout["row"], columns)


def column_names(name: str) -> list[str]:
    """Return the columns of a table of the study, in their order."""
    return [column.name for column in layouts()[name].columns]


def measure_names() -> list[str]:
    """Return the measures that the study's tables have: a measure that is new to the library needs a column first."""
    names: list[str] = _shared()["groups"]["the measures"]
    return names


def write_result(path: str | os.PathLike[str], *tables: pd.DataFrame) -> None:
    """Check tables by the name of their file, and write their rows below each other, as `write_table` does."""
    for table in tables:
        check_table(Path(path).stem, table)
    none = pd.DataFrame(columns=column_names(Path(path).stem))
    write_table(path, pd.concat(tables, ignore_index=True) if tables else none)


def check_table(name: str, table: pd.DataFrame) -> None:
    """Refuse a table that is not what is said of it."""
    if name not in layouts():
        raise ValueError(f"Table {name} is not known; describe it in the {FILE} of its experiment.")
    for place, (found, right) in enumerate(zip_longest(table.columns, column_names(name)), start=1):
        if found != right:
            found, right = ("no column" if one is None else f"the column {one}" for one in (found, right))
            raise ValueError(f"Table {name}, place {place}: {found} is not allowed; it must be {right}.")
    for column in layouts()[name].columns:
        values = table[column.name]
        for place in np.flatnonzero(~column.allows(values))[:1]:
            value = values.iloc[place]
            given = "a missing value" if pd.isna(value) else repr(value) if isinstance(value, str) else value
            raise ValueError(
                f"Table {name}, row {place + 1}, column {column.name}: {given} is not allowed; "
                f"it must be {column.allowed}."
            )


def write_table(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write a table without its index as CSV with 12 significant digits.

    Twelve digits keep more than any measure here is known to, and hide the last-bit differences between processors, so
    that equal results are equal files. A text that a spreadsheet could run gets an apostrophe before it.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.csv")
    >>> write_table(path, pd.DataFrame({"model": ["=1+1", "nan", None], "area": [-0.5, 1 / 3, 2]}))
    >>> print(path.read_text(), end="")
    model,area
    '=1+1,-0.5
    nan,0.333333333333
    ,2
    >>> read_table(path)["model"].tolist()
    ['=1+1', 'nan', nan]
    """
    safe = table.map(lambda value: no_formula(value) if isinstance(value, str) else value).infer_objects()
    safe.columns = [no_formula(str(name)) for name in table.columns]
    with atomic_path(path) as temporary:
        safe.to_csv(temporary, index=False, float_format="%.12g", lineterminator="\n")


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of `write_table`; a table of the study has the types that are declared.

    A text that may not be missing is "" where its cell is empty.
    """
    layout = layouts().get(Path(path).stem)
    columns = layout.columns if layout else ()
    types: Any = {column.name: _TYPES[column.kind][column.missing] for column in columns} or None
    with naming_file(path):
        table = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=types)
    table.columns = table.columns.str.removeprefix("'")
    needed = {column.name for column in columns if not column.missing}
    for name in table.columns[table.dtypes == "str"]:
        texts = table[name].str.removeprefix("'")
        table[name] = texts.fillna("") if name in needed else texts
    return table


def read_texts(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of `write_table` with every value as text: numbers as they stand there, missing values empty."""
    with naming_file(path):
        table: pd.DataFrame = pd.read_csv(path, keep_default_na=False, dtype="str")
    return table.map(lambda text: text.removeprefix("'"))


def rows_with(table: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Return the rows that have these values in these columns."""
    matches = [(table[column] == value).to_numpy(dtype=bool) for column, value in values.items()]
    return table[np.logical_and.reduce(matches)]


def write_parquet(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write a table without its index as Parquet, with a checksum for each page."""
    with atomic_path(path) as temporary:
        table.to_parquet(temporary, index=False, compression="zstd", write_page_checksum=True)


def read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a Parquet file of the study, and compare the checksums of its pages."""
    with naming_file(path):
        table: pd.DataFrame = pd.read_parquet(path, page_checksum_verification=True)
    return table


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
