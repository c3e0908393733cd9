"""Which rows are one case, which rows are of which model, and which rows of two models are the same case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Ints
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.roles import quoted

NONE = "none"  # as the name of a group: rows are independent
ROW = "row"  # as the name of the case: the order of the rows tells the cases


@dataclass(frozen=True)
class RowColumns:
    """What tells the rows of a file apart: columns of whole numbers, equal for equal cells, by their names."""

    file: str
    truth: NDArray[Any]
    cases: Mapping[str, Ints]
    repeats: Mapping[str, Ints]  # without the folds
    folds: Mapping[str, Ints]
    tuning: Mapping[str, Ints]
    is_named: bool = False  # whether the user named the column of case numbers

    @property
    def tests(self) -> dict[str, Ints]:
        """The columns over which a case may recur: repeats, resamples and folds."""
        return {**self.repeats, **self.folds}


class CaseGroups(NamedTuple):
    """The column that groups the rows of a case, if cases recur, and what a reader must know of it."""

    column: str | None = None
    note: str = ""


def group_cases(rows: RowColumns, model: Ints) -> CaseGroups:
    """Return the column of case numbers that groups rows, if the rows of a model repeat cases over repeats.

    `model` is the place of the model of each row.

    Raises
    ------
    UnsettledError
        If rows may be of several models, or may be dependent, and no column settles it.
    """
    tested = varying({**rows.tuning}, model)
    recurring = {name: numbers for name, numbers in rows.cases.items() if recur(numbers, model)}
    are_believed = rows.is_named or any(
        _are_places_of_data(numbers, model) for numbers in rows.cases.values()
    )
    if not recurring and not (rows.cases and are_believed):
        if repeats := varying(rows.repeats, model):
            raise UnsettledError(
                f"{rows.file} has several values of {quoted(repeats)} and no column that numbers the cases in all of "
                "them, so its rows may be of the same cases",
                {"id": ANY_COLUMN},
                {"group": NONE},
            )
        if tested and not rows.cases:
            _refuse_tuning(rows.file, tested)
        return CaseGroups()
    for numbers in recurring.values():
        if several := [name for name in tested if _differ_within(rows.tuning[name], model, numbers)]:
            _refuse_tuning(rows.file, several)
    for name, numbers in recurring.items():
        if not rows.tests or recur(numbers, model, *rows.tests.values()):
            _ask_who_repeats(rows, name, model, recurring)
    for name, numbers in recurring.items():
        if _differ_within(rows.truth, model, numbers):
            raise UnsettledError(
                f"Rows of {rows.file} with the same {name!r} differ in their truth, so they are not one case",
                {"group": name},
                {"group": NONE},
            )
    if not recurring:
        return CaseGroups()
    column = min(recurring, key=lambda name: len(np.unique(recurring[name])))
    over = quoted(varying(rows.tests, model) or rows.tests)
    return CaseGroups(
        column,
        f"Rows with the same {column!r} are one group, as cases recur over {over}; --group names another.",
    )


def _refuse_tuning(file: str, columns: Sequence[str]) -> None:
    raise UnsettledError(
        f"{file} has several values of {quoted(columns)}, so its rows seem to be of several models",
        {"by": list(columns)},
    )


def _ask_who_repeats(rows: RowColumns, name: str, model: Ints, recurring: Mapping[str, Ints]) -> None:
    """Stop if a case number recurs though nothing tells its rows apart, as for the visits of a patient."""
    within = f" within one value of {quoted(rows.tests)}" if rows.tests else ""
    settings: list[dict[str, Any]] = [{"group": name}, {"by": ANY_COLUMN}]
    unique = [each for each, numbers in rows.cases.items() if not recur(numbers, model, *rows.tests.values())]
    if unique and len(recurring) <= len(rows.cases):
        settings.append({"id": unique[0]})
    raise UnsettledError(
        f"Values of {name!r} in {rows.file} recur{within}; if the rows are of one subject, they are one group; if they "
        "are of several models, name the column of the models",
        *settings,
    )


def _are_places_of_data(numbers: Ints, model: Ints) -> bool:
    """Tell whether numbers name all rows of the data in another order, as tools of cross-validation write them.

    Numbers in the order of the file may only count its rows, and others may be new for each test of a case.
    """
    for of_model in (numbers[model == place] for place in np.unique(model)):
        is_whole = int(of_model.max()) - int(of_model.min()) + 1 == len(of_model)
        if not is_whole or (np.diff(of_model) > 0).all():
            return False
    return True


def varying(columns: Mapping[str, Ints], model: Ints) -> list[str]:
    """Return the names of the columns that have several values within a model."""
    return [name for name, values in columns.items() if _differ_within(values, model)]


def recur(*columns: Ints) -> bool:
    """Tell whether several rows have the same values in all columns."""
    first, *others = columns
    others = [each for each in others if (each != each[:1]).any()]
    if not others:
        return not pd.Index(first).is_unique
    return bool(pd.DataFrame(dict(enumerate([first, *others]))).duplicated().any())


def _differ_within(values: NDArray[Any], *columns: Ints) -> bool:
    """Tell whether rows with the same values in some columns differ in others."""
    codes = pd.DataFrame(dict(enumerate(columns))).groupby(list(range(len(columns))), sort=False).ngroup()
    _, first = np.unique(codes, return_index=True)
    return bool((values != values[first][codes.to_numpy()]).any())


def combine(*columns: Ints) -> Ints:
    """Return a number for each row that is the same for the same values in any file."""
    if len(columns) == 1:
        return columns[0]
    hashed = pd.util.hash_pandas_object(pd.DataFrame(dict(enumerate(columns))), index=False)
    return np.asarray(hashed).view(np.int64)


# Which rows of several models are the same case.


class SameCases(NamedTuple):
    """For each model the places of its rows in a common order, by a column; None if no column says so."""

    places: list[Ints] | None = None
    column: str | None = None
    differs: bool = False  # whether the case numbers differ


def match_cases(
    keys: Sequence[Mapping[str, Ints]], case: str | None, place: str, *, is_named: bool
) -> SameCases:
    """Find the rows of several models that are the same case, by a column that all have.

    Parameters
    ----------
    keys : sequence of mapping
        For each model, the columns that may number its cases.
    case : str or None
        The column of case numbers, if there is one; `is_named` says that the user named it.
    place : str
        What messages call the files.

    Raises
    ------
    UnsettledError
        If columns disagree about the cases.
    """
    shared = [name for name in keys[0] if all(name in each for each in keys)]
    shared = [case] if is_named and case is not None and case in shared else shared
    found: dict[str, list[Ints]] = {}
    for name in shared:
        numbers = [each[name] for each in keys]
        # A column that only counts the rows of each file says no more than their order, unless its name says so.
        counts_rows = all((np.diff(of_model) == 1).all() for of_model in numbers)
        if counts_rows and (name != case or not name):
            continue
        if (places := _places(numbers)) is not None:
            found[name] = places
    if case is not None and case in shared and case not in found:
        are_equal = all(np.array_equal(each[case], keys[0][case]) for each in keys)
        if is_named or not are_equal:
            return SameCases(differs=True)
    if not found:
        return SameCases()
    first = case if case is not None and case in found else next(iter(found))
    for other, places in found.items():
        if not all(map(np.array_equal, found[first], places)):
            raise UnsettledError(
                f"Columns {first!r} and {other!r} of {place} disagree on which rows are the same case",
                {"id": first},
                {"id": other},
            )
    return SameCases(found[first], first)


def _places(columns: Sequence[Ints]) -> list[Ints] | None:
    """Return the places of the values of the first column in each; None unless all have these, and each once."""
    indexes = [pd.Index(column) for column in columns]
    if not all(each.is_unique and len(each) == len(indexes[0]) for each in indexes):
        return None
    places: list[Ints] = [each.get_indexer(indexes[0]) for each in indexes]
    return places if all((each >= 0).all() for each in places) else None


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
