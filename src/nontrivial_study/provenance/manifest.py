"""The manifest: a sha256 of everything a study read and made, one ``sha256  path`` line each, sorted by path.

Files of the results folder stand under ``results/``, whatever the folder is called; the project's code, workflow
and configuration stand under their paths in the project. So with the results in their usual place,
``sha256sum -c results/manifest-sha256.txt`` in the project's folder checks it too.

Logs and benchmarks differ from run to run, so no manifest lists them: the record of the run holds their digests, the
crate that of the record, and the manifest that of the crate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from nontrivial.files import sha256_of, write_text
from nontrivial_study.provenance.project import walk

NAME = "manifest-sha256.txt"
RESULTS = "results/"
SIGNATURES = tuple(NAME + ending for ending in (".sig", ".asc", ".minisig", ".sigstore.json"))
TRACES = ("logs", "benchmarks")  # the folders of what jobs leave beside the results
# The logs of the job that records the run, and of the one after it.
UNRECORDED = frozenset(f"logs/{job}.log" for job in ("describe_results", "write_bag"))
# The record of the run and its traces, the manifest, which cannot hold its own hash, and what signs it.
LEFT_OUT = ("run.json", *(f"{folder}/" for folder in TRACES), NAME, *SIGNATURES)
_LINE = re.compile(r"([0-9a-f]{64})  (.*[^\r])")
_NAME = re.compile(r"[^\r\n\ud800-\udfff]+")  # a byte of a name that is not UTF-8 comes as a lone surrogate


def write_manifest(results: str | Path, project: Mapping[str, str | Path]) -> None:
    """Write ``manifest-sha256.txt`` into the results folder.

    Parameters
    ----------
    results : path
        The results folder. All its files are listed but ``run.json``, ``logs/``, ``benchmarks/`` and signatures of
        the manifest.
    project : mapping of str to path
        The project's code, workflow and configuration, as `project_files` gives them.

    Raises
    ------
    ValueError
        If the results hold a link, or a file whose name no line can hold.
    """
    inside = results_files(results)
    files = {**project, **inside}
    for name, path in sorted(files.items()):
        if name in inside and Path(path).is_symlink():
            raise ValueError(f"{name} is a link; a manifest lists files themselves, so put the file there.")
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!a} cannot be listed; a name must be UTF-8 without line breaks.")
    digests = {name: sha256_of(path) for name, path in sorted(files.items())}
    write_text(Path(results) / NAME, "".join(f"{digest}  {name}\n" for name, digest in digests.items()))


def read_manifest(path: str | Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}; ValueError, with the line's number, where one is none or a repetition."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path} is missing.")
    entries: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_bytes().decode(errors="replace").split("\n"), start=1):
        match = _LINE.fullmatch(line)
        if match and match[2] in entries:
            raise ValueError(f"line {number} lists {match[2]} again.")
        if match:
            entries[match[2]] = match[1]
        elif line:
            raise ValueError(f"line {number} is not a sha256, two spaces and a path.")
    return entries


def results_files(results: str | Path) -> dict[str, Path]:
    """The files of a results folder that a manifest lists, by their names in it."""
    left_out = tuple(RESULTS + name for name in LEFT_OUT)
    return {
        name: path
        for name, path in walk(Path(results), RESULTS)
        if not any(name == one or (one.endswith("/") and name.startswith(one)) for one in left_out)
    }


def trace_files(results: str | Path) -> dict[str, Path]:
    """The logs and benchmarks in a results folder, by their paths in it, without the `UNRECORDED`."""
    found = (one for folder in TRACES for one in walk(Path(results, folder), f"{folder}/"))
    return {name: path for name, path in found if name not in UNRECORDED}
