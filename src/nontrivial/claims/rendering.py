"""The verdicts on a registry of one's own, as text and as a page of one file."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from nontrivial.claims.judge import JudgedFile
from nontrivial.claims.verdict import CONTRADICTED, NOT_REFUTED, VERDICT_WORDS, count_line
from nontrivial.pages import load_style, load_templates, security_policy

_VERDICT_TEXT_WIDTH = 110
_PAGE_STYLE = """main { max-width: 70rem; }
.legend { max-width: none; }
.legend dt { color: var(--quiet); }
.badge { padding: 0 0.4rem; border-radius: 0.2rem; background: var(--verdict); color: var(--ground); font-weight: 600; }
article.claim { margin: 1.25rem 0; padding-left: 0.9rem; border-left: 4px solid var(--verdict); }
"""
# The parts of the page, with their verdicts. All other verdicts come last.
_VERDICTS_OF_PARTS = {
    "Contradicted": {CONTRADICTED},
    "Not refuted": {NOT_REFUTED},
    "Other verdicts": VERDICT_WORDS.keys() - {CONTRADICTED, NOT_REFUTED},
}


def render_verdict_text(judged: JudgedFile) -> str:
    """Write a line with the counts of verdicts, then every verdict in lines."""
    lines = [f"{judged.path.resolve().name}: {count_line(judged.records)}."]
    for record in judged.records:
        lines += ["", *record_lines(record)]
    return "\n".join(lines) + "\n"


def record_lines(record: Mapping[str, Any]) -> list[str]:
    """Return lines that give a claim, its verdict and the reasons."""
    lines = [f"{record['id']}: {VERDICT_WORDS[record['verdict']]}"]
    lines += textwrap.wrap(record["statement"], _VERDICT_TEXT_WIDTH, initial_indent="  ", subsequent_indent="  ")
    for title, text in _titled_texts(record):
        lines += textwrap.wrap(f"{title}: {text}", _VERDICT_TEXT_WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def render_verdict_page(judged: JudgedFile) -> str:
    """Render the verdicts as HTML that needs no other file, with all text from the registry escaped."""
    page, look = load_templates("nontrivial.claims").get_template("page.html"), load_style() + _PAGE_STYLE
    parts = {
        title: [record for record in judged.records if record["verdict"] in verdicts]
        for title, verdicts in _VERDICTS_OF_PARTS.items()
    }
    return page.render(
        style=look,
        policy=security_policy(look),
        judged=judged,
        summary=count_line(judged.records),
        parts={title: records for title, records in parts.items() if records},
        rows=_titled_texts,
        tables=_witness_tables,
        values=_values_text,
        verdicts=VERDICT_WORDS,
        case_name=_witness_title,
    )


def _titled_texts(record: Mapping[str, Any], *, with_case: bool = True) -> Iterator[tuple[str, str]]:
    """Yield pairs of a title and a text about a claim, with or without the case that settles the claim."""
    if record["stated"]:
        yield "stated", record["stated"]
    for condition, place in record["trail"]["claim"].get("presupposed", {}).items():
        yield "presupposed", f"{condition} ({place})"
    yield "reason", record["reason"]
    if record["found"]:
        yield "found", record["found"]
    if record["witness"] and with_case:
        values = _values_text(record)
        yield _witness_title(record), record["witness"] + (f" ({values})" if values else "")
    for title, key in (("holds", "holds_where"), ("decided on", "domain"), ("undefined", "undefined_where")):
        if record[key]:
            yield title, record[key]
    for title, part in [("holds if", record["holds_if"]), *(("step", step) for step in record["steps"])]:
        if part:
            yield title, f"{part['statement']} ({VERDICT_WORDS[part['verdict']]}: {part['stated']})"
    if record["note"]:
        yield "note", record["note"]


def _values_text(record: Mapping[str, Any]) -> str:
    """Write the numbers that a claim has in the case that settles the claim."""
    values = record["trail"]["found"].get("values") or {}
    texts = {name: value if isinstance(value, str) else value[0] for name, value in values.items()}
    return ", ".join(f"{name} = {text}" for name, text in texts.items())


def _witness_title(record: Mapping[str, Any]) -> str:
    """Name the case that settles a claim, such as "smallest counterexample without ties"."""
    finding = record["trail"]["found"]
    if finding.get("status") != "refuted":
        return "example"
    if not finding["smallest"] or finding["domain"].get("open"):  # numbers of any size have no order of size
        return "counterexample"
    if not finding["natural"]:
        return "smallest counterexample"
    natural = {"tables": "empty cell", "rankings": "ties"}
    kind = natural.get(finding["domain"]["over"].removeprefix("pairs of "), "a zero")
    return f"smallest counterexample without {kind}"


def _witness_tables(record: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
    """Return the confusion tables in the case that settles a claim, by names such as "first"; else nothing."""
    parts, finding = record["trail"]["witness"], record["trail"]["found"]
    tables: dict[str, Any] = {"tables": {"": parts}, "pairs of tables": parts}
    return tables.get(finding["domain"]["over"], {}) if parts else {}
