"""Tables as CSV files from which they come back as they were, and which are safe to open in a spreadsheet.

The form of a cell shows its kind. Numbers, ``True`` and ``False`` are bare, and a missing value is an empty cell. A
text is bare, too, unless it could be taken for one of these; then it is in quotes (``"7"``, ``"True"``, ``""``). A
text that a spreadsheet could take for a formula has an apostrophe before it, as has one that begins with an apostrophe
itself; reading takes one apostrophe away. All values of a column are of one kind.

Beside each table its digest is written. What is read is compared with it; a table without one is read as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial_study.digests import check_digest, write_digest
from nontrivial.files import DamagedFile, atomic_path

_CELL = re.compile(r'("[^"]*(?:""[^"]*)*"|[^",\r\n]*)([,\n])')
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")  # what surely fits into 64 bits
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-][0-9]+)?|-?inf")
_EXACT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?")  # what a spreadsheet can only take for a number
_RISKY = re.compile(r"['\t\r\n]|[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_BOOLS = {"True": True, "False": False}


def write_table(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write a table without its index as CSV with 12 significant digits.

    Twelve digits keep more than any measure here is known to, and hide the last-bit differences between
    processors, so that equal results are equal files. See the module for how texts are written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.csv")
    >>> write_table(path, pd.DataFrame({"model": ["=1+1", "nan", "7", "", None], "area": [-0.5, 1 / 3, 2, None, 1]}))
    >>> print(path.read_text(), end="")
    model,area
    '=1+1,-0.5
    nan,0.333333333333
    "7",2
    "",
    ,1
    >>> read_table(path)["model"].dropna().tolist()
    ['=1+1', 'nan', '7', '']
    >>> _ = path.write_text(path.read_text().replace("0.3", "0.4"))
    >>> read_table(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nontrivial.files.DamagedFile: .../a.csv is damaged; delete it and run the same command again.
    """
    join_tables(path, [table])


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of `write_table`.

    Returns
    -------
    DataFrame
        Each column is of one type: ``str``, ``bool`` (with missing values ``boolean``), ``int64`` if all its numbers
        are whole and none is missing, otherwise ``float64``, as is a column without any value.

    Raises
    ------
    nontrivial.files.DamagedFile
        If the file is not what was written, or is no such table.
    """
    names, rows = _read_cells(path)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    typed = {name: _typed(cells, name, path) for name, cells in zip(names, columns, strict=True)}
    return pd.DataFrame(typed, columns=names)


def read_texts(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of `write_table` with every value as text: numbers as they stand there, missing values empty.

    Raises
    ------
    nontrivial.files.DamagedFile
        If the file is not what was written, or is no such table.
    """
    names, rows = _read_cells(path)
    return pd.DataFrame([list(map(_text, row)) for row in rows], columns=names, dtype="str")


def join_tables(path: str | os.PathLike[str], tables: Iterable[pd.DataFrame]) -> None:
    """Write the rows of several tables that have the same columns, in their order, as `write_table` writes one.

    Each table is asked for when those before it are written, so that memory stays that of one.

    Raises
    ------
    ValueError
        If a table has other columns than the first.
    """
    digest = hashlib.sha256()
    with atomic_path(path) as temporary, temporary.open("wb") as joined:
        for line in _lines(tables):
            digest.update(line)
            joined.write(line)
    write_digest(path, digest.hexdigest())


def is_number(text: str) -> bool:
    """Tell whether a text is a number as `write_table` writes one.

    Examples
    --------
    >>> [is_number(text) for text in ("-0.5", "1e-09", "1_0", "nan", "007", " 1")]
    [True, True, False, False, False, False]
    """
    return _NUMBER.fullmatch(text) is not None


def no_formula(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet could take it for a formula.

    Examples
    --------
    >>> [no_formula(text) for text in ("=1+1", "-0.5", "'quoted'", "a-b")]
    ["'=1+1", '-0.5', "''quoted'", 'a-b']
    """
    return f"'{text}" if _RISKY.match(text) and not _EXACT.fullmatch(text) else text


def _lines(tables: Iterable[pd.DataFrame]) -> Iterator[bytes]:
    first = None
    for number, table in enumerate(tables, start=1):
        names = list(table.columns)
        if first is None:
            first = names
            yield _line(list(map(_written_text, names)))
        elif names != first:
            raise ValueError(f"Table {number} has other columns than the first; all must have the same.")
        columns = [_written(column) for _, column in table.items()]
        yield from map(_line, zip(*columns, strict=True))


def _line(cells: Sequence[str]) -> bytes:
    return (",".join(cells) + "\n").encode()


def _written(column: pd.Series) -> list[str]:
    """Return a column's cells; a column of several kinds of values is one of texts."""
    cells = list(zip(column, column.isna().tolist(), strict=True))
    there = [value for value, missing in cells if not missing]
    truths = [isinstance(value, (bool, np.bool_)) for value in there]
    numbers = [isinstance(value, (int, float, np.number)) for value in there]
    bare = all(truths) or (all(numbers) and not any(truths))
    write = _written_value if bare else _written_text
    return ["" if missing else write(value) for value, missing in cells]


def _written_value(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, (float, np.floating)) else str(value)


def _written_text(value: Any) -> str:
    text = no_formula(_written_value(value))
    if not text or text in _BOOLS or is_number(text) or re.search(r'[",\r\n]', text):
        text = '"' + text.replace('"', '""') + '"'
    return text


def _read_cells(path: str | os.PathLike[str]) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and the cells of each row as they stand in the file."""
    content = Path(path).read_bytes()
    check_digest(path, hashlib.sha256(content).hexdigest())
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedFile(path, "it is not UTF-8") from None
    rows: list[list[str]] = [[]]
    place = 0
    while place < len(text):
        cell = _CELL.match(text, place)
        if cell is None:
            raise DamagedFile(path, f"row {len(rows) - 1} is cut off or has a quote that is out of place")
        rows[-1].append(cell[1])
        place = cell.end()
        if cell[2] == "\n":
            if len(rows[-1]) != len(rows[0]):
                raise DamagedFile(
                    path, f"row {len(rows) - 1} has {len(rows[-1])} of the {len(rows[0])} columns"
                )
            rows.append([])
    if rows.pop() or not rows:
        raise DamagedFile(path, "it ends within a row" if rows else "it is empty")
    return list(map(_text, rows[0])), rows[1:]


def _text(cell: str) -> str:
    text = cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
    return text.removeprefix("'")


def _typed(cells: Sequence[str], name: str, path: str | os.PathLike[str]) -> pd.Series:
    kinds = [_kind(cell) for cell in cells]
    counts = Counter(kind for kind in kinds if kind)
    if len(counts) > 1:
        odd = kinds.index(min(counts, key=counts.__getitem__))
        raise DamagedFile(
            path, f"row {odd + 1} has {cells[odd]} in the column {name} of {counts.most_common(1)[0][0]}s"
        )
    match next(iter(counts), None):
        case "text":
            return pd.Series([_text(cell) if cell else None for cell in cells], dtype="str")
        case "truth value":
            return pd.Series(list(map(_BOOLS.get, cells)), dtype="boolean" if None in kinds else "bool")
        case "number" if all(map(_WHOLE.fullmatch, cells)):
            return pd.Series(list(map(int, cells)))
        case _:
            return pd.Series([float(cell or "nan") for cell in cells], dtype="float64" if cells else "object")


def _kind(cell: str) -> str | None:
    """Return the kind of value that a cell says it is; None if it is missing."""
    if not cell:
        return None
    return "truth value" if cell in _BOOLS else "number" if is_number(cell) else "text"
