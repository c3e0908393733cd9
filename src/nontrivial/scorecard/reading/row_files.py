"""JSON lines, ARFF and workbooks: forms that are read row by row, each cell of which becomes text."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from nontrivial.scorecard.reading.sources import OfSource, Source

ROWS_AT_A_TIME = 50_000
MOST_LINE = 1 << 23  # characters
MOST_WORKBOOK = 1 << 30  # bytes, unpacked

Row = Sequence[Any]


@dataclass(frozen=True)
class JsonLinesFile(OfSource):
    """A file with a JSON object on each line; the first names the columns."""

    names: tuple[str, ...]
    encoding: str

    @classmethod
    def open(cls, source: Source, encoding: str) -> JsonLinesFile:
        """Read the first line."""
        file = cls(source, (), encoding)
        first = next(file._objects())
        return cls(source, tuple(name.strip() for name in first), encoding)

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows as text."""
        rows = ({name.strip(): value for name, value in each.items()} for each in self._objects())
        yield from _batches(([row.get(column) for column in columns] for row in rows), columns)

    def _objects(self) -> Iterator[dict[str, Any]]:
        for number, line in _lines(self.source, self.encoding):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(
                    f"{self.source.name} cannot be read as JSON lines: line {number:,}: {error}"
                ) from None
            if not isinstance(value, dict):
                raise ValueError(
                    f"{self.source.name} cannot be read as JSON lines: line {number:,} is no object with named values."
                )
            yield value


@dataclass(frozen=True)
class ArffFile(OfSource):
    """A file of Weka's form."""

    names: tuple[str, ...]
    encoding: str

    @classmethod
    def open(cls, source: Source, encoding: str) -> ArffFile:
        """Read the names that the file declares."""
        declared = _read_arff(source, encoding)["attributes"]
        return cls(source, tuple(name.strip() for name, _ in declared), encoding)

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows as text."""
        places = [self.names.index(column) for column in columns]
        rows = _read_arff(self.source, self.encoding)["data"]
        with _plain_arff(self.source.name):
            yield from _batches(([row[place] for place in places] for row in rows), columns)


@dataclass(frozen=True)
class Workbook(OfSource):
    """The first sheet of an XLSX file, whose first row names the columns."""

    names: tuple[str, ...]

    @classmethod
    def open(cls, source: Source) -> Workbook:
        """Read the first row."""
        first = next(_rows_of_workbook(source), [])
        if not any(first):
            raise ValueError(f"{source.name} has an empty first row; names of columns are needed.")
        return cls(source, tuple(_cell(name).strip() if name else "" for name in first))

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows as text."""
        places = [self.names.index(column) for column in columns]
        rows = itertools.islice(_rows_of_workbook(self.source), 1, None)
        filled = (row for row in rows if any(cell not in (None, "") for cell in row))
        yield from _batches(([row[place] for place in places] for row in filled), columns)


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
                    f"{source.name} has a line of {MOST_LINE:,} characters or more; rows are shorter."
                )
            if not line:
                return
            if line.strip():
                yield number, line


def _read_arff(source: Source, encoding: str) -> dict[str, Any]:
    import arff

    with _plain_arff(source.name):
        lines = (line for _, line in _lines(source, encoding))
        return dict(arff.ArffDecoder().decode(lines, return_type=arff.DENSE_GEN))


@contextlib.contextmanager
def _plain_arff(name: str) -> Iterator[None]:
    """Turn what the library says of a file that is not good ARFF into one sentence."""
    import arff

    try:
        yield
    except (arff.ArffException, IndexError, StopIteration) as error:
        raise ValueError(f"{name} cannot be read as ARFF: {error or 'it is cut off'}") from None


def _rows_of_workbook(source: Source) -> Iterator[Row]:
    import python_calamine

    with source.open_raw() as stream:
        unpacked = sum(each.file_size for each in zipfile.ZipFile(stream).infolist())
        if unpacked > MOST_WORKBOOK:
            raise ValueError(
                f"{source.name} unpacks to {unpacked:,} bytes; of a workbook at most {MOST_WORKBOOK:,} are read."
            )
        stream.seek(0)
        try:
            book = python_calamine.load_workbook(io.BytesIO(stream.read()))
            yield from book.get_sheet_by_index(0).iter_rows()
        except (python_calamine.CalamineError, OSError) as error:
            raise ValueError(f"{source.name} cannot be read as XLSX: {error}") from None


def _batches(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    rows = iter(rows)
    while piece := list(itertools.islice(rows, ROWS_AT_A_TIME)):
        cells = zip(*piece, strict=True)
        arrays = [
            pa.array([None if cell is None else _cell(cell) for cell in column], pa.string())
            for column in cells
        ]
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def _cell(value: Any) -> str:
    """Write a cell as a person would: 1 for 1.0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return value if isinstance(value, str) else str(value)
