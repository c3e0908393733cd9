"""Open tables as columns, with one function for each form: CSV, Parquet, JSON lines and so on."""

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial.numerals import cell_text, is_decimal
from nontrivial.reading import arff
from nontrivial.reading.asking import UnsettledError
from nontrivial.terminal import count_of, listed

_N_FIRST_ROWS = 50_000
_INDEX_OF_PANDAS = "__index_level_"  # pandas saves row numbers in columns with this prefix


class ColumnSource(NamedTuple):
    """The names of the columns, and `read_columns(indices, first)`, which reads all rows or the first ones."""

    names: Sequence[str]
    read_columns: Callable[[Sequence[int], bool], Sequence[Any]]
    separator: str = ""


def copy_to_arrow(*pieces: Any) -> pa.Buffer:
    """Copy bytes into Arrow's memory, because a process may never end while Arrow's threads hold Python objects."""
    # See https://github.com/apache/arrow/issues/50482.
    buffer = pa.allocate_buffer(sum(map(len, pieces)))
    with pa.FixedSizeBufferWriter(buffer) as sink:
        for piece in pieces:
            sink.write(piece)
    return buffer


def join_batches(batches: Iterable[pa.RecordBatch], names: Sequence[str], first: bool) -> Sequence[Any]:
    """Return the named columns of all batches, or of the first batch only; no columns if there are no batches."""
    chosen = list(itertools.islice(batches, 1 if first else None))
    if not chosen:
        return []
    table = pa.Table.from_batches(chosen)
    return [table.column(name) for name in names]


def open_frame(frame: pd.DataFrame) -> ColumnSource:
    """Open a DataFrame; a column with values of several types becomes text."""

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        rows = frame.iloc[:_N_FIRST_ROWS] if first else frame
        columns = []
        for index in indices:
            cells: Any = rows.iloc[:, index]
            try:
                columns.append(pa.array(cells, from_pandas=True))
            except (pa.ArrowException, TypeError):
                columns.append(pa.array(cells.map(cell_text).where(cells.notna(), None), pa.string()))
        return columns

    return ColumnSource(list(frame.columns), read_columns)


def open_parquet(data: pa.Buffer) -> ColumnSource:
    """Open Parquet, without the row numbers that pandas saves."""
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(pa.BufferReader(data))
    names = [name for name in file.schema_arrow.names if not name.startswith(_INDEX_OF_PANDAS)]

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        columns = [names[index] for index in indices]
        return join_batches(file.iter_batches(_N_FIRST_ROWS, columns=columns, use_threads=False), columns, first)

    return ColumnSource(names, read_columns)


def open_feather(data: pa.Buffer) -> ColumnSource:
    """Open Feather of version 2, which is Arrow's own file."""
    names = pa.ipc.open_file(data).schema.names

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        options = pa.ipc.IpcReadOptions(included_fields=list(indices), use_threads=False)
        file = pa.ipc.open_file(data, options=options)
        batches = map(file.get_batch, range(file.num_record_batches))
        return join_batches(batches, [names[index] for index in indices], first)

    return ColumnSource(names, read_columns)


def open_json_lines(text: str) -> ColumnSource:
    """Open JSON lines, one object on each line; whole numbers keep all of their digits."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(io.StringIO(text.removeprefix("\ufeff")), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.rstrip(), parse_int=str)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number:,}, column {error.colno:,}: {error.msg}.") from None
        if not isinstance(row, dict) or all(isinstance(value, (dict, list)) for value in row.values()):
            raise ValueError(f"line {number:,} is not an object with one value for each name.")
        rows.append(row)
    return open_frame(pd.DataFrame(rows, columns=list(rows[0])))


def open_workbook(name: str, data: pa.Buffer, sheet: str | None) -> ColumnSource:
    """Open the named sheet of a workbook, or its only sheet with cells; raise UnsettledError if several have cells."""
    sheets = pd.read_excel(
        io.BytesIO(data), sheet_name=None, header=None, dtype=str, na_filter=False, engine="calamine"
    )
    if sheet is not None and sheet not in sheets:
        raise ValueError(f"it has no sheet {sheet!r}; it has {listed(map(repr, sheets))}.")
    tables = {title: _drop_comment_rows(rows) for title, rows in sheets.items() if sheet in (None, title)}
    filled = [title for title, rows in tables.items() if len(rows)]
    if len(filled) > 1:
        raise UnsettledError(
            f"{name} has several sheets with cells: {listed(map(repr, filled))}",
            *({"sheet": title} for title in filled),
        )
    if not filled:
        raise ValueError("it is empty; names of columns are needed.")
    rows = tables[filled[0]]
    return open_frame(rows.iloc[1:].set_axis(rows.iloc[0], axis=1))


def _drop_comment_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Drop empty rows, and the comments above the row with the names of the columns."""
    rows = rows[(rows != "").any(axis=1)]
    is_comment = [row[0].startswith("#") and not "".join(row[1:]).strip() for row in rows.itertuples(index=False)]
    return rows.iloc[is_comment.index(False) :] if False in is_comment else rows


def open_arff(text: str) -> ColumnSource:
    """Open ARFF, the form of Weka's tables."""
    lines = enumerate(io.StringIO(text), start=1)
    attributes = arff.read_header(lines)
    rows = list(lines)
    names = [attribute.name for attribute in attributes]
    return ColumnSource(names, lambda indices, first: arff.read_rows(rows, attributes, indices).columns)


_BLANK_LINES = r"(?:[ \t]*(?:\r\n|\r|\n))*"
# Excel writes the separator on a line before the names of the columns, as sep=;
_BEFORE_NAMES = re.compile(
    rf'\ufeff?{_BLANK_LINES}(?:\s*"?sep=([^\r\n])"?[ \t]*(?:\r\n|\r|\n|$))?{_BLANK_LINES}', re.IGNORECASE
)
_SEPARATED_BY_BLANKS = re.compile(
    r'("[^"]*"|[\w.]+)( ("[^"]*"|[\w.]+))+'
)  # R's write.table separates columns by blanks
_MAX_HEADING_CHARACTERS = 1 << 20
_MAX_ROW_BYTES = 1 << 24
_SENTINEL = "\x03\x03\x03\x03"  # the cells of a last row that we append
# To the readers of CSV, a quotation mark behind a blank is an ordinary character.
_QUOTED_BEHIND_BLANK = r'^\s+"(.*)"\s*$'
_NUMBERED_CLASS = r"^[0-9]+:(.+)$"  # Weka writes 2:yes for the second class
# We parse Arrow's message because a Python function, called in Arrow's threads, could abort the process.
_UNEVEN_ROW = re.compile(r"Row #(\d+): Expected \d+ columns, got (\d+): ?(.*)", re.DOTALL)
_ORANGE_ROLES = {"class", "meta", "ignore", ""}


class _CsvHeading(NamedTuple):
    """The names of the columns, their first character, their separator, and the number of lines above the data."""

    names: list[str]
    start: int
    separator: str
    n_lines: int


def open_csv(data: Any, text: str, separator: str | None) -> ColumnSource:
    """Open a text, with its bytes in UTF-8 as `data`; if `separator` is None, the first line shows the separator."""
    from pyarrow import csv as arrow_csv

    heading = _find_heading(text, separator)
    names = heading.names
    patterns = []
    if any(re.match(_QUOTED_BEHIND_BLANK, name) for name in names):
        patterns.append(_QUOTED_BEHIND_BLANK)
    if {"inst#", "actual", "predicted"} <= set(names):
        patterns.append(_NUMBERED_CLASS)
    # If Arrow does not read this row as the last one, a quotation mark was never closed.
    last_row = f"\n{heading.separator.join([_SENTINEL] * len(names))}\n".encode()
    table = copy_to_arrow(memoryview(data)[len(text[: heading.start].encode()) :], last_row)
    keys = [str(index) for index in range(len(names))]

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        columns = [keys[index] for index in indices]
        types = dict.fromkeys(columns, pa.string())
        options = (
            arrow_csv.ReadOptions(
                column_names=keys, skip_rows_after_names=heading.n_lines, block_size=_MAX_ROW_BYTES, use_threads=False
            ),
            arrow_csv.ParseOptions(delimiter=heading.separator, newlines_in_values=True),
            arrow_csv.ConvertOptions(include_columns=columns, column_types=types),
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

    names = [re.sub(_QUOTED_BEHIND_BLANK, r"\1", name) for name in names]
    return ColumnSource(names, read_columns, heading.separator)


def _find_heading(text: str, separator: str | None) -> _CsvHeading:
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
    return _CsvHeading(names, start, separator, 3 if is_of_orange else 1)


def _count_comment_characters(head: str, separator: str | None) -> int:
    """Count the characters of the comments, lines that begin with #, above the names of the columns."""
    lines = head.splitlines(keepends=True)
    filled = [row for row, line in enumerate(lines) if line.strip()]
    n_comments = len(list(itertools.takewhile(lambda row: lines[row].lstrip(' "').startswith("#"), filled)))
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
    """Return the most frequent separator of a line; a blank counts only if it splits the following line alike."""
    if _SEPARATED_BY_BLANKS.fullmatch(line.strip()):
        n_names, n_cells = len(_split_row(line.strip(), " ")), len(_split_row(following.strip(), " "))
        if n_cells in (n_names, n_names + 1):  # R also writes the names of the rows
            return " "
    return max(",;\t", key=re.sub(r'"[^"]*"', "", line).count)


def _explain_arrow_error(message: str, heading: _CsvHeading) -> str:
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
