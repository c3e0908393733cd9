"""Which rows are one case, and which rows of several models are the same case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Ints
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.options import NO_COLUMN
from nontrivial.reading.roles import quoted

Numbered = Mapping[str, Ints]  # columns of whole numbers, equal for equal cells, by their names


@dataclass(frozen=True)
class RowColumns:
    """The columns that tell the rows of a file apart; `are_rows_of_data`: case numbers count the rows of the data."""

    file: str
    truth: NDArray[Any]
    cases: Numbered
    are_rows_of_data: bool
    repeats: Numbered  # without the folds
    folds: Numbered
    tuning: Numbered


def find_case_column(rows: RowColumns, model: Ints) -> str | None:
    """Return the column of case numbers if a model has several rows of a case, over repeats or folds; else None.

    `model` is the place of the model of each row. UnsettledError says that rows may be of several models, or may be
    dependent, and no column settles it.
    """
    recurring = {name: numbers for name, numbers in rows.cases.items() if recur(numbers, model)}
    settings = [] if rows.cases else varying(rows.tuning, model)
    for numbers in recurring.values():
        settings = settings or varying(rows.tuning, model, numbers)
    if settings:
        raise UnsettledError(
            f"{rows.file} has several values of {quoted(settings)}, so its rows seem to be of several models",
            {"by": settings},
        )
    repeats = varying(rows.repeats, model)
    if repeats and not recurring and not (rows.cases and rows.are_rows_of_data):
        raise UnsettledError(
            f"{rows.file} has several values of {quoted(repeats)} and no column that numbers the cases in all of "
            "them, so its rows may be of the same cases",
            {"id": next(iter(rows.cases), ANY_COLUMN)},
            {"group": NO_COLUMN},
        )
    tests = {**rows.repeats, **rows.folds}
    unique = [name for name in rows.cases if name not in recurring]
    for name, numbers in recurring.items():
        if recur(numbers, model, *tests.values()):
            within = f" within one value of {quoted(tests)}" if tests else ""
            raise UnsettledError(
                f"Values of {name!r} in {rows.file} recur{within}; if the rows are of one subject, they are one group; "
                "if they are of several models, name the column of the models",
                {"group": name},
                {"by": ANY_COLUMN},
                *({"id": other} for other in unique[:1]),
            )
    for name, numbers in recurring.items():
        if _differ_within(rows.truth, model, numbers):
            raise UnsettledError(
                f"Rows of {rows.file} with the same {name!r} differ in their truth, so they are not one case",
                {"group": name},
                {"group": NO_COLUMN},
            )
    return min(recurring, key=lambda name: len(np.unique(recurring[name])), default=None)


def varying(columns: Numbered, *within: Ints) -> list[str]:
    """Return the names of the columns that differ between rows with the same values in others."""
    return [name for name, values in columns.items() if _differ_within(values, *within)]


def _differ_within(values: NDArray[Any], *within: Ints) -> bool:
    rows = pd.DataFrame(dict(enumerate(within)))
    places = rows.groupby(list(rows), sort=False).ngroup().to_numpy()  # of each combination of values
    _, first = np.unique(places, return_index=True)
    return bool((values != values[first][places]).any())


def recur(*columns: Ints) -> bool:
    """Tell whether several rows have the same values in all columns."""
    first, *others = columns
    others = [values for values in others if (values != values[:1]).any()]
    if not others:
        return not pd.Index(first).is_unique
    return bool(pd.DataFrame(dict(enumerate([first, *others]))).duplicated().any())


def combine(*columns: Ints) -> Ints:
    """Return a number for each row that is the same for the same values in any file."""
    if len(columns) == 1:
        return columns[0]
    hashed = pd.util.hash_pandas_object(pd.DataFrame(dict(enumerate(columns))), index=False)
    return np.asarray(hashed).view(np.int64)


class SameCases(NamedTuple):
    """For each model the places of its rows in a common order, by a column; None if no column says so."""

    places: list[Ints] | None = None
    column: str | None = None
    differs: bool = False  # whether the case numbers differ


def match_cases(keys: Sequence[Numbered], case: str | None, place: str, *, is_named: bool) -> SameCases:
    """Find the rows of several models that are the same case, by a column that all have.

    `keys` are the columns that may number the cases of each model, and `case` is the column of case numbers, if there
    is one; `is_named` says that the user named it. `place` is what messages call the files. UnsettledError says that
    columns disagree about the cases.
    """
    shared = [name for name in keys[0] if all(name in of_model for of_model in keys)]
    if is_named and case is not None and case in shared:
        shared = [case]
    places_by: dict[str, list[Ints]] = {}
    for name in shared:
        numbers = [of_model[name] for of_model in keys]
        # A column that only counts the rows of each file says no more than their order, unless its name says so.
        counts_rows = all((np.diff(of_model) == 1).all() for of_model in numbers)
        places = None if counts_rows and (name != case or not name) else _places(numbers)
        if places is not None:
            places_by[name] = places
    if case is not None and case in shared and case not in places_by:
        are_equal = all(np.array_equal(of_model[case], keys[0][case]) for of_model in keys)
        if is_named or not are_equal:
            return SameCases(differs=True)
    if not places_by:
        return SameCases()
    first = case if case is not None and case in places_by else next(iter(places_by))
    for other, places in places_by.items():
        if not all(map(np.array_equal, places_by[first], places)):
            raise UnsettledError(
                f"Columns {first!r} and {other!r} of {place} disagree on which rows are the same case",
                {"id": first},
                {"id": other},
            )
    return SameCases(places_by[first], first)


def _places(columns: Sequence[Ints]) -> list[Ints] | None:
    """Return the places of the values of the first column in each; None unless all have these, and each once."""
    indexes = [pd.Index(column) for column in columns]
    if not all(index.is_unique and len(index) == len(indexes[0]) for index in indexes):
        return None
    places: list[Ints] = [index.get_indexer(indexes[0]) for index in indexes]
    return places if all((rows >= 0).all() for rows in places) else None


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
