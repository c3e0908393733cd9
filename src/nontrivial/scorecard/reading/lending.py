"""Python's objects in the hands of Arrow's threads.

A thread of Arrow needs Python's lock to call such an object and to let go of it. If Python ends in between, the thread
stops there, and the process waits for it forever (https://github.com/apache/arrow/issues/50482).
"""

from __future__ import annotations

import io
import time
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_LONGEST = 10.0  # seconds
_PAUSE = 0.0005


class Lent(io.RawIOBase):
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


def wait_until_returned(*lent: weakref.ref[Any]) -> None:
    """Wait until no thread holds what was lent; the caller has let go of it."""
    end = time.monotonic() + _LONGEST
    while any(each() is not None for each in lent) and time.monotonic() < end:
        time.sleep(_PAUSE)
