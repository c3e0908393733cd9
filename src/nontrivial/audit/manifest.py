"""The manifest: a sha256 of everything a study read and made, one ``sha256  path`` line each, sorted by path.

Files of the results folder stand under ``results/``, whatever the folder is called; the project's code, workflow
and configuration stand under their paths in the project. So with the results in their usual place,
``sha256sum -c results/manifest-sha256.txt`` in the project's folder checks it too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from nontrivial.files import sha256_of, write_text

NAME = "manifest-sha256.txt"
RESULTS = "results/"
PROJECT_PLACES = ("Snakefile", "pyproject.toml", "config", "envs", "src", "workflow")
# What holds times and hosts, or cannot hold its own hash.
LEFT_OUT = ("run.json", "logs/", "benchmarks/", NAME)
_BYPRODUCTS = re.compile(
    r"(^|/)(__pycache__|[^/]*\.egg-info|\.ipynb_checkpoints)/|\.pyc$|(^|/)\.snakemake_timestamp$"
)
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write_manifest(results: str | Path, project: str | Path) -> None:
    """Write ``manifest-sha256.txt`` into the results folder.

    Parameters
    ----------
    results : path
        The results folder. All its files are listed but ``run.json``, ``logs/`` and ``benchmarks/``.
    project : path
        The project's folder, of which the code, workflow and configuration are listed.
    """
    lines = [
        f"{sha256_of(path)}  {name}\n"
        for name, path in sorted({**project_files(project), **results_files(results)}.items())
    ]
    write_text(Path(results) / NAME, "".join(lines))


def read_manifest(path: str | Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}; ValueError, with the line's number, where a line is none."""
    entries: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_bytes().decode(errors="replace").split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if match:
            entries[match[2]] = match[1]
        elif line:
            raise ValueError(f"{RESULTS}{NAME}: line {number} is not of the form 'sha256  path'.")
    return entries


def results_files(results: str | Path) -> dict[str, Path]:
    """The files of a results folder that a manifest lists, by their names in it."""
    files = dict(_walk(Path(results), RESULTS))
    left_out = tuple(RESULTS + name for name in LEFT_OUT)
    return {
        name: path
        for name, path in files.items()
        if not any(name == one or (one.endswith("/") and name.startswith(one)) for one in left_out)
    }


def project_files(project: str | Path) -> dict[str, Path]:
    """The project's files that a manifest lists, by their names in it."""
    root = Path(project)
    files: dict[str, Path] = {}
    for place in PROJECT_PLACES:
        if (root / place).is_dir():
            files |= _walk(root / place, f"{place}/")
        elif (root / place).exists():
            files[place] = root / place
    return files


def _walk(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    for parent, folders, files in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        for name in [*files, *links]:
            path = Path(parent, name)
            listed = prefix + path.relative_to(folder).as_posix()
            if not _BYPRODUCTS.search(listed):
                yield listed, path
