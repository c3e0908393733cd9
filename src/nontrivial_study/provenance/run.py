"""What a study ran with and how long it took: the one record whose content differs from run to run."""

from __future__ import annotations

import csv
import math
import platform
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from nontrivial.files import DamagedFile, find_files, sha256_of
from nontrivial_study.provenance.commit import commit_of
from nontrivial_study.provenance.manifest import trace_files
from nontrivial_study.provenance.modes import executable_files

_CONTENT = {
    "started": str,
    "finished": str,
    "config": dict,
    "python": str,
    "machine": str,
    "packages": dict,
    "pages": dict,
    "jobs": dict,
    "traces": dict,
    "commit": dict,
    "executable": list,
}
_KINDS = {str: "a text", dict: "a mapping", list: "a list"}
_PACKAGE = "nontrivial"
_PAGES = ("homepage", "home", "documentation", "source")  # what packages call their own page, the best first
_PERSONAL = {"downloads": ("contact", "folder")}  # who runs the study, and where on the machine


def run_record(
    config: Mapping[str, Any], made: Iterable[str], results: Path, project: str | Path = "."
) -> dict[str, Any]:
    """Describe a run: configuration, software, and the time and cost of each job.

    Parameters
    ----------
    config : mapping
        The whole configuration.
    made : iterable of str
        The paths in the results of the files that the study made.
    results : Path
        The results folder, with the jobs' logs in ``logs/`` and their benchmark files in ``benchmarks/``
        (tab-separated, with columns ``s`` and ``max_rss``).
    project : path
        The project's folder.

    Returns
    -------
    dict
        ``started`` and ``finished`` (when the first job began and the last file was written; all times are UTC, to the
        second), ``config`` without what is of one person or one machine, ``python``, ``machine`` (operating system and
        the processor's architecture), ``packages`` (version by name: this one, and what it asks for and is there),
        ``pages`` (the address of each package that states one, by name), ``jobs`` (``started``, ``finished``,
        ``seconds`` of wall time and ``peak_mib`` of memory of each job that was measured, by its name), ``traces``
        (the sha256 of every log and benchmark but the `UNRECORDED`, by its path in the results), ``commit`` (as
        `commit_of` gives it) and ``executable`` (the results that may be executed). No name of a user or a host, no
        folder outside the project.
    """
    packages = _versions()
    benchmarks = results / "benchmarks"
    jobs, starts = {}, []
    for path in find_files(benchmarks, "**/*.tsv"):
        if not path.stat().st_size:
            continue  # the engine was killed before it wrote down what it had measured
        cost, end = _cost(path), path.stat().st_mtime
        starts.append(end - cost["seconds"])
        times = {"started": _time(starts[-1]), "finished": _time(end)}
        jobs[path.relative_to(benchmarks).with_suffix("").as_posix()] = {**times, **cost}
    ends = [(results / name).stat().st_mtime for name in made]
    return {
        "started": _time(min([*starts, *ends])),
        "finished": _time(max(ends)),
        "config": impersonal(config),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "packages": packages,
        "pages": {name: page for name in packages if (page := _page(name))},
        "jobs": jobs,
        "traces": {name: sha256_of(path) for name, path in trace_files(results).items()},
        "commit": commit_of(project),
        "executable": executable_files(results),
    }


def check_run(run: Any) -> None:
    """Raise ValueError, with what is wrong, if that is no record of a run."""
    if not isinstance(run, dict) or run.keys() != _CONTENT.keys():
        raise ValueError(f"it does not have the keys {', '.join(_CONTENT)}.")
    for key, kind in _CONTENT.items():
        if not isinstance(run[key], kind):
            raise ValueError(f"{key} is {run[key]!r}; {_KINDS[kind]} is needed.")
    for time in (run["started"], run["finished"], *(job["finished"] for job in run["jobs"].values())):
        if datetime.fromisoformat(time).tzinfo is None:
            raise ValueError(f"the time {time!r} has no time zone.")


def impersonal(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without what is of one person or one machine in them.

    Examples
    --------
    >>> impersonal({"folds": 10, "downloads": {"rate": 2, "folder": "down", "contact": "someone@example.org"}})
    {'folds': 10, 'downloads': {'rate': 2}}
    """
    return {
        key: {name: item for name, item in value.items() if name not in _PERSONAL[key]}
        if key in _PERSONAL and isinstance(value, Mapping)
        else value
        for key, value in settings.items()
    }


def _cost(path: Path) -> dict[str, float]:
    """Return what the last run of a job took, by its benchmark file."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            *_, row = csv.DictReader(stream, delimiter="\t")
        memory = row["max_rss"]  # not measured of a job of a moment
        return {
            "seconds": float(row["s"]),
            "peak_mib": float(memory) if memory not in ("-", "NA") else math.nan,
        }
    except (ValueError, KeyError, TypeError):
        raise DamagedFile(
            f"{path} is no benchmark of a job; delete it and run the same command again."
        ) from None


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()


def _versions() -> dict[str, str]:
    """The versions of this package and of what it and the workflow ask for, as far as that is there."""
    asked = [
        one for one in metadata.requires(_PACKAGE) or () if not re.search(r"extra == .(?!workflow)", one)
    ]
    found = {}
    for name in sorted({_PACKAGE, *(re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in asked)}):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _page(package: str) -> str | None:
    """The address at which a package says that there is more about it; None where it says none."""
    described = metadata.metadata(package)
    stated = {"homepage": (described.get_all("Home-page") or [""])[0]}
    for line in described.get_all("Project-URL") or ():
        label, _, address = line.partition(", ")
        stated[label.lower()] = address
    return next((stated[label] for label in _PAGES if stated.get(label)), None)
