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
from nontrivial.files import atomic_path, escape_formula, naming_file
from nontrivial.schemas import read_yaml
from nontrivial_study.declarations import DECLARATION_FILE, load_experiments

KIND_DESCRIPTIONS = {"text": "a text", "truth": "True or False", "whole": "a whole number", "number": "a number"}
_TYPES = {"text": "str", "truth": "bool", "whole": "int64", "number": "float64"}
_TYPES_WITH_MISSING = _TYPES | {"truth": "boolean", "whole": "float64"}
_FINITE_RANGE = "(-inf, inf)"
_DEFAULT_RANGES = {"whole": "[0, inf)", "number": _FINITE_RANGE}
_NUMBER_TYPES = int | float | np.number
_RANGE_TOLERANCE = 1e-12  # rounding may move a number beyond the end of its range


@dataclass(frozen=True)
class DeclaredColumn:
    """The meaning of a column of the study's tables, and the values that the column may hold.

    `kind` is a key of `KIND_DESCRIPTIONS`. `range` is an interval of numbers such as ``[0, 1]`` or ``[0, inf)``. A
    parenthesis leaves out the end. By default whole numbers are in ``[0, inf)``, and other numbers are finite. `texts`
    lists the allowed texts. An empty list allows all texts. With `missing`, a row may be without a value.
    """

    name: str
    kind: str
    means: str
    range: str = ""
    texts: Sequence[str] = ()
    missing: bool = False

    @property
    def interval(self) -> str:
        """The range, or the default range of the kind."""
        return self.range or _DEFAULT_RANGES[self.kind]

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        words = f"one of {', '.join(self.texts)}" if self.texts else KIND_DESCRIPTIONS[self.kind]
        if self.kind in _DEFAULT_RANGES and self.interval != _FINITE_RANGE:
            words += f" in {self.interval}"
        return f"{words}, or missing" if self.missing else words

    def allows(self, values: pd.Series) -> Mask:
        """Return for each value whether the column may hold it."""
        is_missing = values.isna().to_numpy(dtype=bool)
        is_allowed = np.full(len(values), self.missing)
        is_allowed[~is_missing] = self._allows_present(values[~is_missing].tolist())
        return is_allowed

    def _allows_present(self, values: list[Any]) -> Mask:
        """Return for each value whether the column may hold it; no value may be missing."""
        if self.kind == "text":
            texts = set(self.texts)
            fits = [isinstance(value, str) and (not texts or value in texts) for value in values]
            return np.array(fits, dtype=bool)
        is_truth = np.array([isinstance(value, bool | np.bool_) for value in values], dtype=bool)
        if self.kind == "truth":
            return is_truth
        numbers_or_nan = [value if isinstance(value, _NUMBER_TYPES) else np.nan for value in values]
        numbers = np.array(numbers_or_nan, dtype=float)
        fits_range = ~is_truth & _is_in_range(numbers, self.interval)
        return fits_range & (numbers == np.floor(numbers)) if self.kind == "whole" else fits_range


@dataclass(frozen=True)
class DeclaredTable:
    """The declaration of a table of the study: the meaning of a row, and the columns in their order."""

    row: str
    columns: Sequence[DeclaredColumn]


@cache
def _read_shared_columns() -> dict[str, Any]:
    shared: dict[str, Any] = read_yaml(Path(__file__).with_name("columns.yaml"))
    return shared


@cache
def declared_tables() -> Mapping[str, DeclaredTable]:
    """Return the tables of the study, and the numbers of its figures, by the names of their files."""
    shared, tables = _read_shared_columns(), dict[str, DeclaredTable]()
    same_columns: dict[str, str] = {}
    for experiment in load_experiments().values():
        content = shared | {key: shared[key] | getattr(experiment, key) for key in ("groups", "columns")}
        for name, declaration in experiment.results.items():
            if isinstance(declaration, str):
                same_columns[name] = declaration
            else:
                tables[name] = _parse_table(declaration, content)
    return tables | {name: tables[model] for name, model in same_columns.items()}


def _parse_table(declaration: Mapping[str, Any], content: Mapping[str, Any]) -> DeclaredTable:
    """Return a declared table. Properties of a column under ``here`` replace its general properties."""
    names = [column for item in declaration["columns"] for column in content["groups"].get(item, [item])]
    here = declaration.get("here", {})
    columns = [DeclaredColumn(name, **_describe_column(name, content) | here.get(name, {})) for name in names]
    return DeclaredTable(declaration["row"], columns)


def _describe_column(name: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a column that are the same in every table."""
    if name in content["groups"]["the measures"]:
        return {**content["measures"], **content["columns"].get(name, {})}
    if name in content["columns"]:
        return {**content["columns"][name]}
    for pattern, properties in content["patterns"].items():
        if match := re.fullmatch(pattern.replace("NAME", "(.+)"), name):
            means = properties["means"].replace("NAME", match[1])
            return {**_describe_column(match[1], content), **properties, "means": means}
    raise KeyError(name)


def _is_in_range(numbers: Floats, interval: str) -> Mask:
    """Return for each number whether it is in an interval such as ``[0, inf)``."""
    low, high = map(float, interval[1:-1].split(", "))
    is_above = numbers > low if interval[0] == "(" else numbers >= low - _RANGE_TOLERANCE
    is_below = numbers < high if interval[-1] == ")" else numbers <= high + _RANGE_TOLERANCE
    return np.asarray(is_above & is_below)


def column_names(name: str) -> list[str]:
    """Return the names of the columns of a table of the study, in their order."""
    return [column.name for column in declared_tables()[name].columns]


def measure_names() -> list[str]:
    """Return the names of the measures in the study's tables. The library may have further measures."""
    names: list[str] = _read_shared_columns()["groups"]["the measures"]
    return names


def write_result(path: str | os.PathLike[str], *tables: pd.DataFrame) -> None:
    """Check tables by the name of their file, and write their rows below each other, as `write_table` does."""
    for table in tables:
        check_table(Path(path).stem, table)
    empty = pd.DataFrame(columns=column_names(Path(path).stem))
    write_table(path, pd.concat(tables, ignore_index=True) if tables else empty)


def check_table(name: str, table: pd.DataFrame) -> None:
    """Raise ValueError if a table differs from its declaration. The message names the first wrong column or cell."""
    if name not in declared_tables():
        raise ValueError(f"Table {name} is not known; describe it in {DECLARATION_FILE} of its experiment.")
    names = zip_longest(table.columns, column_names(name))
    for number, (actual, expected) in enumerate(names, start=1):
        if actual != expected:
            raise ValueError(
                f"Table {name}, column {number}: {actual or 'no column'} is not allowed; "
                f"it must be {expected or 'no column'}."
            )
    for column in declared_tables()[name].columns:
        values = table[column.name]
        is_allowed = column.allows(values)
        if not is_allowed.all():
            row = int(is_allowed.argmin())
            value = values.iloc[row]
            words = "a missing value" if pd.isna(value) else repr(value) if isinstance(value, str) else value
            raise ValueError(
                f"Table {name}, row {row + 1}, column {column.name}: {words} is not allowed; "
                f"it must be {column.allowed}."
            )


def write_table(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write a table without its index as CSV with 12 significant digits.

    Twelve digits hide differences in the last bits between processors, so that equal results are equal files. A text
    that a spreadsheet could run gets an apostrophe before it.

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
    safe = table.map(lambda value: escape_formula(value) if isinstance(value, str) else value).infer_objects()
    safe.columns = [escape_formula(str(name)) for name in table.columns]
    with atomic_path(path) as temporary:
        safe.to_csv(temporary, index=False, float_format="%.12g", lineterminator="\n")


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a file that `write_table` wrote. A table of the study gets the declared types.

    An empty cell is an empty text if the column may not be without a value, and else missing.
    """
    declared = declared_tables().get(Path(path).stem)
    columns = declared.columns if declared else ()
    types: Any = {column.name: (_TYPES_WITH_MISSING if column.missing else _TYPES)[column.kind] for column in columns}
    with naming_file(path):
        table = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=types or None)
    table.columns = table.columns.str.removeprefix("'")
    without_missing = {column.name for column in columns if not column.missing}
    for name in table.columns[table.dtypes == "str"]:
        texts = table[name].str.removeprefix("'")
        table[name] = texts.fillna("") if name in without_missing else texts
    return table


def read_texts(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a file that `write_table` wrote, and keep every cell as text. A missing value is an empty text."""
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
