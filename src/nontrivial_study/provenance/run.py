"""The record of a run, the archive of the project's code and configuration, and the manifest of the results."""

import contextlib
import os
import platform
import posixpath
import re
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_info

from nontrivial.files import atomic_path, find_files, read_json, sha256_of, write_text
from nontrivial.seeds import INTERVAL_SEED

RUN, CODE, README = "run.json", "code.zip", "README.md"
MANIFEST, CRATE = "manifest-sha256.txt", "ro-crate-metadata.json"
PROJECT_PATHS = (
    *("Snakefile", "LICENSE", "README.md", "pyproject.toml", "config", "envs", "profiles", "src", "workflow"),
    "results/README.md",
)
_BYPRODUCTS = re.compile(r"(^|/)(__pycache__|[^/]*\.egg-info)/|\.pyc$")
_FIRST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
# The last part matches signatures of the manifest, too.
_UNLISTED = re.compile(rf"(logs|benchmarks)/|{re.escape(MANIFEST)}(\.\w+)*$")
_LINE_FORM = re.compile(r"([0-9a-f]{64})  (.+)")


def project_files(project: str | Path, also: Iterable[str] = (), work: str | Path | None = None) -> dict[str, Path]:
    """Return the files that results depend on, by their paths in the project.

    `also` has further paths. A file at one of them in the folder `work` replaces the project's file.
    """
    further = [os.path.normpath(path) for path in also]
    files: dict[str, Path] = {}
    for root, names in ((project, [*PROJECT_PATHS, *further]), (work, further)):
        for name in names:
            if root is None or os.path.isabs(name) or name.startswith(".."):
                continue
            path = Path(root, name)
            if os.path.isdir(path):  # Path.is_dir raises ValueError for a name with a NUL
                files |= {f"{name}/{inner}": file for inner, file in files_below(path).items()}
            elif os.path.isfile(path):
                files[name] = path
    return {name: files[name] for name in sorted(files) if not _BYPRODUCTS.search(name)}


def differing_files(ours: Mapping[str, Path], theirs: Mapping[str, Path]) -> list[str]:
    """Return the names of files of code that differ, or that only one side has."""
    our_contents, their_contents = (
        {name: path.read_bytes() for name, path in files.items() if not _BYPRODUCTS.search(name)}
        for files in (ours, theirs)
    )
    return sorted({name for name, _ in our_contents.items() ^ their_contents.items()})


def files_below(folder: Path) -> dict[str, Path]:
    """Return the files below a folder by their paths in it, without hidden files."""
    paths = find_files(folder, "**/*")
    return {path.relative_to(folder).as_posix(): path for path in paths if not path.is_dir()}


def archive_code(files: Mapping[str, Path], path: str | Path) -> None:
    """Write a zip file whose bytes depend on the files alone. Dates and modes are fixed, and nothing is compressed."""
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, file in sorted(files.items()):
            member = zipfile.ZipInfo(name, _FIRST_ZIP_DATE)
            member.create_system, member.external_attr = 3, 0o100644 << 16
            archive.writestr(member, file.read_bytes())


def commit_of(project: str | Path) -> dict[str, Any]:
    """Return ``id``, the project's commit, and ``altered``, whether files of the project differ from it.

    The result is empty if git is not installed, or the project is not in a repository.
    """

    def git(*arguments: str) -> str:
        command = ["git", "--no-optional-locks", "-C", str(project), *arguments]
        return subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode().strip()

    with contextlib.suppress(OSError, subprocess.SubprocessError):  # no git, or no repository
        commit = git("rev-parse", "--verify", "HEAD")
        if git("ls-files", "Snakefile"):
            return {"id": commit, "altered": git("status", "--porcelain", "--", *PROJECT_PATHS) != ""}
    return {}


def run_record(config: dict[str, Any], made: Iterable[str], results: Path, project: str | Path = ".") -> dict[str, Any]:
    """Describe a run: its configuration, software and machine, and the start and seconds of wall time of each job.

    `made` has the paths in the results of the files that the study made. Times are UTC. The record names no user, no
    host, and no folder outside the project.
    """
    jobs, starts = {}, []
    for path in find_files(results / "benchmarks", "**/*.tsv"):
        if not path.stat().st_size:
            continue  # the engine was killed before the measurement was written
        seconds = float(pd.read_csv(path, sep="\t")["s"].iloc[-1])  # the last row belongs to the last run
        starts.append(path.stat().st_mtime - seconds)
        name = path.relative_to(results / "benchmarks").with_suffix("").as_posix()
        jobs[name] = {"started": _iso_time(starts[-1]), "seconds": seconds}
    ends = [(results / name).stat().st_mtime for name in made]
    if "downloads" in config:
        private = ("contact", "folder")
        shown = {key: value for key, value in config["downloads"].items() if key not in private}
        config = {**config, "downloads": shown}
    return {
        "started": _iso_time(min([*starts, *ends])),
        "finished": _iso_time(max(ends)),
        "config": config,
        "seeds": {
            "draws": "Each draw has a seed of its own: nontrivial.seeds.seed_for(names of what is drawn).",
            "intervals": INTERVAL_SEED,
        },
        "commit": commit_of(project),
        "own_files": {path: sha256_of(path) for path in own_files(config)},
        **describe_machine(),
        "packages": package_versions(),
        "jobs": jobs,
    }


def own_files(config: dict[str, Any]) -> list[str]:
    """Return the user's own files that a study reads: data sets, predictions, and modules with models."""
    own = config.get("own", {})
    predictions = own.get("predictions", {})
    folder = predictions if isinstance(predictions, str) else predictions.get("folder", "")
    paths = [f"{folder}/{name}" for name in files_below(Path(folder))] if folder else []
    paths += [entry["file"] for entry in own.get("datasets", {}).values()]
    for model in own.get("models", {}).values():  # Snakemake compares the digests of the same files
        module = model["estimator"].partition(":")[0].partition(".")[0]
        paths += [f"{module}.py", f"{module}/__init__.py"]
    return sorted({posixpath.normpath(path) for path in paths if os.path.isfile(path)})


def describe_machine() -> dict[str, str]:
    """Return Python, system, processor and kernels of linear algebra. Rounding depends on them."""
    cpuinfo = Path("/proc/cpuinfo")  # Python's platform does not know the processor on Linux
    names = re.findall(r"model name\s*: (.*)", cpuinfo.read_text("utf-8")) if cpuinfo.exists() else []
    libraries = [library for library in threadpool_info() if "architecture" in library]
    kernels = {"{internal_api} {architecture}".format(**library) for library in libraries}
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": names[0] if names else platform.processor(),
        "linear_algebra": ", ".join(sorted(kernels)),
    }


def environment_changes(run: Mapping[str, Any]) -> dict[str, str]:
    """Return a text with both values for each package or property of the machine that differs from the record."""
    recorded = {name: run.get(name) for name in describe_machine()} | run.get("packages", {})
    current = describe_machine() | package_versions()
    changed = [name for name in recorded if recorded[name] != current.get(name)]
    return {name: f"{name} {recorded[name]} (here {current.get(name)})" for name in changed}


def package_versions() -> dict[str, str]:
    """Return the versions of this package and of the installed packages that it and the workflow require."""
    not_needed = re.compile(r"extra == .(cluster|docs|test)")
    required = [text for text in metadata.requires("nontrivial") or () if not not_needed.search(text)]
    versions = {}
    for name in sorted({"nontrivial", *(re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in required)}):
        with contextlib.suppress(metadata.PackageNotFoundError):  # optional packages may be missing
            versions[name] = metadata.version(name)
    return versions


def _iso_time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()


def listed_files(results: Path) -> dict[str, Path]:
    """Return the files of a results folder that a manifest lists, by their paths in it."""
    return {name: path for name, path in files_below(results).items() if not _UNLISTED.match(name)}


def write_manifest(results: Path) -> None:
    """Write the manifest of a results folder."""
    lines = [f"{sha256_of(path)}  {name}\n" for name, path in sorted(listed_files(results).items())]
    write_text(results / MANIFEST, "".join(lines))


def read_manifest(path: Path) -> dict[str, str]:
    """Read a manifest as {path: sha256}. Raise ValueError at the first line that has another form."""
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
