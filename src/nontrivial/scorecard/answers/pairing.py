"""Which rows of several models are the same case, and which cases are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Ints, Mask
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.options import ROW_ORDER
from nontrivial.scorecard.answers.answers import Answers
from nontrivial.terminal import listed

Pairing = Literal["case_numbers", "order_of_rows"]
Unpaired = Literal["divided", "case_numbers", "number_of_cases", "truth", "weights", "groups"]


@dataclass(frozen=True)
class AlignedAnswers:
    """The answers of models to the same cases in the same order, or the reason why their cases are not the same."""

    members: tuple[Any, ...]
    pairing: Pairing | None = None
    unpaired: Unpaired | None = None


def is_constant(values: NDArray[Any]) -> bool:
    """Tell whether all values are the same."""
    return not (values != values[:1]).any()


def align_cases(members: Sequence[Any], *, named: str | None, are_same_rows: bool) -> AlignedAnswers:
    """Bring the cases of models into the same order, and leave out those that lack a value of any model.

    A column that all models have, with the same values and each once, pairs the cases. Without such a column, the order
    of the rows pairs the cases if the truths agree. If the truth is sorted or in blocks, the user must confirm the
    order with ``--id row``. The models `are_same_rows` if one file has their answers beside each other.
    """
    if len(members) == 1:
        return AlignedAnswers((drop_uncounted(drop_incomplete(members[0])),))
    place = listed(dict.fromkeys(answers.name for answers in members))
    needs_column = not are_same_rows and named != ROW_ORDER
    keys = [answers.keys if needs_column else {} for answers in members]
    same = _match_cases(keys, members[0].case, place, is_named=named not in (None, ROW_ORDER))
    if same.differs:
        return _leave_unpaired(members, "case_numbers")
    if len({len(answers.truth) for answers in members}) > 1:
        return _leave_unpaired(members, "number_of_cases")
    ordered = list(members)
    if same.rows is not None:
        ordered = [answers.select_cases(rows) for answers, rows in zip(members, same.rows, strict=True)]
    # A case that lacks a value of one model is left out of all.
    incomplete = [answers.is_incomplete for answers in ordered if answers.is_incomplete is not None]
    left_out = np.any(incomplete, axis=0) if incomplete else None
    complete = [drop_incomplete(answers, left_out) for answers in ordered]
    if not _are_equal(complete, "truth"):
        if same.column is None:
            return _leave_unpaired(members, "truth")
        raise UnsettledError(
            f"By {same.column!r}, rows of {place} are the same case, but their truths differ",
            *([{"id": ROW_ORDER}] if _are_equal(members, "truth") else []),
            {"id": ANY_COLUMN},
        )
    if same.column is None and needs_column and is_in_blocks(complete[0].truth):
        raise UnsettledError(
            f"The truth of {place} is sorted or in blocks, and no column numbers the cases, so nothing shows that "
            "their rows are in the same order; name the column that numbers the cases, or confirm the order",
            {"id": ANY_COLUMN},
            {"id": ROW_ORDER},
        )
    for field in ("weights", "groups"):
        if not _are_equal(complete, field):
            return _leave_unpaired(members, field)
    pairing: Pairing = "order_of_rows" if same.column is None else "case_numbers"
    return AlignedAnswers(tuple(map(drop_uncounted, complete)), pairing)


def _leave_unpaired(members: Sequence[Any], reason: Unpaired) -> AlignedAnswers:
    """Return the answers of each model to its own cases, and why they are not the same cases."""
    counted = tuple(drop_uncounted(drop_incomplete(answers)) for answers in members)
    return AlignedAnswers(counted, unpaired=reason)


def _are_equal(members: Sequence[Any], field: str) -> bool:
    """Tell whether all models have the same array in a field, or all have none."""
    arrays = [getattr(answers, field) for answers in members]
    if arrays[0] is None:
        return all(array is None for array in arrays)
    return all(np.array_equal(arrays[0], array) for array in arrays)


def drop_incomplete(answers: Answers, left_out: Mask | None = None) -> Any:
    """Leave out the cases that lack a value, or the given ones."""
    left_out = answers.is_incomplete if left_out is None else left_out
    return answers if left_out is None else _leave_out(answers, left_out, "a value is missing")


def _leave_out(answers: Answers, left_out: Mask, reason: str) -> Any:
    """Leave out cases with a note; if all others have one truth, raise an error."""
    n_left_out = np.count_nonzero(left_out)
    if not n_left_out:
        return replace(answers, is_incomplete=None)
    counted = answers.select_cases(~left_out, is_incomplete=None)
    if is_constant(counted.truth):
        raise ValueError(
            f"The cases of {answers.name} all have the same truth, once {n_left_out:,} are left out, as {reason}; two "
            "classes or values are needed."
        )
    return counted.with_notes(f"Cases left out, as {reason}: {n_left_out:,} of {len(left_out):,}.")


def drop_uncounted(answers: Answers) -> Any:
    """Leave out cases of weight 0, weights that are all equal, and groups of one case each."""
    if answers.weights is not None:
        answers = _leave_out(answers, answers.weights == 0, "they have weight 0")
        weights: Any = answers.weights
        if np.allclose(weights, weights[0], rtol=1e-9, atol=0):
            answers = replace(answers, weights=None).with_notes(
                "All weights above 0 are equal, so each case counts once. Intervals and tests assume the same of other "
                "cases."
            )
    if answers.groups is not None and len(np.unique(answers.groups)) == len(answers.groups):
        answers = replace(answers, groups=None).with_notes(
            "Each group has one case, so groups are ignored. Intervals and tests assume the same of other groups."
        )
    return answers


class SameCases(NamedTuple):
    """The rows of each model in a common order, and the column that shows this order; None without such a column.

    `differs` says that the case numbers of the models differ.
    """

    rows: list[Ints] | None = None
    column: str | None = None
    differs: bool = False


def _match_cases(keys: Sequence[Mapping[str, Ints]], case: str | None, place: str, *, is_named: bool) -> SameCases:
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
    """Return the rows that bring each column into the order of the first column; None if values differ or recur."""
    indexes = [pd.Index(column) for column in columns]
    if not all(index.is_unique and len(index) == len(indexes[0]) for index in indexes):
        return None
    rows: list[Ints] = [index.get_indexer(indexes[0]) for index in indexes]
    return rows if all((of_column >= 0).all() for of_column in rows) else None


def is_in_blocks(truth: NDArray[Any]) -> bool:
    """Tell whether equal labels stand together: in fewer than half the runs that are expected by chance."""
    _, counts = np.unique(truth, return_counts=True)
    n = len(truth)
    runs = 1 + np.count_nonzero(truth[1:] != truth[:-1])
    return bool(runs < (1 + n - (counts.astype(float) ** 2).sum() / n) / 2)
