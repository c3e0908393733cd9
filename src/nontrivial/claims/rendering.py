"""The verdicts on a registry of one's own, as text and as a page of one file."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from nontrivial.claims.counting import count_line
from nontrivial.claims.judge import JudgedFile
from nontrivial.claims.verdict import VERDICT_WORDS
from nontrivial.pages import policy, style, templates

_WIDTH = 110
_STYLE = "main { max-width: 70rem; }\n.badge { font-weight: 600; }\n"


def render_text(judged: JudgedFile) -> str:
    """Say every verdict in lines, after one with their counts."""
    lines = [f"{judged.path.resolve().name}: {count_line(judged.records)}."]
    for record in judged.records:
        lines += ["", *describe(record)]
    return "\n".join(lines) + "\n"


def describe(record: Mapping[str, Any]) -> list[str]:
    """Say in lines what a claim is, and what its verdict is and why."""
    lines = [f"{record['id']}: {VERDICT_WORDS[record['verdict']]}"]
    lines += textwrap.wrap(record["statement"], _WIDTH, initial_indent="  ", subsequent_indent="  ")
    for title, text in _rows(record):
        lines += textwrap.wrap(f"{title}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def render_page(judged: JudgedFile) -> str:
    """Render the verdicts as HTML that needs no other file; everything that came from the file is escaped."""
    page, look = templates("nontrivial.claims").get_template("page.html"), style() + _STYLE
    return page.render(
        style=look,
        policy=policy(look),
        judged=judged,
        summary=count_line(judged.records),
        rows=_rows,
        tables=_tables,
        verdicts=VERDICT_WORDS,
        case_name=_case_name,
    )


def _rows(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What there is to say of a claim, by title."""
    if record["stated"]:
        yield "stated", record["stated"]
    for condition, place in record["trail"]["claim"].get("presupposed", {}).items():
        yield "presupposed", f"{condition} ({place})"
    yield "reason", record["reason"]
    if record["found"]:
        yield "found", record["found"]
    if record["witness"]:
        values = record["trail"]["found"].get("values") or {}
        first = ((name, value if isinstance(value, str) else value[0]) for name, value in values.items())
        there = ", ".join(f"{name} = {value}" for name, value in first)
        yield _case_name(record), record["witness"] + (f" ({there})" if there else "")
    for title, key in (("holds", "holds_where"), ("decided on", "domain"), ("undefined", "undefined_where")):
        if record[key]:
            yield title, record[key]
    for title, part in [("holds if", record["holds_if"]), *(("step", step) for step in record["steps"])]:
        if part:
            yield title, f"{part['statement']} ({VERDICT_WORDS[part['verdict']]}: {part['stated']})"
    if record["note"]:
        yield "note", record["note"]


def _case_name(record: Mapping[str, Any]) -> str:
    found = record["trail"]["found"]
    if found.get("status") != "refuted":
        return "example"
    if not found["smallest"] or found["domain"].get("open"):  # numbers of any size have no order of size
        return "counterexample"
    if not found["natural"]:
        return "smallest counterexample"
    natural = {"tables": "empty cell", "rankings": "ties"}
    kind = natural.get(found["domain"]["over"].removeprefix("pairs of "), "a zero")
    return f"smallest counterexample without {kind}"


def _tables(record: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
    """The confusion tables of the case that settles a claim, by what tells them apart; empty for other cases."""
    parts, found = record["trail"]["witness"], record["trail"]["found"]
    tables: dict[str, Any] = {"tables": {"": parts}, "pairs of tables": parts}
    return tables.get(found["domain"]["over"], {}) if parts else {}
