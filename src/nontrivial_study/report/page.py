"""The study's results as one self-contained page."""

from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

import nontrivial
from nontrivial.claims.verdict import CAVEAT, GROUPS, REASONS, VERDICT_WORDS, count_line, count_verdicts
from nontrivial.files import find_files, read_json
from nontrivial.pages import load_style, load_templates, security_policy
from nontrivial.terminal import listed
from nontrivial_study.experiments.tasks.tasks import find_duplicates
from nontrivial_study.report import claims as claim_parts
from nontrivial_study.report.figures import Sources, display_name, read_caption, read_pictures, show_figures
from nontrivial_study.report.findings import find_answers, find_findings, find_own_models
from nontrivial_study.report.notation import format_decimal, format_percent
from nontrivial_study.report.tables import MIN_WRAPPED_LENGTH, find_problems, read_tables, show_tables, summarise_models

# Beside the page: the project's version and commit, so that the page can be made again.
ABOUT_FILE = "about.json"
MAX_PAGE_BYTES = 4_900_000  # the elements around the pictures add far less than 100,000
# In the page's order: the section's title in the table of contents, if it is there, and the part of the context without
# which the section is left out. The template of a section is ``sections/<id>.html``.
PAGE_SECTIONS = {
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
# The fields of a data set's record that the page shows, and its numbers at the distributors.
_FIELDS = ("name", "title", "rows", "features", "classes", "positive", "licence", "source", "dated", "sha256")
_SOURCE_IDS = {"uci_id": "UCI", "openml_task": "task", "openml_data": "data"}


def read_about(results: Path) -> dict[str, Any]:
    """Read the version, commit and configuration files of a study; without the file, only this version is known."""
    path = results / "report" / ABOUT_FILE
    stored = read_json(path) if path.is_file() else {}
    return {"version": nontrivial.__version__, "commit": {}, "configfiles": []} | stored


def read_datasets(results: Path) -> list[dict[str, str]]:
    """Read the records of the data sets by name, as texts, each with the ``path`` of its file."""
    datasets = []
    paths = find_files(results / "data", "*.json")
    records = list(map(read_json, paths))
    duplicates = find_duplicates(records)
    for path, record in zip(paths, records, strict=True):
        shown = {field: "" if record.get(field) is None else str(record[field]) for field in _FIELDS}
        classes = record.get("classes") or {}
        shown["classes"] = ", ".join(f"{label}: {count}" for label, count in classes.items())
        source = [shown["source"]]
        source += [f"{name} {record[key]}" for key, name in _SOURCE_IDS.items() if record.get(key) is not None]
        source += [f"the same rows as {duplicates[record['name']]}"] if record["name"] in duplicates else []
        source += [f"made of {record['original']}: {record['citation']}"] if "original" in record else []
        datasets.append(shown | {"source": ", ".join(source), "path": f"data/{path.name}"})
    return datasets


def render_page(results: Path, captions: Mapping[str, str], sources: Sources | None = None) -> str:
    """Render the results as one HTML file that needs nothing else."""
    context = _collect_context(results, captions, sources or {})
    template = _template_environment().get_template("page.html")
    show = partial(show_figures, results, captions, sources or {})
    picture_bytes = MAX_PAGE_BYTES - len(template.render(context, figures=show(0)).encode())
    return template.render(context, figures=show(picture_bytes))


def _collect_context(results: Path, captions: Mapping[str, str], sources: Sources) -> dict[str, Any]:
    """Collect what the templates show, except for the figures."""
    claims = claim_parts.read_claims(results)
    entries = claims or []
    documents = claim_parts.group_claims(entries, sources)
    verdict_order = list(VERDICT_WORDS).index
    main_records = [record for document in documents for record in document.records if record["main"]]
    tables = read_tables(results)
    own = find_own_models(tables)
    is_about_own = own is not None and claims is None  # then no document's numbers are shown
    pictures = [picture.name for picture in read_pictures(results, 0, list(sources))]
    script = Markup(resources.files(__package__).joinpath("page.js").read_text(encoding="utf-8"))
    context = {
        "style": load_style(),
        "script": script,
        "policy": security_policy(load_style(), script),
        "about": read_about(results),
        "own": own,
        "claims": claims,
        "documents": documents,
        "main": sorted(main_records, key=lambda record: verdict_order(record["verdict"])),
        "count_verdicts": count_verdicts,
        "counted": count_line(claim.record for claim in entries),
        "verdicts": VERDICT_WORDS,
        "caveats": list(REASONS[CAVEAT].values()),
        "groups": GROUPS,
        "places": {claim.record["id"]: claim_parts.find_places(claim, pictures, tables) for claim in entries},
        "addresses": {name: source.get("address", "") for name, source in sources.items()},
        "kinds": sorted({claim.record["kind"] for claim in entries}),
        "claims_caption": read_caption("verdicts", captions.get("verdicts")).text,
        "findings": [] if is_about_own else find_findings(tables),
        "answers": find_answers(tables),
        "models": summarise_models(tables),
        "pairs": [] if is_about_own else claim_parts.pair_numbers(entries, tables),
        "ticks": {tick: claim_parts.axis_position(tick) for tick in claim_parts.AXIS_TICKS},
        "pictures": [name for name in pictures if name != "own_curves"],  # it is shown with the own models
        "tables": [(shown, read_caption(shown.name, captions.get(shown.name))) for shown in show_tables(tables)],
        "long": MIN_WRAPPED_LENGTH,
        "datasets": read_datasets(results),
    }
    context |= find_problems(tables)
    sections = {name: title for name, (title, content) in PAGE_SECTIONS.items() if context[content]}
    return context | {"sections": sections}


@cache
def _template_environment() -> Environment:
    environment = load_templates("nontrivial_study.report", keep_trailing_newline=True)
    environment.filters["result_link"] = lambda path: "../" + quote(path)
    environment.filters["display_name"] = display_name
    environment.filters["listed"] = listed
    environment.filters["percent"] = format_percent
    environment.filters["decimals"] = format_decimal
    environment.filters["points"] = lambda share: format_decimal(share and str(100 * float(share)), 1)
    return environment
