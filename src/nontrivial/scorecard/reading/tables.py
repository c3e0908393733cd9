"""Tables of any form, known by their first bytes, in chunks of some columns."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from nontrivial.scorecard.reading.arrow_files import FeatherFile, ParquetFile
from nontrivial.scorecard.reading.csv_files import CsvFile
from nontrivial.scorecard.reading.row_files import JSON_LINES, ArffFile, JsonLinesFile, Workbook
from nontrivial.scorecard.reading.sources import ZIP, Chunks, Source, check_rows, refuse_foreign


@dataclass(frozen=True)
class Layout:
    """How a text file is written; without a separator, the first line shows it."""

    separator: str | None = None
    encoding: str = "utf-8"


class Table(Protocol):
    """A file of rows.

    Attributes
    ----------
    name : str
        What to call it.
    names : tuple of str
        Its columns, without blanks around them.
    """

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows of some columns."""

    def sha256(self) -> str:
        """The digest of the file; empty for a table in memory."""


def open_table(source: Source, layout: Layout) -> Table:
    """Open a file of cases in the form that its first bytes show, or as CSV if they show none.

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    with source.open() as stream:
        start = stream.read(4096)
    if source.packed:
        refuse_foreign(source.name, start)
    if start.startswith((b"PAR1", b"ARROW1", b"FEA1")):
        if source.packed:
            raise ValueError(
                f"{source.name} is a Parquet or Feather file inside {source.packed}; unpack it first."
            )
        return (ParquetFile if start.startswith(b"PAR1") else FeatherFile).open(source)
    if start.startswith(ZIP):
        return Workbook.open(source)
    text = start.decode("utf-8-sig", errors="ignore").lstrip()
    if re.match(r"\[\s*[\[{]", text):
        raise ValueError(f"{source.name} holds a list in JSON; {JSON_LINES}.")
    if text.startswith("{"):
        return JsonLinesFile.open(source, layout.encoding)
    lines = (line.strip().lower() for line in text.splitlines())
    if next((line for line in lines if line and not line.startswith("%")), "").startswith("@relation"):
        return ArffFile.open(source, layout.encoding)
    return CsvFile.open(source, layout.separator, layout.encoding)


@contextlib.contextmanager
def read_chunks(
    table: Table, columns: Sequence[str], *, plain: bool
) -> Iterator[Iterator[tuple[int, pa.RecordBatch]]]:
    """Give chunks of columns, each after the number of rows before it, and close the file at the end.

    `plain` is as in `check_rows`.

    Raises
    ------
    ValueError
        If a later part of the file is not of its form, or if the file has no rows or too many.
    """
    with contextlib.closing(table.chunks(columns)) as chunks:
        yield _numbered(table.name, chunks, plain)


def _numbered(name: str, chunks: Chunks, plain: bool) -> Iterator[tuple[int, pa.RecordBatch]]:
    rows = 0
    for chunk in chunks:
        check_rows(name, rows + chunk.num_rows, plain=plain)
        if chunk.num_rows:
            yield rows, chunk
        rows += chunk.num_rows
    if not rows:
        raise ValueError(f"{name} has no rows; one row per case is needed.")
