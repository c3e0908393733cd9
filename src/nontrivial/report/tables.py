"""Tables as a page shows them: every value as text, numbers rounded for reading, long tables cut or folded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

OPEN_ROWS = 25  # a longer table is folded
WHOLE_CELLS = 8000  # a larger one shows its first rows only, so that the page stays small


@dataclass(frozen=True)
class Column:
    """A column's heading, and whether all that it holds are numbers."""

    name: str
    numeric: bool


@dataclass(frozen=True)
class Cell:
    """A value as it is shown and, where that rounds it, as it is."""

    text: str
    exact: str | None = None


@dataclass(frozen=True)
class ShownTable:
    """A table, or its first rows.

    Attributes
    ----------
    name : str
        Made into the element's id.
    columns : sequence of Column
    rows : sequence of sequence of Cell
    total : int
        Rows of the whole table.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    total: int

    @property
    def whole(self) -> bool:
        """Whether all rows are shown."""
        return len(self.rows) == self.total

    @property
    def folded(self) -> bool:
        """Whether the reader opens the table first."""
        return len(self.rows) > OPEN_ROWS


def read_texts(path: Path) -> pd.DataFrame:
    """Read a CSV file with every value as the text that stands in it, missing ones as empty text."""
    return pd.read_csv(path, dtype="str", keep_default_na=False)


def show_table(name: str, frame: pd.DataFrame) -> ShownTable:
    """Prepare a table of texts for the page.

    Parameters
    ----------
    name : str
    frame : DataFrame of str
        From `read_texts`.

    Returns
    -------
    ShownTable
        Whole up to `WHOLE_CELLS` cells, else its first `OPEN_ROWS` rows.

    Examples
    --------
    >>> table = show_table("areas", pd.DataFrame({"model": ["forest", "stump"], "area": ["0.987654321", ""]}))
    >>> table.rows
    [[Cell(text='forest', exact=None), Cell(text='0.9877', exact='0.987654321')],
     [Cell(text='stump', exact=None), Cell(text='', exact=None)]]
    >>> [column.numeric for column in table.columns]
    [False, True]
    """
    numeric = [_is_numeric(column) for _, column in frame.items()]
    columns = [Column(str(name), number) for name, number in zip(frame.columns, numeric, strict=True)]
    shown = frame if frame.size <= WHOLE_CELLS else frame.head(OPEN_ROWS)
    rows = [
        [round_number(text) if number else Cell(text) for text, number in zip(row, numeric, strict=True)]
        for row in shown.itertuples(index=False, name=None)
    ]
    return ShownTable(name, columns, rows, len(frame))


def round_number(text: str) -> Cell:
    """Show a number's text with four significant digits; whole numbers stay as they are.

    Examples
    --------
    >>> round_number("0.03800000000")
    Cell(text='0.038', exact='0.03800000000')
    >>> round_number("25980")
    Cell(text='25980', exact=None)
    """
    if not text or text.lstrip("+-").isdigit() or not math.isfinite(float(text)):
        return Cell(text)
    short = f"{float(text):.4g}"
    return Cell(text) if short == text else Cell(short, text)


def _is_numeric(column: pd.Series) -> bool:
    values = [text for text in column if text]
    try:
        return bool([float(text) for text in values])
    except ValueError:
        return False
