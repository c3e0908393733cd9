"""The templates, the style and the content security policy of pages."""

import base64
import hashlib
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def load_templates(package: str, **options: Any) -> Environment:
    """Return the templates of a package, which escape text from data and raise an error for a missing value."""
    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )


def load_style() -> Markup:
    """Return the CSS of the project's pages, marked as safe."""
    return Markup(resources.files("nontrivial").joinpath("page.css").read_text(encoding="utf-8"))


def security_policy(style: str, script: str = "") -> str:
    """Return the content security policy that allows a page only this style and script."""
    rules = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"
    rules += f"; style-src {_source_hash(style)}"
    return f"{rules}; script-src {_source_hash(script)}" if script else rules


def _source_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
