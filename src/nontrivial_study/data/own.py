"""A user's own data sets: files of rows, described before the study starts, and read as canonical tables."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial._arrays import Floats
from nontrivial.numerals import parse_numbers
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.cells import FileColumn, read_number_cells
from nontrivial.reading.files import OpenedTable, open_table
from nontrivial.reading.labels import MISSING_LABELS, Classes, equal_labels, label_value
from nontrivial.terminal import shorten
from nontrivial_study.data.canonical import TARGET, Entry, Record, canonical_sha256, canonical_table, dataset_record

SOURCE = "own file"
MAX_TARGET_CLASSES = 50
_PLAIN_NUMBER = r"^[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$"
_PADDED_DIGITS = re.compile("0[0-9]+")
_NUMBER_AT_START = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
# In a column of categories, "?" may be a category.
_MISSING_CATEGORIES = ["", *(text for text in MISSING_LABELS if text != "?")]


@contextlib.contextmanager
def naming_settings() -> Iterator[None]:
    """Rename options of the command to settings of the configuration in the messages of errors."""
    try:
        yield
    except UnsettledError as error:
        raise ValueError(error.with_settings(("sheet",), "the data set")) from None
    except ValueError as error:
        text = re.sub(r"--([a-z]+) ('[^']*')", r"\1: \2", str(error))
        raise ValueError(re.sub(r"--([a-z]+)", r"the setting \1", text)) from None


def file_column(table: OpenedTable, name: str, cells: pa.Array, decimal: str | None = None) -> FileColumn:
    """Return a column that messages call by its name and its file."""
    return FileColumn(f"Column {name!r} of {table.name}", cells, decimal)


def _open_file(setting: Entry) -> OpenedTable:
    file = setting["file"]
    table = open_table(file, **{key: setting.get(key) for key in ("separator", "encoding", "sheet")})
    for name in table.names:
        if not name or table.names.count(name) > 1:
            raise ValueError(f"{file} has several columns named {name!r}, or one without a name; names must differ.")
    return table


@naming_settings()
def own_entry(name: str, setting: Entry) -> Record:
    """Return the entry of a user's data set. It has the keys that an entry in the configuration has."""
    file, target = setting["file"], setting["target"]
    table = _open_file(setting)
    for column in (target, *setting.get("categories", ())):
        if column not in table.names:
            raise ValueError(f"{file} has no column {column!r}; it has {', '.join(table.names)}.")
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
        "rows": len(truth.contents),
        "features": len(table.names) - 1,
    }
    if truth.classes is None:
        return entry
    names = truth.classes.names
    if not 2 <= len(names) <= MAX_TARGET_CLASSES:
        raise ValueError(
            f"{file} has {len(names)} different values in {target!r}; classes must be 2 to {MAX_TARGET_CLASSES}."
        )
    return entry | {"classes": dict(zip(names, np.bincount(truth.contents).tolist(), strict=True))}


def own_warnings(entry: Entry) -> list[str]:
    """Return a warning for each column of a user's data set that is probably read in the wrong way."""
    _, columns = _read_table(entry)
    return [about["warning"] for about in columns.values() if "warning" in about]


def own_dataset(name: str, entry: Entry) -> tuple[pd.DataFrame, Record]:
    """Return a user's data set and its record. The key ``columns`` of the record says how each column was read."""
    table, columns = _read_table(entry)
    expected = {**entry, "sha256": canonical_sha256(table), "columns": columns}
    record = dataset_record(name, table, expected)
    if "classes" in entry:
        record["classes"] = entry["classes"]  # in the order of the labels
    return table, record


@naming_settings()
def _read_table(entry: Entry) -> tuple[pd.DataFrame, Record]:
    """Return a data set as a canonical table, and how each column was read."""
    target, decimal = entry["target"], entry.get("decimal")
    table = _open_file(entry)
    cells = table.read(table.names)
    columns = {name: file_column(table, name, cells[name], decimal) for name in table.names if name != target}
    features = {
        name: _read_feature(name, column, is_category=name in entry.get("categories", ()))
        for name, column in columns.items()
    }
    marks = {name: feature.about.get("decimal") for name, feature in features.items()}
    if decimal is None and "," in marks.values():
        for name in columns:
            if marks[name] == ".":
                _refuse_possible_thousands(columns[name])
    truth = _read_target(table, entry, cells[target])
    frame = pd.DataFrame({_feature_name(name, columns): features[name].contents for name in columns})
    about = {name: feature.about for name, feature in features.items()}
    if truth.classes is None:
        about[target] = {"read_as": "numbers", "missing": 0}
        return canonical_table(frame, truth.contents), about
    labels = truth.classes.names
    about[target] = {"read_as": "labels", "missing": 0, "same": equal_labels(truth.classes.values)}
    target_labels = np.array(labels, dtype=object)[truth.contents]
    return canonical_table(frame, target_labels, dict(zip(labels, labels, strict=True))), about


def _feature_name(name: str, columns: Mapping[str, Any]) -> str:
    """Return a name for a feature in the canonical table that differs from the name of the target there."""
    new_name = name
    while new_name == TARGET or (new_name != name and new_name in columns):
        new_name += "_feature"
    return new_name


class _Target(NamedTuple):
    """The classes of a target, and the class index of each row. Without classes, the second field holds numbers."""

    classes: Classes | None
    contents: Any


def _read_target(table: OpenedTable, setting: Entry, cells: pa.Array) -> _Target:
    """Read the target as `nontrivial score` reads a truth: as classes, or as numbers to predict."""
    column = file_column(table, setting["target"], cells, setting.get("decimal"))
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
    """The numbers or categories of a column, and how it was read."""

    contents: Floats | pd.Series
    about: Record


def _read_feature(name: str, column: FileColumn, *, is_category: bool) -> _Feature:
    """Read a column as numbers or categories. With `is_category`, the configuration says that it has categories."""
    if is_category:
        return _category_feature(column, "the configuration says so")
    if not column.is_text:
        is_boolean = pa.types.is_boolean(column.cells.type)
        return _number_feature(column.numbers, **({"true_and_false": "1 and 0"} if is_boolean else {}))
    feature = _read_plain_numbers(column) or _read_text_column(column)
    about, n_present = feature.about, len(feature.contents) - feature.about["missing"]
    if about["read_as"] == "categories" and 2 * about["levels"] > n_present:
        first = next(text for text in column.distinct_texts.texts if text.strip() not in _MISSING_CATEGORIES)
        number = _NUMBER_AT_START.match(first.strip())
        remedy = "if it tells the rows apart, leave the column out"
        if number:
            remedy = f"if it holds numbers, write these alone, such as {number[0]}; {remedy}"
        about["warning"] = (
            f"{column.place} is read as categories, but has {about['levels']:,} different values in "
            f"{n_present:,} rows, such as {shorten(first, 60)!r}; {remedy}; if these are categories, "
            f"write categories: [{name}]."
        )
    return feature


def _number_feature(numbers: Floats, **about: Any) -> _Feature:
    return _Feature(numbers, {"read_as": "numbers", "missing": int(np.isnan(numbers).sum()), **about})


def _category_feature(column: FileColumn, reason: str, **about: Any) -> _Feature:
    texts, codes = column.distinct_texts
    categories = pd.Series(np.array(texts, dtype=object)[codes], dtype="str")
    categories = categories.mask(categories.str.strip().isin(_MISSING_CATEGORIES))
    counts = {"levels": categories.nunique(), "missing": int(categories.isna().sum())}
    return _Feature(categories, {"read_as": "categories", "reason": reason, **counts, **about})


def _read_plain_numbers(column: FileColumn) -> _Feature | None:
    """Read a column of numbers with decimal points. Return None if a cell holds anything else."""
    texts = pc.utf8_trim_whitespace(column.cells)
    texts_or_null = pc.if_else(pc.equal(texts, ""), None, texts)
    is_plain = pc.match_substring_regex(texts_or_null.drop_null(), _PLAIN_NUMBER)
    if column.decimal == "," or not len(is_plain) or not pc.all(is_plain).as_py():
        return None
    missing = {"": texts_or_null.null_count} if texts_or_null.null_count else {}
    return _number_feature(np.array(pc.cast(texts_or_null, pa.float64())), decimal=".", missing_as=missing)


def _read_text_column(column: FileColumn) -> _Feature:
    """Read a column of texts as numbers in any usual spelling, or as categories if few cells are numbers."""
    (cells, codes), counts = column.distinct_texts, column.distinct_texts.counts
    parsed = read_number_cells(cells, counts, column.decimal)
    texts = [cell.strip() for cell in cells]
    present = np.flatnonzero(~parsed.is_missing)
    missing_as = {cells[i]: int(counts[i]) for i in np.flatnonzero(parsed.is_missing)}
    about: Record = {"missing_as": missing_as}
    if parsed.is_odd.any() and all(label_value(texts[i]) in (0, 1) for i in present):
        numbers = parsed.numbers.copy()
        numbers[present] = [float(label_value(texts[i]) or 0) for i in present]
        return _number_feature(numbers[codes], true_and_false="1 and 0", **about)
    is_padded = np.array([_PADDED_DIGITS.fullmatch(text) is not None for text in texts], dtype=bool)
    if is_padded.any() and len({(texts[i].isdigit(), len(texts[i])) for i in present}) == 1:
        return _category_feature(column, "leading zeros")
    n_numbers = int(counts[parsed.is_number].sum())
    if 2 * n_numbers <= counts[present].sum():
        return _category_feature(column, "at most half of the cells are numbers", numbers=n_numbers)
    is_odd = parsed.is_odd | is_padded
    if is_odd.any():
        row = int(is_odd[codes].argmax())
        text = shorten(column.cells[row].as_py().strip(), 60)
        raise ValueError(
            f"{column.place} holds {text!r} in data row {row + 1:,}, where most cells are {parsed.usual}; correct the "
            "cell, or list the column under categories."
        )
    if parsed.decimal is None:
        column.refuse_mark(",", cells, parsed.numerals)
    if parsed.has_thousands:
        about["thousands"] = "separated"
    if parsed.are_percentages:
        about["percent"] = "as shares"
    return _number_feature(parsed.numbers[codes], decimal=parsed.decimal, **about)


def _refuse_possible_thousands(column: FileColumn) -> None:
    """Refuse numbers such as 1.234 in a file with decimal commas, because the point may separate thousands."""
    texts = column.distinct_texts.texts
    numerals = read_number_cells(texts, column.distinct_texts.counts).numerals
    if any("." in numeral for numeral in numerals) and None not in parse_numbers(numerals, ",")[0]:
        column.refuse_mark(".", texts, numerals)
