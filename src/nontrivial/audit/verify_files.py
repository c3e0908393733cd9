"""Going through the files again: against the manifest, the project beside them, and what describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from nontrivial.audit import manifest
from nontrivial.audit.evidence import read_json
from nontrivial.audit.problems import DAMAGE, INCOMPLETE, MISMATCH, Problem, damaged
from nontrivial.audit.project import find_project, project_files
from nontrivial.audit.run import check_run
from nontrivial.files import sha256_of

CRATE = "ro-crate-metadata.json"


def check_files(folder: Path, only: set[str] | None, problems: list[Problem]) -> int:
    """Compare the files, or only those named, with the manifest and return how many it lists."""
    place = manifest.RESULTS + manifest.NAME
    try:
        listed = manifest.read_manifest(folder / manifest.NAME)
    except FileNotFoundError:
        problems.append(Problem(INCOMPLETE, place, "is missing, so no file was compared with its sha256."))
        return 0
    except ValueError as error:
        problems.append(damaged(place, error))
        return 0
    present = manifest.results_files(folder)
    ours = [name for name in listed if not name.startswith(manifest.RESULTS)]
    project = find_project(folder, ours)
    if project is not None:
        present |= project_files(project, ours)
    elif ours and only is None:
        text = f"is not beside the results, so {len(ours)} files of code and configuration were not compared."
        problems.append(Problem(INCOMPLETE, "the project", text))
        listed = {name: digest for name, digest in listed.items() if name not in ours}
    if only is not None:
        listed = {name: digest for name, digest in listed.items() if name in only}
        present = {name: path for name, path in present.items() if name in only}
    for name in sorted(listed.keys() | present.keys()):
        if name not in present:
            problems.append(Problem(INCOMPLETE, name, "is missing."))
        elif name not in listed:
            problems.append(Problem(MISMATCH, name, "is extra: the manifest does not list it."))
        elif present[name].is_symlink():
            problems.append(Problem(MISMATCH, name, "is a link: the file itself is needed."))
        elif not present[name].is_file() or sha256_of(present[name]) != listed[name]:
            problems.append(Problem(MISMATCH, name, "is changed: its sha256 is not the one in the manifest."))
    if only is None:
        problems.extend(_check_description(folder, listed))
    return len(listed)


def _check_description(folder: Path, listed: Mapping[str, str]) -> Iterator[Problem]:
    """Check the record of the run, which no manifest lists, and that the crate describes these files and this run."""
    place = f"{manifest.RESULTS}run.json"
    if not (folder / "run.json").is_file():
        yield Problem(INCOMPLETE, place, "is missing.")
    else:
        try:
            check_run(read_json(folder / "run.json"))
        except DAMAGE as error:
            yield damaged(place, error)
    if not (folder / CRATE).is_file():
        return  # the manifest says so, if it was ever there
    try:
        for entity in read_json(folder / CRATE)["@graph"]:
            name, path = manifest.RESULTS + entity["@id"], folder / entity["@id"]
            digest = entity.get("sha256")
            there = listed.get(name) or (sha256_of(path) if path.is_file() else digest)
            if digest is not None and there != digest:
                yield Problem(MISMATCH, name, f"is not the one that {CRATE} describes.")
    except DAMAGE as error:
        yield damaged(manifest.RESULTS + CRATE, error)
