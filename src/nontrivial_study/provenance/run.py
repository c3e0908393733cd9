"""What a study ran with: the record of the run, and the project's code and configuration as one archive."""

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

from nontrivial.files import atomic_path, find_files, sha256_of
from nontrivial.seeds import INTERVAL_SEED

RUN, CODE, README = "run.json", "code.zip", "README.md"  # in the results
PLACES = (
    *("Snakefile", "LICENSE", "README.md", "pyproject.toml", "config", "envs", "profiles", "src", "workflow"),
    "results/README.md",
)
_BYPRODUCTS = re.compile(r"(^|/)(__pycache__|[^/]*\.egg-info)/|\.pyc$")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip file can hold


def project_files(
    project: str | Path, also: Iterable[str] = (), work: str | Path | None = None
) -> dict[str, Path]:
    """Return the files that results depend on by their paths in the project; those of `also` in `work` come first."""
    further = [os.path.normpath(path) for path in also]
    files: dict[str, Path] = {}
    for root, places in ((project, [*PLACES, *further]), (work, further)):
        for place in places:
            if root is None or os.path.isabs(place) or place.startswith(".."):
                continue
            path = Path(root, place)
            if os.path.isdir(path):  # Path's own method raises for a name that no file can have
                files |= {f"{place}/{name}": file for name, file in files_below(path).items()}
            elif os.path.isfile(path):
                files[place] = path
    return {name: files[name] for name in sorted(files) if not _BYPRODUCTS.search(name)}


def find_other_code(ours: Mapping[str, Path], theirs: Mapping[str, Path]) -> list[str]:
    """Return the files that only one of two folders has, or that differ, but for what Python and installers made."""
    contents, others = (
        {name: path.read_bytes() for name, path in files.items() if not _BYPRODUCTS.search(name)}
        for files in (ours, theirs)
    )
    return sorted({name for name, _ in contents.items() ^ others.items()})


def files_below(folder: Path) -> dict[str, Path]:
    """Return the files below a folder by their paths in it, without hidden ones."""
    paths = find_files(folder, "**/*")
    return {path.relative_to(folder).as_posix(): path for path in paths if not path.is_dir()}


def archive_code(files: Mapping[str, Path], path: str | Path) -> None:
    """Write a zip file whose bytes are always the same: dates and modes are fixed, and versions of zlib have no say."""
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, file in sorted(files.items()):
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system, member.external_attr = 3, 0o100644 << 16
            archive.writestr(member, file.read_bytes())


def commit_of(project: str | Path) -> dict[str, Any]:
    """Return ``id``, the project's commit, and ``altered``, whether its `PLACES` differ; empty if git knows neither."""

    def git(*arguments: str) -> str:
        command = ["git", "--no-optional-locks", "-C", str(project), *arguments]
        return subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode().strip()

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        commit = git("rev-parse", "--verify", "HEAD")
        if git("ls-files", "Snakefile"):
            return {"id": commit, "altered": git("status", "--porcelain", "--", *PLACES) != ""}
    return {}


def run_record(
    config: Mapping[str, Any], made: Iterable[str], results: Path, project: str | Path = "."
) -> dict[str, Any]:
    """Describe a run: configuration, software, and when each job started and its seconds of wall time; times are UTC.

    `made` has the paths in the results of the files that the study made. Nothing names a user, a host, or a folder
    outside the project.
    """
    jobs, starts = {}, []
    for path in find_files(results / "benchmarks", "**/*.tsv"):
        if not path.stat().st_size:
            continue  # the engine was killed before it wrote down what it had measured
        seconds = float(pd.read_csv(path, sep="\t")["s"].iloc[-1])  # of the last time that it ran
        starts.append(path.stat().st_mtime - seconds)
        name = path.relative_to(results / "benchmarks").with_suffix("").as_posix()
        jobs[name] = {"started": _time(starts[-1]), "seconds": seconds}
    ends = [(results / name).stat().st_mtime for name in made]
    if "downloads" in config:  # without who runs the study, and where on the machine
        downloads = {**config["downloads"]}
        for key in ("contact", "folder"):
            downloads.pop(key, None)
        config = {**config, "downloads": downloads}
    return {
        "started": _time(min([*starts, *ends])),
        "finished": _time(max(ends)),
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


def own_files(config: Mapping[str, Any]) -> list[str]:
    """Return the files of the user's own that a study reads from the current folder: data, predictions, models."""
    own = config.get("own", {})
    predictions = own.get("predictions", {})
    folder = predictions if isinstance(predictions, str) else predictions.get("folder", "")
    places = [f"{folder}/{name}" for name in files_below(Path(folder))] if folder else []
    places += [entry["file"] for entry in own.get("datasets", {}).values()]
    for model in own.get("models", {}).values():  # of a package, the files whose digests Snakemake compares
        module = model["estimator"].partition(":")[0].partition(".")[0]
        places += [f"{module}.py", f"{module}/__init__.py"]
    return sorted({posixpath.normpath(place) for place in places if os.path.isfile(place)})


def describe_machine() -> dict[str, str]:
    """Return what rounding depends on besides packages: Python, system, processor, and kernels of linear algebra."""
    about = Path("/proc/cpuinfo")  # of Linux, where platform does not know the processor
    names = re.findall(r"model name\s*: (.*)", about.read_text(encoding="utf-8")) if about.exists() else []
    libraries = [library for library in threadpool_info() if "architecture" in library]
    kernels = {"{internal_api} {architecture}".format(**library) for library in libraries}
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "processor": names[0] if names else platform.processor(),
        "linear_algebra": ", ".join(sorted(kernels)),
    }


def find_changes(run: Mapping[str, Any]) -> dict[str, str]:
    """Return what of the machine and the packages is not as in the record of a run, by name, with both values."""
    then = {name: run.get(name) for name in describe_machine()} | run.get("packages", {})
    here = describe_machine() | package_versions()
    changed = [name for name in then if then[name] != here.get(name)]
    return {name: f"{name} {then[name]} (here {here.get(name)})" for name in changed}


def package_versions() -> dict[str, str]:
    """Return the versions of this package and of what it and the workflow ask for, as far as that is installed."""
    others = re.compile(r"extra == .(cluster|docs|test)")
    required = [text for text in metadata.requires("nontrivial") or () if not others.search(text)]
    versions = {}
    for name in sorted({"nontrivial", *(re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in required)}):
        with contextlib.suppress(metadata.PackageNotFoundError):  # of an extra
            versions[name] = metadata.version(name)
    return versions


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()
