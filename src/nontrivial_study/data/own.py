"""A user's own data sets: files of rows, and what the study has to know of them before it starts."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial._arrays import Floats
from nontrivial.numerals import numbers_in
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.cells import FileColumn
from nontrivial.reading.files import OpenedTable, open_table
from nontrivial.reading.labels import MISSING_LABELS, Classes, equal_labels, label_value
from nontrivial.reading.number_cells import read_number_cells
from nontrivial.terminal import shortened
from nontrivial_study.data.canonical import TARGET, canonical_sha256, canonical_table, dataset_record

SOURCE = "own file"
MOST_CLASSES = 50
_PLAIN = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$"
_PADDED = re.compile("0[0-9]+")
# What is missing in a column of categories, where people write ? for a category of its own.
_MISSING_CATEGORIES = ["", *(text for text in MISSING_LABELS if text != "?")]
_NUMERAL = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")


@contextlib.contextmanager
def naming_settings() -> Iterator[None]:
    """Make the messages of the reader name settings of the configuration in place of options of a command."""
    try:
        yield
    except UnsettledError as error:
        raise ValueError(error.with_settings(("sheet",), "the data set")) from None
    except ValueError as error:
        text = re.sub(r"--([a-z]+) ('[^']*')", r"\1: \2", str(error))
        raise ValueError(re.sub(r"--([a-z]+)", r"the setting \1", text)) from None


def open_with(setting: Mapping[str, Any], file: str) -> OpenedTable:
    """Open a file with the settings that say how it is read; the names of its columns must differ."""
    table = open_table(file, **{key: setting.get(key) for key in ("separator", "encoding", "sheet")})
    wrong = next((name for name in table.names if not name or table.names.count(name) > 1), None)
    if wrong is not None:
        raise ValueError(
            f"{file} has several columns named {wrong!r}, or one without a name; names must differ."
        )
    return table


def column_of(table: OpenedTable, name: str, cells: pa.Array, decimal: str | None = None) -> FileColumn:
    """Return a column of a table as messages call it."""
    return FileColumn(f"Column {name!r} of {table.name}", cells, decimal)


@naming_settings()
def own_entry(name: str, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a data set of the user's own as the configuration of the data sets describes the others."""
    file, target = setting["file"], setting["target"]
    table = open_with(setting, file)
    lacking = [column for column in (target, *setting.get("categories", ())) if column not in table.names]
    if lacking:
        raise ValueError(f"{file} has no column {lacking[0]!r}; it has {', '.join(table.names)}.")
    if len(table.names) < 2:
        raise ValueError(f"{file} has no column beside {target!r}; at least one feature is needed.")
    truth = _read_target(table, setting, table.read([target])[target])
    entry = {
        "title": name,
        "source": SOURCE,
        "uci_id": None,
        "address": f"#{name}",
        "licence": "not stated",
        **setting,
        "rows": len(truth.cases),
        "features": len(table.names) - 1,
    }
    if truth.classes is None:
        return entry
    names = truth.classes.names
    if not 2 <= len(names) <= MOST_CLASSES:
        raise ValueError(
            f"{file} has {len(names)} different values in {target!r}; classes must be 2 to {MOST_CLASSES}."
        )
    return entry | {"classes": dict(zip(names, np.bincount(truth.cases).tolist(), strict=True))}


def own_warnings(entry: Mapping[str, Any]) -> list[str]:
    """Read a data set of the user's own, and return what its user should look at, a sentence for each column."""
    columns = _read_own(entry)[1]
    return [about["warning"] for about in columns.values() if "warning" in about]


def own_dataset(name: str, entry: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a data set of the user's own, and its record with what became of each column under ``columns``."""
    table, columns = _read_own(entry)
    expected = {**entry, "sha256": canonical_sha256(table), "columns": columns}
    record = dataset_record(name, table, expected)
    return table, record | {"classes": entry["classes"]} if "classes" in entry else record  # in their order


@naming_settings()
def _read_own(entry: Mapping[str, Any]) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a data set as a canonical table, and what became of each column."""
    target, decimal = entry["target"], entry.get("decimal")
    table = open_with(entry, entry["file"])
    cells = table.read(table.names)
    columns = {name: column_of(table, name, cells[name], decimal) for name in table.names if name != target}
    features = {
        name: _read_feature(name, column, is_named=name in entry.get("categories", ()))
        for name, column in columns.items()
    }
    if decimal is None and any(feature.about.get("decimal") == "," for feature in features.values()):
        for name, feature in features.items():
            if feature.about.get("decimal") == ".":
                _refuse_thousands(columns[name])
    truth = _read_target(table, entry, cells[target])
    frame = pd.DataFrame({_free_name(name, columns): feature.cells for name, feature in features.items()})
    about = {name: feature.about for name, feature in features.items()}
    if truth.classes is None:
        about[target] = {"read_as": "numbers", "missing": 0}
        return canonical_table(frame, truth.cases), about
    labels = truth.classes.names
    about[target] = {"read_as": "labels", "missing": 0, "same": equal_labels(truth.classes.values)}
    names, places = pd.Series(labels, dtype=object), truth.cases
    return canonical_table(frame, names[places], dict(zip(labels, labels, strict=True))), about


def _free_name(name: str, columns: Mapping[str, Any]) -> str:
    """Return what a feature is called in the canonical table, in which the target has a name of its own."""
    free = name
    while free == TARGET or (free != name and free in columns):
        free += "_feature"
    return free


class _Target(NamedTuple):
    """The classes of the target and the place of the class of each row; or, without classes, the number of each row."""

    classes: Classes | None
    cases: Any


def _read_target(table: OpenedTable, setting: Mapping[str, Any], cells: pa.Array) -> _Target:
    """Read the target as `nontrivial score` reads a truth: as classes, or as numbers to predict."""
    column = column_of(table, setting["target"], cells, setting.get("decimal"))
    task = setting.get("task")
    if task == "regression" or (task is None and column.is_regression_target()):
        numbers = column.numbers
        if np.isnan(numbers).any():
            row = int(np.isnan(numbers).argmax()) + 1
            raise ValueError(f"{column.place} is empty in data row {row:,}; each row needs a number.")
        return _Target(None, numbers)
    labels = column.complete_labels()
    classes = Classes.from_labels(labels.texts)
    return _Target(classes, classes.encode(*labels))


class _Feature(NamedTuple):
    """A column of a file as numbers or categories, and what became of it."""

    cells: Any  # ndarray of float, or Series of str
    about: dict[str, Any]


def _read_feature(name: str, column: FileColumn, *, is_named: bool) -> _Feature:
    """Read a column as numbers or categories; `is_named` says that the configuration lists it under ``categories``."""
    if is_named:
        return _as_categories(column, "the configuration says so")
    if not column.is_text:
        is_boolean = pa.types.is_boolean(column.cells.type)
        return _as_numbers(column.numbers, **({"true_and_false": "1 and 0"} if is_boolean else {}))
    feature = _read_plain(column) or _read_texts(column)
    about, known = feature.about, len(feature.cells) - feature.about["missing"]
    if about["read_as"] == "categories" and 2 * about["levels"] > known:
        first = next(text for text in column.distinct_texts.texts if text.strip() not in _MISSING_CATEGORIES)
        number = _NUMERAL.match(first.strip())
        remedy = "if it tells the rows apart, leave the column out"
        if number:
            remedy = f"if it holds numbers, write these alone, such as {number[0]}; {remedy}"
        about["warning"] = (
            f"{column.place} is read as categories, but has {about['levels']:,} different values in {known:,} rows, "
            f"such as {shortened(first, 60)!r}; {remedy}; if these are categories, write categories: [{name}]."
        )
    return feature


def _as_numbers(numbers: Floats, **about: Any) -> _Feature:
    return _Feature(numbers, {"read_as": "numbers", "missing": int(np.isnan(numbers).sum()), **about})


def _as_categories(column: FileColumn, reason: str, **about: Any) -> _Feature:
    texts, cases = column.distinct_texts
    cells = pd.Series(np.array(texts, dtype=object)[cases], dtype="str")
    cells = cells.mask(cells.str.strip().isin(_MISSING_CATEGORIES))
    levels, missing = cells.nunique(), int(cells.isna().sum())
    counts = {"levels": levels, "missing": missing}
    return _Feature(cells, {"read_as": "categories", "reason": reason, **counts, **about})


def _read_plain(column: FileColumn) -> _Feature | None:
    """Read numbers with points and nothing else, of which there may be millions; None if there is anything else."""
    texts = pc.utf8_trim_whitespace(column.cells)
    filled = pc.if_else(pc.equal(texts, ""), None, texts)
    plain = pc.match_substring_regex(filled.drop_null(), _PLAIN)
    if column.decimal == "," or not len(plain) or not pc.all(plain).as_py():
        return None
    missing = {"": filled.null_count} if filled.null_count else {}
    return _as_numbers(np.array(pc.cast(filled, pa.float64())), decimal=".", missing_as=missing)


def _read_texts(column: FileColumn) -> _Feature:
    (cells, cases), counts = column.distinct_texts, column.distinct_texts.counts
    read = read_number_cells(cells, counts, column.decimal)
    texts = [cell.strip() for cell in cells]
    known = np.flatnonzero(~read.is_missing)
    missing = {cells[place]: int(counts[place]) for place in np.flatnonzero(read.is_missing)}
    about: dict[str, Any] = {"missing_as": missing}
    if read.is_odd.any() and all(label_value(texts[place]) in (0, 1) for place in known):
        numbers = read.numbers.copy()
        numbers[known] = [float(label_value(texts[place]) or 0) for place in known]
        return _as_numbers(numbers[cases], true_and_false="1 and 0", **about)
    is_padded = np.array([_PADDED.fullmatch(text) is not None for text in texts], dtype=bool)
    if is_padded.any() and len({(texts[place].isdigit(), len(texts[place])) for place in known}) == 1:
        return _as_categories(column, "leading zeros")
    n_numbers = int(counts[read.is_number].sum())
    if 2 * n_numbers <= counts[known].sum():
        return _as_categories(column, "at most half of the cells are numbers", numbers=n_numbers)
    is_odd = read.is_odd | is_padded
    if is_odd.any():
        row = int(is_odd[cases].argmax())
        text = shortened(column.cells[row].as_py().strip(), 60)
        raise ValueError(
            f"{column.place} holds {text!r} in data row {row + 1:,}, where most cells are {read.usual}; correct the "
            "cell, or list the column under categories."
        )
    if read.decimal is None:
        column.refuse_mark(",", cells, read.numerals)
    if read.has_thousands:
        about["thousands"] = "separated"
    if read.are_percentages:
        about["percent"] = "as shares"
    return _as_numbers(read.numbers[cases], decimal=read.decimal, **about)


def _refuse_thousands(column: FileColumn) -> None:
    """Refuse numbers whose points may separate thousands, as they would beside decimal commas."""
    texts = column.distinct_texts.texts
    numerals = read_number_cells(texts, column.distinct_texts.counts).numerals
    if any("." in numeral for numeral in numerals) and None not in numbers_in(numerals, ",")[0]:
        column.refuse_mark(".", texts, numerals)
