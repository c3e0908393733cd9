"""The manifest: the sha256 of every file of the results, one ``sha256  path`` line each, sorted by path."""

import re
from pathlib import Path

from nontrivial.files import read_json, sha256_of, write_text
from nontrivial_study.provenance.run import files_below

MANIFEST, CRATE = "manifest-sha256.txt", "ro-crate-metadata.json"
_UNLISTED = re.compile(
    rf"(logs|benchmarks)/|{re.escape(MANIFEST)}(\.\w+)*$"
)  # signatures of the manifest, too
_LINE_FORM = re.compile(r"([0-9a-f]{64})  (.+)")


def listed_files(results: Path) -> dict[str, Path]:
    """Return the files of a results folder that a manifest lists, by their paths in it."""
    return {name: path for name, path in files_below(results).items() if not _UNLISTED.match(name)}


def write_manifest(results: Path) -> None:
    """Write the manifest of a results folder."""
    lines = [f"{sha256_of(path)}  {name}\n" for name, path in sorted(listed_files(results).items())]
    write_text(results / MANIFEST, "".join(lines))


def read_manifest(path: Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}; ValueError names the first line that has another form."""
    entries: dict[str, str] = {}
    for number, line in enumerate(path.read_bytes().decode(errors="replace").splitlines(), start=1):
        match = _LINE_FORM.fullmatch(line)
        if not match or match[2] in entries:
            raise ValueError(f"line {number} is not a sha256, two spaces and a path that no other line has.")
        entries[match[2]] = match[1]
    return entries


def leftover_files(results: Path) -> list[str]:
    """Return the files that the manifest lists and the crate does not, because no job of this study made them."""
    if not ((results / MANIFEST).is_file() and (results / CRATE).is_file()):
        return []
    described = {entity["@id"] for entity in read_json(results / CRATE)["@graph"]}
    return sorted(read_manifest(results / MANIFEST).keys() - described - {CRATE})
