"""The gate through which the study's tables are written: each is checked against what `columns` says of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial_study.csv_tables import join_tables
from nontrivial_study.experiments.columns import column_names, layouts


def write_result(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Check a table by the name of its file, and write it as `nontrivial_study.csv_tables.write_table` does.

    Raises
    ------
    ValueError
        As `check_table` does.
    """
    join_results(path, [table])


def join_results(path: str | os.PathLike[str], tables: Iterable[pd.DataFrame]) -> None:
    """Check tables by the name of their file, and write their rows as `nontrivial_study.csv_tables.join_tables` does.

    Raises
    ------
    ValueError
        As `check_table` does; then nothing is written.
    """

    def checked() -> Iterator[pd.DataFrame]:
        for table in tables:
            check_table(Path(path).stem, table)
            yield table

    join_tables(path, checked())


def check_table(name: str, table: pd.DataFrame) -> None:
    """Refuse a table that is not what is said of it.

    Parameters
    ----------
    name : str
        Of a table of the study, or of a figure that has numbers.
    table : DataFrame

    Raises
    ------
    ValueError
        If there is no such table, the columns are others or in another order, or a row has a value that its column may
        not hold. Rows count from 1.

    Examples
    --------
    >>> row = {"example": "exam", "who": "Bob", "error": 1.7, "trivial_error": 0.5}
    >>> row |= {"stated_advantage": "negative", "advantage": -2.4, "exact": "-12/5"}
    >>> check_table("exam", pd.DataFrame([row]))
    Traceback (most recent call last):
    ValueError: Table exam, row 1, column error: 1.7 is not allowed; it must be a number in [0, 1].
    """
    if name not in layouts():
        raise ValueError(f"Table {name} is not known; columns.yaml must describe it.")
    for place, (found, right) in enumerate(zip_longest(table.columns, column_names(name)), start=1):
        if found != right:
            found, right = ("no column" if one is None else f"the column {one}" for one in (found, right))
            raise ValueError(f"Table {name}, place {place}: {found} is not allowed; it must be {right}.")
    for column in layouts()[name].columns:
        values = table[column.name]
        for place in np.flatnonzero(~column.allows(values))[:1]:
            value = values.iloc[place]
            given = "a missing value" if pd.isna(value) else repr(value) if isinstance(value, str) else value
            raise ValueError(
                f"Table {name}, row {place + 1}, column {column.name}: {given} is not allowed; "
                f"it must be {column.allowed}."
            )
