"""One self-contained page: the verdicts, the figures, the tables, and what failed."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nontrivial.report import contents
from nontrivial.report.tables import show_table, show_tables

_HERE = Path(__file__).parent


def render_page(results: Path, captions: Mapping[str, str]) -> str:
    """Render the results as one HTML file that needs nothing else.

    Parameters
    ----------
    results : path
        The study's folder: ``claims/verdicts.json``, ``figures/``, ``tables/*.csv``, ``data/*.json``. The page says
        which of them are not there. It is meant for ``results/report/``: its links go one folder up.
    captions : mapping of str to str
        Captions in plain text by the name of the figure or table, without ending; ``verdicts`` for the claims.

    Returns
    -------
    str
        The same for the same files. Every value from them is escaped, and a content security policy keeps a
        browser from running any script but the page's own and from loading anything.

    Raises
    ------
    ValueError
        If a verdict is not one of the four known ones.
    """
    results = Path(results)
    claims = contents.read_claims(results)
    tables = contents.read_tables(results)
    areas, sweep = tables.get("curve_areas"), tables.get("imbalance_noise")
    failed = None if areas is None else contents.failed_runs(areas)
    missing = None if sweep is None else contents.missing_points(sweep)
    style, script = _asset("page.css"), _asset("page.js")

    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["result_link"] = lambda path: "../" + quote(path)
    environment.filters["plain_text"] = contents.plain_text
    environment.filters["title_of"] = contents.title_of
    return environment.get_template("page.html").render(
        style=style,
        script=script,
        policy=f"default-src 'none'; img-src data:; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'",
        claims=claims,
        counts=contents.count_verdicts(claims or []),
        verdicts=contents.VERDICTS,
        present={path.relative_to(results).as_posix() for path in (results / "claims").glob("*")},
        pictures=contents.read_pictures(results),
        tables=show_tables(tables),
        runs=None if areas is None else len(areas),
        points=None if sweep is None else len(contents.points_of(sweep)),
        failed=None if failed is None else show_table("failed-runs", failed),
        missing=None if missing is None else show_table("missing-points", missing),
        datasets=show_table("datasets", contents.read_datasets(results)),
        records=[f"data/{path.name}" for path in sorted((results / "data").glob("*.json"))],
        captions={name: " ".join(text.split()) for name, text in captions.items()},
    )


def _asset(name: str) -> Markup:
    """Return the page's own style or script, which is trusted as it stands."""
    return Markup((_HERE / name).read_text(encoding="utf-8"))


def _digest(asset: str) -> str:
    digest = hashlib.sha256(asset.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
