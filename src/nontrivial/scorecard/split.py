"""Which rows are the cases of which model, and whether two models have the same cases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.columns import MODEL, Columns
from nontrivial.terminal import listed

MOST_MODELS = 100
Pairing = Literal["case_numbers", "order_of_rows"]
_Compared = Literal["truth", "weights", "groups"]
Unpaired = Literal["divided", "case_numbers", "number_of_cases", _Compared]
Encoded = Mapping[str, tuple[Ints, list[str]]]


def split(members: Sequence[Any], codes: Encoded, columns: Columns) -> list[Any]:
    """Divide the rows of a file among models by a column, or note that all count as one test of one model.

    Parameters
    ----------
    members : sequence of Predictions or of Forecasts
        The answers of all rows of a file.
    codes : mapping of str to (int array of shape (n,), list of str)
        For columns that divide rows: the place of the name of each row, and the names.
    columns : Columns

    Raises
    ------
    ValueError
        If there are too many models.
    """
    numbered = None
    if columns.case:
        places, names = codes[columns.case]
        if (places >= 0).all():
            numbered = pd.util.hash_array(np.array(names, dtype=object)).view(np.int64)[places]
    members = [replace(member, cases=numbered) for member in members]
    by, notes = columns.by, []
    models = [name for name in columns.model if _are_models(*codes[name])]
    if len(models) > 1:
        raise ValueError(
            f"{members[0].name} has {len(models)} columns that may name the models: {_quoted(models)}; name one of "
            "them with --by."
        )
    if models:
        by = (models[0],)
        notes.append(
            f"Column {models[0]!r} has {len(codes[models[0]][1])} values with the same number of rows each, so "
            "they are taken for models; --by names other columns."
        )
    if not by:
        pooled = [name for name in (*columns.model, *columns.parts) if len(codes[name][1]) > 1]
        if pooled:
            notes.append(
                f"All rows are pooled as cases of one model, whatever their values of {_quoted(pooled)}; --by scores "
                "them separately."
            )
        if (
            columns.case
            and columns.group is None
            and len(codes[columns.case][1]) < len(codes[columns.case][0])
        ):
            notes.append(
                f"Values of {columns.case!r} occur in several rows. If these rows are not independent, "
                f"--group {columns.case} takes them together."
            )
        return [replace(member, notes=(*member.notes, *notes)) for member in members]
    other = [name for name in columns.parts if name not in by and len(codes[name][1]) > 1]
    if other:
        notes.append(
            f"The rows of each model are pooled, whatever their values of {_quoted(other)}; --by can be given several "
            "times."
        )
    return [
        replace(part, model=f"{part.model}, {member.model}") if member.model else part
        for member in members
        for part in _parts(member, by, codes, (*member.notes, *notes))
    ]


def _are_models(places: Ints, names: list[str]) -> bool:
    counts = np.bincount(places + 1, minlength=len(names) + 1)
    return counts[0] == 0 and 1 < len(names) <= MOST_MODELS and len(set(counts[1:].tolist())) == 1


def _parts(member: Any, by: Sequence[str], codes: Encoded, notes: tuple[str, ...]) -> Iterator[Any]:
    key = np.zeros(len(member.truth), dtype=np.int64)
    for column in by:
        places, names = codes[column]
        key = key * len(names) + places
    keys = np.unique(key)
    if len(keys) > MOST_MODELS:
        raise ValueError(
            f"{_quoted(by)} of {member.name} make {len(keys):,} models; at most {MOST_MODELS} are scored at once."
        )
    order = np.argsort(key, kind="stable")
    bounds = [*np.searchsorted(key[order], keys, side="left").tolist(), len(order)]
    alone, parts = [], []
    for start, end in itertools.pairwise(bounds):
        rows = order[start:end]
        values = [codes[column][1][codes[column][0][rows[0]]] for column in by]
        name = values[0] if len(by) == 1 else ", ".join(map("{} {}".format, by, values))
        if (member.truth[rows] == member.truth[rows[0]]).all():
            alone.append(name)
        else:
            parts.append(member.only(rows, model=name))
    kind = "value" if isinstance(member, Forecasts) else "class"
    if not parts:
        raise ValueError(
            f"Each value of {_quoted(by)} in {member.name} has one true {kind} only; two or more are needed."
        )
    if alone:
        notes += (f"Not scored, because all their cases have the same true {kind}: {listed(alone)}.",)
    yield from (replace(part, notes=notes) for part in parts)


def _quoted(names: Sequence[str]) -> str:
    return listed(map(repr, names))


def aligned(members: Sequence[Any], by: Sequence[str]) -> tuple[list[Any], Pairing | None, Unpaired | None]:
    """Bring the cases of models into the same order.

    Cases are matched by their numbers if these are unique and the same for all models. Otherwise they are matched row
    by row, unless the numbers differ or the rows were divided by a column that does not name models. Matched cases must
    have the same true label, weight and group.

    Parameters
    ----------
    members : sequence of Predictions or of Forecasts
    by : sequence of str
        The columns that divided the rows.

    Returns
    -------
    members : list
    pairing : {"case_numbers", "order_of_rows"} or None
        By what the cases are the same; None if they are not.
    unpaired : {"divided", "case_numbers", "number_of_cases", "truth", "weights", "groups"} or None
        Why the cases are not the same: the rows were divided, or what differs.
    """
    ordered, pairing, unpaired = _paired(members, by)
    for what in get_args(_Compared) if pairing else ():
        if not _same(ordered, what):
            return list(members), None, what
    return ordered, pairing, unpaired


def _paired(members: Sequence[Any], by: Sequence[str]) -> tuple[list[Any], Pairing | None, Unpaired | None]:
    """Bring the cases into the same order as `aligned` does, whatever their truth, weights and groups."""
    are_numbered = all(each.cases is not None for each in members)
    if are_numbered and all(len(np.unique(each.cases)) == len(each.cases) for each in members):
        by_number = [_in_order(each, members[0].cases) for each in members]
        if None not in by_number:
            return by_number, "case_numbers", None
    if any(name.lower() not in MODEL for name in by):
        return list(members), None, "divided"
    if len({len(each.truth) for each in members}) > 1:
        return list(members), None, "number_of_cases"
    if are_numbered and not _same(members, "cases"):
        return list(members), None, "case_numbers"
    return list(members), "order_of_rows", None


def without_missing(members: Sequence[Any], by: Sequence[str]) -> list[Any]:
    """Leave out the cases that lack a value, and the same cases of all models, if these have the same cases."""
    if all(each.lacks is None for each in members):
        return list(members)
    ordered, pairing, _ = _paired(members, by)
    lacks = [np.zeros(len(each.truth), dtype=bool) if each.lacks is None else each.lacks for each in ordered]
    if pairing is not None:
        lacks = [np.any(lacks, axis=0)] * len(ordered)
    left = []
    for member, absent in zip(ordered, lacks, strict=True):
        note = f"Cases left out, as a value is missing: {np.count_nonzero(absent):,} of {len(absent):,}."
        notes = (*member.notes, note) if absent.any() else member.notes
        left.append(member.only(~absent, lacks=None, notes=notes))
        if absent.all() or (left[-1].truth == left[-1].truth[0]).all():
            raise ValueError(
                f"The cases of {member.name} without a missing value all have the same truth; two classes or values "
                "are needed."
            )
    return left


def _in_order(member: Any, cases: Ints) -> Any | None:
    """Bring the cases of a model into an order; None if it has other cases."""
    places = pd.Index(member.cases).get_indexer(cases)
    return member.only(places) if len(places) == len(member.cases) and (places >= 0).all() else None


def _same(members: Sequence[Any], what: str) -> bool:
    first, *others = (getattr(each, what) for each in members)
    return all(np.array_equal(first, other) if first is not None else other is None for other in others)


def counted(member: Any) -> Any:
    """Leave out cases of weight 0, weights that are all equal, and groups of one case each."""
    if member.weights is not None:
        weighs = member.weights > 0
        member = member.only(weighs)
        if absent := np.count_nonzero(~weighs):
            member = replace(
                member, notes=(*member.notes, f"Cases left out, as they have weight 0: {absent:,}.")
            )
        if (member.truth == member.truth[0]).all():
            raise ValueError(
                f"The cases of {member.name} with a weight above 0 all have the same truth; two classes or values are "
                "needed."
            )
        if np.allclose(member.weights, member.weights[0], rtol=1e-9, atol=0):
            alike = (
                "All weights above 0 are equal, so each case counts once. Intervals and tests assume that other cases "
                "would weigh the same."
            )
            member = replace(member, weights=None, notes=(*member.notes, alike))
    if member.groups is not None and len(np.unique(member.groups)) == len(member.groups):
        alone = "Each group has one case, so groups are ignored. Intervals and tests assume the same of other groups."
        member = replace(member, groups=None, notes=(*member.notes, alone))
    return member
