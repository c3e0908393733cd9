"""What a file of the results is, in the words of an RO-Crate: its kind, its content, its licence, its source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nontrivial.files import read_json, sha256_of
from nontrivial_study.provenance.project import COPY

# By the file's ending; fixed, because what the machine's own table says differs between machines.
_MEDIA_TYPES = {
    "": "text/plain",
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/x-python",
    ".rst": "text/x-rst",
    ".sh": "application/x-sh",
    ".smk": "text/plain",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".txt": "text/plain",
    ".typed": "text/plain",
    ".yaml": "application/yaml",
}
LICENCES = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause",
}


def file_properties(folder: Path, name: str) -> dict[str, Any]:
    """What an RO-Crate says of a file whatever it holds: name, kind, size and sha256.

    Parameters
    ----------
    folder : Path
        The results folder.
    name : str
        The file's path in it.
    """
    path = folder / name
    return {
        "name": name,
        "encodingFormat": _MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
        "contentSize": str(path.stat().st_size),
        "sha256": sha256_of(path),
        **_content(folder, path),
    }


def source_records(path: Path) -> list[Mapping[str, Any]]:
    """The records of data sets from elsewhere that a file of the results holds: one, a list of ``tasks``, or none."""
    if path.suffix != ".json":
        return []
    content = read_json(path)
    records = content.get("tasks", [content]) if isinstance(content, dict) else []
    return [record for record in records if "address" in record]


def _content(folder: Path, path: Path) -> dict[str, Any]:
    """Say what the file holds: a table or figure by its caption, data by its title, evidence by its claim."""
    part, stem = path.relative_to(folder).parts[0], path.name.partition(".")[0]
    caption = folder / COPY / "workflow" / "report" / f"{stem}.rst"
    if part in ("tables", "figures", "claims") and caption.is_file():
        return {"description": " ".join(caption.read_text(encoding="utf-8").split())}
    if part == "claims" and path.suffix == ".json" and stem != "verdicts":
        claim = read_json(path)
        return {"description": f"Evidence for the verdict on the claim: {claim['statement']}"}
    record = folder / "data" / f"{stem}.json"
    if part == "data" and record.is_file():
        return {"description": read_json(record)["title"]}
    return {}
