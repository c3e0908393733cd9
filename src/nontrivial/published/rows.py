"""The rows of a file of published numbers, judged one by one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
    *("p_better_low", "p_better_high", "p_worse_low", "p_worse_high"),
    *("verdict", "cases_needed", "fits_without", "judged_as", "not_judged"),
    *(
        "sentence",
        "prevalence_low",
        "prevalence_high",
        "departures",
        "ranking",
        "ranking_low",
        "ranking_high",
    ),
]
_MISSING = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
_LONG = re.compile(r"-?[0-9]*\.[0-9]{15,}(e-?[0-9]+)?")
# Of these, a percentage below 1 is likely.
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
    label: str | None  # the one of them that names the rows


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
    sure = {text for text in rows[0] if any(_is_percentage(row[text]) for row in rows)}
    unread = [heading.text for heading in headings if heading.role is None]
    judged: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        try:
            given, names = _read_row(row, [heading for heading in headings if heading.role], sure, has_commas)
            called = partial(_called, names)
            fields = judge_numbers(_with_options(given, options), called, stratified=stratified)
        except ValueError as error:
            fields = {"verdict": NOT_JUDGED, "not_judged": f"Row {number} of {path.name}: {error}"}
        judged.append({"row": row} | fields)
    if all("not_judged" in fields for fields in judged):
        other = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{judged[0]['not_judged']}{other}")
    label = next((text for text in unread if any(row[text].strip() for row in rows)), None)
    return PublishedRows(path.name, judged, unread, label)


def _called(names: Mapping[str, str], name: str) -> str:
    return names.get(name, name)


def _read_row(
    row: Mapping[str, str], headings: Sequence[Heading], sure: set[str], has_commas: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts of scores and counts, and what their columns are called."""
    given, names = dict[str, str](), dict[str, str]()
    for heading in headings:
        cell, name = row[heading.text].strip(MARKS), heading.role or ""
        if name == INTERVAL or cell.removeprefix("'").strip().lower() in _MISSING:
            continue
        if name in SCORES or name.startswith("auc_"):
            cell = with_points(cell, has_commas)
        number = bare_number(cell)
        if heading.is_percent and number is not None and read_fraction(cell) is None:
            if not (number > 1 or (heading.text in sure and name in SMALL)):
                raise ValueError(
                    f"{heading.text!r} is {cell!r}, which may be a share or a percentage; write 91%, or 0.91 without "
                    "the sign in the heading."
                )
            cell = f"{cell} %"
        names[name], given[name] = heading.text, cell
    return given, names


def _with_options(given: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in missing cells; numbers of cases come before the name of a data set, which may be any."""
    has_table = given.keys() >= set(CELLS)
    has_cases = has_table or bool(given.keys() & CASES)
    usual = {name: value for name, value in options.items() if not (has_cases and name in CASES)}
    row = {**usual, **given}
    if has_table or given.keys() & (CASES - {"dataset"}):
        row.pop("dataset", None)
    return row


def _is_percentage(cell: str) -> bool:
    """Tell whether a cell can only be a percentage."""
    return "%" in cell or (bare_number(cell.replace(",", ".")) or 0) > 1


def _read_rows(path: Path, how: Mapping[str, str | None]) -> tuple[list[dict[str, str]], bool]:
    """Return the rows with their cells as texts, and whether a comma may be the decimal mark, as it parts no cells."""
    from nontrivial.reading.cells import Column
    from nontrivial.reading.files import open_table

    table = open_table(path, **how)
    table.names = _with_different_intervals(table.names)
    twice = [name for name, times in Counter([*table.names, *RESULTS]).items() if times > 1]
    if twice:
        names = listed(twice)
        raise ValueError(f"{path.name} has {names} twice, or the output adds such a column; rename it.")
    columns = {}
    for name, cells in table.read(table.names).items():
        texts, places = Column(name, cells).written
        if table.form != "CSV":  # then the cell may have been a number, of which 15 digits are sure
            texts = [f"{float(text):.15g}" if _LONG.fullmatch(text) else text for text in texts]
        columns[name] = [texts[place] for place in places]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [row for row in rows if any(row.values())], table.separator != ","


def _with_different_intervals(names: Sequence[str]) -> list[str]:
    """Write the heading of the score on the left before headings such as "95% CI" that stand several times."""
    return [
        f"{names[place - 1]} {name}"
        if place and names.count(name) > 1 and read_heading(name)[0] is None
        else name
        for place, name in enumerate(names)
    ]
