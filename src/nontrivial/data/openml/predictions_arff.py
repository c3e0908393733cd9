"""Predictions files of OpenML runs: ARFF, read as the CSV that its body mostly is.

A general ARFF reader looks at every cell in Python. Here the header says which columns there are, and a CSV reader
takes the rest at once; what it cannot take goes to liac-arff.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

from nontrivial._arrays import Floats
from nontrivial.data.http.reading import reason
from nontrivial.data.openml.strict_arff import arff

CONFIDENCE = "confidence."
_NAMES = {
    "repeat": "repeat",
    "repeat_nr": "repeat",
    "fold": "fold",
    "fold_nr": "fold",
    "row_id": "row_id",
    "rowid": "row_id",
    "row id": "row_id",
    "prediction": "prediction",
    "correct": "truth",
    "truth": "truth",
}
_NUMBERS = re.compile(r"\s(?:numeric|real|integer|string)(?:\s*\[[^\[]*\])?$", re.IGNORECASE)
_MOST_COLUMNS = 10_000
_MOST_LABELS = 100_000  # characters
_LABELS = ("prediction", "truth")
_MOST_ROWS = 2**31
_DATA = re.compile(rb"^[ \t]*@data[^\n]*\n?", re.IGNORECASE | re.MULTILINE)


class FormatError(ValueError):
    """A predictions file that cannot be read; the message is the part of a sentence that says why."""


@dataclass(frozen=True)
class _Column:
    """A column as the header declares it, its name in the study's words where it has one."""

    name: str
    declared: tuple[str, ...] | None  # None: numbers

    @property
    def numeric(self) -> bool:
        # Labels that look like numbers stay labels; what runs declare as their type is no guide.
        return self.declared is None and self.name not in _LABELS


@dataclass(frozen=True)
class Predictions:
    """The content of a predictions file, as it stands there.

    Attributes
    ----------
    repeat, fold : ndarray of float
        NaN where the file has ``?``, or no such column.
    row_id : ndarray of int
    prediction : Categorical
    truth : Categorical or None
        What the file says the truth is.
    confidence : dict of str to ndarray of float
        By class, in the order of the columns.
    notes : tuple of str
        What was odd, and taken all the same.
    """

    repeat: np.ndarray
    fold: np.ndarray
    row_id: np.ndarray
    prediction: pd.Categorical
    truth: pd.Categorical | None
    confidence: dict[str, np.ndarray]
    notes: tuple[str, ...]


def read_predictions(content: bytes) -> Predictions:
    """Read a predictions file.

    Raises
    ------
    FormatError
        If it is no ARFF, lacks the row numbers or the predictions, or has cells that do not fit their columns.

    Examples
    --------
    >>> content = b"@relation x\\n@attribute row_id numeric\\n@attribute confidence.no numeric\\n"
    >>> content += b"@attribute prediction {no,yes}\\n@data\\n0,0.25,yes\\n1,1,no\\n"
    >>> read_predictions(content).confidence
    {'no': array([0.25, 1.  ])}
    """
    notes = []
    if b"\0" in content:
        content = content.replace(b"\0", b"")
        notes.append("NUL bytes")
    start = _DATA.search(content)
    if not start:
        raise FormatError("has no @data line")
    columns = _read_header(content[: start.start()].decode("utf-8", errors="replace"), notes)
    names = [column.name for column in columns]
    for name in ("row_id", "prediction"):
        if name not in names:
            raise FormatError(f"has no column {name}")
    if len(set(names)) < len(names):
        raise FormatError("has two columns of the same meaning")
    body = content[start.end() :]
    if b'"' in body:
        notes.append("double quotes")
    try:
        table = _read_body(body, columns, notes)
    except (pa.ArrowInvalid, pd.errors.ParserError, ValueError):
        notes.append("read by liac-arff")
        table = _read_slowly(content, names)
    read = _collect(table, notes)
    declared = next(column.declared for column in columns if column.name == "prediction") or ()
    undeclared = sorted(set(read.prediction.categories) - set(declared))
    if declared and undeclared:
        return replace(read, notes=(*read.notes, f"the label {undeclared[0]!r}, which is not declared"))
    return read


def _read_header(text: str, notes: list[str]) -> list[_Column]:
    """Return the columns, and note the names that are odd."""
    columns: list[_Column] = []
    for line in text.splitlines():
        line = line.strip()
        if line[:10].lower() != "@attribute":
            continue
        name, labels = _split_type(line)
        if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
            name = name[1:-1]
        elif " " in name:
            notes.append(f"the name {name!r} without quotes")
        known = _NAMES.get(name.lower(), name)
        if name.lower().startswith(CONFIDENCE):
            known = CONFIDENCE + name[len(CONFIDENCE) :]
        if known != name and name != "correct":
            notes.append(f"the column {name!r} for {known}")
        if len(columns) == _MOST_COLUMNS:
            raise FormatError(f"declares more than {_MOST_COLUMNS:,} columns")
        columns.append(_Column(known, None if labels is None else tuple(_split_labels(labels))))
    return columns


def _split_type(line: str) -> tuple[str, str | None]:
    """Return a declared column's name, and its labels as they stand there; None for numbers."""
    start, brace, labels = line.partition("{")
    if brace and labels.endswith("}"):
        return start[10:].strip(), labels[:-1]
    numbers = _NUMBERS.search(line)
    if not numbers:
        raise FormatError(f"declares {line[:60]!r}, which has no type")
    return line[10 : numbers.start()].strip(), None


def _split_labels(text: str) -> list[str]:
    """Return the labels of a declaration such as ``no, 'oh yes'``."""
    if len(text) > _MOST_LABELS:
        raise FormatError(f"declares labels of {len(text):,} characters; {_MOST_LABELS:,} are allowed")
    quote = "'" if "'" in text else '"'
    [labels] = csv.reader([text], quotechar=quote, skipinitialspace=True)
    return [label.strip() for label in labels]


def _read_body(body: bytes, columns: list[_Column], notes: list[str]) -> pa.Table:
    """Read the rows by a CSV reader; raise where they are not CSV."""
    names = [column.name for column in columns]
    first = next((line for line in body[:100_000].splitlines() if line.strip()), b"")
    single, double = b"'" in body, b'"' in body
    indented = any(blank in body for blank in (b",\t", b", '", b', "'))
    if (single and double) or indented or b"\\" in body or b"%" in body or b"{" in body[:1]:
        raise ValueError("quotes of two kinds or after blanks, escapes, comments or sparse rows: not CSV")
    quote = "'" if single else '"'
    label = pa.dictionary(pa.int32(), pa.string())
    kinds = {column.name: pa.float64() if column.numeric else label for column in columns}
    tabs = first.count(b"\t") == len(names) - 1
    if (tabs or b"," not in first) and len(names) > 1:
        notes.append("separated by white space")
        frame = pd.read_csv(
            io.BytesIO(body), sep="\t" if tabs else r"\s+", header=None, dtype=str, quotechar=quote,
            na_values=["?"], keep_default_na=False, skipinitialspace=True,
        )  # fmt: skip
        if frame.shape[1] != len(names):
            raise FormatError(f"has rows of {frame.shape[1]} cells where {len(names)} columns are declared")
        body = frame.to_csv(index=False, header=False, na_rep="?").encode()
        quote = '"'
    return pyarrow.csv.read_csv(
        pa.BufferReader(body),
        read_options=pyarrow.csv.ReadOptions(column_names=names, use_threads=False),
        parse_options=pyarrow.csv.ParseOptions(quote_char=quote),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=kinds,
            null_values=["?", ""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _read_slowly(content: bytes, names: list[str]) -> pa.Table:
    try:
        rows = arff.loads(content.decode("utf-8", errors="replace"))["data"]
    except (arff.ArffException, ValueError, IndexError) as error:
        raise FormatError(f"is not readable ARFF ({reason(error)})") from None
    cells = zip(*rows, strict=True) if rows else [()] * len(names)
    columns = []
    for name, column in zip(names, cells, strict=True):
        if name in _LABELS:
            texts = [
                None if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)
                for cell in column
            ]
            columns.append(pa.array(texts, pa.string()).dictionary_encode())
        else:
            columns.append(pa.array(column))
    return pa.table(columns, names=names)


def _collect(table: pa.Table, notes: list[str]) -> Predictions:
    if not table.num_rows:
        raise FormatError("has no rows")

    def numbers(name: str) -> Floats:
        if name not in table.column_names:
            return np.full(table.num_rows, np.nan)
        try:
            found: Floats = table[name].cast(pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise FormatError(f"has cells in the column {name} that are not numbers") from None
        return found

    def labels(name: str) -> pd.Categorical:
        column = table[name].combine_chunks()
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        stripped = [text.strip() for text in column.dictionary.to_pylist()]
        if len(set(stripped)) < len(stripped):
            raise FormatError(f"has labels in the column {name} that differ by blanks alone")
        return pd.Categorical.from_codes(codes, pd.Index(stripped))

    row_id = numbers("row_id")
    if not ((row_id == np.floor(row_id)) & (row_id >= 0) & (row_id < _MOST_ROWS)).all():
        raise FormatError("has row numbers that are not whole")
    confidence = {
        name[len(CONFIDENCE) :]: numbers(name) for name in table.column_names if name.startswith(CONFIDENCE)
    }
    return Predictions(
        repeat=numbers("repeat"),
        fold=numbers("fold"),
        row_id=row_id.astype(np.int64),
        prediction=labels("prediction"),
        truth=labels("truth") if "truth" in table.column_names else None,
        confidence=confidence,
        notes=tuple(notes),
    )
