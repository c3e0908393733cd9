"""Numbers read from the study's own tables."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from nontrivial.audit.found import Quantity, Unavailable
from nontrivial.audit.test import Test


def table_number(
    results: Path,
    *,
    table: str,
    row: dict[str, str],
    column: str,
    interval: bool = False,
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
    scope : dict of str
        Columns and the values they must have in that row for the claim to be about this study at all; with other
        values nothing is found.
    """
    with (results / table).open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        columns = reader.fieldnames or []
        rows = list(reader)
    low, high = (f"{column}_low", f"{column}_high") if interval else (column, column)
    for name in (*row, *(scope or {}), column, low, high):
        if name not in columns:
            raise ValueError(f"{table} has no column {name!r}; it has {', '.join(columns)}.")
    matching = [line for line in rows if all(line[key] == value for key, value in row.items())]
    if len(matching) != 1:
        wanted = ", ".join(f"{key} = {value}" for key, value in row.items())
        raise ValueError(f"{table} has {len(matching)} rows with {wanted}; exactly one is allowed.")
    line = matching[0]
    for key, value in (scope or {}).items():
        if line[key] != value:
            return Unavailable(f"the claim is about {value} {key}, and {table} covers {line[key]}.")
    if not line[column]:
        return Unavailable(f"{table} leaves {column} empty there.")
    return Quantity(*(Fraction(line[name]) for name in (column, low, high)))


TESTS = {"table_number": Test(table_number)}
