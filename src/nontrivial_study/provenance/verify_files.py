"""Going through the files again: against the manifest, the project beside them, and what describes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from nontrivial.files import read_json, sha256_of
from nontrivial_study.provenance import manifest
from nontrivial_study.provenance.problems import DAMAGE, INCOMPLETE, LEFT, MISMATCH, Problem, damaged
from nontrivial_study.provenance.project import find_project, project_files, walk
from nontrivial_study.provenance.run import check_run

CRATE = "ro-crate-metadata.json"
RUN = "run.json"
BAG = "bagit.txt"


def check_files(folder: Path, only: set[str] | None, problems: list[Problem]) -> int:
    """Compare the files, or only those named, with what lists them and return how many are listed."""
    try:
        listed = manifest.read_manifest(folder / manifest.NAME)
    except FileNotFoundError:
        text = "is missing, so no file was compared with its sha256, and no verdict was checked."
        problems.append(Problem(INCOMPLETE, manifest.RESULTS + manifest.NAME, text))
        return 0
    except DAMAGE as error:
        problems.append(damaged(manifest.RESULTS + manifest.NAME, error))
        return 0
    present = manifest.results_files(folder)
    ours = [name for name in listed if not name.startswith(manifest.RESULTS)]
    project = find_project(folder, ours)
    if project is not None:
        # A study that was started in another folder has its results there, and configuration of its own.
        present |= project_files(project, ours, folder.resolve().parent)
    elif ours and only is None:
        text = f"is not beside the results, so {len(ours)} files of code and configuration were not compared."
        problems.append(Problem(INCOMPLETE, "the project", text))
        listed = {name: digest for name, digest in listed.items() if name not in ours}
    if only is not None:
        listed = {name: digest for name, digest in listed.items() if name in only}
        present = {name: path for name, path in present.items() if name in only}
    problems += compare(present, listed, "the manifest")
    if only is not None:
        return len(listed)
    recorded = _check_run(folder, problems)
    named = {problem.place for problem in problems}
    problems += [problem for problem in _check_crate(folder, listed) if problem.place not in named]
    problems += _check_empty_folders(folder, [*listed, *recorded])
    return len(listed) + len(recorded)


def compare(present: Mapping[str, Path], listed: Mapping[str, str], lister: str) -> Iterator[Problem]:
    """Compare files with their digests, and the files that are there with those that should be."""
    for name in sorted(listed.keys() | present.keys()):
        if name not in present:
            yield Problem(INCOMPLETE, name, "is missing.")
        elif name not in listed:
            yield Problem(MISMATCH, name, f"is extra: {lister} does not list it.")
        elif present[name].is_symlink():
            yield Problem(MISMATCH, name, "is a link: the file itself is needed.")
        else:
            try:
                if not present[name].is_file() or sha256_of(present[name]) != listed[name]:
                    text = f"is changed: its sha256 is not the one in {lister}."
                    yield Problem(MISMATCH, name, text)
            except OSError as error:
                yield Problem(INCOMPLETE, name, f"cannot be read: {error.strerror}.")


def _check_empty_folders(folder: Path, listed: Iterable[str]) -> Iterator[Problem]:
    """Name the folders of the results in which no file is or should be: no list of files shows them."""
    names = [*listed, *(name for name, _ in walk(folder, manifest.RESULTS))]
    holding = {PurePosixPath(name).parent for name in names}
    known = holding.union(*(path.parents for path in holding))
    for path in sorted(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()):
        place = PurePosixPath(manifest.RESULTS, path.relative_to(folder).as_posix())
        if place not in known and place.parent in known:
            yield Problem(MISMATCH, str(place), "is extra: a folder without a file.")


def _check_run(folder: Path, problems: list[Problem]) -> list[str]:
    """Check the record of the run, and the logs and benchmarks that it alone lists; return the names of these."""
    place = manifest.RESULTS + RUN
    if not (folder / RUN).is_file():
        problems.append(Problem(INCOMPLETE, place, "is missing."))
        return []
    try:
        run = read_json(folder / RUN)
        check_run(run)
    except DAMAGE as error:
        problems.append(damaged(place, error))
        return []
    problems += _check_traces(folder, run["traces"])
    return [manifest.RESULTS + name for name in run["traces"]]


def _check_traces(folder: Path, recorded: Mapping[str, Any]) -> Iterator[Problem]:
    """Compare logs and benchmarks with the record.

    A bag need not have them, so only what it has is compared. The record need not have all, since an object storage
    gives the job that writes it only the results.
    """
    present = manifest.trace_files(folder)
    place = folder.resolve()
    if place.name == "data" and (place.parent / BAG).is_file():
        recorded = {name: digest for name, digest in recorded.items() if name in present}
    for part in manifest.TRACES:
        within = {name: digest for name, digest in recorded.items() if name.startswith(f"{part}/")}
        if within and not (folder / part).exists():
            text = f"is missing, with the {len(within)} files in it that {RUN} lists."
            yield Problem(INCOMPLETE, manifest.RESULTS + part, text)
            recorded = {name: digest for name, digest in recorded.items() if name not in within}
    yield from compare(
        {manifest.RESULTS + name: path for name, path in present.items() if name in recorded},
        {manifest.RESULTS + name: digest for name, digest in recorded.items()},
        RUN,
    )


def _check_crate(folder: Path, listed: Mapping[str, str]) -> Iterator[Problem]:
    """Check that the crate describes these files and this run."""
    place = manifest.RESULTS + CRATE
    if not (folder / CRATE).is_file():
        if place not in listed:  # else it is named already
            yield Problem(INCOMPLETE, place, "is missing.")
        return
    digests = dict(listed)
    try:
        if (folder / RUN).is_file():
            digests[manifest.RESULTS + RUN] = sha256_of(folder / RUN)
        described = described_files(folder / CRATE)
    except DAMAGE as error:
        yield damaged(place, error)
        return
    if manifest.RESULTS + RUN not in described:
        yield Problem(MISMATCH, place, f"does not describe {RUN}.")
    for name, digest in described.items():
        if name in digests and digests[name] != digest:
            yield Problem(MISMATCH, name, f"is not the one that {CRATE} describes.")
        elif name not in digests and name != manifest.RESULTS + RUN:
            yield Problem(INCOMPLETE, name, f"is not in the manifest, but {CRATE} describes it.")
    for name in left_files(listed, described):
        text = "is left from an earlier configuration: no job of this study makes it."
        yield Problem(LEFT, name, text)


def described_files(path: Path) -> dict[str, str]:
    """The sha256 of each file that a crate describes, by its name in the manifest."""
    described: dict[str, str] = {}
    for entity in read_json(path)["@graph"]:
        name = manifest.RESULTS + entity["@id"]
        if name in described:
            raise ValueError(f"it describes {name} twice.")
        if entity.get("sha256") is not None:
            described[name] = entity["sha256"]
    return described


def left_files(listed: Iterable[str], described: Iterable[str]) -> list[str]:
    """Return the results that a manifest lists and a crate does not describe, since no job of the study made them.

    Examples
    --------
    >>> left_files(["results/tables/exam.csv", "results/scores/chunk-07.parquet"], ["results/tables/exam.csv"])
    ['results/scores/chunk-07.parquet']
    """
    known = {*described, manifest.RESULTS + CRATE}
    return sorted(name for name in listed if name.startswith(manifest.RESULTS) and name not in known)


def left_in(folder: Path) -> list[str]:
    """Return the `left_files` of a folder of results; none where it has no manifest or no crate."""
    if not all((folder / name).is_file() for name in (manifest.NAME, CRATE)):
        return []
    return left_files(manifest.read_manifest(folder / manifest.NAME), described_files(folder / CRATE))
