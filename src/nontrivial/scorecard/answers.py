"""What models predicted for the cases of files, and which rows are the cases of which model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import Units
from nontrivial.scorecard.roles import MODEL, Columns, Options, quoted
from nontrivial.terminal import listed

Places = NDArray[Any]  # booleans, or the places of labels

# How far probabilities, written with few digits, may be from adding up to 1: for each class, and in all.
ROUNDED, MOST_ROUNDED = 0.005, 0.05
ROUNDING = 1e-6  # how far outside [0, 1] computed probabilities may lie
SEEM_LABELS = "they seem to be labels"


@dataclass(frozen=True, eq=False)
class Answers:
    """What one model predicted for the n cases of a file."""

    name: str  # of the file, without its folder
    columns: dict[str, str]  # that were read, by what they hold
    truth: Places
    prediction: Places
    model: str = ""  # empty if it is the only one of its file
    sha256: str = ""
    weights: Floats | None = None  # above 0; None if all cases count the same
    groups: Ints | None = None  # the group of each case; None if the cases were drawn one by one
    cases: Ints | None = None  # digests of the case numbers; None if the file has none
    lacks: Mask | None = None  # cases with a missing value, which hold the values of another case
    parts: Ints | None = None  # the subgroup of each case, as its place in `part_names`
    part_names: tuple[str, ...] = ()
    pooled: bool = False  # from folds, each with a model of its own, so that the scores do not rank together
    notes: tuple[str, ...] = ()  # what a reader must know before the numbers are used

    @property
    def units(self) -> Units:
        """What was drawn: cases or groups, with their weights."""
        return Units(len(self.truth), self.weights, self.groups)

    def only(self, chosen: Mask | Ints, **changes: Any) -> Any:
        """Return the answers for some of the cases, or for all of them in another order; every array is of cases."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **({name: value[chosen] for name, value in arrays.items()} | changes))

    def noted(self, *notes: str) -> Any:
        """Return the answers with more notes."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True, eq=False)
class Predictions(Answers):
    """Predicted classes. With a positive label, True is positive; otherwise classes are numbered as in `labels`."""

    score: Floats | None = None  # the greater, the more positive
    probabilities: Floats | None = None  # of several classes, in the order of `labels`, of shape (n, k)
    positive: str | None = None  # None for more than two classes without one
    assumed: bool = False  # no positive label was named
    labels: tuple[str, ...] = ()  # first the true labels in order, and then those that are only predicted
    n_classes: int = 0  # how many of the labels are true
    rule: str = ""  # how predictions were made from scores
    threshold: float | None = None  # the score from which on cases are predicted positive
    cost: float | None = None  # of a missed positive, in false alarms

    @property
    def chances(self) -> Floats | None:
        """The probabilities of the classes, or of the positive one, as losses take them; None without any."""
        if self.probabilities is not None:
            said = self.probabilities
            return None if no_shares(said).any() else said / said.sum(axis=1, keepdims=True)
        if self.score is None or not are_probabilities(self.score):
            return None
        return np.clip(self.score, 0, 1)

    def truth_under(self, loss: str) -> Places:
        """The truth as a loss takes it: the place of the class; for the Brier score of several, 1 at this place."""
        truth: Places = self.truth.astype(np.intp)
        if loss == "squared" and self.probabilities is not None:
            truth = np.eye(self.probabilities.shape[1])[truth]
        return truth


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Predicted numbers."""

    quantile: float | None = None  # that they forecast, if one was given

    def truth_under(self, loss: str) -> Places:
        """The truth as a loss takes it."""
        return self.truth


def are_probabilities(scores: Floats) -> bool:
    """Tell whether all scores lie in [0, 1], apart from rounding."""
    return bool(scores.min() >= -ROUNDING and scores.max() <= 1 + ROUNDING)


def no_shares(said: Floats) -> Mask:
    """Tell in which cases the scores of the classes are negative, or do not add up to 1."""
    lacking = min(ROUNDED * said.shape[1], MOST_ROUNDED) + 1e-9
    wrong: Mask = (said.min(axis=1) < 0) | (np.abs(said.sum(axis=1) - 1) > lacking)
    return wrong


# Which rows are the cases of which model, and whether two models have the same cases.


MOST_MODELS = 100
Pairing = Literal["case_numbers", "order_of_rows"]
_Compared = Literal["truth", "weights", "groups"]
Unpaired = Literal["divided", "case_numbers", "number_of_cases", _Compared]


def split_models(
    members: Sequence[Any], names: Mapping[str, pd.Categorical], columns: Columns, options: Options
) -> list[list[Any]]:
    """Divide the rows of each member among models, or number their subgroups; notes say what nobody asked for.

    A column holds models if it has a usual name of models, or if its values repeat the same case numbers; otherwise it
    makes subgroups. `names` are the columns that may divide rows.
    """
    file, numbers, notes = members[0].name, members[0].cases, []
    models = [name for name in options.by if name.lower() in MODEL]
    parts = [name for name in options.by if name not in models]
    usual = [] if models else [name for name in columns.model if _are_models(names[name])]
    if len(usual) > 1:
        raise ValueError(
            f"{file} has {len(usual)} columns that may name the models: {quoted(usual)}; name one of them with --by."
        )
    if usual:
        models = usual
        notes.append(
            f"The {len(names[usual[0]].categories)} values of {usual[0]!r} have the same number of rows each, so they "
            "are taken for models; --by names other columns."
        )
    elif parts and not models and _repeat_cases(_keys(parts, names, file)[0], numbers):
        models, parts = parts, []
    others = [name for name in (*columns.model, *columns.parts) if name not in models]
    pooled = quoted(name for name in others if len(names[name].categories) > 1)
    if pooled:
        of_models = "of each model " if models else ""
        notes.append(
            f"Rows {of_models}are pooled, whatever their values of {pooled}; --by scores them separately. If they come "
            "from models that were trained separately, pooling may make their ranking look worse."
        )
    is_whole = not (options.by or models or options.group)
    if is_whole and numbers is not None and not pd.Index(numbers).is_unique:
        notes.append(
            f"Values of {columns.case!r} occur in several rows. If they come from several models, name the column of "
            f"the models with --by; if they are not independent, --group {columns.case} takes them together."
        )
    members = [member.noted(*notes) for member in members]
    if parts:
        key, named = _keys(parts, names, file)
        members = [replace(member, parts=key, part_names=named) for member in members]
    if not models:
        return [[member] for member in members]
    key, named = _keys(models, names, file)
    return [_of_each_model(member, models, key, named) for member in members]


def _are_models(names: pd.Categorical) -> bool:
    counts = names.value_counts()
    return not names.isna().any() and 1 < len(counts) <= MOST_MODELS and len(set(counts)) == 1


def _repeat_cases(key: Ints, cases: Ints | None) -> bool:
    """Tell whether each case number stands in every one of several parts."""
    if cases is None or not key.any():
        return False
    return bool((pd.Series(key).groupby(cases).nunique() == key.max() + 1).all())


def _keys(by: Sequence[str], names: Mapping[str, pd.Categorical], file: str) -> tuple[Ints, tuple[str, ...]]:
    """Return the part of each row by its place, and the names of the parts."""
    rows = pd.DataFrame({name: names[name] for name in by}).groupby(list(dict.fromkeys(by)), observed=True)
    if rows.ngroups > MOST_MODELS:
        raise ValueError(
            f"{quoted(by)} of {file} make {rows.ngroups:,} models; at most {MOST_MODELS} are scored at once."
        )
    found = tuple(rows.size().index)
    if isinstance(found[0], tuple):
        found = tuple(", ".join(map("{} {}".format, by, values)) for values in found)
    return rows.ngroup().to_numpy(), found


def _of_each_model(member: Any, by: Sequence[str], key: Ints, named: Sequence[str]) -> list[Any]:
    """Divide the rows of a file; models with one true class or value are left out with a note."""
    alone, parts = [], []
    for place, name in enumerate(named):
        part = member.only(key == place, model=f"{name}, {member.model}" if member.model else name)
        if _is_constant(part.truth):
            alone.append(name)
        else:
            parts.append(part)
    if not parts:
        raise ValueError(
            f"Each value of {quoted(by)} in {member.name} has one true class or value only; two or more are needed."
        )
    note = f"Not scored, because all their cases have the same true class or value: {listed(alone)}."
    return [part.noted(note) for part in parts] if alone else parts


def _is_constant(values: NDArray[Any]) -> bool:
    return not (values != values[:1]).any()


def align_cases(
    members: Sequence[Any], by: Sequence[str]
) -> tuple[list[Any], Pairing | None, Unpaired | None]:
    """Bring the cases of models into the same order.

    Cases are matched by their numbers if these are unique and the same for all models. Otherwise they are matched row
    by row, unless the numbers differ or the rows were divided by a column that does not name models. Matched cases must
    have the same true label, weight and group. Returned are the members, by what their cases are the same, and why not.
    """
    ordered, pairing, unpaired = _paired(members, by)
    for what in get_args(_Compared) if pairing else ():
        if not _same(ordered, what):
            return list(members), None, what
    return ordered, pairing, unpaired


def _paired(members: Sequence[Any], by: Sequence[str]) -> tuple[list[Any], Pairing | None, Unpaired | None]:
    """Bring the cases into the same order as `align_cases` does, whatever their truth, weights and groups."""
    are_numbered = all(each.cases is not None for each in members)
    if are_numbered:
        numbers = [pd.Index(each.cases) for each in members]
        if all(each.is_unique and len(each) == len(numbers[0]) for each in numbers):
            places = [each.get_indexer(numbers[0]) for each in numbers]
            if all((each >= 0).all() for each in places):
                ordered = [member.only(each) for member, each in zip(members, places, strict=True)]
                return ordered, "case_numbers", None
    if any(name.lower() not in MODEL for name in by):
        return list(members), None, "divided"
    if len({len(each.truth) for each in members}) > 1:
        return list(members), None, "number_of_cases"
    if are_numbered and not _same(members, "cases"):
        return list(members), None, "case_numbers"
    return list(members), "order_of_rows", None


def _same(members: Sequence[Any], what: str) -> bool:
    first, *others = (getattr(each, what) for each in members)
    return all(np.array_equal(first, other) if first is not None else other is None for other in others)


def drop_missing(members: Sequence[Any], by: Sequence[str]) -> list[Any]:
    """Leave out the cases that lack a value, and the same cases of all models, if these have the same cases."""
    if all(each.lacks is None for each in members):
        return list(members)
    ordered, pairing, _ = _paired(members, by)
    lacks = [np.zeros(len(each.truth), dtype=bool) if each.lacks is None else each.lacks for each in ordered]
    if pairing is not None:
        lacks = [np.any(lacks, axis=0)] * len(ordered)
    return [_without(*each, "a value is missing") for each in zip(ordered, lacks, strict=True)]


def _without(member: Any, absent: Mask, why: str) -> Any:
    """Leave out cases with a note; two classes or values must be left."""
    if not absent.any():
        return replace(member, lacks=None)
    left = member.only(~absent, lacks=None)
    if _is_constant(left.truth):
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
