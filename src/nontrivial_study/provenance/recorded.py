"""A study as its results record it, and the findings of its verification, by the file of the results."""

import difflib
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from nontrivial.claims.registry import load_claims
from nontrivial.files import json_value, read_json, sha256_of
from nontrivial.schemas import read_yaml
from nontrivial.terminal import shorten
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.data.canonical import Record
from nontrivial_study.documents.evidence import verdict_row
from nontrivial_study.provenance.run import CODE, MANIFEST, RUN, listed_files, read_manifest

VERDICTS = "claims/verdicts.json"
MISMATCH, INCOMPLETE = "mismatch", "incomplete"
UNCHECKED, LEFT, ROUNDING = "unchecked", "left", "rounding"  # kinds of notes
_MAX_PROBLEM = 900

T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    """A file or folder that is not as recorded, or was not checked."""

    kind: str
    place: str
    text: str


class Findings:
    """The problems of each file in a folder of results, and notes on what was not checked.

    `n_compared` counts the files that were compared with the manifest.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_compared = 0
        self.problems: dict[str, list[Problem]] = {}
        self.notes: list[Problem] = []

    def add(self, kind: str, path: str, *texts: str) -> None:
        """Add problems of a file. If the file has earlier problems, leave out the new ones."""
        problems = [Problem(kind, str(self.folder / path), shorten(text, _MAX_PROBLEM)) for text in texts]
        if problems:
            self.problems.setdefault(path, problems)

    def note(self, path: str, text: str, kind: str = UNCHECKED) -> None:
        """Add a note on a file or folder."""
        self.notes.append(Problem(kind, str(self.folder / path), text))

    def read(self, path: str, reader: Callable[[Path], T]) -> T | None:
        """Return what `reader` returns for a file. If the file cannot be read, add a problem and return None."""
        try:
            return reader(self.folder / path)
        except FileNotFoundError:
            self.add(INCOMPLETE, path, "is missing.")
        except Exception as error:  # a reader can raise anything for a damaged file
            reason = " ".join(str(error).split()) or type(error).__name__
            self.add(MISMATCH, path, f"is damaged: {reason}")
        return None


@dataclass(frozen=True)
class RecordedStudy:
    """The run, the verdicts, the manifest and the configuration of a study. Parts in damaged files are empty.

    `code` is the folder with the unpacked code. `datasets` and `claims` are the entries of data sets and the claims in
    its configuration, as plain data by name. Both are None if the code cannot be read.
    """

    run: Record
    verdicts: Mapping[str, Record]
    manifest: Mapping[str, str]
    code: Path
    datasets: Record | None
    claims: Record | None

    def config_path(self, kind: str) -> Path:
        """Return the path of a file of the configuration in the unpacked code."""
        return self.code / str(self.run["config"]["files"][kind])


def read_study(findings: Findings, code: Path, claim: str | None) -> RecordedStudy:
    """Read a study, and compare its files with the manifest. With a claim, compare only the files that it rests on.

    The code is unpacked into the folder `code`.
    """
    run: Record = findings.read(RUN, _read_run) or {}
    # A study of the user's own data judges no claims.
    has_claims = not run or "claims" in run["config"]["experiments"]
    verdicts = findings.read(VERDICTS, _read_verdicts) if has_claims else {}
    needed = None
    if claim is not None and verdicts is not None:
        if claim not in verdicts:
            close = ", ".join(difflib.get_close_matches(claim, verdicts)) or "none"
            path = findings.folder / VERDICTS
            raise ValueError(f"there is no claim {claim!r} in {path}; close to it: {close}.")
        verdicts = {claim: verdicts[claim]}
        needed = {VERDICTS, RUN, CODE, f"claims/{claim}.json", *verdicts[claim]["data"]}
    manifest = findings.read(MANIFEST, read_manifest) or {}
    _compare_with_manifest(findings, manifest, needed)
    datasets, claims = None, None
    if run and not {RUN, CODE} & findings.problems.keys():
        datasets, claims = findings.read(CODE, partial(_unpack_code, run, code)) or (None, None)
    return RecordedStudy(run, verdicts or {}, manifest, code, datasets, claims)


def _read_run(path: Path) -> Record:
    """Read the record of a run. Raise ValueError if it lacks the configuration of a study."""
    run: Record = read_json(path)
    if not {"experiments", "files"} <= run["config"].keys():
        raise ValueError("it does not hold the configuration of a study.")
    return run


def _read_verdicts(path: Path) -> dict[str, Record]:
    verdicts = map(verdict_row, read_json(path))
    return {str(verdict["id"]): verdict | {"data": list(map(str, verdict["data"]))} for verdict in verdicts}


def _compare_with_manifest(findings: Findings, manifest: Mapping[str, str], needed: set[str] | None) -> None:
    """Compare the needed files with the manifest. Compare all files if `needed` is None."""
    if not manifest:
        return
    present = listed_files(findings.folder)
    names = manifest.keys() | present.keys() if needed is None else needed
    for name in sorted(names):
        if name not in manifest:
            findings.add(MISMATCH, name, "is extra: the manifest does not list it.")
        elif name not in present:
            findings.add(INCOMPLETE, name, "is missing.")
        elif findings.read(name, sha256_of) not in (manifest[name], None):
            findings.add(MISMATCH, name, "is changed: its sha256 is not the one in the manifest.")
    findings.n_compared = len(manifest.keys() & names)


def _unpack_code(run: Record, folder: Path, path: Path) -> tuple[Record, Record]:
    """Unpack the archive of the code. Return the entries of the data sets and the claims as plain data, by name."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    files = {kind: folder / name for kind, name in run["config"]["files"].items()}
    datasets = read_yaml(files["datasets"]) | expand_originals(read_yaml(files["common_datasets"]))
    return datasets, {claim.id: json_value(claim.to_json()) for claim in load_claims(files["claims"])}
