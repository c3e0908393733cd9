"""The commit that a project's files belong to, where git knows one."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from nontrivial_study.provenance.project import PLACES


def commit_of(project: str | Path) -> dict[str, Any]:
    """Return the commit of the project's folder.

    Returns
    -------
    dict
        ``id`` and ``altered``, whether a file that results depend on differs from that commit or is not in it. Empty
        where there is no git, or where the folder is in no repository or in one that does not have its Snakefile.
    """
    commit = _git(project, "rev-parse", "--verify", "HEAD")
    if not commit or not _git(project, "ls-files", "Snakefile"):
        return {}
    return {"id": commit, "altered": _git(project, "status", "--porcelain", "--", *PLACES) != ""}


def _git(project: str | Path, *arguments: str) -> str | None:
    """Return what git says; None where it says nothing but an error."""
    command = ["git", "--no-optional-locks", "-C", str(project), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
