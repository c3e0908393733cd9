"""Open a file, or a table in memory, as columns of text, numbers or booleans.

No type is guessed: a cell of a text file stays text, and the caller decides what it means.
"""

import bz2
import codecs
import contextlib
import gzip
import hashlib
import io
import lzma
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from nontrivial.numerals import cell_text
from nontrivial.reading import forms
from nontrivial.reading.asking import UnsettledError

STANDARD_INPUT = "-"
_FORMS_WITH_ORDER = ("a table", "Parquet", "Feather")
_PLAIN_TYPES = (
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_boolean),
    *(pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
)


class OpenedTable:
    """An opened table. The names of its columns have no blanks around them; `sha256` is empty for a table in memory."""

    def __init__(self, name: str, form: str, sha256: str, source: forms.ColumnSource) -> None:
        self.name, self.form, self.sha256, self.separator = name, form, sha256, source.separator
        self.names = [str(column).strip() for column in source.names]
        self._read_columns = source.read_columns

    def order(self, column: str) -> list[str]:
        """Return the categories of an ordered categorical column as texts, the least first; [] for another column."""
        if self.form not in _FORMS_WITH_ORDER:
            return []
        with _naming_file(self.name, self.form):
            cells = self._read_columns([self.names.index(column)], True)
        if not cells or not (pa.types.is_dictionary(cells[0].type) and cells[0].type.ordered):
            return []
        first = cells[0].chunk(0) if isinstance(cells[0], pa.ChunkedArray) else cells[0]
        return [cell_text(value) for value in first.dictionary.to_pylist()]

    def read(self, columns: Sequence[str], *, first: bool = False) -> dict[str, pa.Array]:
        """Return columns by their names. With `first`, read only the first rows, and no columns of lists."""
        if not columns:
            return {}
        with _naming_file(self.name, self.form):
            cells = self._read_columns([self.names.index(column) for column in columns], first)
        if not cells or not len(cells[0]):
            raise ValueError(f"{self.name} has no rows; names of columns and one row or more are needed.")
        arrays = {}
        for column, values in zip(columns, map(plain_cells, cells), strict=True):
            if any(is_type(values.type) for is_type in _PLAIN_TYPES):
                arrays[column] = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
            elif not first:
                raise ValueError(
                    f"Column {column!r} of {self.name} holds {values.type}; text, numbers or booleans are needed."
                )
        return arrays


def plain_cells(cells: Any) -> Any:
    """Convert categories to their values, and dates, text views and empty columns to text."""
    if pa.types.is_dictionary(cells.type):
        value_type = plain_cells(pa.array([], cells.type.value_type)).type
        return cells.cast(pa.dictionary(pa.int32(), value_type)).cast(value_type)
    if pa.types.is_string_view(cells.type):
        return cells.cast(pa.large_string())
    written_as_text = (pa.types.is_date, pa.types.is_time, pa.types.is_timestamp, pa.types.is_null)
    return cells.cast(pa.string()) if any(is_type(cells.type) for is_type in written_as_text) else cells


def open_table(
    file: str | Path | pd.DataFrame, separator: str | None = None, encoding: str | None = None, sheet: str | None = None
) -> OpenedTable:
    """Open a file of rows, or standard input. The first bytes show the form; if they show none, the form is CSV.

    `separator` and `encoding` are for text; `sheet` names the sheet of a workbook.
    """
    if isinstance(file, pd.DataFrame):
        # Keep an index with repeated values, which may number cases, and the index of a cross table.
        has_index = not file.index.is_unique or file.columns.name is not None
        frame = file.reset_index(allow_duplicates=True) if has_index else file
        return OpenedTable("the table", "a table", "", forms.open_frame(frame))
    path, name = Path(file), "standard input"
    if str(file) == STANDARD_INPUT:
        data = forms.copy_to_arrow(sys.stdin.buffer.read())
    elif path.is_dir() or not path.exists():
        kind = "is a folder" if path.is_dir() else "is not a file"
        raise ValueError(f"{file} {kind}; a file with a table, such as CSV, is needed.")
    else:
        name = path.name
        if path.is_file() and path.stat().st_size:
            data = pa.memory_map(str(path)).read_buffer()
        else:  # a pipe, or an empty file
            data = forms.copy_to_arrow(path.read_bytes())
    unpacked = _decompress_file(name, data)
    form, open_source = _detect_form(name, unpacked, separator, encoding or "utf-8", sheet)
    with _naming_file(name, form):
        return OpenedTable(name, form, hashlib.sha256(data).hexdigest(), open_source())


@contextlib.contextmanager
def _naming_file(name: str, form: str) -> Iterator[None]:
    """Turn any error of a library into one sentence that names the file and its form."""
    try:
        yield
    except UnsettledError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or "it is cut off"
        raise ValueError(f"{name} cannot be read as {form}: {reason}.") from error


_ZIP = b"PK\x03\x04"
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x06\x0e-\x19]")  # a text may hold a bell, \x07
_JSON_LINES = (
    "JSON lines, with one object on one line for each case, as pandas writes them with "
    'to_json(path, orient="records", lines=True)'
)
_REFUSED_STARTS = {
    r"<": "is a web page or XML, which is not read here; write its table as CSV or Parquet.",
    r"\[\s*[\[{]": f"holds a list in JSON, which is not read here; write {_JSON_LINES}.",
}


def _extract_only_file(data: pa.Buffer) -> Any:
    """Return the only file of a ZIP archive; a workbook, which is an archive itself, stays as it is."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    files = [name for name in archive.namelist() if not name.startswith("__MACOSX/") and name[-1] != "/"]
    if "xl/workbook.xml" in files:
        return data
    if len(files) != 1:
        raise ValueError(f"it holds {len(files):,} files")
    return archive.read(files[0])


# The first bytes of a compressed file, the name of the compression, and the function that decompresses the file.
_DECOMPRESSORS: dict[bytes, tuple[str, Callable[[Any], Any]]] = {
    b"\x1f\x8b": ("gzip", gzip.decompress),
    b"BZh": ("bzip2", bz2.decompress),
    b"\xfd7zXZ\x00": ("xz", lzma.decompress),
    b"\x28\xb5\x2f\xfd": ("zstd", lambda data: pa.input_stream(data, compression="zstd").read()),
    _ZIP: ("zip", _extract_only_file),
}


def _decompress_file(name: str, data: pa.Buffer) -> pa.Buffer:
    for first_bytes, (compression, decompress) in _DECOMPRESSORS.items():
        if bytes(data[:6]).startswith(first_bytes):
            try:
                return forms.copy_to_arrow(decompress(data))
            except Exception as error:  # zlib.error, among others, has no narrower base class
                raise ValueError(
                    f"{name} cannot be unpacked as {compression}: {error}; it must be whole, and an archive must hold "
                    "one file."
                ) from None
    return data


def _detect_form(
    name: str, data: pa.Buffer, separator: str | None, encoding: str, sheet: str | None
) -> tuple[str, Callable[[], forms.ColumnSource]]:
    """Return the form that the first characters of a file show, and the function that opens it."""
    start = bytes(data[:6])
    if start.startswith(_ZIP):
        return "XLSX", partial(forms.open_workbook, name, data, sheet)
    if start.startswith(b"PAR1"):
        return "Parquet", partial(forms.open_parquet, data)
    if start == b"ARROW1":
        return "Feather", partial(forms.open_feather, data)
    is_utf8 = encoding.lower() == "utf-8"
    if is_utf8 and start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, is_utf8 = "utf-16", False  # as Excel writes "Unicode text"
    text = _decode_text(name, data, encoding)
    head = text[:4096].removeprefix("\ufeff").lstrip()
    for pattern, reason in _REFUSED_STARTS.items():
        if re.match(pattern, head):
            raise ValueError(f"{name} {reason}")
    if head.startswith("{"):
        return _JSON_LINES, partial(forms.open_json_lines, text)
    if re.match(r"(%.*\n\s*)*@relation", head, re.IGNORECASE):
        return "ARFF", partial(forms.open_arff, text)
    return "CSV", partial(forms.open_csv, data if is_utf8 else text.encode(), text, separator)


def _decode_text(name: str, data: pa.Buffer, encoding: str) -> str:
    """Decode bytes as text; raise ValueError if they have another encoding or come from a binary file."""
    try:
        text = str(data, encoding)
    except LookupError:
        reason = f"{encoding!r} is not an encoding that Python knows"
    except UnicodeDecodeError as error:
        reason = f"byte {error.start + 1:,} is not {encoding.upper()}"
    else:
        if not _CONTROL_CHARACTERS.search(text[:4096].rstrip("\0\n")):
            return text
        reason = "it holds control characters"
    raise ValueError(
        f"{name} cannot be read as text: {reason}; if it is text, name its encoding with --encoding, such as latin-1 "
        "or utf-16; otherwise write its table in a form that is read: CSV, Parquet, Feather, ARFF, JSON lines or XLSX."
    )
