"""The audit's files: one table of verdicts, and for each claim the evidence from which its verdict follows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.audit.evaluate import COLUMNS
from nontrivial.files import write_json, write_table

LARGEST = 1 << 30  # bytes of JSON; the crate, which is the largest, takes a kilobyte or so for each file


class _Ambiguous(ValueError):
    """JSON that one reader may take for this and another for that."""


def write_evidence(records: Sequence[dict[str, Any]], folder: str | Path) -> None:
    """Write ``verdicts.csv``, ``verdicts.json`` and one ``<id>.json`` per record.

    Evidence that lies in the folder for a claim that is not among the records is removed.

    Parameters
    ----------
    records : sequence of dict
        As `evaluate_claims` gives them.
    folder : path
        ``claims`` in the results folder.
    """
    folder = Path(folder)
    records = sorted(records, key=lambda record: record["id"])
    known = {record["id"] for record in records}
    for path in folder.glob("*.json"):
        if path.stem not in known and _is_evidence(path):
            path.unlink()
    for record in records:
        write_json(folder / f"{record['id']}.json", record)
    verdicts = [verdict_of(record) for record in records]
    write_json(folder / "verdicts.json", verdicts)
    write_table(folder / "verdicts.csv", verdict_table(verdicts))


def verdict_of(record: dict[str, Any]) -> dict[str, Any]:
    """The columns of the verdict table."""
    return {column: record[column] for column in COLUMNS}


def verdict_table(verdicts: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The verdicts as a table, counterexample and data as JSON text, a missing counterexample empty."""
    rows = [
        {
            **verdict,
            "counterexample": ""
            if verdict["counterexample"] is None
            else json.dumps(verdict["counterexample"]),
            "data": "; ".join(verdict["data"]),
        }
        for verdict in verdicts
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def read_json(path: Path) -> Any:
    """Read a JSON file; ValueError, naming it, where it is none, too large for one, or says the same key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise _Ambiguous(f"{path.name} says {twice!r} twice.")
        return found

    if not path.is_file():
        raise FileNotFoundError(f"{path.name} is not there, or no file.")
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} is larger than {LARGEST >> 20} MiB, which no record of a study is.")
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique)
    except _Ambiguous:
        raise
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} is not readable JSON.") from error


def _is_evidence(path: Path) -> bool:
    """Tell whether a file holds what `write_evidence` writes for the claim of its name."""
    try:
        return read_json(path)["trail"]["claim"]["id"] == path.stem
    except (ValueError, TypeError, KeyError):
        return False
