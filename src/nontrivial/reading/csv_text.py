"""The columns of a text: between commas, semicolons, tabs, blanks, or a character that the user names."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from nontrivial.numerals import is_decimal
from nontrivial.reading.sources import ColumnSource, copy_to_arrow, join_batches
from nontrivial.terminal import count_of

_BLANK_LINES = r"(?:[ \t]*(?:\r\n|\r|\n))*"
# Excel writes the separator on a line before the names of the columns, as sep=;
_BEFORE_NAMES = re.compile(
    rf'\ufeff?{_BLANK_LINES}(?:\s*"?sep=([^\r\n])"?[ \t]*(?:\r\n|\r|\n|$))?{_BLANK_LINES}', re.IGNORECASE
)
_SEPARATED_BY_BLANKS = re.compile(r'("[^"]*"|[\w.]+)( ("[^"]*"|[\w.]+))+')  # by write.table of R
_MAX_HEADING_CHARACTERS = 1 << 20
_MAX_ROW_BYTES = 1 << 24
_SENTINEL = "\x03\x03\x03\x03"  # a cell of the row that we append; no separator is in it
# To the readers of CSV, a quotation mark behind a blank is an ordinary character.
_QUOTED_BEHIND_BLANK = r'^\s+"(.*)"\s*$'
_NUMBERED_CLASS = r"^[0-9]+:(.+)$"  # Weka writes 2:yes for the second class
# We parse Arrow's message: a Python function that its threads called would outlive Python and abort the process.
_UNEVEN_ROW = re.compile(r"Row #(\d+): Expected \d+ columns, got (\d+): ?(.*)", re.DOTALL)
_ORANGE_ROLES = {"class", "meta", "ignore", ""}


class _Heading(NamedTuple):
    """The names of the columns, the character before the first one, and the lines down to the first row of data."""

    names: list[str]
    start: int
    separator: str
    n_lines: int


def open_csv(data: Any, text: str, separator: str | None) -> ColumnSource:
    """Open a text; `data` are its bytes in UTF-8, and without a `separator` the first line tells it."""
    from pyarrow import csv as arrow_csv

    heading = _find_heading(text, separator)
    names = heading.names
    patterns = []
    if any(re.match(_QUOTED_BEHIND_BLANK, name) for name in names):
        patterns.append(_QUOTED_BEHIND_BLANK)
    if {"inst#", "actual", "predicted"} <= set(names):
        patterns.append(_NUMBERED_CLASS)
    # If our own last row is not the last one that is read, a quotation mark was never closed.
    last_row = f"\n{heading.separator.join([_SENTINEL] * len(names))}\n".encode()
    table = copy_to_arrow(memoryview(data)[len(text[: heading.start].encode()) :], last_row)
    keys = [str(index) for index in range(len(names))]

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        columns = [keys[index] for index in indices]
        options = (
            arrow_csv.ReadOptions(
                column_names=keys,
                skip_rows_after_names=heading.n_lines,
                block_size=_MAX_ROW_BYTES,
                use_threads=False,
            ),
            arrow_csv.ParseOptions(delimiter=heading.separator, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                include_columns=columns, column_types=dict.fromkeys(columns, pa.string())
            ),
        )
        try:
            cells = join_batches(arrow_csv.open_csv(pa.BufferReader(table), *options), columns, first)
        except pa.ArrowException as error:
            raise ValueError(_explain_arrow_error(str(error), heading)) from None
        has_sentinel = cells[0][-1:].to_pylist() == [_SENTINEL]
        if not (has_sentinel or first):
            raise ValueError("a quotation mark is never closed.")
        cells = [column[: len(column) - has_sentinel] for column in cells]
        for pattern in patterns:
            cells = [pc.replace_substring_regex(column, pattern, r"\1") for column in cells]
        return cells

    plain_names = [re.sub(_QUOTED_BEHIND_BLANK, r"\1", name) for name in names]
    return ColumnSource(plain_names, read_columns, heading.separator)


def _find_heading(text: str, separator: str | None) -> _Heading:
    """Find the names of the columns below blank lines and comments."""
    before_names = _BEFORE_NAMES.match(text)
    assert before_names is not None  # the pattern also matches an empty text
    start, separator = before_names.end(), separator or before_names[1]
    start += _count_comment_characters(text[start : start + _MAX_HEADING_CHARACTERS], separator)
    head = text[start : start + _MAX_HEADING_CHARACTERS]
    lines = [*head.splitlines(), "", "", ""]
    separator = separator or _guess_separator(lines[0], lines[1])
    names = _split_row(head, separator)
    if not names:
        raise ValueError("it is empty; names of columns are needed.")
    names[0] = re.sub(r"^#\s+", "", names[0])  # NumPy writes # before the names
    # Orange writes the types and the roles of the columns in two lines below their names.
    third = set(lines[2].split(separator))
    is_of_orange = third <= _ORANGE_ROLES and third & {"class", "meta"}
    return _Heading(names, start, separator, 3 if is_of_orange else 1)


def _count_comment_characters(head: str, separator: str | None) -> int:
    """Count the characters of the comments, lines that begin with #, above the names of the columns."""
    lines = head.splitlines(keepends=True)
    filled = [row for row, line in enumerate(lines) if line.strip()]
    n_comments = len(list(takewhile(lambda row: lines[row].lstrip(' "').startswith("#"), filled)))
    if not 0 < n_comments < len(filled):
        return 0
    # The last comment holds the names if it has as many fields as the next line, and that line has a number.
    last, first, following = [*(lines[row] for row in filled[n_comments - 1 :]), ""][:3]
    guess = separator or _guess_separator(first, following)
    names, cells = _split_row(last, guess), _split_row(first, guess)
    if all(names) and len(names) == len(cells) and any(is_decimal(cell.strip()) for cell in cells):
        n_comments -= 1
    return sum(map(len, lines[: filled[n_comments]]))


def _split_row(text: str, separator: str) -> list[str]:
    """Return the fields of the first row of a text."""
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])


def _guess_separator(line: str, following: str) -> str:
    """Return the most frequent separator of the first line; a blank only if it splits the next line alike."""
    if _SEPARATED_BY_BLANKS.fullmatch(line.strip()):
        n_names, n_cells = len(_split_row(line.strip(), " ")), len(_split_row(following.strip(), " "))
        if n_cells in (n_names, n_names + 1):  # R also writes the names of the rows
            return " "
    return max(",;\t", key=re.sub(r'"[^"]*"', "", line).count)


def _explain_arrow_error(message: str, heading: _Heading) -> str:
    """Turn an error of Arrow's reader of CSV into a sentence with the row and a remedy."""
    if "straddl" in message:
        return f"a quotation mark is never closed, or a row has more than {_MAX_ROW_BYTES:,} bytes."
    uneven = _UNEVEN_ROW.search(message)
    if uneven is None:
        return message
    row, n_fields, start_of_row = int(uneven[1]) - heading.n_lines, int(uneven[2]), uneven[3]
    n_names, remedy = len(heading.names), ""
    if n_fields > n_names and heading.separator == "," and "." not in start_of_row.removesuffix(" ..."):
        remedy = "; if a number has a decimal comma, write a point"
    if row == 1 and n_fields == n_names + 1:
        remedy += "; if R wrote the names of the rows, write the table with row.names=FALSE"
    counts = f"{count_of(n_fields, 'field')}, but the first line has {count_of(n_names, 'name')}"
    return f"data row {row:,} has {counts}{remedy}."
