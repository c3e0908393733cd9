"""Python's objects in the hands of Arrow's threads.

A thread of Arrow needs Python's lock to call such an object and to let go of it. If Python ends in between, the thread
stops there, and the process waits for it forever (https://github.com/apache/arrow/issues/50482).
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import re
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from nontrivial.scorecard.reading.sources import Chunks, OfSource, Source

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


_LONGEST = 10.0  # seconds
_PAUSE = 0.0005


class ErrorKeepingStream(io.RawIOBase):
    """A stream that ends where reading it fails, and gives the reason to `errors`.

    Arrow would keep an exception that it meets. What led to the exception is dropped, since it holds the stream.
    """

    def __init__(self, stream: io.RawIOBase, errors: list[Exception]) -> None:
        self._stream, self._errors = stream, errors

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        try:
            return self._stream.readinto(buffer)
        except Exception as error:
            error.__context__ = error.__traceback__ = None
            self._errors.append(error)
            return 0


def wait_until_released(*objects: weakref.ref[Any]) -> None:
    """Wait until no thread of Arrow holds these objects; the caller has let go of them."""
    end = time.monotonic() + _LONGEST
    while any(each() is not None for each in objects) and time.monotonic() < end:
        time.sleep(_PAUSE)


# CSV: text with columns separated by commas, semicolons, tabs or a named character.


MOST_HEADER = 1 << 20  # bytes
MOST_ROW = 1 << 23  # bytes; what is read of a CSV file at a time
_SEPARATORS = ",;\t"
# Quotation marks behind a blank are characters like others to the readers of CSV.
_BEHIND_A_BLANK = r'^\s+"(.*)"\s*$'
_MARK = re.compile(r'\s*"?sep=([^\r\n])"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)  # Excel's, before the names
_DIVIDED_BY_BLANKS = re.compile(r'("[^"]*"|[\w.]+)( ("[^"]*"|[\w.]+))+')  # as R's write.table does
_ORANGE = {"class", "meta", "ignore", ""}  # the roles of columns in its third row
_OF_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY = (
    "{} cannot be read as CSV: it holds the byte 0, which is not text; if it is text in another encoding, such as "
    "utf-16, name it with --encoding."
)
_END = "\x03\x03\x03\x03"  # without anything that may divide columns


@dataclass(frozen=True)
class CsvFile(OfSource):
    """A CSV file: the names in its first line, as they stand there too, what divides them, and the lines before."""

    names: tuple[str, ...]
    written: tuple[str, ...]
    separator: str
    encoding: str
    before: int

    @classmethod
    def open(cls, source: Source, separator: str | None, encoding: str) -> CsvFile:
        """Read the first line; blank lines before it are skipped, and a line that names the separator for Excel."""
        name = source.name
        with source.open() as stream:
            start = _Recoded(source, stream, encoding, rest_may_lack=MOST_HEADER).read(MOST_HEADER) or b""
        if b"\0" in start:
            raise ValueError(_BINARY.format(name))
        if len(start) == MOST_HEADER and len(start.lstrip().splitlines()) < 2:
            raise ValueError(
                f"{name} has a first line of more than {MOST_HEADER:,} bytes; it must hold the names of the columns."
            )
        text = start.decode("utf-8-sig", errors="ignore")  # a character may be cut where the chunk ends
        mark, before = _MARK.match(text), 0
        if mark:
            text, separator = text[mark.end() :], separator or mark[1]
            before = len(re.findall("\r\n|\r|\n", mark[0]))
        line = next((line for line in io.StringIO(text) if line.strip()), "")
        bare = re.sub(r'"[^"]*"', "", line)
        guess = " " if _DIVIDED_BY_BLANKS.fullmatch(line.strip()) else max(_SEPARATORS, key=bare.count)
        divides = separator or guess
        try:
            rows = filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=divides))
            names = next(rows, [])
        except csv.Error as error:
            raise ValueError(f"The first line of {name} cannot be read as CSV: {error}.") from None
        if not names:
            raise ValueError(f"{name} cannot be read as CSV: it is empty; names of columns are needed.")
        third: list[str] = []
        with contextlib.suppress(csv.Error):
            third = next(itertools.islice(rows, 1, None), [])
        if {"class", "meta"}.intersection(third) and _ORANGE.issuperset(third):
            raise ValueError(
                f"{name} has three rows of names, types and roles, as Orange writes them; save it without type "
                "annotations, or delete the second and the third row."
            )
        return cls(source, tuple(map(_plain, names)), tuple(names), divides, encoding, before)

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows as text."""
        strange: list[pa.csv.InvalidRow] = []
        errors: list[Exception] = []

        def refuse(row: pa.csv.InvalidRow) -> str:
            strange.append(row)
            return "error"

        written = [self.written[self.names.index(column)] for column in columns]
        quoted = any(re.match(_BEHIND_A_BLANK, name) for name in self.written)
        ended, reader = False, None
        with self.source.open() as stream:
            text = ErrorKeepingStream(
                _Recoded(self.source, stream, self.encoding, end=self._last_row()), errors
            )
            objects = weakref.ref(text), weakref.ref(refuse)
            try:
                reader = pa.csv.open_csv(
                    pa.PythonFile(text, mode="r"),
                    read_options=pa.csv.ReadOptions(
                        block_size=MOST_ROW, use_threads=False, skip_rows=self.before
                    ),
                    parse_options=pa.csv.ParseOptions(
                        delimiter=self.separator, newlines_in_values=True, invalid_row_handler=refuse
                    ),
                    convert_options=pa.csv.ConvertOptions(
                        include_columns=written, column_types=dict.fromkeys(written, pa.string())
                    ),
                )
                for batch in reader:
                    ended = bool(batch.num_rows) and batch.column(0)[-1].as_py() == _END
                    cells = batch.slice(0, batch.num_rows - ended).columns
                    if quoted:
                        cells = [pc.replace_substring_regex(each, _BEHIND_A_BLANK, r"\1") for each in cells]
                    yield pa.RecordBatch.from_arrays(cells, names=list(columns))
            except pa.ArrowException as error:
                if not errors:
                    errors.append(ValueError(self._uneven(strange[0]) if strange else self._unread(error)))
            finally:
                del text, refuse, reader
                wait_until_released(*objects)
        if errors:
            raise errors[0]
        if not ended:
            raise ValueError(f"{self.source.name} cannot be read as CSV: a quotation mark is never closed.")

    def _last_row(self) -> bytes:
        """Return a sentinel row; if it is missing at the end, a quotation mark was never closed."""
        return f"\n{self.separator.join([_END] * len(self.names))}\n".encode()

    def _unread(self, error: pa.ArrowException) -> str:
        return f"{self.source.name} cannot be read as CSV with rows of at most {MOST_ROW:,} bytes: {error}"

    def _uneven(self, row: pa.csv.InvalidRow) -> str:
        fields = f"{row.actual_columns:,} field{'' if row.actual_columns == 1 else 's'}"
        comma = self.separator == "," and row.actual_columns > row.expected_columns and "." not in row.text
        point = "; if a number has a decimal comma, write a point" if comma else ""
        place = row.number - 1 - self.before
        named = place == 1 and row.actual_columns == row.expected_columns + 1
        r = "; if R wrote the names of the rows, write the table with row.names=FALSE" if named else ""
        return (
            f"{self.source.name} has {fields} in data row {place:,}, but {row.expected_columns:,} names in its first "
            f"line{point}{r}."
        )


def _plain(name: str) -> str:
    """Return a name without blanks around it, and without quotation marks behind a blank."""
    return re.sub(_BEHIND_A_BLANK, r"\1", name).strip()


class _Recoded(io.RawIOBase):
    """A stream of text as UTF-8, with something at its end."""

    def __init__(
        self,
        source: Source,
        stream: io.BufferedReader,
        encoding: str,
        *,
        end: bytes = b"",
        rest_may_lack: int | None = None,
    ) -> None:
        self._source, self._stream, self._encoding = source, stream, encoding
        self._end, self._most, self._read, self._kept = end, rest_may_lack, 0, b""
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        while not self._kept:
            data = self._stream.read(len(view))
            if not data and not self._end:
                return 0
            self._kept = self._recoded(data) if data else self._recoded(b"") + self._end
            if not data:
                self._end = b""
        size = min(len(view), len(self._kept))
        view[:size], self._kept = self._kept[:size], self._kept[size:]
        return size

    def _recoded(self, data: bytes) -> bytes:
        """Decode, so that bytes that are not text are found here with their place; give whole characters."""
        held = self._decoder.getstate()[0]
        cut = self._most is not None and self._read + len(data) >= self._most
        try:
            text = self._decoder.decode(data, final=not data and not cut)
        except UnicodeDecodeError as error:
            place = self._read + max(error.start - (len(error.object) - len(data)), 0)
            if b"\0" in data and not data.startswith(_OF_UTF_16) and not self._read:
                raise ValueError(_BINARY.format(self._source.name)) from None
            another = "another encoding" if self._encoding == "utf-8" else "the right one"
            example = "utf-16" if not self._read and data.startswith(_OF_UTF_16) else "latin-1"
            raise ValueError(
                f"{self._source.name} cannot be read as CSV: byte {place + 1:,} is not "
                f"{self._encoding.upper()}; name {another} with --encoding, such as {example}."
            ) from None
        self._read += len(data)
        if self._encoding != "utf-8":
            return text.encode()
        whole = held + data
        return whole[: len(whole) - len(self._decoder.getstate()[0])]
