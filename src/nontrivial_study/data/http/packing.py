"""gzip, unpacked up to a bound: a few bytes can stand for gigabytes."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import BinaryIO

_CHUNK = 1 << 16
_MOST_MEMBERS = 10_000  # those who pack in blocks take 64 kB each
_GZIP = 16 + zlib.MAX_WBITS


class TooLarge(ValueError):
    """More comes out than is allowed."""


def unpack(packed: bytes | BinaryIO, most: float) -> bytes:
    """Return what was packed.

    Parameters
    ----------
    packed : bytes or binary file
        One member of gzip, or several, with zeros after each.
    most : float
        The greatest number of bytes to return.

    Raises
    ------
    TooLarge
        As soon as there is more.
    EOFError
        If it ends too early.
    OSError, zlib.error
        If it is not gzip, damaged, or of more members than anybody packs in.

    Examples
    --------
    >>> unpack(gzip.compress(b"abc"), 3)
    b'abc'
    """
    stream = io.BytesIO(packed) if isinstance(packed, bytes) else packed
    body = io.BytesIO()
    rest = stream.read(_CHUNK)
    for _ in range(_MOST_MEMBERS):
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            rest = rest or stream.read(_CHUNK)
            if not rest:
                raise EOFError
            body.write(member.decompress(rest, _CHUNK))
            if body.tell() > most:
                raise TooLarge
            rest = member.unconsumed_tail
        rest = member.unused_data.lstrip(b"\0")
        while not rest and (more := stream.read(_CHUNK)):
            rest = more.lstrip(b"\0")
        if not rest:
            return body.getvalue()
    raise gzip.BadGzipFile
