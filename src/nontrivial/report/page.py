"""One self-contained page: what was found, the figures, the verdicts, the tables, and what failed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from nontrivial.claims.sentences import CAVEATS, REASONS
from nontrivial.report import failures
from nontrivial.report.assets import FOLDER, asset, policy
from nontrivial.report.captions import display_name, origin_of, read_caption
from nontrivial.report.claims import (
    APART,
    VERDICTS,
    count_verdicts,
    group_by_verdict,
    main_claims,
    read_claims,
)
from nontrivial.report.datasets import read_datasets
from nontrivial.report.findings import find_findings
from nontrivial.report.own_finding import find_own
from nontrivial.report.pictures import read_pictures
from nontrivial.report.tables import (
    LONG,
    OPEN_ROWS,
    PAPER_ROWS,
    ShownTable,
    read_tables,
    show_table,
    show_tables,
)

MOST_BYTES = 4_900_000  # of the page; the elements around the pictures add far less than 100,000


def render_page(
    results: Path, captions: Mapping[str, str], sources: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """Render the results as one HTML file that needs nothing else.

    Parameters
    ----------
    results : path
        The study's folder: ``claims/``, ``figures/``, ``tables/*.csv``, ``data/*.json``. The page says which of them
        are not there. It is meant for ``results/report/``: its links go one folder up.
    captions : mapping of str to str
        Captions in plain text by the name of the figure or table, without ending; ``verdicts`` for the claims. The
        first paragraph of each serves as heading.
    sources : mapping of str to mapping, optional
        The documents by name, as `nontrivial.claims.registry.read_sources` reads them.

    Returns
    -------
    str
        The same for the same files. Every value from them is escaped, and a content security policy keeps a
        browser from running any script but the page's own and from loading anything.

    Raises
    ------
    ValueError
        If a verdict is not one of the four known ones, or an entry belongs to one that is not there.
    """
    results = Path(results)
    context = _context(results, captions) | {"sources": sources or {}}
    template = _environment().get_template("page.html")
    bare = template.render(context, figures=_show_figures(results, captions, 0))
    room = MOST_BYTES - len(bare.encode())
    return template.render(context, figures=_show_figures(results, captions, room))


def _context(results: Path, captions: Mapping[str, str]) -> dict[str, Any]:
    """What the page shows, but for the figures."""
    claims = read_claims(results)
    documents = list(dict.fromkeys(claim.record["source"] for claim in claims or []))
    counts = count_verdicts(claims or [])
    tables = read_tables(results)
    sweep = tables.get("imbalance_noise")
    style, script = asset("page.css"), asset("page.js")
    return {
        "style": style,
        "script": script,
        "policy": policy(style, script),
        "verdicts": VERDICTS,
        "caveats": [REASONS[code] for code in CAVEATS],
        "apart": APART,
        "beyond": [claim for claim in claims or [] if claim.record["group"] == "beyond"],
        "claims": claims,
        "documents": documents,
        "counts": counts,
        "total": {verdict: sum(counts[name][verdict] for name in documents) for verdict in VERDICTS},
        "main_claims": main_claims(claims or []),
        "kinds": sorted({claim.record["kind"] for claim in claims or []}),
        "claims_caption": read_caption("verdicts", captions.get("verdicts")).text,
        "findings": find_findings(tables),
        "own_findings": find_own(tables),
        "tables": [  # the wide ones last, since on paper they lie on sheets of their own
            {"shown": shown, "caption": read_caption(shown.name, captions.get(shown.name))}
            for shown in sorted(show_tables(tables), key=lambda shown: shown.width == " wide")
        ],
        "open_rows": OPEN_ROWS,
        "paper_rows": PAPER_ROWS,
        "long": LONG,
        "outcomes": failures.count_outcomes(tables),
        "failures": _show_failures(failures.failed_runs(tables)),
        "points": None if sweep is None else len(failures.points_of(sweep)),
        "missing": None if sweep is None else show_table("missing-points", failures.missing_points(sweep)),
        "datasets": read_datasets(results),
    }


def _show_figures(results: Path, captions: Mapping[str, str], room: int) -> dict[str, dict[str, Any]]:
    return {
        picture.name: {
            "picture": picture,
            "caption": read_caption(picture.name, captions.get(picture.name)),
            "origin": origin_of(picture.name),
        }
        for picture in read_pictures(results, room)
    }


def _show_failures(failed: pd.DataFrame) -> dict[str, ShownTable]:
    if failed.empty:
        return {}
    counts = {
        f"Failed runs by {column}": show_table(f"failed-by-{column}", failures.tally(failed, column))
        for column in ("model", "task", "reason")
    }
    return counts | {"Failed runs": show_table("failed-runs", failed)}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["result_link"] = lambda path: "../" + quote(path)
    environment.filters["display_name"] = display_name
    environment.filters["verdict_name"] = VERDICTS.__getitem__
    environment.filters["groupby_verdict"] = group_by_verdict
    return environment
