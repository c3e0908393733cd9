"""gzip, unpacked up to a bound: a few bytes can stand for gigabytes."""

from __future__ import annotations

import gzip
import io
from typing import BinaryIO


class TooLarge(ValueError):
    """More comes out than is allowed."""


def unpack(packed: bytes | BinaryIO, most: int) -> bytes:
    """Return what was packed.

    Parameters
    ----------
    packed : bytes or binary file
    most : int
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
    if not packed:  # which gzip would take for an empty document
        raise EOFError
    stream = io.BytesIO(packed) if isinstance(packed, bytes) else packed
    body = gzip.GzipFile(fileobj=stream).read(most + 1)
    if len(body) > most:
        raise TooLarge
    return body
