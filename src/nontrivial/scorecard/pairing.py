"""Which rows are of which model, and which rows of several models are the same case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

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


@dataclass(frozen=True)
class Division:
    """The models that rows are of, and their subgroups: the place of each row, and the names in their order."""

    models: Ints
    model_names: tuple[str, ...] = ()
    parts: Ints | None = None
    part_names: tuple[str, ...] = ()
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

    A column that the user names in `by` holds models if it has a usual name of models, as `model_columns` have, or if
    its values repeat the same case numbers; otherwise it makes subgroups. A column with such a name that the user does
    not name holds models if all of them have the same cases; otherwise the user is asked, unless the rows are settled.
    """
    models = [name for name in by if name in model_columns]
    parts = [name for name in by if name not in models]
    if parts and cases and not models and _have_same_cases(_divide(file, parts, names).models, cases, truth):
        models, parts = parts, []
    usual = [name for name in model_columns if name not in by and len(names[name].categories) > 1]
    notes = []
    if usual and not models and not is_settled:
        if len(usual) > 1:
            raise UnsettledError(
                f"{file} has {len(usual)} columns that may name the models: {quoted(usual)}",
                *({"by": [*by, name]} for name in usual),
            )
        (name,), n_models = usual, len(names[usual[0]].categories)
        if n_models > MAX_MODELS or not _have_same_cases(names[name].codes, cases, truth):
            raise UnsettledError(
                f"The {n_models:,} values of {name!r} in {file} do not have the same cases, so "
                "they may be models or not",
                *([{"by": [*by, name]}] if by else [{"by": name}, {"by": NO_COLUMN}]),
            )
        models, notes = usual, [f"The {n_models} values of {name!r} are models, with the same cases."]
    division = _divide(file, models, names) if models else Division(np.zeros(len(truth), dtype=np.int64))
    if parts:
        subgroups = _divide(file, parts, names)
        division = replace(division, parts=subgroups.models, part_names=subgroups.model_names)
    return replace(division, notes=tuple(notes))


def _have_same_cases(places: Ints, cases: Sequence[Ints], truth: NDArray[Any]) -> bool:
    """Tell whether several parts have the same case numbers or, without any, the same truth in the same order."""
    n_parts = int(places.max()) + 1
    if n_parts < 2 or places.min() < 0:
        return False
    if cases:
        return any((pd.Series(places).groupby(numbers).nunique() == n_parts).all() for numbers in cases)
    first, *others = (truth[places == place] for place in range(n_parts))
    return all(np.array_equal(first, other) for other in others)


def _divide(file: str, by: Sequence[str], names: Mapping[str, pd.Categorical]) -> Division:
    """Return the models that the values of columns make."""
    rows = pd.DataFrame({name: names[name] for name in by}).groupby(list(by), observed=True)
    if rows.ngroups > MAX_MODELS:
        raise ValueError(
            f"{quoted(by)} of {file} make {rows.ngroups:,} models; at most {MAX_MODELS} are scored at once."
        )
    values = list(rows.size().index)
    if len(by) > 1:
        values = [", ".join(map("{} {}".format, by, row)) for row in values]
    return Division(rows.ngroup().to_numpy(), tuple(map(str, values)))


def split_models(member: Any, division: Division, by: Sequence[str]) -> list[Any]:
    """Divide the rows of a file; models with one true class or value are left out with a note."""
    if division.parts is not None:
        member = replace(member, parts=division.parts, part_names=division.part_names)
    if not division.model_names:
        return [member]
    alone, models = [], []
    for place, name in enumerate(division.model_names):
        model_name = f"{name}, {member.model}" if member.model else name
        model = member.select_cases(division.models == place, model=model_name)
        if is_constant(model.truth):
            alone.append(name)
        else:
            models.append(model)
    if not models:
        raise ValueError(
            f"Each value of {quoted(by)} in {member.name} has one true class or value only; two or more are needed."
        )
    note = f"Not scored, because all their cases have the same true class or value: {listed(alone)}."
    return [model.noted(note) for model in models] if alone else models


def is_constant(values: NDArray[Any]) -> bool:
    """Tell whether all values are the same."""
    return not (values != values[:1]).any()


def align_cases(members: Sequence[Any], *, named: str | None, are_same_rows: bool) -> AlignedAnswers:
    """Bring the cases of models into the same order, and leave out those that lack a value of any model.

    A column that all models have, with the same values and each once, decides. Without one, the order of the rows does
    if the truths agree: if they are sorted or in blocks, only if the user confirms it with ``--id row``. The models
    `are_same_rows` if their answers stand beside each other.
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
        return _apart(members, "case_numbers")
    if len({len(member.truth) for member in members}) > 1:
        return _apart(members, "number_of_cases")
    ordered = list(members)
    if same.rows is not None:
        ordered = [member.select_cases(rows) for member, rows in zip(members, same.rows, strict=True)]
    # Cases that any of the models lacks are left out of all.
    lacking = [member.is_incomplete for member in ordered if member.is_incomplete is not None]
    absent = np.any(lacking, axis=0) if lacking else None
    complete = [drop_incomplete(member, absent) for member in ordered]
    if not _are_same(complete, "truth"):
        if same.column is None:
            return _apart(members, "truth")
        raise UnsettledError(
            f"By {same.column!r}, rows of {place} are the same case, but their truths differ",
            *([{"id": ROW_ORDER}] if _are_same(members, "truth") else []),
            {"id": ANY_COLUMN},
        )
    if same.column is None and not are_same_rows and named != ROW_ORDER and is_in_blocks(complete[0].truth):
        raise UnsettledError(
            f"The truth of {place} is sorted or in blocks, and no column numbers the cases, so nothing shows that "
            "their rows are in the same order; name the column that numbers the cases, or confirm the order",
            {"id": ANY_COLUMN},
            {"id": ROW_ORDER},
        )
    if not _are_same(complete, "weights"):
        return _apart(members, "weights")
    if not _are_same(complete, "groups"):
        return _apart(members, "groups")
    pairing: Pairing = "order_of_rows" if same.column is None else "case_numbers"
    return AlignedAnswers(tuple(map(drop_uncounted, complete)), pairing)


def _apart(members: Sequence[Any], reason: Unpaired) -> AlignedAnswers:
    return AlignedAnswers(
        tuple(drop_uncounted(drop_incomplete(member)) for member in members), unpaired=reason
    )


def _are_same(members: Sequence[Any], what: str) -> bool:
    first, *others = (getattr(member, what) for member in members)
    return all(np.array_equal(first, other) if first is not None else other is None for other in others)


def drop_incomplete(member: Any, absent: Mask | None = None) -> Any:
    """Leave out the cases that lack a value, or others."""
    absent = member.is_incomplete if absent is None else absent
    return member if absent is None else _without(member, absent, "a value is missing")


def _without(member: Any, absent: Mask, why: str) -> Any:
    """Leave out cases with a note; two classes or values must be left."""
    if not absent.any():
        return replace(member, is_incomplete=None)
    left = member.select_cases(~absent, is_incomplete=None)
    if is_constant(left.truth):
        raise ValueError(
            f"The cases of {member.name} all have the same truth, once {np.count_nonzero(absent):,} are left out, as "
            f"{why}; two classes or values are needed."
        )
    return left.noted(f"Cases left out, as {why}: {np.count_nonzero(absent):,} of {len(absent):,}.")


def drop_uncounted(member: Any) -> Any:
    """Leave out cases of weight 0, weights that are all equal, and groups of one case each."""
    if member.weights is not None:
        member = _without(member, member.weights == 0, "they have weight 0")
        if np.allclose(member.weights, member.weights[0], rtol=1e-9, atol=0):
            member = replace(member, weights=None).noted(
                "All weights above 0 are equal, so each case counts once. Intervals and tests assume the same of other "
                "cases."
            )
    if member.groups is not None and len(np.unique(member.groups)) == len(member.groups):
        member = replace(member, groups=None).noted(
            "Each group has one case, so groups are ignored. Intervals and tests assume the same of other groups."
        )
    return member
