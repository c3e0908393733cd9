"""How many rows an Arrow file has and how large its buffers are, which pyarrow says only after it has unpacked them.

The footer and the messages of the format are tables of FlatBuffers. Fields are numbered as in Arrow's ``File.fbs`` and
``Message.fbs`` (https://arrow.apache.org/docs/format/Columnar.html).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import IO, Any

_END = 10  # bytes: how long the footer is, and the magic
_DICTIONARIES, _BATCHES = 2, 3  # of the footer
_HEADER = 2  # of a message
_DATA = 1  # of a dictionary: a batch
_ROWS, _BUFFERS, _COMPRESSION = 0, 2, 3  # of a batch


def measure(stream: IO[bytes]) -> tuple[int, int]:
    """Return the rows of an Arrow file, and the bytes of its largest buffer, unpacked.

    Raises
    ------
    struct.error, ValueError or OSError
        If it is not of that form.

    Examples
    --------
    >>> import io, pyarrow as pa, pyarrow.feather
    >>> stream = io.BytesIO()
    >>> pyarrow.feather.write_feather(pa.table({"x": ["a" * 10_000] * 9}), stream, compression="zstd")
    >>> len(stream.getvalue()) < 1000, measure(stream)
    (True, (9, 90000))
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(size - _END)
    (length,) = struct.unpack("<i", stream.read(4))
    stream.seek(size - _END - length)
    footer = stream.read(length)
    rows, sizes, unread = 0, [0], size
    for kind in (_DICTIONARIES, _BATCHES):
        for start, length, _ in _structs(footer, _field(footer, _follow(footer, 0), kind), "<qi4xq"):
            unread -= length
            if length < 0 or unread < 0:
                raise ValueError("its messages overlap")
            stream.seek(start)
            message = stream.read(length).removeprefix(b"\xff\xff\xff\xff")[4:]  # after its length
            batch = _follow(message, _field(message, _follow(message, 0), _HEADER))
            if kind == _DICTIONARIES:
                batch = _follow(message, _field(message, batch, _DATA))
            elif counted := _field(message, batch, _ROWS):
                rows += struct.unpack_from("<q", message, counted)[0]
            packed = _field(message, batch, _COMPRESSION)
            for place, taken in _structs(message, _field(message, batch, _BUFFERS), "<qq"):
                sizes.append(taken)
                if packed and taken:
                    stream.seek(start + length + place)
                    sizes.append(struct.unpack("<q", stream.read(8))[0])  # -1: it is stored as it is
    return rows, max(sizes)


def _field(data: bytes, table: int, number: int) -> int:
    """Return where a field of a table stands; 0 if it is left out."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    place = 4 + 2 * number
    if place >= struct.unpack_from("<H", data, fields)[0]:
        return 0
    (offset,) = struct.unpack_from("<H", data, fields + place)
    return table + offset if offset else 0


def _follow(data: bytes, place: int) -> int:
    return place + int(struct.unpack_from("<I", data, place)[0])


def _structs(data: bytes, place: int, form: str) -> Iterator[tuple[Any, ...]]:
    """Give the entries of a vector, none where it is left out."""
    if place:
        start = _follow(data, place)
        (count,) = struct.unpack_from("<I", data, start)
        for number in range(count):
            yield struct.unpack_from(form, data, start + 4 + number * struct.calcsize(form))
