"""The project's own files: what a study was computed with, and the copy of it that its results carry."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from nontrivial.files import sha256_of

PLACES = (
    "Snakefile",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "config",
    "envs",
    "profiles",
    "src",
    "workflow",
)
COPY = "code"  # the folder of the copy in the results
_BYPRODUCTS = re.compile(r"(^|/)(__pycache__|[^/]*\.egg-info|\.ipynb_checkpoints)/|\.pyc$")


def project_files(
    project: str | Path, also: Iterable[str] = (), work: str | Path | None = None
) -> dict[str, Path]:
    """The files that results depend on, by their paths in the project.

    Parameters
    ----------
    project : path
        The project's folder.
    also : iterable of str
        Paths in the project of further files, such as a configuration that lies elsewhere. What lies outside the
        project is left out.
    work : path, optional
        The folder of work, where that is not the project's. What it has of `also` takes the place of the project's.

    Returns
    -------
    dict of str to Path
        Those files of `PLACES` and `also` that exist, without what tools leave behind.
    """
    further = [os.path.normpath(path) for path in also]
    files: dict[str, Path] = {}
    for root, places in ((project, [*PLACES, *further]), (work, further)):
        for place in places:
            if root is None or os.path.isabs(place) or place.startswith(".."):
                continue
            path = Path(root, place)
            if os.path.isdir(path):  # Path's own method raises for a name that no file can have
                files |= walk(path, f"{place}/")
            elif os.path.isfile(path):
                files[place] = path
    return without_byproducts(files)


def without_byproducts(files: Mapping[str, Path]) -> dict[str, Path]:
    """The files, by their paths in the project, without what tools leave behind."""
    return {name: path for name, path in files.items() if not _BYPRODUCTS.search(name)}


def copy_files(files: Mapping[str, str | Path], folder: str | Path) -> None:
    """Copy files into a folder.

    Parameters
    ----------
    files : mapping of str to path
        By their paths in the folder.
    folder : path
        What it holds before is removed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name, path in files.items():
        target = Path(folder, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)  # with its mode: what is executable stays so


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


def find_listed(results: Path, files: Mapping[str, str]) -> Path | None:
    """The project or its copy, whichever has all files as the manifest lists them; None if neither, or without files.

    Parameters
    ----------
    results : Path
    files : mapping of str to str
        The files' sha256 by their paths in the project.
    """
    for root in (find_project(results, list(files)), results / COPY):
        if files and root is not None and all(_is_listed(root / name, files[name]) for name in files):
            return root
    return None


def _is_listed(path: Path, digest: str) -> bool:
    try:
        return path.is_file() and sha256_of(path) == digest
    except OSError:
        return False


def walk(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    """Go through a folder's files, links to folders among them, and give each the prefix and its path there.

    What a writer that was killed has left is left out.
    """
    for parent, folders, files in os.walk(folder):
        path = Path(parent)
        within = "".join(f"{part}/" for part in path.relative_to(folder).parts)
        links = [name for name in folders if os.path.islink(path / name)]
        for name in [*files, *links]:
            if not (name.startswith(".") and ".part" in name):
                yield f"{prefix}{within}{name}", path / name
