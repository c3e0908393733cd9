"""liac-arff, made strict about numbers, linear in the length of a line, and bounded in what it fills in.

Python takes 1_0 and digits of other scripts for numbers. The pattern by which liac-arff knows a declaration of labels
takes twice as long for each further label if the brace at its end is missing. And a sparse row of a few letters becomes
as many cells as there are columns.

liac-arff has no setting for any of these, which text is a number depends on its column, and the package openml reads by
the same module. So three names of the module are changed here, once; a test fails if liac-arff no longer uses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import arff

from nontrivial.data.http.reading import real_number

__all__ = ["arff"]

MOST_FILLED = 10_000_000  # cells of all sparse rows of a file

_decode_rows = arff.DenseGeneratorData.decode_rows


def _number(cell: str | int) -> float:
    return real_number(cell) if isinstance(cell, str) else float(cell)  # 0, where a sparse row says nothing


def _decode_few(self: Any, rows: Iterator[str], columns: Sequence[Any]) -> Any:
    return _decode_rows(self, _few(rows, len(columns)), columns)


def _few(rows: Iterator[str], columns: int) -> Iterator[str]:
    cells = 0
    for row in rows:
        if row.startswith("{"):
            cells += columns
            if cells > MOST_FILLED:
                raise ValueError(f"its sparse rows have more than {MOST_FILLED:,} cells in full")
        yield row


arff.float = _number
arff.DenseGeneratorData.decode_rows = _decode_few
arff._RE_TYPE_NOMINAL = re.compile(r"^\{.*\}$")
