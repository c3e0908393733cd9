"""Documents that have come whole, kept from run to run."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import logging
import os
import re
import time
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from nontrivial.files import atomic_path

log = logging.getLogger(__name__)

_ABANDONED = 3600  # seconds after which a temporary file belongs to nobody who is still at work


class Kept:
    """A folder of documents by address, each packed with a checksum, so that a damaged one is noticed.

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

    def find(self, address: str) -> bytes | None:
        """Return a document, None if it is not here or not whole."""
        place = self._place(address)
        try:
            packed = place.read_bytes()
            if not packed:  # which gzip would take for an empty document
                raise EOFError
            return gzip.decompress(packed)
        except FileNotFoundError:
            return None
        except (OSError, EOFError, zlib.error):
            log.warning("a kept copy is damaged and fetched again: %s", place.name)
            place.unlink(missing_ok=True)
            return None

    def add(self, address: str, body: bytes) -> None:
        """Keep a document, whole or not at all."""
        with atomic_path(self._place(address)) as temporary:
            temporary.write_bytes(gzip.compress(body, compresslevel=6, mtime=0))

    def forget(self, address: str) -> None:
        """Keep a document no longer."""
        self._place(address).unlink(missing_ok=True)

    def _place(self, address: str) -> Path:
        """Return where a document is kept: host, path and query as a readable, unique file name."""
        parts = urlsplit(address)
        # A list of a thousand ids is longer than a file name may be.
        name = re.sub(r"[^A-Za-z0-9.,=-]", "_", f"{parts.path}?{parts.query}").strip("_")[:80]
        digest = hashlib.sha256(address.encode()).hexdigest()[:16]
        return self.folder / parts.netloc.replace(":", "_") / f"{name}-{digest}.gz"
