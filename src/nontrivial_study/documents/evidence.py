"""The audit's files: one table of verdicts, and for each claim the evidence from which its verdict follows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.claims.judge import COLUMNS
from nontrivial.claims.verdict import VERDICT_WORDS
from nontrivial.files import find_files, read_json, write_json
from nontrivial_study.tables import write_table


def write_evidence(records: Sequence[dict[str, Any]], folder: str | Path) -> None:
    """Write records as `judge_claims` gives them: ``verdicts.csv``, ``verdicts.json``, and one ``<id>.json`` per claim.

    Opinions have no file of their own. Evidence that lies in the folder for other claims is removed.
    """
    folder = Path(folder)
    settled = [record for record in records if record["evidence"]]
    known = {record["id"] for record in settled}
    for path in find_files(folder, "*.json"):
        if path.stem not in known and _is_evidence(path):
            path.unlink()
    for record in settled:
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
            "holds_if": _part_text(verdict["holds_if"]) if verdict["holds_if"] else "",
            "steps": "; ".join(map(_part_text, verdict["steps"])),
            "data": "; ".join(verdict["data"]),
        }
        for verdict in verdicts
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _part_text(part: dict[str, Any]) -> str:
    return f"{part['statement']} ({VERDICT_WORDS[part['verdict']]})"


def _is_evidence(path: Path) -> bool:
    """Tell whether a file holds what `write_evidence` writes for the claim of its name."""
    try:
        return bool(read_json(path)["trail"]["claim"]["id"] == path.stem)
    except (ValueError, TypeError, KeyError):
        return False
