"""The study's JSON files. Records among them have a digest of their name and values, which reading checks."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nontrivial.files import DamagedFile, plain, write_json

_KEY = "record_sha256"
LARGEST = 1 << 30  # bytes of JSON; the crate, which is the largest, takes a kilobyte or so for each file


class _Ambiguous(ValueError):
    """JSON that two readers may understand differently."""


def read_json(path: Path) -> Any:
    """Read a JSON file; ValueError, naming the file, if it is not JSON, is too large, or has the same key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise _Ambiguous(f"{path.name} says {twice!r} twice.")
        return found

    if not path.is_file():
        raise FileNotFoundError(f"{path.name} is missing or not a file.")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} is larger than {LARGEST >> 20} MiB; a record of a study is smaller.")
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique)
    except _Ambiguous:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} is not readable JSON.") from error


def read_written(path: str | os.PathLike[str]) -> Any:
    """Read a JSON file that the study wrote; DamagedFile if the study cannot have written it."""
    try:
        return read_json(Path(path))
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise DamagedFile(path, str(error).rstrip(".")) from error


def write_record(path: str | os.PathLike[str], record: Mapping[str, Any]) -> None:
    """Write a record as JSON, with its digest under ``record_sha256``."""
    values = plain(dict(record))
    write_json(path, values | {_KEY: _digest(path, values)})


def read_record(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what was written as a record, without its digest.

    Raises
    ------
    FileNotFoundError
        If there is no file.
    DamagedFile
        If it is not what was written under its name.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "toy.json")
    >>> write_record(path, {"rows": 3})
    >>> read_record(path)
    {'rows': 3}
    >>> _ = path.write_text(path.read_text().replace("3", "4", 1))
    >>> read_record(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nontrivial.files.DamagedFile: .../toy.json is damaged; delete it and run the same command again.
    """
    values = read_written(path)
    if not isinstance(values, dict) or values.pop(_KEY, None) != _digest(path, values):
        raise DamagedFile(path)
    return values


def _digest(path: str | os.PathLike[str], values: Mapping[str, Any]) -> str:
    text = json.dumps([Path(path).name, values], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
