"""The files of judged claims: a table of verdicts, and for each claim the evidence from which its verdict follows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.claims.judge import RECORD_COLUMNS
from nontrivial.claims.verdict import VERDICT_WORDS
from nontrivial.files import find_files, write_json
from nontrivial_study.tables import write_table


def write_evidence(records: Sequence[dict[str, Any]], folder: str | Path) -> None:
    """Write the records of `judge_claims` as ``verdicts.csv``, ``verdicts.json``, and one ``<id>.json`` per claim.

    Opinions have no file of their own. JSON files of claims that no longer exist are deleted.
    """
    folder = Path(folder)
    for path in find_files(folder, "*.json"):
        path.unlink()
    for record in records:
        if record["evidence"]:
            write_json(folder / f"{record['id']}.json", record)
    verdicts = [verdict_row(record) for record in records]
    write_json(folder / "verdicts.json", verdicts)
    write_table(folder / "verdicts.csv", verdict_table(verdicts))


def verdict_row(record: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a record that stands in the table of verdicts."""
    return {column: record[column] for column in RECORD_COLUMNS}


def verdict_table(verdicts: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return a table with a row for each verdict. Its parts, steps and data are texts."""
    table = pd.DataFrame(verdicts, columns=list(RECORD_COLUMNS))
    table["holds_if"] = [_describe_part(part) if part else "" for part in table["holds_if"]]
    table["steps"] = ["; ".join(map(_describe_part, steps)) for steps in table["steps"]]
    table["data"] = table["data"].str.join("; ")
    return table


def _describe_part(part: dict[str, Any]) -> str:
    return f"{part['statement']} ({VERDICT_WORDS[part['verdict']]})"
