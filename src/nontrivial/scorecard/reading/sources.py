"""Files that users name: on a disk, plain or compressed, or standard input."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

MOST_ROWS = 20_000_000
# Of one model of two classes, without weights and groups: in at most 4 GB of memory.
MOST_PLAIN_ROWS = 100_000_000
Chunks = Generator[pa.RecordBatch, None, None]  # of a table's rows; closing it closes the file
STANDARD_INPUT = "-"
ZIP = b"PK\x03\x04"
_UNPACKERS: dict[bytes, tuple[str, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda stream: gzip.GzipFile(fileobj=stream)),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": ("zstd", lambda stream: pa.CompressedInputStream(stream, "zstd")),
}
_FOREIGN = {  # by the first bytes; those of a zip archive name its first member
    rb"\x93NUMPY|PK\x03\x04.{26}[^/]{1,200}\.npy": "a NumPy file",
    rb"\x80[\x02-\x05]|\([dl]p\d+\n|PK\x03\x04.{26}[^/]{1,200}/data\.pkl": "a pickle of Python",
    rb"<stata_dta>|[ilnoqrs][\x01\x02]\x01\0": "a Stata file",
    rb"\0{12}\xc2\xea\x81|HEADER RECORD\*{7}LIB": "a SAS file",
    rb"\$FL[23]@": "an SPSS file",
    rb"RD[ABX][23]\n|X\n\0\0\0|B\n[\x02\x03]\0": "an R file",
    rb"MATLAB \d": "a MATLAB file",
    rb"ORC[^\t -~]": "an ORC file",
    rb"\xff{4}..\0\0": "an Arrow stream",
    rb"Obj\x01": "an Avro file",
    rb"\x89HDF": "an HDF5 file",
    rb"SQLite format 3\0": "an SQLite database",
    rb".{8}DUCK": "a DuckDB database",
    rb"\xd0\xcf\x11\xe0": "an Excel workbook of the old form, .xls",
    rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis": "an OpenDocument file",
    rb"%PDF-": "a PDF document",
    rb"(?i)(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|table)\b": "a web page",
    rb"(\xef\xbb\xbf)?\s*<\?xml": "an XML file",
    rb"\x89PNG|GIF8[79]a|\xff\xd8\xff": "an image",
    rb".{257}ustar": "a tar archive",
}
MOST_INPUT = 1 << 32  # bytes of standard input
_MOST_MEMORY = 1 << 26  # bytes of it; more is kept on the disk


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of a file.

    Attributes
    ----------
    name : str
        The file's name without its folder, or "standard input".
    packed : str
        The compression that its first bytes name; empty if there is none.
    """

    name: str
    packed: str
    _raw: Callable[[], IO[bytes]]
    _unpack: Callable[[IO[bytes]], Any]

    @classmethod
    def of(cls, path: str | Path) -> Source:
        """Find a file.

        Raises
        ------
        ValueError
            If there is no such file, or an archive does not hold exactly one file.
        """
        if str(path) == STANDARD_INPUT:
            name, raw = "standard input", _buffered_input()
        else:
            file = Path(path)
            if not file.is_file():
                kind = "is a folder" if file.is_dir() else "is not a file"
                raise ValueError(f"{path} {kind}; a file of predictions, such as CSV, is needed.")
            name, raw = file.name, lambda: file.open("rb")
        with raw() as stream:
            start = stream.read(300)
        refuse_foreign(name, start)
        for first, (packed, unpack) in _UNPACKERS.items():
            if start.startswith(first):
                return cls(name, packed, raw, unpack)
        if start.startswith(ZIP):
            member = _only_member(raw, name)
            if member is not None:
                return cls(name, "zip", raw, lambda stream: zipfile.ZipFile(stream).open(member))
        return cls(name, "", raw, lambda stream: stream)

    def open(self) -> io.BufferedReader:
        """Open it at its start, unpacked."""
        return io.BufferedReader(_Plain(self.name, self.packed, self._unpack(self._raw())), 1 << 16)

    def open_raw(self) -> IO[bytes]:
        """Open it at its start, as it is."""
        return self._raw()

    def open_mapped(self) -> pa.NativeFile:
        """Open it as it is; of a file on a disk, only what is read of it takes memory."""
        stream = self._raw()
        name = getattr(stream, "name", None)
        return pa.memory_map(name) if isinstance(name, str) else pa.PythonFile(stream)

    def sha256(self) -> str:
        """The digest of the file as it is."""
        with self._raw() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


@dataclass(frozen=True)
class OfSource:
    """A table that is a file."""

    source: Source

    @property
    def name(self) -> str:
        """What to call it."""
        return self.source.name

    def sha256(self) -> str:
        """The digest of the file."""
        return self.source.sha256()


class _Plain(io.RawIOBase):
    """A stream that says in one sentence what is wrong with a compressed file."""

    def __init__(self, name: str, packed: str, stream: IO[bytes]) -> None:
        self._name, self._packed, self._stream = name, packed, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except (EOFError, OSError, lzma.LZMAError, zipfile.BadZipFile, ValueError) as error:
            if not self._packed:
                raise
            cut = isinstance(error, EOFError) or "runcated" in str(error)
            wrong = "is cut off" if cut else f"is damaged ({error})"
            raise ValueError(f"{self._name} cannot be unpacked: the {self._packed} data {wrong}.") from None
        except Exception as error:  # zlib.error has no better base
            raise ValueError(
                f"{self._name} cannot be unpacked: the {self._packed} data is damaged ({error})."
            ) from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


class _SharedReader(io.RawIOBase):
    """Another reader of a file that is open: closing it leaves the file open."""

    def __init__(self, stream: IO[bytes]) -> None:
        stream.seek(0)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(place, whence)

    def tell(self) -> int:
        return self._stream.tell()


def refuse_foreign(name: str, start: bytes) -> None:
    """Refuse a file whose first bytes, 300 or more, show that it is of a form that is not read."""
    for first, form in _FOREIGN.items():
        if re.match(first, start, re.DOTALL):
            raise ValueError(f"{name} is {form}, which is not read here; write its table as CSV or Parquet.")


def check_rows(name: str, rows: int, *, plain: bool) -> None:
    """Refuse a table that is too long; `plain` means one model of two classes, without weights and groups."""
    most = MOST_PLAIN_ROWS if plain else MOST_ROWS
    if rows > most:
        kept = (
            ""
            if plain
            else ", because weights, groups, numbers or more models or classes are kept for each row"
        )
        raise ValueError(
            f"{name} has more than {most:,} rows, which may not fit into memory{kept}; at most {MOST_PLAIN_ROWS:,} "
            "rows are read from CSV or Parquet with one model of two classes, without weights and groups, and at most "
            f"{MOST_ROWS:,} otherwise."
        )


def _buffered_input() -> Callable[[], IO[bytes]]:
    """Read standard input to its end; it is read more than once, and some formats are read from their end."""
    if sys.stdin is None:
        raise ValueError("standard input is closed; a file of predictions, such as CSV, is needed.")
    kept = tempfile.SpooledTemporaryFile(max_size=_MOST_MEMORY)  # noqa: SIM115
    while chunk := sys.stdin.buffer.read(1 << 20):
        if kept.tell() > MOST_INPUT:
            raise ValueError(
                f"standard input has more than {MOST_INPUT:,} bytes; at most that many are read."
            )
        kept.write(chunk)
    return lambda: io.BufferedReader(_SharedReader(kept))


def _only_member(raw: Callable[[], IO[bytes]], name: str) -> str | None:
    """Return the one file of a zip archive, or None if it is a workbook."""
    try:
        with raw() as stream, zipfile.ZipFile(stream) as archive:
            members = [each for each in archive.namelist() if not each.endswith("/")]
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise ValueError(
            f"{name} cannot be unpacked: the zip data is cut off or damaged ({error})."
        ) from None
    if "xl/workbook.xml" in members:
        return None
    members = [each for each in members if not each.startswith("__MACOSX/")]
    if len(members) != 1:
        raise ValueError(f"{name} is an archive of {len(members):,} files; one is needed.")
    return members[0]
