"""The rows of a file: the model, the subgroup and the case that each belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.layouts import is_model_name
from nontrivial.reading.options import NO_COLUMN, ROW_ORDER
from nontrivial.scorecard.answers.answers import Answers
from nontrivial.scorecard.answers.columns import PredictionFile
from nontrivial.scorecard.answers.pairing import is_constant
from nontrivial.terminal import listed

MAX_MODELS = 100


class RowGroups(NamedTuple):
    """The index of each row's group, and the names of the groups; no names if all rows are one group."""

    indices: Ints
    names: tuple[str, ...] = ()


class Division(NamedTuple):
    """The models and the subgroups that the rows of a file belong to."""

    models: RowGroups
    subgroups: RowGroups
    notes: tuple[str, ...]


def divide_rows(file: PredictionFile, truth: Ints) -> Division:
    """Divide the rows of a file among models and subgroups.

    A column that the user names with ``--by`` holds models if it has a usual name of models or their settings, or if
    its values repeat the same case numbers; otherwise it makes subgroups. A column with a usual name that the user does
    not name holds models if all of them have the same cases; otherwise UnsettledError asks.
    """
    roles, by = file.roles, file.options.by
    cases = list(file.identity_numbers(roles.cases).values())
    of_models = [name for name in by if name in (*roles.model_names, *roles.tuning) or is_model_name(name)]
    of_subgroups = [name for name in by if name not in of_models]
    may_be_models = of_subgroups and cases and not of_models
    if may_be_models and _have_same_cases(_group_rows(file, of_subgroups), cases, truth):
        of_models, of_subgroups = of_subgroups, []
    names = {name: file.columns[name].names for name in roles.model_names if name not in by}
    usual = [name for name in names if len(names[name].categories) > 1]
    notes: tuple[str, ...] = ()
    if usual and not of_models and file.user_options.by == by:  # --by none says that there are no models
        if len(usual) > 1:
            raise UnsettledError(
                f"{file.name} has {len(usual)} columns that may name the models: {quoted(usual)}",
                *({"by": [*by, name]} for name in usual),
            )
        name, values = usual[0], names[usual[0]]
        groups = RowGroups(values.codes, tuple(values.categories))
        if len(groups.names) > MAX_MODELS or not _have_same_cases(groups, cases, truth):
            raise UnsettledError(
                f"The {len(groups.names):,} values of {name!r} in {file.name} do not have the same cases, so they may "
                "be models or not",
                *([{"by": [*by, name]}] if by else [{"by": name}, {"by": NO_COLUMN}]),
            )
        of_models = usual
        notes = (f"The {len(groups.names)} values of {name!r} are models, with the same cases.",)
    return Division(_group_rows(file, of_models), _group_rows(file, of_subgroups), notes)


def _have_same_cases(groups: RowGroups, cases: Sequence[Ints], truth: Ints) -> bool:
    """Tell whether groups have the same case numbers or, without such numbers, the same truth in the same order."""
    n_groups = len(groups.names)
    if n_groups < 2 or groups.indices.min() < 0:
        return False
    if cases:
        return any((pd.Series(groups.indices).groupby(ids).nunique() == n_groups).all() for ids in cases)
    truths = [truth[groups.indices == index] for index in range(n_groups)]
    return all(np.array_equal(truths[0], of_group) for of_group in truths)


def _group_rows(file: PredictionFile, by: Sequence[str]) -> RowGroups:
    """Group rows by the values of columns; without columns, all rows are one group."""
    if not by:
        return RowGroups(np.zeros(len(file.columns[file.roles.truth].cells), dtype=np.int64))
    rows = pd.DataFrame({name: file.columns[name].names for name in by}).groupby(list(by), observed=True)
    if rows.ngroups > MAX_MODELS:
        raise ValueError(
            f"{quoted(by)} of {file.name} make {rows.ngroups:,} models; at most {MAX_MODELS} are scored at once."
        )
    values = list(rows.size().index)
    if len(by) > 1:
        values = [", ".join(map("{} {}".format, by, row)) for row in values]
    return RowGroups(rows.ngroup().to_numpy(), tuple(map(str, values)))


def find_case_column(file: PredictionFile, division: Division, truth: Ints) -> str | None:
    """Return the column of case numbers if a model has several rows of a case, over repeats or folds; else None.

    UnsettledError says that rows may be of several models, or may be dependent, and no column settles it.
    """
    roles, models = file.roles, division.models.indices
    dividing = file.options.by if division.models.names else ()
    repeats, folds, tuning = (
        file.identity_numbers(name for name in names if name not in dividing)
        for names in (roles.repeats, roles.folds, roles.tuning)
    )
    # A column that differs in every row, such as the row names of R, is not a setting of models.
    tuning = {name: values for name, values in tuning.items() if len(np.unique(values)) < len(values)}
    cases = file.identity_numbers(roles.cases)
    recurring = {name: ids for name, ids in cases.items() if _has_duplicates(ids, models)}
    settings = [] if cases else _find_varying(tuning, models)
    for ids in recurring.values():
        settings = settings or _find_varying(tuning, models, ids)
    if settings:
        raise UnsettledError(
            f"{file.name} has several values of {quoted(settings)}, so its rows seem to be of several models",
            {"by": settings},
        )
    varying_repeats = _find_varying(repeats, models)
    if varying_repeats and not recurring and not (cases and roles.cases_count_rows):
        raise UnsettledError(
            f"{file.name} has several values of {quoted(varying_repeats)} and no column that numbers the cases in all "
            "of them, so its rows may be of the same cases",
            {"id": next(iter(cases), ANY_COLUMN)},
            {"group": NO_COLUMN},
        )
    tests = {**repeats, **folds}
    unique = [name for name in cases if name not in recurring]
    for name, ids in recurring.items():
        if _has_duplicates(ids, models, *tests.values()):
            within = f" within one value of {quoted(tests)}" if tests else ""
            raise UnsettledError(
                f"Values of {name!r} in {file.name} recur{within}; if the rows are of one subject, they are one group; "
                "if they are of several models, name the column of the models",
                {"group": name},
                {"by": ANY_COLUMN},
                *({"id": column} for column in unique[:1]),
            )
    for name, ids in recurring.items():
        if _find_varying({"truth": truth}, models, ids):
            raise UnsettledError(
                f"Rows of {file.name} with the same {name!r} differ in their truth, so they are not one case",
                {"group": name},
                {"group": NO_COLUMN},
            )
    return next(iter(recurring), None)


def _has_duplicates(*columns: Ints) -> bool:
    """Tell whether several rows have the same values in all columns."""
    return bool(pd.DataFrame(dict(enumerate(columns))).duplicated().any())


def _find_varying(columns: Mapping[str, Ints], *within: Ints) -> list[str]:
    """Return the names of the columns that differ between rows with equal values in all columns of `within`."""

    def is_constant_within(values: Ints) -> bool:
        return bool((pd.Series(values).groupby(list(within)).transform("first") == values).all())

    return [name for name, values in columns.items() if not is_constant_within(values)]


def number_cases(file: PredictionFile, division: Division) -> dict[str, Any]:
    """Return the fields `keys` and `case` of `Answers`: the columns that may number the cases of several models."""
    roles, options = file.roles, file.options
    if file.user_options.id == ROW_ORDER and options.id is None:
        return {}
    unused: list[str] = []
    if options.id is None:
        n_models = max(len(division.models.names), 1)
        unused = [
            name
            for name, column in file.read(file.find_unused(), first=True).items()
            if len(column.cells.unique()) * n_models >= len(column.cells)
        ]
    keys = file.identity_numbers([*roles.cases, *unused])
    tests = file.identity_numbers([*roles.repeats, *roles.folds])
    for name in roles.cases:  # a case that several repeats test counts as a case in each
        if tests and name in keys and _has_duplicates(keys[name], division.models.indices):
            columns = pd.DataFrame(dict(enumerate([keys[name], *tests.values()])))
            hashes = pd.util.hash_pandas_object(columns, index=False)  # the same in any file
            keys[name] = np.asarray(hashes).view(np.int64)
    return {"keys": keys, "case": next((name for name in roles.cases if name in keys), None)}


def split_models(answers: Answers, division: Division, by: Sequence[str]) -> list[Any]:
    """Return the answers of each model of a file; a model with one true class or value is left out with a note."""
    if division.subgroups.names:
        answers = replace(answers, parts=division.subgroups.indices, part_names=division.subgroups.names)
    if not division.models.names:
        return [answers]
    constant, models = [], []
    for index, name in enumerate(division.models.names):
        model_name = f"{name}, {answers.model}" if answers.model else name
        model = answers.select_cases(division.models.indices == index, model=model_name)
        if is_constant(model.truth):
            constant.append(name)
        else:
            models.append(model)
    if not models:
        raise ValueError(
            f"Each value of {quoted(by)} in {answers.name} has one true class or value only; two or more are needed."
        )
    note = f"Not scored, because all their cases have the same true class or value: {listed(constant)}."
    return [model.with_notes(note) for model in models] if constant else models
