"""The style and the script of the project's pages, and the policy that lets a browser use them and nothing else."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from nontrivial.files import find_files

FOLDER = Path(__file__).parent


def page_parts(folder: str | Path = FOLDER) -> list[Path]:
    """Return the files that the project's pages are made from: templates, style and script."""
    return [path for kind in ("css", "html", "js") for path in find_files(Path(folder), f"**/*.{kind}")]


def asset(name: str) -> Markup:
    """Return a file of this folder, which is trusted as it stands."""
    return Markup((FOLDER / name).read_text(encoding="utf-8"))


def policy(style: str, script: str = "") -> str:
    """Return the content security policy of a page with this style and script.

    Examples
    --------
    >>> policy("p {}")
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none';
     style-src 'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='"
    """
    rules = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"
    rules += f"; style-src {_digest(style)}"
    return f"{rules}; script-src {_digest(script)}" if script else rules


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
