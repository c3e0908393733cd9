"""A user's own data sets: files of rows, and what the study has to know of them before it starts."""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nontrivial._arrays import Floats, Ints
from nontrivial.numerals import as_written, number_in, numbers_in
from nontrivial.reading.labels import MISSING, Classes, equal_labels, value_of
from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import TARGET, canonical_sha256, canonical_table, dataset_record

SOURCE = "own file"
MOST_CLASSES = 50
_SEPARATORS = ",;\t"
_PLAIN = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$"
_PADDED = re.compile("0[0-9]+")


def own_entry(name: str, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a data set of the user's own as the configuration of the data sets describes the others."""
    file, target = setting["file"], setting["target"]
    names = column_names(file)
    lacking = [column for column in (target, *setting.get("categories", ())) if column not in names]
    if lacking:
        raise ValueError(f"{file} has no column {lacking[0]!r}; it has {', '.join(names)}.")
    if len(names) < 2:
        raise ValueError(f"{file} has no column beside {target!r}; at least one feature is needed.")
    labels = LabelColumn(read_columns(file, [target]), target, file)
    classes = labels.classes.names
    if not 2 <= len(classes) <= MOST_CLASSES:
        raise ValueError(
            f"{file} has {len(classes)} different values in {target!r}; it must have 2 to {MOST_CLASSES} classes."
        )
    places = labels.places_in(labels.classes)
    return {
        "title": name,
        "source": SOURCE,
        "uci_id": None,
        "address": f"#{name}",
        "licence": "not stated",
        **setting,
        "rows": len(places),
        "features": len(names) - 1,
        "classes": dict(zip(classes, np.bincount(places).tolist(), strict=True)),
    }


def read_own(entry: Mapping[str, Any]) -> pd.DataFrame:
    """Return a data set of the user's own as a canonical table."""
    return _read_own(entry)[0]


def own_dataset(name: str, entry: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a data set of the user's own, and its record with what became of each column under ``columns``."""
    table, columns = _read_own(entry)
    expected = {**entry, "sha256": canonical_sha256(table), "columns": columns}
    return table, dataset_record(name, table, expected) | {"classes": entry["classes"]}  # in their order


def _read_own(entry: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    file, target, decimal = entry["file"], entry["target"], entry.get("decimal")
    table = read_columns(file, column_names(file))
    read = {
        name: _Feature(table[name], name, file, decimal, told=name in entry.get("categories", ()))
        for name in table.column_names
        if name != target
    }
    if decimal is None and any(feature.about.get("decimal") == "," for feature in read.values()):
        for feature in read.values():
            feature.refuse_thousands()
    labels = LabelColumn(table, target, file)
    names = labels.classes.names
    features = pd.DataFrame({name: feature.cells for name, feature in read.items()})
    canonical = canonical_table(
        features.rename(columns={TARGET: f"{TARGET}_feature"}),
        np.array(names, dtype=object)[labels.places_in(labels.classes)],
        dict(zip(names, names, strict=True)),
    )
    about = {name: feature.about for name, feature in read.items()}
    about[target] = {"read_as": "labels", "missing": 0, "same": equal_labels(labels.classes.values)}
    return canonical, about


class LabelColumn:
    """A column of labels as they are written.

    Attributes
    ----------
    classes : Classes

    Raises
    ------
    ValueError
        With one sentence, if a label is missing.
    """

    def __init__(self, table: pa.Table, name: str, file: str) -> None:
        self._codes, self._texts = distinct_texts(table[name], name, file)
        for text in (each for each in self._texts if each.strip() in ("", *MISSING)):
            row = int(np.argmax(self._codes == self._texts.index(text))) + 1
            what = f"{text!r}, which stands for a missing value," if text.strip() else "nothing"
            raise ValueError(f"{file} has {what} in column {name!r} of row {row}; each row needs a value.")
        self.classes = Classes.of(self._texts)

    def places_in(self, classes: Classes) -> Ints:
        """Return for each row the place of its label among some classes; -1 if it is not one of them."""
        places = [classes.find(text) for text in self._texts]
        return np.array([-1 if place is None else place for place in places], dtype=np.int64)[self._codes]

    def first_outside(self, classes: Classes) -> str | None:
        """Return the first label that is not one of some classes."""
        return next((text for text in self._texts if classes.find(text) is None), None)


class _Feature:
    """A column of a file that became numbers or categories.

    Attributes
    ----------
    cells : Series of str, or ndarray of float
    about : dict
        What became of the column.
    """

    cells: Any
    about: dict[str, Any]

    def __init__(
        self, column: pa.ChunkedArray, name: str, file: str, decimal: str | None, *, told: bool
    ) -> None:
        self._column, self._name, self._file, self._decimal = column, name, file, decimal
        kind = column.type
        if told:
            self._become_categories("the configuration says so")
        elif is_text(kind) or pa.types.is_null(kind):
            self._read_texts()
        elif pa.types.is_boolean(kind) or _is_number(kind):
            about = {"true_and_false": "1 and 0"} if pa.types.is_boolean(kind) else {}
            self._become_numbers(as_floats(column, name, file), **about)
        else:
            raise ValueError(
                f"{file} has the type {kind} in column {name!r}; turn it into numbers, such as days since a date, or "
                "texts, list it under categories, or leave it out."
            )

    def refuse_thousands(self) -> None:
        """Refuse numbers whose points may separate thousands, as they would beside decimal commas."""
        if self.about.get("decimal") == ".":
            codes, _, shares = self._distinct()
            if any("." in share for share in shares) and None not in numbers_in(shares, ",")[0]:
                self._refuse_mark(".", shares, codes)

    def _distinct(self) -> tuple[Ints, list[str], list[str]]:
        """Return the place of each cell among the different ones, those, and those without a sign of percent."""
        codes, cells = distinct_texts(self._column, self._name, self._file)
        texts = [cell.strip() for cell in cells]
        return codes, cells, [text.removesuffix("%").rstrip() or text for text in texts]

    def _become_numbers(self, numbers: Floats, **about: Any) -> None:
        if np.isinf(numbers).any():
            row = int(np.isinf(numbers).argmax())
            self._refuse(str(numbers[row]), row)
        self.cells = numbers
        self.about = {"read_as": "numbers", "missing": int(np.isnan(numbers).sum()), **about}

    def _become_categories(self, reason: str, **about: Any) -> None:
        column = _texts_of(self._column, self._name, self._file)
        self.cells = column.mask(column.str.strip().isin(["", *MISSING]))
        missing = int(self.cells.isna().sum())
        self.about = {"read_as": "categories", "reason": reason, "levels": self.cells.nunique()}
        self.about |= {"missing": missing, **about}

    def _read_plain(self) -> bool:
        """Read numbers with points and nothing else, of which there may be millions."""
        texts = pc.utf8_trim_whitespace(self._column.cast(pa.string()))
        filled = pc.if_else(pc.equal(texts, ""), None, texts)
        plain = pc.match_substring_regex(filled.drop_null(), _PLAIN)
        if self._decimal == "," or not len(plain) or not pc.all(plain).as_py():
            return False
        missing = {"": filled.null_count} if filled.null_count else {}
        self._become_numbers(pc.cast(filled, pa.float64()).to_numpy(), decimal=".", missing_as=missing)
        return True

    def _read_texts(self) -> None:
        if self._read_plain():
            return
        codes, cells, shares = self._distinct()
        counts = np.bincount(codes, minlength=len(cells))
        texts = [cell.strip() for cell in cells]
        read, decimal = numbers_in(shares, self._decimal)
        odd = np.array([number is None for number in read], dtype=bool)
        numbers = np.array([math.nan if number is None else number for number in read])
        known = odd | ~np.isnan(numbers)
        there = np.flatnonzero(known)
        about: dict[str, Any] = {
            "missing_as": {cells[each]: int(counts[each]) for each in np.flatnonzero(~known)}
        }
        if odd.any() and all(value_of(texts[each]) in (0, 1) for each in there):
            numbers[there] = [float(value_of(texts[each]) or 0) for each in there]
            self._become_numbers(numbers[codes], true_and_false="1 and 0", **about)
            return
        padded = np.array([_PADDED.fullmatch(text) is not None for text in texts], dtype=bool)
        if padded.any() and len({(texts[each].isdigit(), len(texts[each])) for each in there}) == 1:
            self._become_categories("leading zeros")
            return
        alike = known.copy()  # numbers under one of the two marks
        for each in np.flatnonzero(odd):
            alike[each] = any(number_in(shares[each], mark) is not None for mark in ".,")
        n_alike = int(counts[alike].sum())
        if 2 * n_alike <= counts[known].sum():
            self._become_categories("at most half of the cells are numbers", numbers=n_alike)
            return
        odd |= padded
        percent = known & np.array([text != share for text, share in zip(texts, shares, strict=True)])
        usual = "numbers" if self._decimal is None else f"numbers with the decimal mark {self._decimal!r}"
        if not odd.any() and 0 < counts[percent].sum() < counts[known].sum():
            with_sign = 2 * counts[percent].sum() > counts[known].sum()
            odd, usual = (known & ~percent, "percentages") if with_sign else (percent, "numbers without %")
        if odd.any():
            row = int(odd[codes].argmax())
            self._refuse(texts[codes[row]], row, usual)
        if decimal is None:
            self._refuse_mark(",", shares, codes)
        separated = re.compile(f"[^0-9{decimal}eE+\N{MINUS SIGN}-]").search
        if any(separated(shares[each]) for each in there):
            about["thousands"] = "separated"
        if percent.any():
            numbers, about["percent"] = numbers / 100, "as shares"
        self._become_numbers(numbers[codes], decimal=decimal, **about)

    def _refuse(self, cell: str, row: int, usual: str = "numbers") -> NoReturn:
        raise ValueError(
            f"{self._file} has {shortened(cell, 60)!r} in column {self._name!r} of row {row + 1}, where most cells are "
            f"{usual}; correct the cell, or list the column under categories."
        )

    def _refuse_mark(self, mark: str, shares: list[str], codes: Ints) -> NoReturn:
        """Refuse the first cell with a mark that may be the decimal one."""
        row = int(np.array([mark in share for share in shares])[codes].argmax())
        cell = shares[codes[row]]
        numbers = " or ".join(f"{number_in(cell, mark):.15g}" for mark in ".,")
        raise ValueError(
            f"{self._file} has {cell!r} in column {self._name!r} of row {row + 1}, which may be {numbers}; give the "
            "data set the setting decimal, which is '.' or ','."
        )


def column_names(file: str) -> list[str]:
    """Return the names of a file's columns; ValueError if it is no CSV or Parquet file with names that differ."""
    if not os.path.isfile(file):
        raise ValueError(f"{file} is not a file; a CSV or Parquet file is needed.")
    with _plain_errors(file):
        names = _columns_of_parquet(file) if _is_parquet(file) else _first_line(file)
    wrong = next((name for name in names if not name or names.count(name) > 1), None)
    if wrong is not None:
        raise ValueError(
            f"{file} has several columns named {wrong!r}, or one without a name; names must differ."
        )
    return names


def read_columns(file: str, columns: Sequence[str]) -> pa.Table:
    """Read columns of a CSV or Parquet file; those of CSV as they are written."""
    with _plain_errors(file):
        if _is_parquet(file):
            return pa.parquet.read_table(file, columns=list(columns))
        with open(file, "rb") as stream:
            content = stream.read()
        if content.count(b'"') % 2:
            raise ValueError("a quotation mark is never closed.")
        # In one block, since a row may be longer than the usual one.
        size = max(min(len(content) + 1, 2**31 - 1), 1 << 20)
        return pa.csv.read_csv(
            io.BytesIO(content),
            pa.csv.ReadOptions(block_size=size, use_threads=False),
            pa.csv.ParseOptions(delimiter=_separator(file), newlines_in_values=True),
            pa.csv.ConvertOptions(
                include_columns=list(columns), column_types=dict.fromkeys(columns, pa.string())
            ),
        )


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a type is one of texts, or of texts that are each stored once."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def as_floats(column: pa.ChunkedArray, name: str, file: str) -> Floats:
    """Return a column of numbers or booleans, with NaN where it is empty."""
    if not _is_number(column.type) and not pa.types.is_boolean(column.type):
        raise ValueError(f"{file} has the type {column.type} in column {name!r}; turn it into numbers.")
    numbers: Floats = pc.cast(column, pa.float64(), safe=False).to_numpy()
    return numbers


def distinct_texts(column: pa.ChunkedArray, name: str, file: str) -> tuple[Ints, list[str]]:
    """Return the place of each cell among the different ones, and those as they are written, "" if empty."""
    codes, texts = pd.factorize(_texts_of(column, name, file).fillna(""))
    return codes, texts.tolist()


def _texts_of(column: pa.ChunkedArray, name: str, file: str) -> pd.Series:
    """Return the cells of a column as they are written, with NaN where it is empty."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _texts_of(column.cast(kind.value_type), name, file)
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        raise ValueError(f"{file} has the type {kind} in column {name!r}; turn it into numbers or texts.")
    if is_text(kind):
        return pd.Series(column.cast(pa.string()).to_pandas(), dtype="str")
    cells = [None if cell is None or cell != cell else as_written(cell) for cell in column.to_pylist()]
    return pd.Series(cells, dtype="str")


@contextlib.contextmanager
def _plain_errors(file: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise ValueError(f"{file} cannot be read: {reason}.") from None


def _is_parquet(file: str) -> bool:
    with open(file, "rb") as stream:
        return stream.read(4) == b"PAR1"


def _columns_of_parquet(file: str) -> list[str]:
    names: list[str] = pa.parquet.read_schema(file).names
    return [name for name in names if not name.startswith("__index_level_")]  # row numbers of pandas


def _first_line(file: str) -> list[str]:
    with open(file, encoding="utf-8-sig", newline="") as stream:
        names = next(csv.reader(stream, delimiter=_separator(file)), [])
    if not names:
        raise ValueError("it is empty; names of columns are needed")
    return names


def _separator(file: str) -> str:
    with open(file, encoding="utf-8-sig") as stream:
        first = stream.readline()
    return max(_SEPARATORS, key=first.count)
