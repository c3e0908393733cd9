"""Files of the project as the manifest lists them: those beside the results, or the copy that the results carry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nontrivial.files import sha256_of
from nontrivial.provenance.project import COPY, find_project


def find_listed(results: Path, files: Mapping[str, str]) -> Path | None:
    """The folder in which all files are as listed; None where no folder is, or where no file is listed.

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
