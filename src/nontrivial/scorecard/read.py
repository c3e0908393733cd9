"""A file, or a table in memory, as columns of text, numbers or booleans.

No type is guessed: a cell of a text file is text here, and the caller decides what it means.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import functools
import gzip
import hashlib
import io
import itertools
import json
import lzma
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial import arff
from nontrivial.numerals import as_written

STANDARD_INPUT = "-"
FIRST_ROWS = 50_000
JSON_LINES = (
    "JSON lines are needed, with one object on one line for each case, as pandas writes them with "
    'to_json(path, orient="records", lines=True)'
)
_NOT_TEXT = re.compile(r"[\x00-\x06\x0e-\x19]")  # a bell may be in a text
_ZIP = b"PK\x03\x04"
_UNPACKERS: dict[str, tuple[bytes, Callable[[Any], bytes]]] = {
    "gzip": (b"\x1f\x8b", gzip.decompress),
    "bzip2": (b"BZh", bz2.decompress),
    "xz": (b"\xfd7zXZ\x00", lzma.decompress),
    "zstd": (b"\x28\xb5\x2f\xfd", lambda data: pa.input_stream(data, compression="zstd").read()),
    "zip": (_ZIP, bytes),
}
_MOST_CELLS = 20_000_000  # of a workbook's sheet, whose reader takes a place for each up to the furthest
_FILLED_CELL = re.compile(rb'<(?:\w+:)?c\b(?:\s[^>]*?)?\sr="([A-Z]+)([0-9]+)"(?:[^>]*[^/>])?>')

_PLAIN = (
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_boolean),
    *(pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
)
# Takes places of columns, and whether the first rows are enough; returns the cells.
_Reader = Callable[[Sequence[int], bool], Sequence[Any]]


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with named columns, blanks around the names left out; a table in memory has no digest."""

    name: str
    sha256: str
    names: tuple[str, ...]
    _reader: _Reader

    def read(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Return columns of text, numbers or booleans, or say what is wrong with the file."""
        cells = self._reader([self.names.index(column) for column in columns], False) if columns else []
        return {column: self._plain(column, each) for column, each in zip(columns, cells, strict=True)}

    def peek(self, columns: Sequence[str]) -> dict[str, pa.Array]:
        """Return the first rows of the columns that can be read."""
        found = {}
        with contextlib.suppress(ValueError):
            cells = self._reader([self.names.index(column) for column in columns], True) if columns else []
            for column, each in zip(columns, cells, strict=True):
                with contextlib.suppress(ValueError):
                    found[column] = self._plain(column, each)
        return found

    def _plain(self, column: str, cells: Any) -> pa.Array:
        if not len(cells):
            raise ValueError(f"{self.name} has no rows; one row per case is needed.")
        if isinstance(cells, pd.Series):
            with _plain_errors(self.name, "a table of text, numbers and booleans"):
                cells = pa.array(cells, from_pandas=True)
        cells = plain_cells(cells)
        if not any(test(cells.type) for test in _PLAIN):
            raise ValueError(
                f"Column {column!r} of {self.name} holds {cells.type}; text, numbers or booleans are needed."
            )
        return cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells


def plain_cells(cells: Any) -> Any:
    """Turn codes of values and views of text, as Polars writes them, into what Arrow computes with."""
    if pa.types.is_dictionary(cells.type):
        of_values = plain_cells(pa.array([], cells.type.value_type)).type
        return cells.cast(pa.dictionary(pa.int32(), of_values)).cast(of_values)
    if pa.types.is_string_view(cells.type):
        return cells.cast(pa.large_string())
    return cells.cast(pa.string()) if pa.types.is_null(cells.type) else cells


def open_table(
    file: str | Path | pd.DataFrame, separator: str | None = None, encoding: str = "utf-8"
) -> Table:
    """Open a file of cases, or standard input, in the form that its first bytes show, or as CSV if they show none."""
    if isinstance(file, pd.DataFrame):
        names = tuple(str(each).strip() for each in file.columns)
        rows = {True: slice(FIRST_ROWS), False: slice(None)}
        return Table(
            "the table", "", names, lambda places, first: [file.iloc[rows[first], each] for each in places]
        )
    name, data = _contents(file)
    written, reader = _opened(name, _unpacked(name, data), separator, encoding)
    digest = hashlib.sha256(data).hexdigest()
    return Table(name, digest, tuple(each.strip() for each in written), reader)


def _contents(file: str | Path) -> tuple[str, pa.Buffer]:
    path, name = Path(file), Path(file).name
    if str(file) == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed; a file of predictions, such as CSV, is needed.")
        name, data = "standard input", _in_arrow(sys.stdin.buffer.read())
    elif path.is_dir() or not path.exists():
        kind = "is a folder" if path.is_dir() else "is not a file"
        raise ValueError(f"{file} {kind}; a file of predictions, such as CSV, is needed.")
    else:
        mapped = path.is_file() and path.stat().st_size  # a pipe is not
        data = pa.memory_map(str(path)).read_buffer() if mapped else _in_arrow(path.read_bytes())
    return name, data


def _in_arrow(*pieces: Any) -> pa.Buffer:
    """Return bytes in Arrow's own memory.

    A thread of Arrow that holds an object of Python when Python ends would make the process wait for it forever
    (https://github.com/apache/arrow/issues/50482).
    """
    buffer = pa.allocate_buffer(sum(map(len, pieces)))
    with pa.FixedSizeBufferWriter(buffer) as sink:
        for piece in pieces:
            sink.write(piece)
    return buffer


def _unpacked(name: str, data: pa.Buffer) -> pa.Buffer:
    start, files = bytes(data[:6]), 1
    packing = next((packing for packing, (first, _) in _UNPACKERS.items() if start.startswith(first)), "")
    if not packing:
        return data
    try:
        if packing == "zip":
            archive = zipfile.ZipFile(io.BytesIO(data))
            members = [
                each for each in archive.namelist() if not each.startswith("__MACOSX/") and each[-1] != "/"
            ]
            if "xl/workbook.xml" in members:
                return data
            files = len(members)
            unpacked = _in_arrow(archive.read(members[0]) if files == 1 else b"")
        else:
            unpacked = _in_arrow(_UNPACKERS[packing][1](data))
    except Exception as error:  # zlib.error, among others, has no better base
        raise ValueError(
            f"{name} cannot be unpacked: the {packing} data is cut off or damaged ({error})."
        ) from None
    if files != 1:
        raise ValueError(f"{name} is an archive of {files:,} files; one is needed.")
    return unpacked


def _opened(
    name: str, data: pa.Buffer, separator: str | None, encoding: str
) -> tuple[Sequence[str], _Reader]:
    """Return the names of the columns and what reads them."""
    start = bytes(data[:6])
    if start.startswith((b"PAR1", b"ARROW1")):
        return (_parquet if start.startswith(b"PAR1") else _feather)(name, data)
    if start.startswith(_ZIP):
        return _in_memory(name, "XLSX", _rows_of_workbook(data))
    text = _decoded(name, data, encoding)
    head = text[:4096].removeprefix("\ufeff").lstrip()
    if head.startswith("<"):
        raise ValueError(
            f"{name} is a web page or XML, which is not read here; write its table as CSV or Parquet."
        )
    if re.match(r"\[\s*[\[{]", head):
        raise ValueError(f"{name} holds a list in JSON; {JSON_LINES}.")
    if head.startswith("{"):
        return _in_memory(name, "JSON lines", _rows_of_json(text))
    if re.match(r"(%.*\n\s*)*@relation", head, re.IGNORECASE):
        return _arff(name, text)
    return _csv(name, data if encoding.lower() == "utf-8" else text.encode(), text, separator)


def _decoded(name: str, data: pa.Buffer, encoding: str) -> str:
    start, wrong = bytes(data[:4096]), ""
    utf_16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = str(data, encoding)
        binary = _NOT_TEXT.search(text[:4096].rstrip("\0\n")) is not None
    except UnicodeDecodeError as error:
        binary = _NOT_TEXT.search(start.decode("latin-1")) is not None and not utf_16
        wrong = f"cannot be read as text: byte {error.start + 1:,} is not {encoding.upper()}; name another encoding"
    if binary:
        wrong = (
            "has none of the forms that are read (CSV, Parquet, Feather, ARFF, JSON lines, XLSX); write its table as "
            "CSV or Parquet, or, if it is text, name its encoding"
        )
    if wrong:
        example = "utf-16" if binary or utf_16 else "latin-1"
        raise ValueError(f"{name} {wrong} with --encoding, such as {example}.")
    return text


@contextlib.contextmanager
def _plain_errors(name: str, form: str) -> Iterator[None]:
    """Turn what a library says about a bad file into one sentence."""
    try:
        yield
    except Exception as error:
        said = "; ".join(map(str, error.args)) if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{name} cannot be read as {form}: {said or 'it is cut off'}") from error


# Columns with types.


def _parquet(name: str, data: pa.Buffer) -> tuple[Sequence[str], _Reader]:
    import pyarrow.parquet

    with _plain_errors(name, "Parquet"):
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(data))
    names = file.schema_arrow.names

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        wanted = [names[place] for place in places]
        with _plain_errors(name, "Parquet"):
            pieces = file.iter_batches(FIRST_ROWS, columns=wanted, use_threads=False) if first else ()
            table: Any = next(iter(pieces), None) or file.read(columns=wanted, use_threads=False)
            return [table.column(each) for each in wanted]

    return names, read


def _feather(name: str, data: pa.Buffer) -> tuple[Sequence[str], _Reader]:
    with _plain_errors(name, "Feather"):
        names = pa.ipc.open_file(data).schema.names

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        wanted = pa.ipc.IpcReadOptions(included_fields=list(places), use_threads=False)
        with _plain_errors(name, "Feather"):
            file = pa.ipc.open_file(data, options=wanted)
            table: Any = file.get_batch(0) if first and file.num_record_batches else file.read_all()
            table.validate(full=True)
            return [table.column(names[place]) for place in places]

    return names, read


# Text with columns between commas, semicolons, tabs or a named character.


_SEPARATORS = ",;\t"
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
_ORANGE = {"class", "meta", "ignore", ""}  # the roles of columns in its third row


def _csv(name: str, data: Any, text: str, separator: str | None) -> tuple[Sequence[str], _Reader]:
    from pyarrow import csv as arrow_csv

    before = _BEFORE_NAMES.match(text)
    assert before is not None  # it may be empty
    head = text[before.end() : before.end() + _MOST_HEADER]
    line = head.splitlines()[0] if head else ""
    bare = re.sub(r'"[^"]*"', "", line)
    guess = " " if _DIVIDED_BY_BLANKS.fullmatch(line.strip()) else max(_SEPARATORS, key=bare.count)
    divides = separator or before[1] or guess
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=divides)
    try:
        names = next(rows, [])
    except csv.Error as error:
        raise ValueError(f"The first line of {name} cannot be read as CSV: {error}.") from None
    if not names:
        raise ValueError(f"{name} cannot be read as CSV: it is empty; names of columns are needed.")
    third: list[str] = []
    with contextlib.suppress(csv.Error):
        third = next(itertools.islice(rows, 1, None), [])
    stripped = [each.strip() for each in names]
    if stripped[0] == "inst#" and "distribution" in stripped:
        place = stripped.index("distribution")
        names[place : place + 1] = _weka_classes(text, len(names) - 1)
    header = 3 if {"class", "meta"}.intersection(third) and _ORANGE.issuperset(third) else 1
    # If the last row is not found at the end, a quotation mark was never closed.
    last = f"\n{divides.join([_END] * len(names))}\n".encode()
    whole = _in_arrow(memoryview(data)[len(before[0].encode()) :], last)
    keys = [str(place) for place in range(len(names))]
    quoted = any(re.match(_BEHIND_A_BLANK, each) for each in names)

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        wanted = [keys[place] for place in places]
        strange: list[arrow_csv.InvalidRow] = []

        def refuse(row: arrow_csv.InvalidRow) -> str:
            strange.append(row)
            return "error"

        how = (
            arrow_csv.ReadOptions(
                column_names=keys, skip_rows_after_names=header, block_size=_BLOCK, use_threads=False
            ),
            arrow_csv.ParseOptions(
                delimiter=divides, newlines_in_values=True, invalid_row_handler=None if first else refuse
            ),
            arrow_csv.ConvertOptions(include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string())),
        )
        try:
            if first:
                table: Any = arrow_csv.open_csv(pa.BufferReader(whole), *how).read_next_batch()
            else:
                table = arrow_csv.read_csv(pa.BufferReader(whole), *how)
        except pa.ArrowException as error:
            said = str(error)
            if "straddl" in said:
                said = f"a quotation mark is never closed, or a row has more than {_BLOCK:,} bytes."
            wrong = f"cannot be read as CSV: {said}"
            wrong = _uneven(strange[0], names, header, divides) if strange else wrong
            raise ValueError(f"{name} {wrong}") from None
        ended = bool(table.num_rows) and table.column(0)[-1].as_py() == _END
        if not (ended or first):
            raise ValueError(f"{name} cannot be read as CSV: a quotation mark is never closed.")
        cells: list[Any] = table.slice(0, table.num_rows - ended).columns
        if stripped[0] == "inst#":  # Weka marks the greatest probability
            cells = [pc.replace_substring_regex(each, r"^\*([0-9.]+)$", r"\1") for each in cells]
        if quoted:
            cells = [pc.replace_substring_regex(each, _BEHIND_A_BLANK, r"\1") for each in cells]
        return cells

    return [re.sub(_BEHIND_A_BLANK, r"\1", each) for each in names], read


def _weka_classes(text: str, others: int) -> list[str]:
    """Name the columns of Weka's distribution, which has one name, by the classes in the rows, such as 2:ill."""
    found = {int(place): label for label, place in set(re.findall(r"(?<=,)(([0-9]+):[^,\r\n]*)", text))}
    row = text.partition("\n")[2].partition("\n")[0]
    return [f"p_{found.get(place, place)}" for place in range(1, row.count(",") + 2 - others)]


def _uneven(row: Any, names: Sequence[str], header: int, divides: str) -> str:
    """Say which row has other cells than names, and the likely reason."""
    n, why, place = row.actual_columns, "", row.number - header
    if n > len(names) and divides == "," and "." not in row.text:
        why = "; if a number has a decimal comma, write a point"
    if place == 1 and n == len(names) + 1:
        why += "; if R wrote the names of the rows, write the table with row.names=FALSE"
    fields = f"{n:,} field{'' if n == 1 else 's'}"
    return f"has {fields} in data row {place:,}, but {len(names):,} names in its first line{why}."


# Rows whose cells become text.


def _in_memory(name: str, form: str, rows: Iterator[Sequence[Any]]) -> tuple[Sequence[str], _Reader]:
    """Read the names of the columns, and then all rows."""
    with _plain_errors(name, form):
        names = next(rows)
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        cells = [
            pa.array([None if cell is None else as_written(cell) for cell in column], pa.string())
            for column in columns
        ]
    return names, lambda places, first: [cells[place] for place in places]


def _rows_of_json(text: str) -> Iterator[Sequence[Any]]:
    names: list[str] = []
    for number, line in enumerate(io.StringIO(text.removeprefix("\ufeff")), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.rstrip(), object_pairs_hook=_object, parse_int=str)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number:,}, column {error.colno:,}: {error.msg}; {JSON_LINES}.") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number:,}: {error}; {JSON_LINES}.") from None
        if not isinstance(value, dict) or (
            not names and all(isinstance(each, (dict, list)) for each in value.values())
        ):
            raise ValueError(f"line {number:,} is not an object with one value for each name; {JSON_LINES}.")
        if not names:
            names = list(value)
            yield names
        yield [value.get(each) for each in names]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = {name.strip(): value for name, value in pairs}
    if len(named) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return named


def _arff(name: str, text: str) -> tuple[Sequence[str], _Reader]:
    def header() -> tuple[Any, list[arff.Attribute]]:
        lines = enumerate(io.StringIO(text), start=1)
        return lines, arff.read_header(lines)

    def read(places: Sequence[int], first: bool) -> Sequence[Any]:
        with _plain_errors(name, "ARFF"):
            cells: list[Any] = arff.read_table(*header(), places).columns
        return cells

    with _plain_errors(name, "ARFF"):
        return [each.name for each in header()[1]], read


def _rows_of_workbook(data: pa.Buffer) -> Iterator[Sequence[Any]]:
    import python_calamine

    _check_extent(data)
    rows = python_calamine.load_workbook(io.BytesIO(data)).get_sheet_by_index(0).iter_rows()
    names = next(rows, [])
    if not any(names):
        raise ValueError("its first row is empty; names of columns are needed")
    yield [as_written(each) if each else "" for each in names]
    yield from (row for row in rows if any(cell not in (None, "") for cell in row))


def _check_extent(data: pa.Buffer) -> None:
    """Refuse a sheet with a cell so far off that the library, which takes a place for each before, ends the process."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.namelist():
            if member.startswith("xl/worksheets/") and member.endswith(".xml"):
                rows, columns = 0, 0
                for letters, row in _FILLED_CELL.findall(archive.read(member)):
                    column = functools.reduce(lambda n, letter: 26 * n + letter - 64, letters, 0)
                    rows, columns = max(rows, int(row)), max(columns, column)
                if rows * columns > _MOST_CELLS:
                    raise ValueError(
                        f"{member} has {rows:,} rows of {columns:,} cells; at most {_MOST_CELLS:,} cells are read"
                    )
