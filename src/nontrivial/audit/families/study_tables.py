"""Numbers read from the study's own tables."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from nontrivial.audit.found import Quantity, Unavailable
from nontrivial.audit.test import Test


def read_rows(
    path: Path, row: dict[str, str], columns: Sequence[str], *, name: str, exactly: int | None = None
) -> list[dict[str, str]] | Unavailable:
    """Read the rows of a CSV table that have given values, as text.

    Parameters
    ----------
    path : Path
    row : dict of str
        Columns and the values that a row must have.
    columns : sequence of str
        Columns that are needed.
    name : str
        The table, for the sentence.
    exactly : int, optional
        How many rows there may be, if there are any.

    Returns
    -------
    list of dict, or Unavailable
        Nothing is available of a study that has no such row.

    Raises
    ------
    ValueError
        If the table lacks a column or has another number of such rows.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        there = reader.fieldnames or []
        rows = list(reader)
    for column in (*row, *columns):
        if column not in there:
            raise ValueError(f"{name} has no column {column!r}; it has {', '.join(there)}.")
    matching = [line for line in rows if all(line[key] == value for key, value in row.items())]
    wanted = ", ".join(f"{key} = {value}" for key, value in row.items())
    if not matching:
        return Unavailable(f"{name} has no row with {wanted}.")
    if exactly is not None and len(matching) != exactly:
        raise ValueError(f"{name} has {len(matching)} rows with {wanted}; exactly {exactly} is allowed.")
    return matching


def table_number(
    results: Path,
    *,
    table: str,
    row: dict[str, str],
    column: str,
    interval: bool = False,
    ends: tuple[str, ...] | None = None,
    scope: dict[str, str] | None = None,
) -> Quantity | Unavailable:
    """Read one number of a CSV table under the results folder, exactly as its digits stand there.

    Parameters
    ----------
    results : Path
        The results folder.
    table : str
        Path of the table in it.
    row : dict of str
        Columns and the values that single out one row.
    column : str
        The column of the number.
    interval : bool
        Whether the columns of that name with ``_low`` and ``_high`` appended hold the ends of its interval.
    ends : tuple of two str, optional
        The columns that do, where they have other names.
    scope : dict of str
        Columns and the values they must have in that row for the claim to be about this study at all; with other
        values nothing is found.
    """
    low, high = ends or ((f"{column}_low", f"{column}_high") if interval else (column, column))
    rows = read_rows(results / table, row, (*(scope or {}), column, low, high), name=table, exactly=1)
    if isinstance(rows, Unavailable):
        return rows
    (line,) = rows
    for key, value in (scope or {}).items():
        if line[key] != value:
            return Unavailable(f"the claim is about {value} {key}, and {table} covers {line[key]}.")
    if not all(line[name] for name in (column, low, high)):
        return Unavailable(f"{table} leaves {column} empty there.")
    return Quantity(*(Fraction(line[name]) for name in (column, low, high)))


def check_ends(*, ends: tuple[str, ...] | None = None, **_: object) -> None:
    """Raise ValueError unless there are two ends."""
    if ends is not None and len(ends) != 2:
        raise ValueError(
            f"parameter 'ends' names {len(ends)} columns; the two of the lower and upper end are allowed."
        )


TESTS = {"table_number": Test(table_number, check=check_ends)}
