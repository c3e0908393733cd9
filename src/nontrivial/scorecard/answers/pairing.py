"""The models that the rows of a file belong to, and the rows of several models that are the same case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Ints, Mask
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.cases import is_in_blocks, match_cases
from nontrivial.reading.options import NO_COLUMN, ROW_ORDER
from nontrivial.terminal import listed

MAX_MODELS = 100
Pairing = Literal["case_numbers", "order_of_rows"]
Unpaired = Literal["divided", "case_numbers", "number_of_cases", "truth", "weights", "groups"]


@dataclass(frozen=True)
class AlignedAnswers:
    """The answers of models, with the same cases in the same order, or why they are not the same."""

    members: tuple[Any, ...]
    pairing: Pairing | None = None
    unpaired: Unpaired | None = None


class RowGroups(NamedTuple):
    """The index of each row's group, and the names of the groups; no names if all rows are one group."""

    indices: Ints
    names: tuple[str, ...] = ()


class Division(NamedTuple):
    """The models and the subgroups that the rows of a file belong to."""

    models: RowGroups
    parts: RowGroups | None
    notes: tuple[str, ...] = ()


def divide_rows(
    file: str,
    by: Sequence[str],
    names: Mapping[str, pd.Categorical],
    model_columns: Sequence[str],
    cases: Sequence[Ints],
    truth: NDArray[Any],
    *,
    is_settled: bool,
) -> Division:
    """Divide the rows of a file among models and subgroups.

    A column that the user names in `by` holds models if it is one of `model_columns`, which have usual names of models,
    or if its values repeat the same `cases`; otherwise it makes subgroups. A column with a usual name that the user
    does not name holds models if all of them have the same cases; otherwise UnsettledError asks, unless `is_settled`.
    """
    models = [name for name in by if name in model_columns]
    parts = [name for name in by if name not in models]
    if parts and cases and not models and _have_same_cases(_group_rows(file, parts, names), cases, truth):
        models, parts = parts, []
    usual = [name for name in model_columns if name not in by and len(names[name].categories) > 1]
    notes = []
    if usual and not models and not is_settled:
        if len(usual) > 1:
            raise UnsettledError(
                f"{file} has {len(usual)} columns that may name the models: {quoted(usual)}",
                *({"by": [*by, name]} for name in usual),
            )
        name, n_models = usual[0], len(names[usual[0]].categories)
        groups = RowGroups(names[name].codes, tuple(names[name].categories))
        if n_models > MAX_MODELS or not _have_same_cases(groups, cases, truth):
            raise UnsettledError(
                f"The {n_models:,} values of {name!r} in {file} do not have the same cases, so they may be models or "
                "not",
                *([{"by": [*by, name]}] if by else [{"by": name}, {"by": NO_COLUMN}]),
            )
        models, notes = usual, [f"The {n_models} values of {name!r} are models, with the same cases."]
    return Division(
        _group_rows(file, models, names) if models else RowGroups(np.zeros(len(truth), dtype=np.int64)),
        _group_rows(file, parts, names) if parts else None,
        tuple(notes),
    )


def _have_same_cases(groups: RowGroups, cases: Sequence[Ints], truth: NDArray[Any]) -> bool:
    """Tell whether groups have the same case numbers or, without such numbers, the same truth in the same order."""
    n_groups = len(groups.names)
    if n_groups < 2 or groups.indices.min() < 0:
        return False
    if cases:
        return any(
            (pd.Series(groups.indices).groupby(numbers).nunique() == n_groups).all() for numbers in cases
        )
    truths = [truth[groups.indices == index] for index in range(n_groups)]
    return all(np.array_equal(truths[0], of_group) for of_group in truths)


def _group_rows(file: str, by: Sequence[str], names: Mapping[str, pd.Categorical]) -> RowGroups:
    """Group rows by the values of columns."""
    rows = pd.DataFrame({name: names[name] for name in by}).groupby(list(by), observed=True)
    if rows.ngroups > MAX_MODELS:
        raise ValueError(
            f"{quoted(by)} of {file} make {rows.ngroups:,} models; at most {MAX_MODELS} are scored at once."
        )
    values = list(rows.size().index)
    if len(by) > 1:
        values = [", ".join(map("{} {}".format, by, row)) for row in values]
    return RowGroups(rows.ngroup().to_numpy(), tuple(map(str, values)))


def split_models(member: Any, division: Division, by: Sequence[str]) -> list[Any]:
    """Return the answers of each model of a file; a model with one true class or value is left out with a note."""
    if division.parts is not None:
        member = replace(member, parts=division.parts.indices, part_names=division.parts.names)
    if not division.models.names:
        return [member]
    constant, models = [], []
    for index, name in enumerate(division.models.names):
        model_name = f"{name}, {member.model}" if member.model else name
        model = member.select_cases(division.models.indices == index, model=model_name)
        if is_constant(model.truth):
            constant.append(name)
        else:
            models.append(model)
    if not models:
        raise ValueError(
            f"Each value of {quoted(by)} in {member.name} has one true class or value only; two or more are needed."
        )
    note = f"Not scored, because all their cases have the same true class or value: {listed(constant)}."
    return [model.with_notes(note) for model in models] if constant else models


def is_constant(values: NDArray[Any]) -> bool:
    """Tell whether all values are the same."""
    return not (values != values[:1]).any()


def align_cases(members: Sequence[Any], *, named: str | None, are_same_rows: bool) -> AlignedAnswers:
    """Bring the cases of models into the same order, and leave out those that lack a value of any model.

    A column that all models have, with the same values and each once, decides. Without one, the order of the rows does
    if the truths agree: if they are sorted or in blocks, only if the user confirms it with ``--id row``. The models
    `are_same_rows` if one file has their answers beside each other.
    """
    if len(members) == 1:
        return AlignedAnswers((drop_uncounted(drop_incomplete(members[0])),))
    place = listed(dict.fromkeys(member.name for member in members))
    same = match_cases(
        [member.keys if not are_same_rows and named != ROW_ORDER else {} for member in members],
        members[0].case,
        place,
        is_named=named is not None and named != ROW_ORDER,
    )
    if same.differs:
        return _leave_unpaired(members, "case_numbers")
    if len({len(member.truth) for member in members}) > 1:
        return _leave_unpaired(members, "number_of_cases")
    ordered = list(members)
    if same.rows is not None:
        ordered = [member.select_cases(rows) for member, rows in zip(members, same.rows, strict=True)]
    # A case that lacks a value of one model is left out of all.
    incomplete = [member.is_incomplete for member in ordered if member.is_incomplete is not None]
    left_out = np.any(incomplete, axis=0) if incomplete else None
    complete = [drop_incomplete(member, left_out) for member in ordered]
    if not _are_equal(complete, "truth"):
        if same.column is None:
            return _leave_unpaired(members, "truth")
        raise UnsettledError(
            f"By {same.column!r}, rows of {place} are the same case, but their truths differ",
            *([{"id": ROW_ORDER}] if _are_equal(members, "truth") else []),
            {"id": ANY_COLUMN},
        )
    if same.column is None and not are_same_rows and named != ROW_ORDER and is_in_blocks(complete[0].truth):
        raise UnsettledError(
            f"The truth of {place} is sorted or in blocks, and no column numbers the cases, so nothing shows that "
            "their rows are in the same order; name the column that numbers the cases, or confirm the order",
            {"id": ANY_COLUMN},
            {"id": ROW_ORDER},
        )
    if not _are_equal(complete, "weights"):
        return _leave_unpaired(members, "weights")
    if not _are_equal(complete, "groups"):
        return _leave_unpaired(members, "groups")
    pairing: Pairing = "order_of_rows" if same.column is None else "case_numbers"
    return AlignedAnswers(tuple(map(drop_uncounted, complete)), pairing)


def _leave_unpaired(members: Sequence[Any], reason: Unpaired) -> AlignedAnswers:
    counted = tuple(drop_uncounted(drop_incomplete(member)) for member in members)
    return AlignedAnswers(counted, unpaired=reason)


def _are_equal(members: Sequence[Any], field: str) -> bool:
    """Tell whether all models have the same array in a field, or all have none."""
    arrays = [getattr(member, field) for member in members]
    if arrays[0] is None:
        return all(array is None for array in arrays)
    return all(np.array_equal(arrays[0], array) for array in arrays)


def drop_incomplete(member: Any, left_out: Mask | None = None) -> Any:
    """Leave out the cases that lack a value, or the given ones."""
    left_out = member.is_incomplete if left_out is None else left_out
    return member if left_out is None else _leave_out(member, left_out, "a value is missing")


def _leave_out(member: Any, left_out: Mask, reason: str) -> Any:
    """Leave out cases with a note; if all others have one truth, raise an error."""
    n_left_out = np.count_nonzero(left_out)
    if not n_left_out:
        return replace(member, is_incomplete=None)
    rest = member.select_cases(~left_out, is_incomplete=None)
    if is_constant(rest.truth):
        raise ValueError(
            f"The cases of {member.name} all have the same truth, once {n_left_out:,} are left out, as {reason}; two "
            "classes or values are needed."
        )
    return rest.with_notes(f"Cases left out, as {reason}: {n_left_out:,} of {len(left_out):,}.")


def drop_uncounted(member: Any) -> Any:
    """Leave out cases of weight 0, weights that are all equal, and groups of one case each."""
    if member.weights is not None:
        member = _leave_out(member, member.weights == 0, "they have weight 0")
        if np.allclose(member.weights, member.weights[0], rtol=1e-9, atol=0):
            member = replace(member, weights=None).with_notes(
                "All weights above 0 are equal, so each case counts once. Intervals and tests assume the same of other "
                "cases."
            )
    if member.groups is not None and len(np.unique(member.groups)) == len(member.groups):
        member = replace(member, groups=None).with_notes(
            "Each group has one case, so groups are ignored. Intervals and tests assume the same of other groups."
        )
    return member
