"""The files of a data set: its canonical table, and the record that has the table's digest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.files import DamagedFile, read_json, write_json
from nontrivial_study.data.canonical import canonical_sha256
from nontrivial_study.tables import read_parquet, write_parquet


def write_dataset(path: str | os.PathLike[str], table: pd.DataFrame, record: Mapping[str, Any]) -> None:
    """Write a canonical table as Parquet, and its record beside it as JSON."""
    write_parquet(path, table)
    write_json(Path(path).with_suffix(".json"), record)


def read_dataset(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Return a canonical table, after comparing it with the record beside it.

    Raises
    ------
    FileNotFoundError
        If one of the two files is not there.
    DamagedFile
        If one of them is not what was written, or the table has another digest than its record.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "toy.parquet")
    >>> table = pd.DataFrame({"x": [1.0], "target": ["yes"]})
    >>> write_dataset(path, table, {"name": "toy", "sha256": canonical_sha256(table)})
    >>> read_dataset(path)
         x target
    0  1.0    yes
    """
    table, record = read_parquet(path), Path(path).with_suffix(".json")
    if read_json(record).get("sha256") != canonical_sha256(table):
        raise DamagedFile(
            f"{os.fspath(path)} has another digest than {record.name} says; delete both and run the same command again."
        )
    return table
