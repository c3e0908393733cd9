"""The manifest: a sha256 of everything a study read and made, one ``sha256  path`` line each, sorted by path.

Files of the results folder stand under ``results/``, whatever the folder is called; the project's code, workflow
and configuration stand under their paths in the project. So with the results in their usual place,
``sha256sum -c results/manifest-sha256.txt`` in the project's folder checks it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from nontrivial.audit.project import project_files, walk
from nontrivial.files import sha256_of, write_text

NAME = "manifest-sha256.txt"
RESULTS = "results/"
# What differs from run to run and is checked otherwise or not at all, or cannot hold its own hash.
LEFT_OUT = ("run.json", "logs/", "benchmarks/", NAME)
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write_manifest(results: str | Path, project: str | Path, also: Iterable[str] = ()) -> None:
    """Write ``manifest-sha256.txt`` into the results folder.

    Parameters
    ----------
    results : path
        The results folder. All its files are listed but ``run.json``, ``logs/`` and ``benchmarks/``.
    project : path
        The project's folder, of which the code, workflow and configuration are listed.
    also : iterable of str
        Further files of the project, as `project_files` takes them.
    """
    files = {**project_files(project, also), **results_files(results)}
    lines = [f"{sha256_of(path)}  {name}\n" for name, path in sorted(files.items())]
    write_text(Path(results) / NAME, "".join(lines))


def read_manifest(path: str | Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}; ValueError, with the line's number, where a line is none."""
    entries: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_bytes().decode(errors="replace").split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if match:
            entries[match[2]] = match[1]
        elif line:
            raise ValueError(f"line {number} is not of the form 'sha256  path'.")
    return entries


def results_files(results: str | Path) -> dict[str, Path]:
    """The files of a results folder that a manifest lists, by their names in it."""
    left_out = tuple(RESULTS + name for name in LEFT_OUT)
    return {
        name: path
        for name, path in walk(Path(results), RESULTS)
        if not any(name == one or (one.endswith("/") and name.startswith(one)) for one in left_out)
    }
