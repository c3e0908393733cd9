"""Documents that have come whole, kept from run to run."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import logging
import math
import os
import re
import shutil
import time
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from nontrivial.files import atomic_path
from nontrivial_study.data.http.packing import TooLarge, unpack

log = logging.getLogger(__name__)

_NAME = slice(10, 10 + 64)  # where gzip has the name of what is packed, which is the digest here
_ABANDONED = 3600  # seconds after which a temporary file belongs to nobody who is still at work


class Kept:
    """A folder of documents by address, each packed with its digest, so that a damaged or exchanged one is noticed.

    Parameters
    ----------
    folder : path

    Examples
    --------
    >>> import tempfile
    >>> kept = Kept(tempfile.mkdtemp())
    >>> kept.add("http://example.org/task/3", b"<task/>")
    >>> kept.find("http://example.org/task/3")
    b'<task/>'
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        for temporary in self.folder.glob("*/.*.gz"):  # left by a run that was killed while it wrote
            with contextlib.suppress(FileNotFoundError):  # of another job, which has just finished it
                if time.time() - temporary.stat().st_mtime > _ABANDONED:
                    temporary.unlink()

    def find(self, address: str, most: float = math.inf) -> bytes | None:
        """Return a document; None if it is not here, not what was kept under this address, or too large."""
        place = self._place(address)
        try:
            with place.open("rb") as stream:
                name = stream.read(_NAME.stop)[_NAME]
                stream.seek(0)
                body = unpack(stream, most)
        except FileNotFoundError:
            return None
        except (OSError, EOFError, zlib.error, TooLarge):
            body = None
        if body is not None and name == _digest(address, body):
            return body
        log.warning("a kept copy is damaged and fetched again: %s", place.name)
        self.forget(address)
        return None

    def add(self, address: str, body: bytes) -> None:
        """Keep a document, whole or not at all."""
        with atomic_path(self._place(address), shared=True) as temporary, temporary.open("wb") as stream:
            name = _digest(address, body).decode()
            with gzip.GzipFile(name, "wb", compresslevel=6, fileobj=stream, mtime=0) as packed:
                packed.write(body)

    def forget(self, address: str) -> None:
        """Keep a document no longer."""
        place = self._place(address)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    def _place(self, address: str) -> Path:
        """Return where a document is kept: host, path and query as a readable, unique file name."""
        parts = urlsplit(address)
        # A list of a thousand ids is longer than a file name may be.
        name = re.sub(r"[^A-Za-z0-9.,=-]", "_", f"{parts.path}?{parts.query}").strip("_")[:80]
        digest = hashlib.sha256(address.encode()).hexdigest()[:16]
        return self.folder / parts.netloc.replace(":", "_") / f"{name}-{digest}.gz"


def _digest(address: str, body: bytes) -> bytes:
    """Return what tells a document that was kept under an address from any other."""
    digest = hashlib.sha256(address.encode() + b"\0")
    digest.update(body)
    return digest.hexdigest().encode()
