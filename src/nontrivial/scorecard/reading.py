"""Reading columns of CSV and Parquet files in pieces, so that memory does not depend on what a file claims to hold.

No type is guessed: a cell of a CSV file is text, here, and what it means is for whoever asked for its column.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_ROWS = 20_000_000
MOST_HEADER = 1 << 20  # bytes
MOST_ROW = 1 << 23  # bytes; what is read of a CSV file at a time
MOST_UNPACKED = 1 << 29  # bytes of one column in one row group of Parquet
_SEPARATORS = ",;\t"
_END = "\x03end of file\x03"


@dataclass(frozen=True)
class CsvFile:
    """A CSV file: its path, the names in its first line, and what divides them."""

    path: Path
    names: tuple[str, ...]
    separator: str

    @classmethod
    def open(cls, path: Path) -> CsvFile:
        """Read the first line; blank lines before it are skipped."""
        with path.open("rb") as stream:
            start = stream.read(MOST_HEADER)
        if b"\0" in start:
            raise ValueError(f"{path.name} cannot be read as CSV: it holds the byte 0, which is not text.")
        whole = len(start) < MOST_HEADER
        if not whole and len(start.lstrip().splitlines()) < 2:
            raise ValueError(
                f"{path.name} has a first line of more than {MOST_HEADER:,} bytes; the names of the columns are needed."
            )
        try:
            # A character may be cut where the piece that was read ends.
            text = start.decode("utf-8-sig") if whole else start.decode("utf-8-sig", errors="ignore")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{path.name} cannot be read as CSV: byte {error.start + 1:,} is not UTF-8."
            ) from None
        line = next((line for line in io.StringIO(text) if line.strip()), "")
        separator = max(_SEPARATORS, key=re.sub(r'"[^"]*"', "", line).count)
        try:
            names = next(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=separator)), [])
        except csv.Error as error:
            raise ValueError(f"The first line of {path.name} cannot be read as CSV: {error}.") from None
        if not names:
            raise ValueError(f"{path.name} cannot be read as CSV: it is empty; names of columns are needed.")
        return cls(path, tuple(names), separator)

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows as text."""
        strange = []

        def refuse(row: pa.csv.InvalidRow) -> str:
            strange.append(row)
            return "error"

        with self.path.open("rb") as stream:
            try:
                reader = pa.csv.open_csv(
                    pa.PythonFile(_Ended(stream, self._last_row()), mode="r"),
                    read_options=pa.csv.ReadOptions(block_size=MOST_ROW, use_threads=False),
                    parse_options=pa.csv.ParseOptions(
                        delimiter=self.separator, newlines_in_values=True, invalid_row_handler=refuse
                    ),
                    convert_options=pa.csv.ConvertOptions(
                        include_columns=list(columns), column_types=dict.fromkeys(columns, pa.string())
                    ),
                )
                ended = False
                for batch in reader:
                    ended = bool(batch.num_rows) and batch.column(0)[-1].as_py() == _END
                    yield batch.slice(0, batch.num_rows - ended)
            except pa.ArrowException as error:
                if strange:
                    raise ValueError(self._uneven(strange[0])) from None
                raise ValueError(
                    f"{self.path.name} cannot be read as CSV, in UTF-8 and with rows of at most {MOST_ROW:,} bytes: "
                    f"{error}"
                ) from None
        if not ended:
            raise ValueError(f"{self.path.name} cannot be read as CSV: a quotation mark is never closed.")

    def _last_row(self) -> bytes:
        """A row after the last, which is not there in the end if an open quotation mark took it for its text."""
        return f"\n{self.separator.join([_END] * len(self.names))}\n".encode()

    def _uneven(self, row: pa.csv.InvalidRow) -> str:
        fields = f"{row.actual_columns:,} field{'' if row.actual_columns == 1 else 's'}"
        point = "; a number needs a point, not a comma" if row.actual_columns > row.expected_columns else ""
        return (
            f"{self.path.name} has {fields} in row {row.number - 1:,}, but "
            f"{row.expected_columns:,} names in its first line{point}."
        )


class _Ended(io.RawIOBase):
    """A stream with something at its end."""

    def __init__(self, stream: io.BufferedReader, end: bytes) -> None:
        self._stream, self._end = stream, io.BytesIO(end)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._stream.readinto(buffer) or self._end.readinto(buffer)


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file: its path, and the names of its columns."""

    path: Path
    names: tuple[str, ...]

    @classmethod
    def open(cls, path: Path) -> ParquetFile:
        """Read what the file says of itself."""
        with path.open("rb") as stream, _plain_errors(path):
            return cls(path, tuple(pa.parquet.ParquetFile(stream).schema_arrow.names))

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Give the rows: text, numbers or booleans, of which text may be encoded by a dictionary."""
        with self.path.open("rb") as stream, _plain_errors(self.path):
            # As dictionaries, a text that a tiny file repeats for all of its rows is held once.
            file = pa.parquet.ParquetFile(stream, read_dictionary=list(columns))
            for column in columns:
                kind = file.schema_arrow.field(column).type
                if not _is_plain(kind.value_type if pa.types.is_dictionary(kind) else kind):
                    raise ValueError(
                        f"Column {column!r} of {self.path.name} holds {kind}; text, numbers or booleans are needed."
                    )
            self._check_size(file.metadata, columns)
            yield from file.iter_batches(columns=list(columns))

    def _check_size(self, metadata: pa.parquet.FileMetaData, columns: Sequence[str]) -> None:
        if metadata.num_rows > MOST_ROWS:
            raise ValueError(_too_many(self.path))
        for place in range(metadata.num_row_groups):
            group = metadata.row_group(place)
            for chunk in map(group.column, range(group.num_columns)):
                if chunk.path_in_schema in columns and chunk.total_uncompressed_size > MOST_UNPACKED:
                    raise ValueError(
                        f"Column {chunk.path_in_schema!r} of {self.path.name} unpacks to "
                        f"{chunk.total_uncompressed_size:,} bytes in one row group; at most {MOST_UNPACKED:,} are read."
                    )


@contextlib.contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """Turn whatever the library says of a file that is not good Parquet into one sentence."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:
        raise ValueError(f"{path.name} cannot be read as Parquet: {error}") from error


def open_file(path: Path) -> CsvFile | ParquetFile:
    """Open a file of cases, as Parquet by the ending ``.parquet`` and else as CSV.

    Raises
    ------
    ValueError
        If it is no file, or not of that form.
    """
    if not path.is_file():
        raise ValueError(f"{path} is not a file; a CSV or Parquet file of predictions is needed.")
    return (ParquetFile if path.suffix.lower() == ".parquet" else CsvFile).open(path)


def read_pieces(file: CsvFile | ParquetFile, columns: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Give pieces of columns, each after the number of rows before it.

    Raises
    ------
    ValueError
        If the file is not of its form further on, or has no rows or too many.
    """
    rows = 0
    for piece in file.pieces(columns):
        if rows + piece.num_rows > MOST_ROWS:
            raise ValueError(_too_many(file.path))
        if piece.num_rows:
            yield rows, piece
        rows += piece.num_rows
    if not rows:
        raise ValueError(f"{file.path.name} has no rows; one row per case is needed.")


def _too_many(path: Path) -> str:
    return f"{path.name} has more than {MOST_ROWS:,} rows; at most that many are read."


def _is_plain(kind: pa.DataType) -> bool:
    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_integer,
        pa.types.is_floating,
        pa.types.is_boolean,
        pa.types.is_decimal,
        pa.types.is_null,
    )
    return any(test(kind) for test in tests)
