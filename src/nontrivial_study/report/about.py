"""What a page says of the project, kept in a file beside the page, so that the page can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nontrivial
from nontrivial.files import read_json
from nontrivial_study.provenance.run import commit_of

FILE = "about.json"  # beside the page


def about_study(rules: Mapping[str, Any], project: Path) -> dict[str, Any]:
    """Return the version, the commit of the project's folder, empty where there is none, and the rules."""
    return {"version": nontrivial.__version__, "commit": commit_of(project), "rules": rules}


def read_about(results: Path) -> dict[str, Any]:
    """Read what was kept; without a file there is a version only."""
    path = results / "report" / FILE
    kept = read_json(path) if path.is_file() else {}
    return {"version": nontrivial.__version__, "commit": {}, "rules": {}} | kept
