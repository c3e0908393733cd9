"""Data sets in sparse ARFF, where a row names only the cells that are not 0 or the first value of their column.

The package openml gives such sets in single precision, with codes in place of labels and without the rows and columns
at the end that name no cell. Here they are what they would be in full.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.data.openml.strict_arff import arff


def read_sparse(text: str, leave_out: Collection[str] = (), most_cells: float = math.inf) -> pd.DataFrame:
    """Read sparse ARFF as a table of all its cells.

    Parameters
    ----------
    text : str
    leave_out : collection of str
        Columns that are not wanted.
    most_cells : float
        How many cells the table may have.

    Returns
    -------
    DataFrame
        Numbers as float64, labels as texts, missing cells as NaN.

    Raises
    ------
    arff.ArffException
        If it cannot be read.
    ValueError
        If it has too many cells.

    Examples
    --------
    >>> text = "@relation r\\n@attribute a numeric\\n@attribute b {no,yes}\\n@data\\n{0 1.5, 1 yes}\\n{ }\\n"
    >>> read_sparse(text)
         a    b
    0  1.5  yes
    1  0.0   no
    """
    content = arff.loads(text, return_type=arff.LOD)
    rows = content["data"]
    if len(rows) * len(content["attributes"]) > most_cells:
        raise ValueError(
            f"it has {len(rows):,} rows of {len(content['attributes']):,} cells, too many to read"
        )
    columns: dict[int, np.ndarray] = {
        place: np.full(len(rows), _omitted(kind), dtype=float if _is_number(kind) else object)
        for place, (name, kind) in enumerate(content["attributes"])
        if name not in leave_out
    }
    for number, row in enumerate(rows):
        for place in row.keys() & columns.keys():
            columns[place][number] = np.nan if row[place] is None else row[place]
    return pd.DataFrame({content["attributes"][place][0]: column for place, column in columns.items()})


def _is_number(kind: Any) -> bool:
    return kind in ("NUMERIC", "REAL", "INTEGER")


def _omitted(kind: Any) -> Any:
    """Return what a cell holds that a row does not name."""
    if isinstance(kind, list):
        return kind[0]
    return 0.0 if _is_number(kind) else ""
