"""The templates and the style of pages, and the policy that lets a browser use a page's own style and script alone."""

import base64
import hashlib
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def load_templates(package: str, **options: Any) -> Environment:
    """Return the templates of a package; they escape whatever comes from data, and miss nothing in silence."""
    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )


def load_style() -> Markup:
    """Return the style of the project's pages, which is trusted as it stands."""
    return Markup(resources.files("nontrivial").joinpath("page.css").read_text(encoding="utf-8"))


def security_policy(style: str, script: str = "") -> str:
    """Return the content security policy of a page with this style and script."""
    rules = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"
    rules += f"; style-src {_source_hash(style)}"
    return f"{rules}; script-src {_source_hash(script)}" if script else rules


def _source_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
