"""The project's own files: what a study was computed with, and the copy of it that its results carry."""

from __future__ import annotations

import itertools
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nontrivial.files import is_temporary

PLACES = ("Snakefile", "LICENSE", "README.md", "pyproject.toml", "config", "envs", "src", "workflow")
COPY = "code"  # the folder of the copy in the results
_BYPRODUCTS = re.compile(r"(^|/)(__pycache__|[^/]*\.egg-info|\.ipynb_checkpoints)/|\.pyc$")


def project_files(project: str | Path, also: Iterable[str] = ()) -> dict[str, Path]:
    """The files that results depend on, by their paths in the project.

    Parameters
    ----------
    project : path
        The project's folder.
    also : iterable of str
        Paths in the project of further files, such as a configuration that lies elsewhere. What lies outside the
        project is left out.

    Returns
    -------
    dict of str to Path
        Those files of `PLACES` and `also` that exist, without what tools leave behind.
    """
    root = Path(project)
    files: dict[str, Path] = {}
    for place in (*PLACES, *(os.path.normpath(path) for path in also)):
        if os.path.isabs(place) or place.startswith(".."):
            continue
        if os.path.isdir(
            root / place
        ):  # which a name that no file can have is not, where Path's own would raise
            files |= walk(root / place, f"{place}/")
        elif os.path.isfile(root / place):
            files[place] = root / place
    return {name: path for name, path in files.items() if not _BYPRODUCTS.search(name)}


def copy_project(project: str | Path, folder: str | Path, also: Iterable[str] = ()) -> None:
    """Copy the project's files into a folder, from which the study can be installed and run again.

    Parameters
    ----------
    project, also
        As for `project_files`.
    folder : path
        What it holds before is removed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name, path in project_files(project, also).items():
        target = Path(folder, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def find_project(results: Path, names: Sequence[str]) -> Path | None:
    """The nearest folder above the results that holds most of the files named; else the results' own copy.

    Parameters
    ----------
    results : Path
        The results folder.
    names : sequence of str
        Paths in the project.

    Returns
    -------
    Path or None
        None where there is neither.
    """
    for root in results.resolve().parents:
        if 2 * sum(os.path.isfile(root / name) for name in names) > len(names):
            return root
    return results / COPY if (results / COPY).is_dir() else None


def walk(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    """Go through a folder's files, links to folders among them, and give each the prefix and its path there.

    What a writer that was killed has left is left out.
    """
    for parent, folders, files in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        for name in itertools.filterfalse(is_temporary, [*files, *links]):
            path = Path(parent, name)
            yield prefix + path.relative_to(folder).as_posix(), path
