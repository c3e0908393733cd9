"""The manifest: the sha256 of every file of the results, one ``sha256  path`` line each, sorted by path."""

import re
from pathlib import Path

from nontrivial.files import read_json, sha256_of, write_text
from nontrivial_study.provenance.run import files_below

NAME, CRATE = "manifest-sha256.txt", "ro-crate-metadata.json"
_LEFT_OUT = re.compile(rf"(logs|benchmarks)/|{re.escape(NAME)}(\.\w+)*$")  # with signatures of the manifest
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def listed_files(results: Path) -> dict[str, Path]:
    """Return the files of a results folder that a manifest lists, by their paths in it."""
    return {name: path for name, path in files_below(results).items() if not _LEFT_OUT.match(name)}


def write_manifest(results: Path) -> None:
    """Write the manifest of a results folder."""
    lines = [f"{sha256_of(path)}  {name}\n" for name, path in sorted(listed_files(results).items())]
    write_text(results / NAME, "".join(lines))


def read_manifest(path: Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}; ValueError, with the line's number, if a line is none of a manifest."""
    entries: dict[str, str] = {}
    for number, line in enumerate(path.read_bytes().decode(errors="replace").splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if not match or match[2] in entries:
            raise ValueError(f"line {number} is not a sha256, two spaces and a path that no other line has.")
        entries[match[2]] = match[1]
    return entries


def left_files(results: Path) -> list[str]:
    """Return the files that the manifest lists and the crate does not, since no job of this study made them."""
    if not ((results / NAME).is_file() and (results / CRATE).is_file()):
        return []
    described = {entity["@id"] for entity in read_json(results / CRATE)["@graph"]}
    return sorted(read_manifest(results / NAME).keys() - described - {CRATE})
