"""Predictions files of OpenML runs: ARFF, read as the CSV that its body mostly is.

A general ARFF reader looks at every cell in Python. Here the header says which columns there are, and a CSV reader
takes the rest at once; what it cannot take is read row by row.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

from nontrivial import arff
from nontrivial._arrays import Floats
from nontrivial_study.data.http.reading import reason

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
_LABELS = ("prediction", "truth")
_MOST_ROWS = 2**31
_MOST_CELLS = 10_000_000  # of a file that is read row by row: sparse rows name few of theirs
_DATA = re.compile(rb"^[ \t]*@data[^\n]*\n?", re.IGNORECASE | re.MULTILINE)


class FormatError(ValueError):
    """A predictions file that cannot be read; the message is the part of a sentence that says why."""


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
    try:
        attributes = arff.read_header(_lines(content))
    except ValueError as error:
        raise FormatError(f"is not readable ARFF ({reason(error)})") from None
    for attribute in attributes:
        written = attribute.name.encode()
        if b" " in written and not any(mark + written + mark in content for mark in (b"'", b'"')):
            notes.append(f"the name {attribute.name!r} without quotes")
    names = [_known_name(attribute.name, notes) for attribute in attributes]
    wanted = [name for name in names if name in _NAMES.values() or name.startswith(CONFIDENCE)]
    for name in ("row_id", "prediction"):
        if name not in wanted:
            raise FormatError(f"has no column {name}")
    if len(set(wanted)) < len(wanted):
        raise FormatError("has two columns of the same meaning")
    body = content[start.end() :]
    if b'"' in body:
        notes.append("double quotes")
    try:
        table = _read_body(body, names, wanted, notes)
    except (pa.ArrowInvalid, pd.errors.ParserError, ValueError):
        notes.append("read row by row")
        table = _read_slowly(content, attributes, [names.index(name) for name in wanted])
        table = table.rename_columns(wanted)
    read = _collect(table, notes)
    declared = attributes[names.index("prediction")].labels
    undeclared = sorted(set(read.prediction.categories) - set(declared))
    if declared and undeclared:
        return replace(read, notes=(*read.notes, f"the label {undeclared[0]!r}, which is not declared"))
    return read


def _known_name(name: str, notes: list[str]) -> str:
    """Return a column's name in the study's words, if it has one; note a name that is odd."""
    known = _NAMES.get(name.lower(), name)
    if name.lower().startswith(CONFIDENCE):
        known = CONFIDENCE + name[len(CONFIDENCE) :]
    if known != name and name != "correct":
        notes.append(f"the column {name!r} for {known}")
    return known


def _read_body(body: bytes, names: list[str], wanted: list[str], notes: list[str]) -> pa.Table:
    """Read the rows by a CSV reader; raise where they are not CSV."""
    first = next((line for line in body[:100_000].splitlines() if line.strip()), b"")
    single, double = b"'" in body, b'"' in body
    indented = any(blank in body for blank in (b",\t", b", '", b', "', b", ?"))
    if (single and double) or indented or b"\\" in body or b"%" in body or b"{" in body[:1]:
        raise ValueError("quotes of two kinds or after blanks, escapes, comments or sparse rows: not CSV")
    quote = "'" if single else '"'
    label = pa.dictionary(pa.int32(), pa.string())
    # Labels that look like numbers stay labels; what runs declare as their type is no guide.
    kinds = {name: label if name in _LABELS else pa.float64() for name in wanted}
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
            include_columns=wanted,
            null_values=["?", ""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _read_slowly(content: bytes, attributes: list[arff.Attribute], places: list[int]) -> pa.Table:
    lines = _lines(content)
    try:
        arff.read_header(lines)
        rows = arff.read_batches(lines, attributes, places, declared_only=False, most_cells=_MOST_CELLS)
        return pa.Table.from_batches(rows)
    except ValueError as error:
        raise FormatError(f"is not readable ARFF ({reason(error)})") from None


def _lines(content: bytes) -> Iterator[tuple[int, str]]:
    return enumerate(io.StringIO(content.decode("utf-8", errors="replace"), newline=None), start=1)


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
        column = table[name].combine_chunks().dictionary_encode()
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
