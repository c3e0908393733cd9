"""One self-contained page: what was found, the claims, the figures, the tables, and what failed."""

from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

import nontrivial
from nontrivial.claims.counting import GROUPS, count_line, count_verdicts
from nontrivial.claims.verdict import CAVEAT, REASONS, VERDICT_WORDS
from nontrivial.files import find_files, read_json
from nontrivial.pages import policy, style, templates
from nontrivial_study.experiments.tasks.tasks import find_duplicates
from nontrivial_study.report import claims as judged
from nontrivial_study.report.figures import display_name, read_caption, read_pictures, show_figures
from nontrivial_study.report.findings import find_answers, find_findings, find_own
from nontrivial_study.report.tables import (
    LONG,
    find_problems,
    read_tables,
    show_tables,
    summarise_models,
)

ABOUT_FILE = "about.json"  # beside the page: what it says of the project, so that it can be made again
MOST_BYTES = 4_900_000  # of the page; the elements around the pictures add far less than 100,000
# In the order of the page: the template of a section is ``sections/<id>.html``, and what it cannot do without.
SECTIONS = {
    "result": ("", "claims"),
    "findings": ("Findings", "findings"),
    "main_claims": ("", "claims"),
    "own": ("Your models", "own"),
    "models": ("Models", "models"),
    "areas": ("AUPR or AUPRG", "answers"),
    "numbers": ("Numbers", "pairs"),
    "claims": ("Claims", "claims"),
    "figures": ("Figures", "pictures"),
    "tables": ("Tables", "tables"),
    "problems": ("Failures", "runs"),
    "data": ("Data", "datasets"),
    "check": ("Check", "about"),
}
_FIELDS = ("name", "title", "rows", "features", "classes", "positive", "licence", "source", "dated", "sha256")
_NUMBERS = {"uci_id": "UCI", "openml_task": "task", "openml_data": "data"}  # the distributor's own


def read_about(results: Path) -> dict[str, Any]:
    """Read what was kept; without a file there is a version only."""
    path = results / "report" / ABOUT_FILE
    kept = read_json(path) if path.is_file() else {}
    return {"version": nontrivial.__version__, "commit": {}, "configfiles": []} | kept


def read_datasets(results: Path) -> list[dict[str, str]]:
    """Read the records of the data sets by name, as texts, each with the ``path`` of its file."""
    datasets = []
    paths = find_files(results / "data", "*.json")
    records = list(map(read_json, paths))
    same = find_duplicates(records)
    for path, record in zip(paths, records, strict=True):
        shown = {field: "" if record.get(field) is None else str(record[field]) for field in _FIELDS}
        classes = record.get("classes") or {}
        shown["classes"] = ", ".join(f"{label}: {count}" for label, count in classes.items())
        source = [shown["source"]]
        source += [f"{name} {record[key]}" for key, name in _NUMBERS.items() if record.get(key) is not None]
        source += [f"the same rows as {same[record['name']]}"] if record["name"] in same else []
        source += [f"made of {record['original']}: {record['citation']}"] if "original" in record else []
        datasets.append(shown | {"source": ", ".join(source), "path": f"data/{path.name}"})
    return datasets


def render_page(
    results: Path, captions: Mapping[str, str], sources: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """Render the results as one HTML file that needs nothing else."""
    context = _context(results, captions, sources or {})
    template = _environment().get_template("page.html")
    show = partial(show_figures, results, captions, sources or {})
    room = MOST_BYTES - len(template.render(context, figures=show(0)).encode())
    return template.render(context, figures=show(room))


def _context(
    results: Path, captions: Mapping[str, str], sources: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """What the page shows, but for the figures."""
    claims = judged.read_claims(results)
    entries = claims or []
    documents = judged.group_claims(entries, sources)
    first = list(VERDICT_WORDS).index
    main = sorted(
        (record for document in documents for record in document.records if record["main"]),
        key=lambda record: first(record["verdict"]),
    )
    tables = read_tables(results)
    own = find_own(tables)
    is_about_own = own is not None and claims is None  # so that no document's numbers stand beside it
    pictures = [picture.name for picture in read_pictures(results, 0, list(sources))]
    script = Markup(resources.files(__package__).joinpath("page.js").read_text(encoding="utf-8"))
    context = {
        "style": style(),
        "script": script,
        "policy": policy(style(), script),
        "about": read_about(results),
        "own": own,
        "claims": claims,
        "documents": documents,
        "main": main,
        "count_verdicts": count_verdicts,
        "counted": count_line(claim.record for claim in entries),
        "verdicts": VERDICT_WORDS,
        "caveats": list(REASONS[CAVEAT].values()),
        "groups": GROUPS,
        "places": {claim.record["id"]: judged.find_places(claim, pictures, tables) for claim in entries},
        "addresses": {name: source.get("address", "") for name, source in sources.items()},
        "kinds": sorted({claim.record["kind"] for claim in entries}),
        "claims_caption": read_caption("verdicts", captions.get("verdicts")).text,
        "findings": [] if is_about_own else find_findings(tables),
        "answers": find_answers(tables),
        "models": summarise_models(tables),
        "pairs": [] if is_about_own else judged.pair_numbers(entries, tables),
        "ticks": {tick: judged.axis_position(tick) for tick in judged.TICKS},
        "pictures": [name for name in pictures if name != "own_curves"],  # which stands with the own models
        "tables": [
            (shown, read_caption(shown.name, captions.get(shown.name))) for shown in show_tables(tables)
        ],
        "long": LONG,
        "datasets": read_datasets(results),
    }
    context |= find_problems(tables)
    sections = {name: title for name, (title, needs) in SECTIONS.items() if context[needs]}
    return context | {"sections": sections}


@cache
def _environment() -> Environment:
    environment = templates("nontrivial_study.report", keep_trailing_newline=True)
    environment.filters["result_link"] = lambda path: "../" + quote(path)
    environment.filters["display_name"] = display_name
    return environment
