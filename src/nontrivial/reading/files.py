"""A file, or a table in memory, as columns of text, numbers or booleans.

No type is guessed: a cell of a text file is text here, and the caller decides what it means.
"""

import bz2
import codecs
import contextlib
import csv
import gzip
import hashlib
import io
import itertools
import json
import lzma
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial.numerals import as_written, is_decimal
from nontrivial.reading import arff
from nontrivial.reading.asking import UnsettledError
from nontrivial.terminal import count_of, listed

STANDARD_INPUT = "-"
_FIRST_ROWS = 50_000
_FORMS_WITH_ORDER = ("a table", "Parquet", "Feather")
_ROWS_OF_PANDAS = "__index_level_"  # a column of row numbers that pandas adds
_PLAIN = (
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_boolean),
    *(pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
)


class _Opened(NamedTuple):
    """The names of the columns, and a function from their places to their cells, of all rows or of the first ones."""

    names: Sequence[str]
    read: Callable[[Sequence[int], bool], Sequence[Any]]
    separator: str = ""  # of a text


class OpenedTable:
    """Rows with named columns, blanks around the names left out; a table in memory has no digest."""

    def __init__(self, name: str, form: str, sha256: str, opened: _Opened) -> None:
        self.name, self.form, self.sha256, self.separator = name, form, sha256, opened.separator
        self.names = [str(column).strip() for column in opened.names]
        self._read = opened.read

    def order(self, column: str) -> list[str]:
        """Return the values of an ordered categorical column as texts, the least first; none of another column."""
        if self.form not in _FORMS_WITH_ORDER:
            return []
        with _plain_errors(self.name, self.form):
            cells = self._read([self.names.index(column)], True)
        if not cells or not (pa.types.is_dictionary(cells[0].type) and cells[0].type.ordered):
            return []
        first = cells[0].chunk(0) if isinstance(cells[0], pa.ChunkedArray) else cells[0]
        return [as_written(value) for value in first.dictionary.to_pylist()]

    def read(self, columns: Sequence[str], *, first: bool = False) -> dict[str, pa.Array]:
        """Return columns of text, numbers or booleans, or say what is wrong; with `first`, only the first rows."""
        if not columns:
            return {}
        with _plain_errors(self.name, self.form):
            cells = self._read([self.names.index(column) for column in columns], first)
        if not cells or not len(cells[0]):
            raise ValueError(f"{self.name} has no rows; names of columns and one row or more are needed.")
        plain = {}
        for column, values in zip(columns, map(plain_cells, cells), strict=True):
            if any(test(values.type) for test in _PLAIN):
                plain[column] = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
            elif not first:
                raise ValueError(
                    f"Column {column!r} of {self.name} holds {values.type}; text, numbers or booleans are needed."
                )
        return plain


def plain_cells(cells: Any) -> Any:
    """Turn codes of values, views of text, as Polars writes them, and dates into what Arrow computes with."""
    if pa.types.is_dictionary(cells.type):
        of_values = plain_cells(pa.array([], cells.type.value_type)).type
        return cells.cast(pa.dictionary(pa.int32(), of_values)).cast(of_values)
    if pa.types.is_string_view(cells.type):
        return cells.cast(pa.large_string())
    if any(is_date(cells.type) for is_date in (pa.types.is_date, pa.types.is_time, pa.types.is_timestamp)):
        return cells.cast(pa.string())
    return cells.cast(pa.string()) if pa.types.is_null(cells.type) else cells


def open_table(
    file: str | Path | pd.DataFrame,
    separator: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> OpenedTable:
    """Open a file of rows, or standard input, in the form that its first bytes show, or as CSV if they show none.

    `separator` and `encoding` are for text; `sheet` names the sheet of a workbook.
    """
    if isinstance(file, pd.DataFrame):
        # An index of repeated cases, or of a cross table.
        has_index = not file.index.is_unique or file.columns.name is not None
        frame = file.reset_index(allow_duplicates=True) if has_index else file
        return OpenedTable("the table", "a table", "", _frame(frame))
    path, name = Path(file), "standard input"
    if str(file) == STANDARD_INPUT:
        data = _in_arrow(sys.stdin.buffer.read())
    elif path.is_dir() or not path.exists():
        kind = "is a folder" if path.is_dir() else "is not a file"
        raise ValueError(f"{file} {kind}; a file with a table, such as CSV, is needed.")
    else:
        name, is_mapped = path.name, path.is_file() and path.stat().st_size  # a pipe is no file
        data = pa.memory_map(str(path)).read_buffer() if is_mapped else _in_arrow(path.read_bytes())
    form, opener = _form_of(name, _unpacked(name, data), separator, encoding or "utf-8", sheet)
    with _plain_errors(name, form):
        return OpenedTable(name, form, hashlib.sha256(data).hexdigest(), opener())


@contextlib.contextmanager
def _plain_errors(name: str, form: str) -> Iterator[None]:
    """Turn what a library says about a bad file into one sentence."""
    try:
        yield
    except UnsettledError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or "it is cut off"
        raise ValueError(f"{name} cannot be read as {form}: {reason}.") from error


def _in_arrow(*pieces: Any) -> pa.Buffer:
    """Return bytes in Arrow's memory: where its threads hold objects of Python, the process may never end."""
    # See https://github.com/apache/arrow/issues/50482.
    buffer = pa.allocate_buffer(sum(map(len, pieces)))
    with pa.FixedSizeBufferWriter(buffer) as sink:
        for piece in pieces:
            sink.write(piece)
    return buffer


_ZIP = b"PK\x03\x04"
_NOT_TEXT = re.compile(r"[\x00-\x06\x0e-\x19]")  # a bell may be in a text
_JSON_LINES = (
    "JSON lines, with one object on one line for each case, as pandas writes them with "
    'to_json(path, orient="records", lines=True)'
)
_REFUSED = {
    r"<": "is a web page or XML, which is not read here; write its table as CSV or Parquet.",
    r"\[\s*[\[{]": f"holds a list in JSON, which is not read here; write {_JSON_LINES}.",
}


def _unzip(data: pa.Buffer) -> Any:
    """Return the one file of an archive; a workbook stays one."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = [name for name in archive.namelist() if not name.startswith("__MACOSX/") and name[-1] != "/"]
    if "xl/workbook.xml" in members:
        return data
    if len(members) != 1:
        raise ValueError(f"it holds {len(members):,} files")
    return archive.read(members[0])


_PACKED: tuple[tuple[bytes, str, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", "gzip", gzip.decompress),
    (b"BZh", "bzip2", bz2.decompress),
    (b"\xfd7zXZ\x00", "xz", lzma.decompress),
    (b"\x28\xb5\x2f\xfd", "zstd", lambda data: pa.input_stream(data, compression="zstd").read()),
    (_ZIP, "zip", _unzip),
)


def _unpacked(name: str, data: pa.Buffer) -> pa.Buffer:
    for first, packing, unpack in _PACKED:
        if bytes(data[:6]).startswith(first):
            try:
                return _in_arrow(unpack(data))
            except Exception as error:  # zlib.error, among others, has no better base
                raise ValueError(
                    f"{name} cannot be unpacked as {packing}: {error}; it must be whole, and an archive must hold one "
                    "file."
                ) from None
    return data


def _form_of(
    name: str, data: pa.Buffer, separator: str | None, encoding: str, sheet: str | None
) -> tuple[str, Callable[[], _Opened]]:
    """Return the form of a file, and what opens it."""
    start = bytes(data[:6])
    if start.startswith(_ZIP):
        return "XLSX", partial(_workbook, name, data, sheet)
    for first, form, opener in _BINARY:
        if start.startswith(first):
            return form, partial(opener, data)
    is_utf8 = encoding.lower() == "utf-8"
    if is_utf8 and start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, is_utf8 = "utf-16", False  # as Excel writes "Unicode text"
    text = _decoded(name, data, encoding)
    head = text[:4096].removeprefix("\ufeff").lstrip()
    for pattern, why in _REFUSED.items():
        if re.match(pattern, head):
            raise ValueError(f"{name} {why}")
    if head.startswith("{"):
        return _JSON_LINES, partial(_json_lines, text)
    if re.match(r"(%.*\n\s*)*@relation", head, re.IGNORECASE):
        return "ARFF", partial(_arff, text)
    return "CSV", partial(_csv, data if is_utf8 else text.encode(), text, separator)


def _decoded(name: str, data: pa.Buffer, encoding: str) -> str:
    try:
        text = str(data, encoding)
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1:,} is not {encoding.upper()}"
    else:
        if not _NOT_TEXT.search(text[:4096].rstrip("\0\n")):
            return text
        why = "it holds control characters"
    raise ValueError(
        f"{name} cannot be read as text: {why}; if it is text, name its encoding with --encoding, such as latin-1 or "
        "utf-16; otherwise write its table in a form that is read: CSV, Parquet, Feather, ARFF, JSON lines or XLSX."
    )


def _frame(frame: pd.DataFrame) -> _Opened:
    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        rows, columns = frame.iloc[:_FIRST_ROWS] if first else frame, []
        for place in places:
            cells: Any = rows.iloc[:, place]
            try:
                columns.append(pa.array(cells, from_pandas=True))
            except (pa.ArrowException, TypeError):  # values of several types
                columns.append(pa.array(cells.map(as_written).where(cells.notna(), None), pa.string()))
        return columns

    return _Opened(list(frame.columns), read)


def _columns_in(batches: Iterable[pa.RecordBatch], names: Sequence[str], first: bool) -> Sequence[Any]:
    """Return columns of all batches, or of the first one; none without batches."""
    chosen = list(itertools.islice(batches, 1 if first else None))
    table = pa.Table.from_batches(chosen) if chosen else None
    return [table.column(name) for name in names] if table else []


def _parquet(data: pa.Buffer) -> _Opened:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(pa.BufferReader(data))
    names = [name for name in file.schema_arrow.names if not name.startswith(_ROWS_OF_PANDAS)]

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        wanted = [names[place] for place in places]
        return _columns_in(file.iter_batches(_FIRST_ROWS, columns=wanted, use_threads=False), wanted, first)

    return _Opened(names, read)


def _feather(data: pa.Buffer) -> _Opened:
    names = pa.ipc.open_file(data).schema.names

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        how = pa.ipc.IpcReadOptions(included_fields=list(places), use_threads=False)
        file = pa.ipc.open_file(data, options=how)
        batches = map(file.get_batch, range(file.num_record_batches))
        return _columns_in(batches, [names[place] for place in places], first)

    return _Opened(names, read)


# Text with columns between commas, semicolons, tabs or a named character.

_LINES = r"(?:[ \t]*(?:\r\n|\r|\n))*"  # that are blank; between them, Excel names the separator
_BEFORE_NAMES = re.compile(
    rf'\ufeff?{_LINES}(?:\s*"?sep=([^\r\n])"?[ \t]*(?:\r\n|\r|\n|$))?{_LINES}', re.IGNORECASE
)
_DIVIDED_BY_BLANKS = re.compile(r'("[^"]*"|[\w.]+)( ("[^"]*"|[\w.]+))+')  # as R's write.table does
_MOST_HEADER = 1 << 20  # characters
_BLOCK = 1 << 24  # bytes, and the most of a row
_END = "\x03\x03\x03\x03"  # without anything that may divide columns
# Quotation marks behind a blank are characters like others to the readers of CSV.
_BEHIND_A_BLANK = r'^\s+"(.*)"\s*$'
_WEKA_NUMBER = r"^[0-9]+:(.+)$"  # it counts the classes
# What Arrow says of a row. A function of ours that it called would outlive Python in its threads, which then abort.
_UNEVEN = re.compile(r"Row #(\d+): Expected \d+ columns, got (\d+): ?(.*)", re.DOTALL)
_ORANGE = {"class", "meta", "ignore", ""}  # the roles of columns in its third row


def _csv(data: Any, text: str, separator: str | None) -> _Opened:
    from pyarrow import csv as arrow_csv

    before = _BEFORE_NAMES.match(text)
    assert before is not None  # it may be empty
    start = before.end() + _comments(text[before.end() :][:_MOST_HEADER], separator or before[1])
    head = text[start : start + _MOST_HEADER]
    lines = [*head.splitlines(), "", "", ""]
    divides = separator or before[1] or _separator(lines[0], lines[1])
    names = _divided(head, divides)
    if not names:
        raise ValueError("it is empty; names of columns are needed.")
    marks = [_BEHIND_A_BLANK] if any(re.match(_BEHIND_A_BLANK, name) for name in names) else []
    if {"inst#", "actual", "predicted"} <= set(names):
        marks.append(_WEKA_NUMBER)
    third = set(lines[2].split(divides))
    names[0] = re.sub(r"^#\s+", "", names[0])  # as NumPy writes them
    header = 3 if third & {"class", "meta"} and third <= _ORANGE else 1
    # If the last row is not found at the end, a quotation mark was never closed.
    last = f"\n{divides.join([_END] * len(names))}\n".encode()
    whole = _in_arrow(memoryview(data)[len(text[:start].encode()) :], last)
    keys = [str(place) for place in range(len(names))]

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        wanted = [keys[place] for place in places]
        how = (
            arrow_csv.ReadOptions(
                column_names=keys, skip_rows_after_names=header, block_size=_BLOCK, use_threads=False
            ),
            arrow_csv.ParseOptions(delimiter=divides, newlines_in_values=True),
            arrow_csv.ConvertOptions(include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string())),
        )
        try:
            cells = _columns_in(arrow_csv.open_csv(pa.BufferReader(whole), *how), wanted, first)
        except pa.ArrowException as error:
            message = str(error)
            if "straddl" in message:
                message = f"a quotation mark is never closed, or a row has more than {_BLOCK:,} bytes."
            elif uneven := _UNEVEN.search(message):
                row, fields, why = int(uneven[1]) - header, int(uneven[2]), ""
                # Of a long row, Arrow shows the start.
                if fields > len(names) and divides == "," and "." not in uneven[3].removesuffix(" ..."):
                    why = "; if a number has a decimal comma, write a point"
                if row == 1 and fields == len(names) + 1:
                    why += "; if R wrote the names of the rows, write the table with row.names=FALSE"
                counts = f"{count_of(fields, 'field')}, but the first line has {count_of(len(names), 'name')}"
                message = f"data row {row:,} has {counts}{why}."
            raise ValueError(message) from None
        ended = cells[0][-1:].to_pylist() == [_END]
        if not (ended or first):
            raise ValueError("a quotation mark is never closed.")
        cells = [column[: len(column) - ended] for column in cells]
        for mark in marks:
            cells = [pc.replace_substring_regex(column, mark, r"\1") for column in cells]
        return cells

    return _Opened([re.sub(_BEHIND_A_BLANK, r"\1", name) for name in names], read, divides)


def _comments(head: str, separator: str | None) -> int:
    """Return how many characters of comments, whole lines that begin with #, stand before the names of columns."""
    lines = head.splitlines(keepends=True)
    texts = [place for place, line in enumerate(lines) if line.strip()]
    comments = list(itertools.takewhile(lambda place: lines[place].lstrip(' "').startswith("#"), texts))
    if comments and len(comments) < len(texts):
        # The last of them has the names if it has as many fields as the next line, and that line has a number.
        first, following = [*(lines[place] for place in texts[len(comments) :]), ""][:2]
        names, cells = (
            _divided(line, separator or _separator(first, following)) for line in (lines[comments[-1]], first)
        )
        if all(names) and len(names) == len(cells) and any(is_decimal(cell.strip()) for cell in cells):
            comments.pop()
    return sum(map(len, lines[: texts[len(comments)]])) if 0 < len(comments) < len(texts) else 0


def _divided(text: str, separator: str) -> list[str]:
    """Return the fields of the first row of a text."""
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])


def _separator(line: str, following: str) -> str:
    """Return what separates the columns of the first line; blanks do only if they divide the next one alike."""
    if _DIVIDED_BY_BLANKS.fullmatch(line.strip()):
        names, cells = len(_divided(line.strip(), " ")), len(_divided(following.strip(), " "))
        if cells in (names, names + 1):  # R writes the names of the rows, too
            return " "
    return max(",;\t", key=re.sub(r'"[^"]*"', "", line).count)


def _json_lines(text: str) -> _Opened:
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(io.StringIO(text.removeprefix("\ufeff")), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.rstrip(), parse_int=str)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number:,}, column {error.colno:,}: {error.msg}.") from None
        if not isinstance(row, dict) or all(isinstance(value, (dict, list)) for value in row.values()):
            raise ValueError(f"line {number:,} is not an object with one value for each name.")
        rows.append(row)
    return _frame(pd.DataFrame(rows, columns=list(rows[0])))


def _workbook(name: str, data: pa.Buffer, sheet: str | None) -> _Opened:
    how: dict[str, Any] = {"header": None, "dtype": str, "na_filter": False, "engine": "calamine"}
    sheets = pd.read_excel(io.BytesIO(data), sheet_name=None, **how)
    if sheet is not None and sheet not in sheets:
        raise ValueError(f"it has no sheet {sheet!r}; it has {listed(map(repr, sheets))}.")
    tables = {title: _without_comments(rows) for title, rows in sheets.items() if sheet in (None, title)}
    filled = [title for title, rows in tables.items() if len(rows)]
    if len(filled) > 1:
        raise UnsettledError(
            f"{name} has several sheets with cells: {listed(map(repr, filled))}",
            *({"sheet": title} for title in filled),
        )
    if not filled:
        raise ValueError("it is empty; names of columns are needed.")
    rows = tables[filled[0]]
    return _frame(rows.iloc[1:].set_axis(rows.iloc[0], axis=1))


def _without_comments(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out rows without cells, and rows before the names of columns that hold a comment alone."""
    rows = rows[(rows != "").any(axis=1)]
    is_comment = [
        row[0].startswith("#") and not "".join(row[1:]).strip() for row in rows.itertuples(index=False)
    ]
    return rows.iloc[is_comment.index(False) :] if False in is_comment else rows


def _arff(text: str) -> _Opened:
    lines = enumerate(io.StringIO(text), start=1)
    attributes = arff.read_header(lines)
    rows = list(lines)
    names = [attribute.name for attribute in attributes]
    return _Opened(names, lambda places, first: arff.read_table(rows, attributes, places).columns)


_BINARY = ((b"PAR1", "Parquet", _parquet), (b"ARROW1", "Feather", _feather))
