"""A file's SHA-256 in a file beside it, as `sha256sum` writes it: made with the file, and checked by its readers."""

from __future__ import annotations

import os
from pathlib import Path

from nontrivial.files import DamagedFile, write_text

SUFFIX = ".sha256"


def write_digest(path: str | os.PathLike[str], sha256: str) -> None:
    """Write the digest of what was written to `path` beside it.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.csv")
    >>> write_digest(path, "4355a46b...")
    >>> Path(f"{path}.sha256").read_text()
    '4355a46b...  a.csv\\n'
    """
    write_text(_beside(path), _line(path, sha256))


def check_digest(path: str | os.PathLike[str], sha256: str) -> None:
    """Compare the digest of what was read from `path` with the one beside it; a file without one passes.

    Raises
    ------
    DamagedFile
        If it is not what was written under its name.
    """
    stored = _beside(path)
    if stored.exists() and stored.read_bytes() != _line(path, sha256).encode():
        raise DamagedFile(path)


def _beside(path: str | os.PathLike[str]) -> Path:
    return Path(f"{os.fspath(path)}{SUFFIX}")


def _line(path: str | os.PathLike[str], sha256: str) -> str:
    return f"{sha256}  {Path(path).name}\n"
