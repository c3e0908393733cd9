"""Files that are whole or absent, and the same to the byte each time they are written."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import math
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np


class DamagedFile(ValueError):
    """A file that the study wrote does not hold what it wrote.

    Parameters
    ----------
    path : path
    how : str, optional
        What shows it.
    """

    def __init__(self, path: str | os.PathLike[str], how: str = "") -> None:
        reason = f": {how}" if how else ""
        super().__init__(f"{os.fspath(path)} is damaged{reason}; delete it and run the same command again.")


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `path`; on success it becomes `path`, on failure it is removed.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with atomic_path(folder / "a.txt") as temporary:
    ...     _ = temporary.write_text("whole")
    >>> [p.name for p in folder.iterdir()]
    ['a.txt']
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays: writers such as matplotlib choose the format by it.
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp makes private files; results are for everyone
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def remove_abandoned(path: str | os.PathLike[str]) -> None:
    """Remove the temporary files of writers of `path` that were killed; nobody else may be writing it now."""
    target = Path(path)
    for temporary in target.parent.glob(f".{glob.escape(target.stem)}-????????{target.suffix}"):
        temporary.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` as UTF-8 with line feeds, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write sorted, indented JSON. NumPy scalars are taken; NaN becomes null, infinities "inf" and "-inf"."""
    text = json.dumps(plain(value), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    write_text(path, text + "\n")


def sha256_of(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file as lower-case hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def plain(value: Any) -> Any:
    """Turn a value into what strict JSON can hold, as `write_json` writes it."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
