"""The rows of a file of published numbers, judged one by one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.measures.published.printed import MARKS
from nontrivial.measures.published.tables import SCORES
from nontrivial.numerals import MISSING_NUMBERS
from nontrivial.published.cells import bare_number, read_fraction, with_points
from nontrivial.published.counts import CELLS
from nontrivial.published.headings import INTERVAL, Heading, read_heading, read_headings
from nontrivial.published.judging import CASES, judge_numbers
from nontrivial.terminal import listed

NOT_JUDGED = "not judged"
# The columns that `nontrivial published` adds.
RESULTS = [
    *("trivial_error", "tables", "fewest_errors", "most_errors", "advantage_low", "advantage_high"),
    *("p_better_low", "p_better_high", "p_worse_low", "p_worse_high", "verdict", "cases_needed"),
    *("fits_without", "judged_as", "not_judged", "sentence", "prevalence_low", "prevalence_high"),
    *("departures", "ranking", "ranking_low", "ranking_high"),
]
_MISSING = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
_LONG = re.compile(r"-?[0-9]*\.[0-9]{15,}(e-?[0-9]+)?")
# A percentage of one of these is likely to be below 1.
SMALL = (
    *("error", "false_positive_rate", "false_negative_rate", "false_discovery_rate", "false_omission_rate"),
    "positives",
)


@dataclass(frozen=True)
class PublishedRows:
    """The rows of a file: the fields of each, with its cells as ``row``, or the reason why it cannot be judged."""

    name: str
    rows: list[dict[str, Any]]
    unread: list[str]  # columns that are neither scores nor counts
    label: str | None  # the unread column that names the rows


def judge_file(
    path: Path,
    options: Mapping[str, Any],
    how: Mapping[str, str | None] | None = None,
    *,
    stratified: bool = False,
) -> PublishedRows:
    """Judge the rows of a file, read as `how` says; `options` fill in missing cells. ValueError: none can be judged."""
    rows, has_commas = _read_rows(path, how or {})
    headings = read_headings(list(rows[0]), path.name)
    # Of the numbers of these columns, some can only be percentages.
    percentages = {
        text
        for text in rows[0]
        if any("%" in row[text] or (bare_number(row[text].replace(",", ".")) or 0) > 1 for row in rows)
    }
    unread = [heading.text for heading in headings if heading.role is None]
    names = {heading.role: heading.text for heading in headings if heading.role}
    judged: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        try:
            given = _read_row(row, headings, percentages, has_commas)
            called = {name: names[name] for name in given}
            fields = judge_numbers(_with_options(given, options), called, stratified=stratified)
        except ValueError as error:
            fields = {"verdict": NOT_JUDGED, "not_judged": f"Row {number} of {path.name}: {error}"}
        judged.append({"row": row} | fields)
    if all("not_judged" in fields for fields in judged):
        other = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{judged[0]['not_judged']}{other}")
    label = next((text for text in unread if any(row[text].strip() for row in rows)), None)
    return PublishedRows(path.name, judged, unread, label)


def _read_row(
    row: Mapping[str, str], headings: Sequence[Heading], percentages: set[str], has_commas: bool
) -> dict[str, str]:
    """Return the texts of scores and counts, with the sign of percentages that stands in the heading."""
    given: dict[str, str] = {}
    for heading in headings:
        cell, name = row[heading.text].strip(MARKS), heading.role
        if name is None or name == INTERVAL or cell.removeprefix("'").strip().lower() in _MISSING:
            continue
        if name in SCORES or name.startswith("auc_"):
            cell = with_points(cell, has_commas)
        number = bare_number(cell)
        if heading.is_percent and number is not None and read_fraction(cell) is None:
            if not (number > 1 or (heading.text in percentages and name in SMALL)):
                raise ValueError(
                    f"{heading.text!r} is {cell!r}, which may be a share or a percentage; write 91%, or 0.91 without "
                    "the sign in the heading."
                )
            cell = f"{cell} %"
        given[name] = cell
    return given


def _with_options(given: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in missing cells; numbers of cases come before the name of a data set, which may be any."""
    has_table, ways = given.keys() >= set(CELLS), given.keys() & set(CASES)
    left_out = set(CASES) if has_table or ways else set()
    row = {**{name: value for name, value in options.items() if name not in left_out}, **given}
    if has_table or ways - {"dataset"}:
        row.pop("dataset", None)
    return row


def _read_rows(path: Path, how: Mapping[str, str | None]) -> tuple[list[dict[str, str]], bool]:
    """Return the rows with their cells as texts, and whether a comma may be the decimal mark, as it parts no cells."""
    from nontrivial.reading.cells import FileColumn
    from nontrivial.reading.files import open_table

    table = open_table(path, **how)
    # Headings such as "95% CI", which stand several times, get the heading of the score on their left.
    table.names = [
        f"{table.names[place - 1]} {name}"
        if place and table.names.count(name) > 1 and read_heading(name)[0] is None
        else name
        for place, name in enumerate(table.names)
    ]
    twice = [name for name, times in Counter([*table.names, *RESULTS]).items() if times > 1]
    if twice:
        names = listed(twice)
        raise ValueError(f"{path.name} has {names} twice, or the output adds such a column; rename it.")
    columns = {}
    for name, cells in table.read(table.names).items():
        texts, places = FileColumn(name, cells).distinct_texts
        if table.form != "CSV":  # then the cell may have been a number, which is sure to 15 digits
            texts = [f"{float(text):.15g}" if _LONG.fullmatch(text) else text for text in texts]
        columns[name] = [texts[place] for place in places]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [row for row in rows if any(row.values())], table.separator != ","
