"""The study's Parquet files: written with digests of their bytes, which are compared before anything is believed.

What a file holds is written part by part, each as a row group. The footer has a digest of every part, the name of the
file and its folder, and what its writer noted; 32 bytes before the footer, of which Parquet's readers know nothing, are
its digest. So the bytes of a damaged file never reach the decoder, which would take some for other values and others
for an order to claim all memory, and a file that has taken another's place is noticed.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from nontrivial.files import DamagedFile, atomic_path

_KEY = b"nontrivial"
_MAGIC = b"PAR1"
_LENGTH = 4  # bytes that say how long the footer is; the magic follows them
_DIGEST = hashlib.sha256().digest_size
_STEP = 1 << 20


class Writer:
    """A Parquet file that is being written; see `open_writer`."""

    def __init__(self, path: Path, name: str, schema: pa.Schema) -> None:
        self._sink = _Sink(path)
        self._writer = pq.ParquetWriter(self._sink, schema, compression="zstd", write_page_checksum=True)
        self._name = name
        self._parts: list[tuple[int, str]] = []

    def append(self, table: pa.Table) -> None:
        """Write a table as the next part."""
        self._writer.write_table(table, row_group_size=max(1, table.num_rows))
        self._parts.append((self._sink.tell(), self._sink.take_digest().hex()))

    def close(self, notes: Any) -> None:
        about = json.dumps({"name": self._name, "parts": self._parts, "notes": notes})
        self._writer.add_key_value_metadata({_KEY: about})
        self._sink.hold()
        self._writer.close()
        self._sink.close()

    def abandon(self) -> None:
        self._writer.close()
        self._sink.close()


class Reader:
    """A Parquet file of this module, read part by part, each after its digest has been compared.

    Parameters
    ----------
    path : path

    Attributes
    ----------
    notes
        What the writer noted, in the form of JSON.

    Raises
    ------
    FileNotFoundError
        If there is no file.
    DamagedFile
        If it is not what was written under its name.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        with self._naming_the_file():
            self._file = pa.OSFile(os.fspath(path))
            end = self._check_footer()
            self._parquet = pq.ParquetFile(self._file, page_checksum_verification=True)
            about = json.loads(self._parquet.metadata.metadata[_KEY])
            self._parts: list[tuple[int, str]] = about["parts"]
            self.notes = about["notes"]
        if about["name"] != _name(self._path):
            raise DamagedFile(path, f"it holds what was written as {about['name']}")
        if self._parts and self._parts[-1][0] != end:  # as where the file stands twice in it
            raise DamagedFile(path)

    def __len__(self) -> int:
        return len(self._parts)

    def is_whole(self, number: int) -> bool:
        """Tell whether the bytes of a part are those that were written."""
        start = self._parts[number - 1][0] if number else 0
        stop, digest = self._parts[number]
        try:
            return self._digest(start, stop).hex() == digest
        except OSError:
            return False

    def read(self, number: int) -> pd.DataFrame:
        """Return a part."""
        self._check(number)
        with self._naming_the_file():
            table: pd.DataFrame = self._parquet.read_row_group(number).to_pandas()
        return table

    def read_all(self) -> pd.DataFrame:
        """Return all parts as one table."""
        for number in range(len(self)):
            self._check(number)
        with self._naming_the_file():
            table: pd.DataFrame = self._parquet.read().to_pandas()
        return table

    def _check(self, number: int) -> None:
        if not self.is_whole(number):
            raise DamagedFile(self._path)

    def _check_footer(self) -> int:
        """Return where the parts end."""
        size: int = self._file.size()
        self._file.seek(max(0, size - _LENGTH - len(_MAGIC)))
        end = self._file.read()
        start = size - len(end) - int.from_bytes(end[:_LENGTH], "little")
        if not end.endswith(_MAGIC) or start < _DIGEST:
            raise DamagedFile(self._path)
        self._file.seek(start - _DIGEST)
        if self._file.read(_DIGEST) != self._digest(start, size):
            raise DamagedFile(self._path)
        return start - _DIGEST

    def _digest(self, start: int, stop: int) -> bytes:
        digest = hashlib.sha256()
        self._file.seek(start)
        while start < stop and (read := self._file.read(min(_STEP, stop - start))):
            digest.update(read)
            start += len(read)
        return digest.digest()

    @contextlib.contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, DamagedFile):
            raise
        except (OSError, ValueError, pa.ArrowException) as error:
            raise DamagedFile(self._path, f"it cannot be read: {error}") from error


@contextlib.contextmanager
def open_writer(path: str | os.PathLike[str], schema: pa.Schema, notes: Any) -> Iterator[Writer]:
    """Give a writer of parts; what it wrote becomes the file at `path`, whole or not at all.

    Parameters
    ----------
    path : path
    schema : Schema
        The columns of every part.
    notes
        What can be put into JSON; it is written last, so that it may grow with the parts.
    """
    with atomic_path(path) as temporary:
        writer = Writer(temporary, _name(Path(path)), schema)
        try:
            yield writer
        except BaseException:
            writer.abandon()
            raise
        writer.close(notes)


def write_parquet(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write a table without its index, equal to the byte each time it is written under this name."""
    rows = pa.Table.from_pandas(table, preserve_index=False)
    with open_writer(path, rows.schema, None) as writer:
        writer.append(rows)


def read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Return all rows of a file of this module, or raise what `Reader` raises.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "numbers.parquet")
    >>> write_parquet(path, pd.DataFrame({"x": [1.0, 2.0]}))
    >>> read_parquet(path)
         x
    0  1.0
    1  2.0
    >>> _ = path.write_bytes(path.read_bytes()[:-1])
    >>> read_parquet(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nontrivial.files.DamagedFile: .../numbers.parquet is damaged; delete it and run the same command again.
    """
    return Reader(path).read_all()


def _name(path: Path) -> str:
    """Return the file's name and its folder's: scores of two kinds are named alike."""
    return "/".join(path.absolute().parts[-2:])


class _Sink(io.RawIOBase):
    """A file that digests what is written to it, and holds back the footer until its digest can stand before it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._digest = hashlib.sha256()
        self._held: list[bytes] | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self._held is None:
            self._file.write(data)
        else:
            self._held.append(bytes(data))
        self._digest.update(data)
        return len(data)

    def tell(self) -> int:
        return self._file.tell()

    def take_digest(self) -> bytes:
        """Return the digest of what was written since the last call."""
        digest, self._digest = self._digest.digest(), hashlib.sha256()
        return digest

    def hold(self) -> None:
        """Keep what is written from now on until the file is closed."""
        self._held, self._digest = [], hashlib.sha256()

    def close(self) -> None:
        if not self._file.closed:
            if self._held is not None:
                self._file.writelines([self._digest.digest(), *self._held])
            self._file.close()
        super().close()
