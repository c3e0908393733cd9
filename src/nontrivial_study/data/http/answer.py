"""An answer as it came over the wire."""

from __future__ import annotations

import contextlib
import math
import re
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from nontrivial_study.data.http.failures import WrongAnswer
from nontrivial_study.data.http.packing import unpack
from nontrivial_study.data.http.reading import reading, real_number


@dataclass(frozen=True)
class Answer:
    """Status, headers and content of an answer.

    Examples
    --------
    >>> import gzip
    >>> Answer(200, {"Content-Encoding": "gzip"}, gzip.compress(b"age,status")).body(most=100)
    b'age,status'
    >>> Answer(503, {"Retry-After": "20"}, b"").retry_after()
    20.0
    """

    status: int
    headers: Mapping[str, str]
    content: bytes

    def body(self, most: int) -> bytes:
        """Return the content, unpacked. A packed one shows where it was cut off, even if no length was announced.

        Raises
        ------
        WrongAnswer
            If it cannot be unpacked.
        TooLarge
            If it has more than `most` bytes.
        """
        coding = self.headers.get("Content-Encoding", "").strip().lower()
        if coding in ("", "identity"):
            return self.content
        if coding not in ("gzip", "x-gzip"):
            raise WrongAnswer(f"answered in the encoding {coding[:20]!r}, which was not requested")
        try:
            return unpack(self.content, most)
        except EOFError:
            raise WrongAnswer("was cut off before the end") from None
        except (OSError, zlib.error):
            raise WrongAnswer("was damaged on its way") from None

    def retry_after(self) -> float | None:
        """Return the seconds that Retry-After asks for, a number or a date; None if it does not say."""
        value = self.headers.get("Retry-After", "").strip()
        with contextlib.suppress(ValueError):
            seconds = real_number(value)
            return max(0.0, seconds) if math.isfinite(seconds) else None
        with contextlib.suppress(WrongAnswer), reading("has an invalid date"):
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        return None


def check_body(body: bytes) -> None:
    """Raise WrongAnswer if a body can be no document of any kind."""
    if is_web_page(body):
        raise WrongAnswer("answered with a web page in place of the document")
    if not body.strip():
        raise WrongAnswer("answered with nothing")


def is_web_page(body: bytes) -> bool:
    """Tell whether a body is HTML or XHTML.

    Examples
    --------
    >>> is_web_page(b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>')
    True
    >>> is_web_page(b"age,html")
    False
    """
    return bool(
        re.match(
            rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html)\b",
            body[:2000],
            re.I | re.S,
        )
    )
