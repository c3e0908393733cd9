"""The columns of tables that are not CSV: DataFrames, Parquet, Feather, JSON lines, workbooks and ARFF."""

import io
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from nontrivial.numerals import as_written
from nontrivial.reading import arff
from nontrivial.reading.asking import UnsettledError
from nontrivial.terminal import listed

_N_FIRST_ROWS = 50_000
_INDEX_OF_PANDAS = "__index_level_"  # pandas saves row numbers in columns with this prefix


class ColumnSource(NamedTuple):
    """The names of the columns, and `read_columns(indices, first)`, which reads all rows or the first ones."""

    names: Sequence[str]
    read_columns: Callable[[Sequence[int], bool], Sequence[Any]]
    separator: str = ""


def copy_to_arrow(*pieces: Any) -> pa.Buffer:
    """Copy bytes into Arrow's memory; if its threads hold Python objects instead, the process may never end."""
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
                columns.append(pa.array(cells.map(as_written).where(cells.notna(), None), pa.string()))
        return columns

    return ColumnSource(list(frame.columns), read_columns)


def open_parquet(data: pa.Buffer) -> ColumnSource:
    """Open Parquet, without the row numbers that pandas saves."""
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(pa.BufferReader(data))
    names = [name for name in file.schema_arrow.names if not name.startswith(_INDEX_OF_PANDAS)]

    def read_columns(indices: Sequence[int], first: bool) -> Sequence[Any]:
        columns = [names[index] for index in indices]
        return join_batches(
            file.iter_batches(_N_FIRST_ROWS, columns=columns, use_threads=False), columns, first
        )

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
    """Open JSON lines, one object on each line; numbers keep the digits that are written."""
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
    """Open the named sheet of an XLSX workbook, or the only sheet that has cells; several are an UnsettledError."""
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
    """Leave out empty rows, and the rows above the names of columns that hold only a comment."""
    rows = rows[(rows != "").any(axis=1)]
    is_comment = [
        row[0].startswith("#") and not "".join(row[1:]).strip() for row in rows.itertuples(index=False)
    ]
    return rows.iloc[is_comment.index(False) :] if False in is_comment else rows


def open_arff(text: str) -> ColumnSource:
    """Open ARFF, the form of Weka's tables."""
    lines = enumerate(io.StringIO(text), start=1)
    attributes = arff.read_header(lines)
    rows = list(lines)
    names = [attribute.name for attribute in attributes]
    return ColumnSource(names, lambda indices, first: arff.read_rows(rows, attributes, indices).columns)
