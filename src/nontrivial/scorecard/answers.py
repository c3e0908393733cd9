"""What models predicted for the cases of files, and which rows are the cases of which model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import Units
from nontrivial.scorecard.roles import MODEL, Columns, Options, quoted
from nontrivial.terminal import listed

if TYPE_CHECKING:
    from nontrivial.scorecard.cells import Cells  # which needs the extra cards

# What models predicted for the cases of files: classes or numbers.


Places = NDArray[Any]  # booleans, or the places of labels


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
    doubtful: bool = False  # the name of the column of predictions may mean something else
    rivals: tuple[str, ...] = ()  # columns that may hold the true labels instead
    notes: tuple[str, ...] = ()  # on how the file was read

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
    may_be_numbers: bool = False  # all true labels are numbers, and no one said that they are classes
    unused: str = ""  # a named column of scores that is not used, because no class is positive
    rule: str = ""  # how predictions were made from scores
    threshold: float | None = None  # the score from which on cases are predicted positive
    cost: float | None = None  # of a missed positive, in false alarms
    merged: tuple[tuple[str, ...], ...] = ()  # labels that are the same number
    alike: tuple[tuple[str, ...], ...] = ()  # labels that differ only by case or blanks

    @property
    def chances(self) -> Floats | None:
        """The probabilities of the classes, or of the positive one, as losses take them; None without any."""
        said = self.score if self.probabilities is None else self.probabilities
        if said is None or not (are_probabilities(said) if said.ndim == 1 else are_shares(said)):
            return None
        return np.clip(said, 0, 1) if said.ndim == 1 else said / said.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Predicted numbers."""

    quantile: float | None = None  # that they forecast, if one was given


# From scores to predictions.


# How far probabilities, written with few digits, may be from adding up to 1: for each class, and in all.
ROUNDED, MOST_ROUNDED = 0.005, 0.05
ROUNDING = 1e-6  # how far outside [0, 1] computed probabilities may lie


def are_probabilities(scores: Floats) -> bool:
    """Tell whether all scores lie in [0, 1], apart from rounding."""
    return bool(scores.min() >= -ROUNDING and scores.max() <= 1 + ROUNDING)


def are_shares(said: Floats) -> bool:
    """Tell whether the scores of each class are their probabilities."""
    return not no_shares(said).any()


def no_shares(said: Floats) -> Mask:
    """Tell in which cases the scores of the classes are negative, or do not add up to 1."""
    lacking = min(ROUNDED * said.shape[1], MOST_ROUNDED) + 1e-9
    wrong: Mask = (said.min(axis=1) < 0) | (np.abs(said.sum(axis=1) - 1) > lacking)
    return wrong


def apply_threshold(
    scores: Floats, column: str, threshold: float | None, place: str, cost: float | None = None
) -> tuple[Mask, float, str]:
    """Return which cases are predicted positive, from what score on, and by what rule; `place` names the column."""
    probabilities = are_probabilities(scores)
    if threshold is not None:
        reason = "as --threshold says"
    elif cost is not None:
        if not probabilities:
            raise ValueError(
                f"{place} holds scores outside [0, 1], for which --cost sets no threshold; give one with --threshold."
            )
        threshold = 1 / (1 + cost)
        reason = f"as a missed positive costs {cost:,.10g} false alarm{'s' * (cost != 1)}"
    elif probabilities:
        threshold, reason = 0.5, "as all scores lie in [0, 1]"
    elif scores.min() >= 0 or scores.max() < 0:
        raise ValueError(
            f"{place} holds scores from {scores.min():.6g} to {scores.max():.6g}, of which the default threshold 0 "
            "makes one prediction for all cases; give another with --threshold."
        )
    else:
        threshold, reason = 0.0, "as scores lie outside [0, 1]"
    return scores >= threshold, threshold, f"positive where {column} >= {threshold + 0.0:.6g}, {reason}"


# Which rows are the cases of which model, and whether two models have the same cases.


MOST_MODELS = 100
Pairing = Literal["case_numbers", "order_of_rows"]
_Compared = Literal["truth", "weights", "groups"]
Unpaired = Literal["divided", "case_numbers", "number_of_cases", _Compared]


def split_models(
    members: Sequence[Any], codes: Mapping[str, Cells], columns: Columns, options: Options
) -> list[Any]:
    """Divide the rows of a file among models or subgroups by columns, or note that all count as one test of one model.

    A column holds models if it has a usual name of models, or if its values repeat the same case numbers; otherwise it
    makes subgroups. `codes` are the columns that may divide rows.
    """
    file, numbers, notes = members[0].name, members[0].cases, []
    models = [name for name in options.by if name.lower() in MODEL]
    parts = [name for name in options.by if name not in models]
    usual = [] if models else [name for name in columns.model if _are_models(codes[name])]
    if len(usual) > 1:
        raise ValueError(
            f"{file} has {len(usual)} columns that may name the models: {quoted(usual)}; name one of them with --by."
        )
    if usual:
        models = usual
        notes.append(
            f"The {len(codes[usual[0]].texts)} values of {usual[0]!r} have the same number of rows each, so they are "
            "taken for models; --by names other columns."
        )
    elif parts and not models and _repeat_cases(_keys(parts, codes, file)[0], numbers):
        models, parts = parts, []
    others = [name for name in (*columns.model, *columns.parts) if name not in models]
    pooled = quoted([name for name in others if len(codes[name].texts) > 1])
    if pooled:
        of_models = "of each model " if models else ""
        notes.append(
            f"Rows {of_models}are pooled, whatever their values of {pooled}; --by scores them separately."
        )
    is_whole = not (options.by or models or options.group)
    if is_whole and numbers is not None and not pd.Index(numbers).is_unique:
        notes.append(
            f"Values of {columns.case!r} occur in several rows. If these rows are not independent, "
            f"--group {columns.case} takes them together."
        )
    members = [member.noted(*notes) for member in members]
    if parts:
        key, named = _keys(parts, codes, file)
        members = [replace(member, parts=key, part_names=named) for member in members]
    if not models:
        return members
    key, named = _keys(models, codes, file)
    return [part for member in members for part in _of_each_model(member, models, key, named)]


def _are_models(column: Cells) -> bool:
    counts = np.bincount(column.cases + 1, minlength=len(column.texts) + 1)
    return counts[0] == 0 and 1 < len(column.texts) <= MOST_MODELS and len(set(counts[1:].tolist())) == 1


def _repeat_cases(key: Ints, cases: Ints | None) -> bool:
    """Tell whether each case number stands in every one of several parts."""
    if cases is None or not key.any():
        return False
    return bool((pd.Series(key).groupby(cases).nunique() == key.max() + 1).all())


def _keys(by: Sequence[str], codes: Mapping[str, Cells], file: str) -> tuple[Ints, tuple[str, ...]]:
    """Return the part of each row by its place, and the names of the parts."""
    table = pd.DataFrame({name: codes[name].cases for name in by})
    parts = table.drop_duplicates().sort_values(list(by))
    if len(parts) > MOST_MODELS:
        raise ValueError(
            f"{quoted(by)} of {file} make {len(parts):,} models; at most {MOST_MODELS} are scored at once."
        )
    named = []
    for places in parts.itertuples(index=False):
        values = [codes[name].texts[place] for name, place in zip(by, places, strict=True)]
        named.append(values[0] if len(by) == 1 else ", ".join(map("{} {}".format, by, values)))
    return table.groupby(list(by)).ngroup().to_numpy(), tuple(named)


def _of_each_model(member: Any, by: Sequence[str], key: Ints, named: Sequence[str]) -> list[Any]:
    """Divide the rows of a file; models with one true class or value are left out with a note."""
    alone, parts = [], []
    for place, name in enumerate(named):
        part = member.only(key == place, model=f"{name}, {member.model}" if member.model else name)
        if (part.truth == part.truth[0]).all():
            alone.append(name)
        else:
            parts.append(part)
    if not parts:
        raise ValueError(
            f"Each value of {quoted(by)} in {member.name} has one true class or value only; two or more are needed."
        )
    note = f"Not scored, because all their cases have the same true class or value: {listed(alone)}."
    return [part.noted(note) for part in parts] if alone else parts


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
    if not len(left.truth) or (left.truth == left.truth[0]).all():
        raise ValueError(
            f"The cases of {member.name} all have the same truth, once {np.count_nonzero(absent):,} are left out, as "
            f"{why}; two classes or values are needed."
        )
    return left.noted(f"Cases left out, as {why}: {np.count_nonzero(absent):,} of {len(absent):,}.")


def _in_order(member: Any, cases: Ints) -> Any | None:
    """Bring the cases of a model into an order; None if it has other cases."""
    places = pd.Index(member.cases).get_indexer(cases)
    return member.only(places) if len(places) == len(member.cases) and (places >= 0).all() else None


def _same(members: Sequence[Any], what: str) -> bool:
    first, *others = (getattr(each, what) for each in members)
    return all(np.array_equal(first, other) if first is not None else other is None for other in others)


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
