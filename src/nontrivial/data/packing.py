"""gzip, unpacked up to a bound: a few bytes can stand for gigabytes."""

from __future__ import annotations

import gzip
import io
from typing import BinaryIO

_CHUNK = 1 << 16


class TooLarge(ValueError):
    """More comes out than is allowed."""


def unpack(packed: bytes | BinaryIO, most: float) -> bytes:
    """Return what was packed.

    Parameters
    ----------
    packed : bytes or binary file
    most : float
        The greatest number of bytes to return.

    Raises
    ------
    TooLarge
        As soon as there is more.
    EOFError
        If it ends too early.
    OSError, zlib.error
        If it is not gzip, or damaged.

    Examples
    --------
    >>> unpack(gzip.compress(b"abc"), 3)
    b'abc'
    """
    stream = io.BytesIO(packed) if isinstance(packed, bytes) else packed
    unpacked, body = gzip.GzipFile(fileobj=stream), io.BytesIO()
    if not unpacked.peek(1) and not stream.tell():  # nothing, which gzip would take for an empty document
        raise EOFError
    while chunk := unpacked.read(_CHUNK):
        body.write(chunk)
        if body.tell() > most:
            raise TooLarge
    return body.getvalue()
