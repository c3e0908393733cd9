"""What the page shows, read from a folder of results; what is not there is None or empty, never an error."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.audit.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED
from nontrivial.report.tables import read_texts

# The order in which a reader wants to see them, and their names.
VERDICTS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}
_POINT = ["dataset", "model", "positive", "noise", "minority_share"]
_DATASET_COLUMNS = [
    "name",
    "title",
    "rows",
    "features",
    "classes",
    "positive",
    "licence",
    "source",
    "uci_id",
    "sha256",
]
_OPTIONAL = {"reason": "", "note": "", "repairs": ""}
PICTURE_BUDGET = (
    3_000_000  # bytes of embedded pictures; what is beyond is linked, so that the page stays under 5 MB
)
_PICTURE_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
_FIGURE_NAME = re.compile(r"(pa|prg|p4|tutorial)_figure_(\d+)")
_SOURCES = {"pa": "PA paper", "prg": "PRG paper", "p4": "P4 article", "tutorial": "Tutorial"}


@dataclass(frozen=True)
class Picture:
    """A figure: its name and title, the picture as a data address or None, and its files by kind."""

    name: str
    title: str
    address: str | None
    files: Mapping[str, str]


def read_claims(results: Path) -> list[dict[str, Any]] | None:
    """Read the verdicts in the order of their ids; None where there are none.

    Raises
    ------
    ValueError
        If a verdict is not one of the four.
    """
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    claims = [_OPTIONAL | claim for claim in json.loads(path.read_text(encoding="utf-8"))]
    for claim in claims:
        if claim["verdict"] not in VERDICTS:
            raise ValueError(
                f"claims/verdicts.json gives {claim['id']!r} the verdict {claim['verdict']!r}; "
                f"allowed are {', '.join(VERDICTS)}."
            )
    return sorted(claims, key=lambda claim: claim["id"])


def count_verdicts(claims: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the claims of each document by verdict.

    Examples
    --------
    >>> count_verdicts([{"source": "PA paper", "verdict": "caveat"}])
    {'PA paper': {'contradicted': 0, 'caveat': 1, 'reproduced': 0, 'not_evaluated': 0}}
    """
    counts = Counter((claim["source"], claim["verdict"]) for claim in claims)
    return {
        source: {verdict: counts[source, verdict] for verdict in VERDICTS}
        for source in sorted({source for source, _ in counts})
    }


def read_pictures(results: Path) -> list[Picture]:
    """Read the figures by name, each embedded in its smaller form as long as the budget lasts."""
    folder = results / "figures"
    pictures, left = [], PICTURE_BUDGET
    for name in sorted({path.stem for path in folder.glob("*") if path.suffix in _PICTURE_TYPES}):
        files = {
            ending[1:]: f"figures/{name}{ending}"
            for ending in (".svg", ".pdf", ".png", ".csv")
            if (folder / f"{name}{ending}").is_file()
        }
        candidates = [folder / f"{name}{ending}" for ending in _PICTURE_TYPES if ending[1:] in files]
        smallest = min(candidates, key=lambda path: path.stat().st_size)
        data = base64.b64encode(smallest.read_bytes()).decode("ascii")
        address = None
        if len(data) <= left:
            left -= len(data)
            address = f"data:{_PICTURE_TYPES[smallest.suffix]};base64,{data}"
        pictures.append(Picture(name, title_of(name), address, files))
    return pictures


def title_of(name: str) -> str:
    """Turn a file's name into a heading.

    Examples
    --------
    >>> title_of("prg_figure_4")
    'PRG paper, Figure 4'
    >>> title_of("rank_disagreement")
    'Rank disagreement'
    """
    match = _FIGURE_NAME.fullmatch(name)
    if match:
        return f"{_SOURCES[match[1]]}, Figure {match[2]}"
    return name.replace("_", " ").capitalize()


def read_tables(results: Path) -> dict[str, pd.DataFrame]:
    """Read every table by name, all values as texts."""
    return {path.stem: read_texts(path) for path in sorted((results / "tables").glob("*.csv"))}


def failed_runs(areas: pd.DataFrame) -> pd.DataFrame:
    """Return task, model and reason of the runs that failed."""
    failed = areas.loc[areas["status"] != "ok", ["task", "model", "status"]]
    return failed.rename(columns={"status": "reason"})


def points_of(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep: class, noise and share of one model on one data set."""
    return sweep[_POINT].drop_duplicates()


def missing_points(sweep: pd.DataFrame) -> pd.DataFrame:
    """Return the points of the imbalance sweep at which a measure has no mean, with the measures and the reasons."""
    missing = sweep[sweep["mean"] == ""]
    every = ", ".join(sweep["measure"].drop_duplicates())
    points = missing.groupby(_POINT, sort=False).agg(
        measures=("measure", ", ".join), reason=("reason", lambda reasons: "; ".join(dict.fromkeys(reasons)))
    )
    return points.replace({"measures": {every: "all"}}).reset_index()


def read_datasets(results: Path) -> pd.DataFrame:
    """Read what a reader asks first of each data set, as texts; its record holds the rest."""
    paths = sorted((results / "data").glob("*.json"))
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    rows = [{name: plain_text(record.get(name)) for name in _DATASET_COLUMNS} for record in records]
    return pd.DataFrame(rows, columns=_DATASET_COLUMNS)


def plain_text(value: Any) -> str:
    """Say a JSON value in plain text: lists joined by commas, mappings as ``key: value``, null as nothing.

    Examples
    --------
    >>> plain_text({"benign": 357, "malignant": 212})
    'benign: 357, malignant: 212'
    >>> plain_text([1, 0, 2, 3])
    '1, 0, 2, 3'
    """
    if value is None:
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {plain_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(plain_text, value))
    return str(value)
