"""Judge the rows of a file of published numbers, one by one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from nontrivial.measures.published.numbers import FOOTNOTE_MARKS
from nontrivial.measures.published.sizes import SIZE_SOURCES
from nontrivial.measures.published.tables import SCORE_NAMES
from nontrivial.numerals import MISSING_NUMBERS
from nontrivial.published.cells import number_without_percent_sign, parse_fraction, with_decimal_points
from nontrivial.published.counts import COUNTED_CELLS
from nontrivial.published.headings import IGNORED_INTERVAL, Heading, parse_heading, parse_headings
from nontrivial.published.judging import judge_numbers
from nontrivial.terminal import listed

NOT_JUDGED = "not judged"
RESULT_COLUMNS = [
    *("trivial_error", "tables", "fewest_errors", "most_errors", "advantage_low", "advantage_high"),
    *("p_better_low", "p_better_high", "p_worse_low", "p_worse_high", "verdict", "cases_needed"),
    *("fits_without", "judged_as", "not_judged", "sentence", "prevalence_low", "prevalence_high"),
    *("departures", "ranking", "ranking_low", "ranking_high"),
]
_MISSING_CELLS = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
_COMPUTED_NUMBER = re.compile(r"-?[0-9]*\.[0-9]{15,}(e-?[0-9]+)?")
# These shares may be so small that even their percentages are below 1.
SMALL_SHARES = (
    *("error", "false_positive_rate", "false_negative_rate", "false_discovery_rate", "false_omission_rate"),
    "positives",
)


@dataclass(frozen=True)
class PublishedRows:
    """The judged rows of a file.

    Each of the `rows` has its cells as ``row``, and the fields of the JSON or the reason for no verdict. Columns that
    are neither scores nor counts are `unread`. The first unread column with a text is the `label` of the rows.
    """

    name: str
    rows: list[dict[str, Any]]
    unread: list[str]
    label: str | None


def judge_file(
    path: Path, options: Mapping[str, Any], how: Mapping[str, str | None], *, stratified: bool = False
) -> PublishedRows:
    """Judge each row of a file. `options` fill in missing cells, and `how` has the separator, encoding and sheet."""
    rows, commas_are_decimal = _read_rows(path, how)
    headings = parse_headings(list(rows[0]), path.name)
    percentage_columns = {
        heading.text for heading in headings if any(_is_percentage(row[heading.text]) for row in rows)
    }
    unread = [heading.text for heading in headings if heading.role is None]
    heading_of = {heading.role: heading.text for heading in headings if heading.role}
    judged: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        try:
            texts = _parse_row(row, headings, percentage_columns, commas_are_decimal)
            names = {name: heading_of[name] for name in texts}
            fields = judge_numbers(_fill_from_options(texts, options), names, stratified=stratified)
        except ValueError as error:
            fields = {"verdict": NOT_JUDGED, "not_judged": f"Row {number} of {path.name}: {error}"}
        judged.append({"row": row} | fields)
    if all("not_judged" in fields for fields in judged):
        hint = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{judged[0]['not_judged']}{hint}")
    label = next((text for text in unread if any(row[text].strip() for row in rows)), None)
    return PublishedRows(path.name, judged, unread, label)


def _is_percentage(cell: str) -> bool:
    return "%" in cell or (number_without_percent_sign(cell.replace(",", ".")) or 0) > 1


def _parse_row(
    row: Mapping[str, str], headings: Sequence[Heading], percentage_columns: set[str], commas_are_decimal: bool
) -> dict[str, str]:
    """Return scores and counts as texts, with % if the heading has it; raise ValueError if a cell may be a share."""
    texts: dict[str, str] = {}
    for heading in headings:
        cell, name = row[heading.text].strip(FOOTNOTE_MARKS), heading.role
        is_missing = cell.removeprefix("'").strip().lower() in _MISSING_CELLS
        if name is None or name == IGNORED_INTERVAL or is_missing:
            continue
        if name in SCORE_NAMES or name.startswith("auc_"):
            cell = with_decimal_points(cell, commas_are_decimal=commas_are_decimal)
        number = number_without_percent_sign(cell)
        if heading.is_percent and number is not None and parse_fraction(cell) is None:
            if number <= 1 and not (heading.text in percentage_columns and name in SMALL_SHARES):
                raise ValueError(
                    f"{heading.text!r} is {cell!r}, which may be a share or a percentage; write 91%, or 0.91 without "
                    "the sign in the heading."
                )
            cell = f"{cell} %"
        texts[name] = cell
    return texts


def _fill_from_options(texts: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in missing cells from options. If a row has numbers of cases, ignore the data set and sizes in options."""
    has_table, sources = texts.keys() >= set(COUNTED_CELLS), texts.keys() & set(SIZE_SOURCES)
    left_out = set(SIZE_SOURCES) if has_table or sources else set()
    filled = {**{name: value for name, value in options.items() if name not in left_out}, **texts}
    if has_table or sources - {"dataset"}:
        filled.pop("dataset", None)
    return filled


def _read_rows(path: Path, how: Mapping[str, str | None]) -> tuple[list[dict[str, str]], bool]:
    """Return the rows as texts by heading, and whether commas may be decimal: they may unless they separate columns."""
    from nontrivial.reading.cells import FileColumn
    from nontrivial.reading.files import open_table

    table = open_table(path, **how)
    # A repeated heading without a score, such as "95% CI", gets the heading on its left as a prefix.
    table.names = [
        f"{before} {name}" if before and table.names.count(name) > 1 and parse_heading(name)[0] is None else name
        for before, name in pairwise(["", *table.names])
    ]
    twice = [name for name, times in Counter([*table.names, *RESULT_COLUMNS]).items() if times > 1]
    if twice:
        names = listed(twice)
        raise ValueError(f"{path.name} has {names} twice, or the output adds such a column; rename it.")
    columns = {}
    for name, cells in table.read(table.names).items():
        texts, places = FileColumn(name, cells).distinct_texts
        if table.form != "CSV":  # the cell may be a computed number, with 15 certain digits
            texts = [f"{float(text):.15g}" if _COMPUTED_NUMBER.fullmatch(text) else text for text in texts]
        columns[name] = [texts[place] for place in places]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [row for row in rows if any(row.values())], table.separator != ","
