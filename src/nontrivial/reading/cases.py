"""Which rows are one case, and which rows of several models are the same case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Ints
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.options import NO_COLUMN

NumberedColumns = Mapping[str, Ints]  # by their names, with equal numbers for equal cells


@dataclass(frozen=True)
class RowColumns:
    """The truth, and the columns of a file that tell its rows apart; they have the meaning that `Roles` gives them."""

    file: str
    truth: NDArray[Any]
    cases: NumberedColumns
    cases_count_rows: bool
    repeats: NumberedColumns
    folds: NumberedColumns
    tuning: NumberedColumns


def find_case_column(rows: RowColumns, models: Ints) -> str | None:
    """Return the column of case numbers if a model has several rows of a case, over repeats or folds; else None.

    `models` has the number of the model of each row. UnsettledError says that rows may be of several models, or may be
    dependent, and no column settles it.
    """
    recurring = {name: numbers for name, numbers in rows.cases.items() if has_duplicates(numbers, models)}
    settings = [] if rows.cases else _find_varying(rows.tuning, models)
    for numbers in recurring.values():
        settings = settings or _find_varying(rows.tuning, models, numbers)
    if settings:
        raise UnsettledError(
            f"{rows.file} has several values of {quoted(settings)}, so its rows seem to be of several models",
            {"by": settings},
        )
    repeats = _find_varying(rows.repeats, models)
    if repeats and not recurring and not (rows.cases and rows.cases_count_rows):
        raise UnsettledError(
            f"{rows.file} has several values of {quoted(repeats)} and no column that numbers the cases in all of "
            "them, so its rows may be of the same cases",
            {"id": next(iter(rows.cases), ANY_COLUMN)},
            {"group": NO_COLUMN},
        )
    tests = {**rows.repeats, **rows.folds}
    unique = [name for name in rows.cases if name not in recurring]
    for name, numbers in recurring.items():
        if has_duplicates(numbers, models, *tests.values()):
            within = f" within one value of {quoted(tests)}" if tests else ""
            raise UnsettledError(
                f"Values of {name!r} in {rows.file} recur{within}; if the rows are of one subject, they are one group; "
                "if they are of several models, name the column of the models",
                {"group": name},
                {"by": ANY_COLUMN},
                *({"id": column} for column in unique[:1]),
            )
    for name, numbers in recurring.items():
        if _has_several_values(rows.truth, models, numbers):
            raise UnsettledError(
                f"Rows of {rows.file} with the same {name!r} differ in their truth, so they are not one case",
                {"group": name},
                {"group": NO_COLUMN},
            )
    return next(iter(recurring), None)


def has_duplicates(*columns: Ints) -> bool:
    """Tell whether several rows have the same values in all columns."""
    return bool(pd.DataFrame(dict(enumerate(columns))).duplicated().any())


def _has_several_values(values: NDArray[Any], *within: Ints) -> bool:
    """Tell whether values differ between rows that are equal in all other columns."""
    first = pd.Series(values).groupby(list(within)).transform("first")
    return bool((first != values).any())


def _find_varying(columns: NumberedColumns, *within: Ints) -> list[str]:
    """Return the names of the columns whose values differ between rows that are equal in all others."""
    return [name for name, values in columns.items() if _has_several_values(values, *within)]


def combine(*columns: Ints) -> Ints:
    """Return a number for each row, equal for equal rows in any file."""
    if len(columns) == 1:
        return columns[0]
    hashes = pd.util.hash_pandas_object(pd.DataFrame(dict(enumerate(columns))), index=False)
    return np.asarray(hashes).view(np.int64)


class SameCases(NamedTuple):
    """For each model its rows in a common order, and the column that shows it; None if no column shows it.

    `differs` if the case numbers of the models differ.
    """

    rows: list[Ints] | None = None
    column: str | None = None
    differs: bool = False


def match_cases(
    keys: Sequence[NumberedColumns], case: str | None, place: str, *, is_named: bool
) -> SameCases:
    """Find the rows of several models that are the same case, by a column that all have.

    `keys` are the columns of each model that may number the cases. `case` is the column with a usual name of case
    numbers, if there is one, or the one that the user named, if `is_named`. Messages call the files by their `place`.
    UnsettledError says that columns disagree about the cases.
    """
    shared = [name for name in keys[0] if all(name in columns for columns in keys)]
    if is_named and case is not None and case in shared:
        shared = [case]
    rows_by_column: dict[str, list[Ints]] = {}
    for name in shared:
        numbers = [columns[name] for columns in keys]
        # A column that only counts the rows of each file shows no more than their order, unless its name says more.
        only_counts = all((np.diff(column) == 1).all() for column in numbers)
        rows = None if only_counts and (name != case or not name) else _match_rows(numbers)
        if rows is not None:
            rows_by_column[name] = rows
    if case is not None and case in shared and case not in rows_by_column:
        are_equal = all(np.array_equal(columns[case], keys[0][case]) for columns in keys)
        if is_named or not are_equal:
            return SameCases(differs=True)
    if not rows_by_column:
        return SameCases()
    chosen = case if case is not None and case in rows_by_column else next(iter(rows_by_column))
    for name, rows in rows_by_column.items():
        if not all(map(np.array_equal, rows_by_column[chosen], rows)):
            raise UnsettledError(
                f"Columns {chosen!r} and {name!r} of {place} disagree on which rows are the same case",
                {"id": chosen},
                {"id": name},
            )
    return SameCases(rows_by_column[chosen], chosen)


def _match_rows(columns: Sequence[Ints]) -> list[Ints] | None:
    """Return the rows of each column in the order of the first; None if their values differ or recur."""
    indexes = [pd.Index(column) for column in columns]
    if not all(index.is_unique and len(index) == len(indexes[0]) for index in indexes):
        return None
    rows: list[Ints] = [index.get_indexer(indexes[0]) for index in indexes]
    return rows if all((of_column >= 0).all() for of_column in rows) else None


def is_in_blocks(truth: NDArray[Any]) -> bool:
    """Tell whether equal labels stand together: in fewer than half the runs that are expected by chance.

    Examples
    --------
    >>> is_in_blocks(np.repeat([0, 1], 4)), is_in_blocks(np.tile([0, 1], 4))
    (True, False)
    """
    _, counts = np.unique(truth, return_counts=True)
    n = len(truth)
    runs = 1 + np.count_nonzero(truth[1:] != truth[:-1])
    return bool(runs < (1 + n - (counts.astype(float) ** 2).sum() / n) / 2)
