"""JSON lines, ARFF and workbooks: forms that are read row by row, each cell of which becomes text."""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import json
import xml.parsers.expat
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

import pyarrow as pa

from nontrivial import arff
from nontrivial.numerals import as_written
from nontrivial.scorecard.reading.sources import Chunks, OfSource, Source

ROWS_AT_A_TIME = 50_000
MOST_LINE = 1 << 23  # characters
MOST_WORKBOOK = 1 << 30  # bytes, unpacked
MOST_CELLS = 20_000_000  # of a workbook's sheet
JSON_LINES = (
    "JSON lines are needed, with one object on one line for each case, as pandas writes them with "
    'to_json(path, orient="records", lines=True)'
)

Row = Sequence[Any]


@dataclass(frozen=True)
class JsonLinesFile(OfSource):
    """A file with a JSON object on each line; the first names the columns."""

    names: tuple[str, ...]
    encoding: str

    @classmethod
    def open(cls, source: Source, encoding: str) -> JsonLinesFile:
        """Read the first line."""
        try:
            with _plain_errors(source.name, "JSON lines"):
                first = next(_objects(source, encoding))
        except ValueError as error:
            raise ValueError(f"{str(error).rstrip('.')}; {JSON_LINES}.") from error
        if first and all(isinstance(value, (dict, list)) for value in first.values()):
            raise ValueError(f"{source.name} holds one JSON object of whole columns or rows; {JSON_LINES}.")
        return cls(source, tuple(name.strip() for name in first), encoding)

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows as text."""
        objects = _objects(self.source, self.encoding)
        rows = ({name.strip(): value for name, value in each.items()} for each in objects)
        with _plain_errors(self.source.name, "JSON lines"):
            yield from _batches(([row.get(column) for column in columns] for row in rows), columns)


@dataclass(frozen=True)
class ArffFile(OfSource):
    """A file of Weka's form."""

    names: tuple[str, ...]
    encoding: str

    @classmethod
    def open(cls, source: Source, encoding: str) -> ArffFile:
        """Read the names that the file declares."""
        with _plain_errors(source.name, "ARFF"):
            declared = arff.read_header(_lines(source, encoding))
        return cls(source, tuple(each.name.strip() for each in declared), encoding)

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows as text."""
        places = [self.names.index(column) for column in columns]
        with _plain_errors(self.source.name, "ARFF"):
            lines = _lines(self.source, self.encoding)
            for batch in arff.read_batches(lines, arff.read_header(lines), places):
                yield batch.rename_columns(list(columns))


@dataclass(frozen=True)
class Workbook(OfSource):
    """The first sheet of an XLSX file, whose first row names the columns."""

    names: tuple[str, ...]

    @classmethod
    def open(cls, source: Source) -> Workbook:
        """Read the first row."""
        with _plain_errors(source.name, "XLSX"):
            first = next(_rows_of_workbook(source), [])
        if not any(first):
            raise ValueError(f"{source.name} has an empty first row; names of columns are needed.")
        return cls(source, tuple(as_written(name).strip() if name else "" for name in first))

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows as text."""
        places = [self.names.index(column) for column in columns]
        rows = itertools.islice(_rows_of_workbook(self.source), 1, None)
        filled = (row for row in rows if any(cell not in (None, "") for cell in row))
        with _plain_errors(self.source.name, "XLSX"):
            yield from _batches(([row[place] for place in places] for row in filled), columns)


@contextlib.contextmanager
def _plain_errors(name: str, form: str) -> Iterator[None]:
    """Turn what a reader says about a bad file into one sentence."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{name} cannot be read as {form}: {error or 'it is cut off'}") from error


def _objects(source: Source, encoding: str) -> Iterator[dict[str, Any]]:
    for number, line in _lines(source, encoding):
        try:
            value = json.loads(line.rstrip(), object_pairs_hook=_object, parse_int=_whole)
        except RecursionError:
            raise ValueError(f"line {number:,} has values that are nested too deeply") from None
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number:,}, column {error.colno:,}: {error.msg}") from None
        except ValueError as error:
            raise ValueError(f"line {number:,}: {error}") from None
        if not isinstance(value, dict):
            raise ValueError(f"line {number:,} is not an object with named values")
        yield value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return named


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError("a number has too many digits") from None


def _lines(source: Source, encoding: str) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank, with their numbers."""
    with source.open() as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig" if encoding == "utf-8" else encoding)
        for number in itertools.count(1):
            try:
                line = text.readline(MOST_LINE)
            except UnicodeDecodeError:
                raise ValueError(
                    f"{source.name} is not {encoding.upper()} in line {number:,}; name its encoding with --encoding."
                ) from None
            if len(line) == MOST_LINE:
                raise ValueError(
                    f"{source.name} has a line of {MOST_LINE:,} characters or more; lines must be shorter."
                )
            if not line:
                return
            if line.strip():
                yield number, line


def _rows_of_workbook(source: Source) -> Iterator[Row]:
    import python_calamine

    with source.open_raw() as stream:
        with zipfile.ZipFile(stream) as archive:
            _check_size(archive)
        stream.seek(0)
        book = python_calamine.load_workbook(io.BytesIO(stream.read()))
    yield from book.get_sheet_by_index(0).iter_rows()


def _check_size(archive: zipfile.ZipFile) -> None:
    """Refuse what takes up much memory: the library keeps a place for each cell up to the furthest one."""
    unpacked = sum(each.file_size for each in archive.infolist())
    if unpacked > MOST_WORKBOOK:
        raise ValueError(f"it unpacks to {unpacked:,} bytes; at most {MOST_WORKBOOK:,} are read")
    for member in archive.infolist():
        with archive.open(member) as stream:
            rows, columns = _extent(stream)
        if rows * columns > MOST_CELLS:
            raise ValueError(
                f"{member.filename} has {rows:,} rows of {columns:,} cells; at most {MOST_CELLS:,} cells are read"
            )


def _extent(stream: IO[bytes]) -> tuple[int, int]:
    """Return the rows and the columns up to the furthest cell of a sheet; neither for what is no sheet."""
    row = column = rows = columns = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, rows, columns
        match tag.rpartition(":")[2]:
            case "row":
                row, column = int(attributes.get("r", row + 1)), 0
            case "c":
                place = attributes.get("r")
                letters = "" if place is None else place.rstrip("0123456789")
                row = row if place is None else int(place[len(letters) :])
                column = functools.reduce(lambda n, a: 26 * n + ord(a) - 64, letters, 0) or column + 1
            case "v" | "is":  # a cell without is not kept
                rows, columns = max(rows, row), max(columns, column)

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = begin
    with contextlib.suppress(xml.parsers.expat.ExpatError):  # a picture
        parser.ParseFile(stream)
    return rows, columns


def _batches(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    rows = iter(rows)
    while chunk := list(itertools.islice(rows, ROWS_AT_A_TIME)):
        cells = zip(*chunk, strict=True)
        arrays = [
            pa.array([None if cell is None else as_written(cell) for cell in column], pa.string())
            for column in cells
        ]
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns))
