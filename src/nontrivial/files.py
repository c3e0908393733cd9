"""Files that are written whole or not at all, and with the same bytes each time."""

import contextlib
import glob
import hashlib
import json
import math
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_SPREADSHEET_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?")  # a number for any spreadsheet
_FORMULA_START = re.compile(r"['\t\r\n]|[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]")


class DamagedFile(ValueError):
    """The error that a file of the study cannot be read."""


@contextlib.contextmanager
def naming_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an error of reading a file into DamagedFile, which names the file; FileNotFoundError stays."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise DamagedFile(
            f"{os.fspath(path)} is damaged: {reason}; delete it and run the same command again."
        ) from error


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path`, which replaces `path` on success and is removed on failure."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # The suffix stays, as writers such as matplotlib choose the format by it.
    prefix, suffix = f".{target.stem}-", f".part{target.suffix}"
    # Remove the files of writers that were killed.
    for abandoned in target.parent.glob(f"{glob.escape(prefix)}????????{glob.escape(suffix)}"):
        abandoned.unlink(missing_ok=True)
    # The name is random, because a job of an earlier run may still be writing.
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=prefix, suffix=suffix)
    os.close(handle)
    temporary = Path(name)
    umask = os.umask(0)
    os.umask(umask)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~umask
    try:
        yield temporary
        temporary.chmod(mode)
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def find_files(folder: str | os.PathLike[str], pattern: str) -> list[Path]:
    """Return the sorted files below a folder that match a pattern, without hidden ones such as an editor's."""
    return [Path(folder, name) for name in sorted(glob.glob(pattern, root_dir=folder, recursive=True))]


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` as UTF-8 with line feeds, whole or not at all."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(path: str | os.PathLike[str], value: Any, *, sort_keys: bool = True) -> None:
    """Write indented JSON with values as `json_value` returns them."""
    text = json.dumps(json_value(value), indent=2, sort_keys=sort_keys, ensure_ascii=False, allow_nan=False)
    write_text(path, text + "\n")


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read a JSON file; raise DamagedFile if it is unreadable."""
    with naming_file(path):
        return json.loads(Path(path).read_text(encoding="utf-8"))


def sha256_of(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file as lower-case hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def json_value(value: Any) -> Any:
    """Return a value of strict JSON: NumPy's numbers as Python's, NaN as None, infinities as "inf" and "-inf"."""
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [json_value(item) for item in value]
    if isinstance(value, np.generic):
        return json_value(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet could take for a formula."""
    return f"'{text}" if _FORMULA_START.match(text) and not _SPREADSHEET_NUMBER.fullmatch(text) else text
