"""From files to the answers of models: cells, then roles of columns, then models and cases, then predictions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._validation import as_weights
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.cases import ROW, CaseGroups, RowColumns, combine, group_cases, recur
from nontrivial.reading.cells import MOST_LABELS, Cells, Column
from nontrivial.reading.cross_table import refuse_cross_table
from nontrivial.reading.files import Table, open_table
from nontrivial.reading.labels import Classes, check_unknown_labels, find_positive, refuse_look_alikes
from nontrivial.reading.layouts import is_model_name
from nontrivial.reading.roles import ModelColumns, Roles, find_roles, quoted
from nontrivial.reading.scores import Threshold, are_opposite, are_probabilities, no_shares, usual_threshold
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.options import Options
from nontrivial.scorecard.pairing import AlignedAnswers, Division, align_cases, divide_rows, split_models
from nontrivial.scorecard.suspicions import (
    notes_on_answers,
    refuse_confidences,
    refuse_numbers_of_labels,
    refuse_predicted_truth,
    scores_from_confidence,
)
from nontrivial.terminal import listed, waiting

MOST_CLASSES_OF_NUMBERS = 50  # a truth of more different whole numbers is one of numbers to predict


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> AlignedAnswers:
    """Read the answers of all models of some files, or tables in memory: Predictions, or Forecasts, all of one kind."""
    members: list[Any] = []
    for file in files:
        what = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with waiting(f"Reading {what}", shown=progress):
            found, are_same_rows = read_file(file, options, has_others=len(files) > 1)
        if len(files) > 1:
            found = [replace(each, model=": ".join(filter(None, (each.name, each.model)))) for each in found]
        members += found
    pa.default_memory_pool().release_unused()  # what the texts of the files took up
    if len({member.model for member in members}) < len(members):
        members = [
            replace(each, model=f"{each.model} ({number})") for number, each in enumerate(members, start=1)
        ]
    if len({type(member) for member in members}) > 1:
        raise ValueError("Some files have classes and others have numbers; choose one kind with --task.")
    return align_cases(members, named=options.id, are_same_rows=len(files) == 1 and are_same_rows)


def read_file(
    file: str | Path | pd.DataFrame, options: Options, *, has_others: bool
) -> tuple[list[Any], bool]:
    """Return the answers of the models of a file, and whether they stand beside each other in the same rows."""
    table = open_table(file, options.separator, options.encoding, options.sheet)
    refuse_cross_table(table)
    asked, options = options, options.without_words(table.names)
    cells = FileCells(table, options)
    roles = find_roles(table.names, table.name, options.named_columns(), cells.classes_of)
    cells.load([roles.truth, *roles.answers, *filter(None, (options.weight, options.group)), *options.by])
    cells.load(roles.dividing)
    classes = _find_classes(cells, roles)
    chances = [_choose_probabilities(cells, classes, model) for model in roles.models]
    task = _find_task(cells, roles, classes, chances)
    models = [_choose_columns(cells, task, *each) for each in zip(roles.models, chances, strict=True)]
    gaps = _find_gaps(cells, task, roles, [each.columns for each in models])
    truth = _codes(cells.columns[roles.truth])
    is_incomplete = _fill_gaps(cells, task, roles, gaps)
    if len(task.classes.names) < 2 and not task.is_regression:
        raise ValueError(f"{cells.place(roles.truth)} has one class only; two or more are needed.")
    division, groups = _divide(cells, roles, asked, truth)
    shared = _shared_by_all(cells, roles, division, groups, is_incomplete)
    if has_others or division.model_names:
        shared |= _number_cases(cells, roles, models, division, asked)
    read = _forecasts if task.is_regression else _predictions
    members = []
    for chosen, named in zip(models, roles.models, strict=True):
        name = named.name if len(models) > 1 else ""
        notes = (
            *roles.notes,
            *division.notes,
            *_notes(cells, task, roles, chosen),
            *filter(None, [groups.note]),
            *(_notes_on_zeros(cells, roles) if has_others else ()),
        )
        member = replace(read(cells, task, roles, chosen), model=name, **shared)
        if groups.column is not None:
            member = replace(member, columns=member.columns | {"group": groups.column})
        for part in split_models(member.noted(*notes), division, options.by):
            members.append(_checked(cells, task, roles, chosen, part))
    return members, not division.model_names


# The cells of a file.


@dataclass(frozen=True)
class FileCells:
    """A file, the options for it, and those of its columns that were read."""

    table: Table
    options: Options
    columns: dict[str, Column] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.table.name

    def load(self, names: Sequence[str], *, first: bool = False) -> dict[str, Column]:
        """Read columns, all at once; the first rows alone are returned and not remembered."""
        lacking = [name for name in dict.fromkeys(names) if first or name not in self.columns]
        found = {
            name: Column(self.place(name), each, self.options.decimal, self.options.positive)
            for name, each in self.table.read(lacking, first=first).items()
        }
        if not first:
            self.columns.update(found)
        return found

    def without_role(self, roles: Roles) -> dict[str, Column]:
        """Return the first rows of the columns that have no role and can be read."""
        names = [
            name
            for name in self.table.names
            if name not in self.columns and name not in roles.answers and self.table.names.count(name) == 1
        ]
        with contextlib.suppress(ValueError):  # such as a column of lists
            return self.load(names, first=True)
        return {}

    def classes_of(self, truth: str) -> Classes:
        """Return the classes of a column, none if they are too many."""
        self.load([truth])
        labels = self.columns[truth].labels
        return Classes.of([] if labels is None else labels.texts)

    def place(self, column: str) -> str:
        """What messages call a column."""
        return f"Column {column!r} of {self.name}"

    def labels(self, name: str) -> Cells:
        """Return the labels of a column, or say that there are too many."""
        labels = self.columns[name].labels
        if labels is None:
            raise ValueError(
                f"{self.place(name)} has more than {MOST_LABELS:,} different labels; --truth names a column of "
                "classes, or of numbers to predict, and --score one of scores."
            )
        return labels

    def numbers(self, columns: Mapping[str, str]) -> Floats:
        """Return the numbers of columns beside each other."""
        return np.column_stack([self.columns[column].numbers for column in columns.values()])


# What is predicted: numbers, or classes of which one may be the positive one.


@dataclass(frozen=True)
class Task:
    """The true classes and the place of the positive one, or that numbers are predicted."""

    is_regression: bool
    classes: Classes
    positive: int | None = None

    def strangers(self, texts: Sequence[str]) -> list[str]:
        """Return the different texts that name no class."""
        return [text for text in dict.fromkeys(texts) if self.classes.find(text) is None]


def _find_classes(cells: FileCells, roles: Roles) -> Classes | None:
    """Return the true classes, or None if numbers are predicted."""
    if _are_targets(cells, roles.truth):
        return None
    classes = Classes.of(cells.labels(roles.truth).texts)
    refuse_look_alikes(classes.names, cells.place(roles.truth))
    return classes


def _find_task(
    cells: FileCells, roles: Roles, classes: Classes | None, chances: Sequence[Mapping[str, str]]
) -> Task:
    """Return the task; if models have probabilities of more than two classes, none is positive unless it is named."""
    if classes is None:
        return Task(is_regression=True, classes=Classes.of([]))
    options, labels, place = cells.options, cells.labels(roles.truth), cells.place(roles.truth)
    of_more = options.positive is None and max(map(len, chances)) > 2
    if len(classes.names) < 2 or of_more:
        return Task(is_regression=False, classes=classes)

    def ask(label: str) -> str:
        raise UnsettledError(
            f"{place} has the labels {listed(map(repr, classes.names))}, either of which may be positive",
            {"positive": label},
        )

    counts = np.bincount(classes.number(*labels)[labels.cases >= 0], minlength=len(classes.names))
    order = cells.table.order(roles.truth)
    positive = find_positive(classes, counts, place, named=options.positive, order=order, ask=ask)
    return Task(is_regression=False, classes=classes, positive=positive)


def _are_targets(cells: FileCells, truth: str) -> bool:
    """Tell whether numbers are predicted: the truth has numbers that are not whole, or many different ones."""
    options, column = cells.options, cells.columns[truth]
    if options.task is not None or options.quantile is not None:
        return options.task != "classification"
    if options.positive is not None:
        return False
    if column.labels is None:
        return column.are_numbers()
    values = column.numerals()
    return len(values) > MOST_CLASSES_OF_NUMBERS or any(
        value != value.to_integral_value() for value in values
    )


# Which columns of a model are used, now that the task is known.


def _choose_columns(
    cells: FileCells, task: Task, model: ModelColumns, chances: Mapping[str, str]
) -> ModelColumns:
    if task.is_regression:
        return _choose_numbers(cells, model)
    n_classes, options = len(task.classes.names), cells.options
    named_scores = (*options.score, *options.confidence)
    if model.is_confidence and n_classes > 2 and (task.positive is not None or options.confidence):
        raise ValueError(
            f"{cells.place(model.name)} holds the confidence in the predicted label, which gives no score for one "
            f"of {n_classes:,} classes; leave out --confidence and --positive, or give each class a column of "
            "probabilities."
        )
    score, unread = model.score, list[str]()
    if score is not None and score not in named_scores and _holds_lists(cells.columns[score]):
        unread.append(score)
        score = None
    all_named = {**model.probabilities, **model.extra}
    unread += [column for column in all_named.values() if column not in chances.values()]
    if task.positive is None:
        unread += [score] if score is not None and score not in named_scores else []
        return ModelColumns(None, model.prediction, probabilities=chances, unread=tuple(unread))
    of_positive = {task.classes.find(label): column for label, column in all_named.items()}.get(task.positive)
    add_up = not chances and len(all_named) > 1 and _add_up(cells, list(all_named.values()))
    if chances or (of_positive is not None and n_classes == 2 and not add_up):
        if score is not None and not model.is_confidence and score not in named_scores:
            raise UnsettledError(
                f"{cells.name} has several columns that may hold the score: {quoted([score, str(of_positive)])}",
                {"score": score},
                {"score": str(of_positive)},
            )
        if not model.is_confidence:
            score = of_positive
    elif all_named and not (score or model.prediction) and n_classes == 2:
        if of_positive is not None:
            raise UnsettledError(
                f"{cells.name} has columns named as probabilities, {quoted(all_named.values())}, which add up to 1, "
                f"but its labels are {quoted(task.classes.names)}",
                *({"score": column} for column in all_named.values()),
            )
        label = next(iter(model.probabilities))
        raise UnsettledError(
            f"{cells.name} has probabilities of {label!r} only ({listed(all_named.values())}), which is not the "
            "positive label",
            {"positive": label},
        )
    unread = [column for column in unread if column != score]
    return ModelColumns(score, model.prediction, model.is_confidence, unread=tuple(unread))


def _choose_numbers(cells: FileCells, model: ModelColumns) -> ModelColumns:
    options = cells.options
    for option in ("cost", "positive", "threshold"):
        if getattr(options, option) is not None:
            quantile = " leave out --quantile and" if options.quantile is not None else ""
            raise ValueError(
                f"The truth of {cells.name} is read as numbers to predict, and --{option} is for classes; leave it "
                f"out, or{quantile} give --task classification."
            )
    column = model.prediction or model.score
    if column is None:
        raise ValueError(f"{cells.name} has no column of predicted numbers; name it with --prediction.")
    unread = () if model.score in (None, column) else (str(model.score),)
    return ModelColumns(prediction=column, unread=unread)


def _choose_probabilities(cells: FileCells, classes: Classes | None, model: ModelColumns) -> dict[str, str]:
    """Return a column of probabilities for each class, and for other labels only if all then add up to 1.

    Without a column for each class, the columns stay unread if the file has other answers.
    """
    if classes is None or not model.probabilities:
        return {}
    has_other = bool(model.score or model.prediction)
    by_place = {classes.find(label): label for label in model.probabilities}
    ordered = [by_place.get(place) for place in range(len(classes.names))]
    if None in ordered and cells.options.probabilities is not None:
        lacking = [name for place, name in enumerate(classes.names) if by_place.get(place) is None]
        raise ValueError(
            f"The truth of {cells.name} has the labels {quoted(lacking)}, but the probabilities are of "
            f"{quoted(model.probabilities)}; name all classes with labels."
        )
    if None in ordered:
        if len(ordered) > 2 and model.probabilities and not has_other:
            raise ValueError(
                f"{cells.name} has columns {listed(model.probabilities.values())}, but the classes "
                f"{listed(classes.names)}; give each class a column of probabilities, or name the columns of models "
                "with --score or --prediction."
            )
        return {}
    chances = {label: model.probabilities[label] for label in ordered if label is not None}
    if cells.options.probabilities is not None:  # which says that all are probabilities
        return chances | {label: each for label, each in model.probabilities.items() if label not in chances}
    values = cells.numbers(chances)
    whole = ~np.isnan(values).any(axis=1)
    add_up = not no_shares(values[whole]).any()
    if not add_up and model.extra:
        cells.load(list(model.extra.values()))
        more = {label: name for label, name in model.extra.items() if cells.columns[name].are_numbers()}
        for extra in (more, *({label: name} for label, name in more.items())):
            if extra and _add_up(cells, list((chances | extra).values())):
                return chances | extra
    lack = "" if add_up or are_opposite(values[whole]) else "are negative or do not add up to 1 in some cases"
    if (
        not model.probabilities.keys() - model.probabilities.values()
        and ((values == 0) | (values == 1)).all()
    ):
        lack = "hold only 0 and 1, so they may be the truth"  # nothing but the class is in their names
    if lack and not has_other:
        raise ValueError(
            f"{cells.name} has columns {listed(chances.values())}, named after the classes, but they {lack}; name the "
            "column of predicted labels with --prediction, or of the scores of one label with --score."
        )
    return {} if lack else chances


def _add_up(cells: FileCells, columns: Sequence[str]) -> bool:
    """Tell whether columns hold numbers that add up to 1 in each row without a gap."""
    cells.load(columns)
    if not all(cells.columns[name].are_numbers() for name in columns):
        return False
    values = np.column_stack([cells.columns[name].numbers for name in columns])
    return not no_shares(values[~np.isnan(values).any(axis=1)]).any()


def _holds_lists(column: Column) -> bool:
    """Tell whether a column of text holds lists, such as the probabilities of all classes."""
    text = column.cells[0].as_py()
    return isinstance(text, str) and text.lstrip()[:1] in ("[", "{", "(")


# Missing values.


def _find_gaps(
    cells: FileCells, task: Task, roles: Roles, columns_of_models: Sequence[Sequence[str]]
) -> dict[str, Mask]:
    """Return the rows without a value of each column that needs one."""
    options, columns = cells.options, cells.columns
    read = dict.fromkeys([roles.truth, *(column for each in columns_of_models for column in each)])
    predictions = {model.prediction for model in roles.models}
    of_labels = (
        [] if task.is_regression else [name for name in read if name == roles.truth or name in predictions]
    )
    missing = {name: cells.labels(name).cases < 0 for name in of_labels}
    numbers = [name for name in (*read, options.weight) if name and name not in of_labels]
    missing |= {name: np.isnan(columns[name].numbers) for name in numbers}
    return missing | {name: columns[name].names.isna() for name in (options.group, *options.by) if name}


def _fill_gaps(cells: FileCells, task: Task, roles: Roles, missing: Mapping[str, Mask]) -> Mask | None:
    """Give incomplete rows the values of a complete one, so that arrays need no mask, and return which they are.

    These rows are left out later, together with the same cases of other models.
    """
    gaps = {name: gap for name, gap in missing.items() if gap.any()}
    if not gaps:
        return None
    incomplete: Mask = np.any(list(gaps.values()), axis=0)
    if cells.options.missing == "refuse" or incomplete.all():
        _refuse_gaps(cells, task, roles, gaps, incomplete)
    rows = pa.array(np.where(incomplete, incomplete.argmin(), np.arange(len(incomplete))))
    for name in missing:
        cells.columns[name] = replace(cells.columns[name], cells=cells.columns[name].cells.take(rows))
    return incomplete


def _refuse_gaps(
    cells: FileCells, task: Task, roles: Roles, gaps: Mapping[str, Mask], incomplete: Mask
) -> None:
    said, words, remedy = [], {}, "complete them"
    for name, gap in gaps.items():
        row = int(gap.argmax())
        words[name] = str(cells.columns[name].cells[row].as_py() or "").strip()
        holds = f", where it holds {words[name]!r}" if words[name] else ""
        said.append(f"{np.count_nonzero(gap):,} in {name!r} (the first in row {row + 1:,}{holds})")
    if not gaps.keys().isdisjoint(cells.options.by):
        remedy += ", or give them a value of their own, such as unknown"
    if not incomplete.all():
        remedy += ", or leave these cases out with --missing drop"
    of_labels = (roles.truth, *(model.prediction for model in roles.models if model.prediction))
    if not task.is_regression and any(words.get(name) for name in of_labels):
        remedy += "; a label must be written otherwise, or named with --positive"
    count = f"{np.count_nonzero(incomplete):,} of {len(incomplete):,}"
    raise ValueError(f"{cells.name} lacks values in {count} data rows: {listed(said)}; {remedy}.")


# Models, cases and groups.


def _codes(column: Column) -> Ints:
    """Return a number for each row that is the same for the same label or number."""
    codes = column.names.codes if column.labels is None else column.labels.cases
    return np.asarray(codes, dtype=np.int64)


def _divide(cells: FileCells, roles: Roles, asked: Options, truth: Ints) -> tuple[Division, CaseGroups]:
    """Return which rows are of which model, and the column that groups the rows of a case."""
    options, columns = cells.options, cells.columns

    def identities(names: Sequence[str]) -> dict[str, Ints]:
        found = {name: columns[name].identities() for name in names}
        return {name: numbers for name, numbers in found.items() if numbers is not None}

    cases = identities(roles.cases)
    model_columns = dict.fromkeys(
        [*roles.model_names, *(name for name in options.by if name in roles.tuning)]
    )
    model_columns |= dict.fromkeys(name for name in options.by if is_model_name(name))
    names = {name: columns[name].names for name in (*options.by, *roles.model_names)}
    division = divide_rows(
        cells.name,
        options.by,
        names,
        list(model_columns),
        list(cases.values()),
        truth,
        is_settled=asked.by != options.by,
    )
    groups = CaseGroups()
    if asked.group is None:
        repeats, folds, tuning = (
            identities([name for name in each if name not in options.by or not division.model_names])
            for each in (roles.repeats, roles.folds, roles.tuning)
        )
        # A column that differs in every row, such as the row names of R, is no setting of a model.
        tuning = {name: rows for name, rows in tuning.items() if len(np.unique(rows)) < len(rows)}
        is_named = options.id is not None
        rows = RowColumns(cells.name, truth, cases, repeats, folds, tuning, is_named)
        groups = group_cases(rows, division.models)
    pooled = [*roles.repeats, *roles.folds, *roles.tasks] if groups.column is None else list(roles.tasks)
    pooled = [name for name in pooled if len(columns[name].names.categories) > 1 and name not in options.by]
    if pooled and not options.by:
        of_models = "of each model " if division.model_names else ""
        note = (
            f"Rows {of_models}are pooled, whatever their values of {quoted(pooled)}; --by scores them separately. If "
            "they come from models that were trained separately, pooling may make their ranking look worse."
        )
        division = replace(division, notes=(*division.notes, note))
    return division, groups


def _shared_by_all(
    cells: FileCells, roles: Roles, division: Division, groups: CaseGroups, is_incomplete: Mask | None
) -> dict[str, Any]:
    """Return the fields of answers that are the same for all models of a file."""
    options, columns = cells.options, cells.columns
    found: dict[str, Any] = {"sha256": cells.table.sha256, "is_incomplete": is_incomplete}
    if options.weight is not None:
        given = columns[options.weight].numbers
        found["weights"] = as_weights(given, len(given), cells.place(options.weight))
    if options.group is not None:
        of_groups = columns[options.group].names
        if len(of_groups.categories) < 2:
            raise ValueError(f"{cells.place(options.group)} has one group only; two or more are needed.")
        found["groups"] = of_groups.codes.astype(np.int64)
    elif groups.column is not None:
        found["groups"] = np.unique(np.asarray(columns[groups.column].identities()), return_inverse=True)[1]
    return found


def _number_cases(
    cells: FileCells, roles: Roles, models: Sequence[ModelColumns], division: Division, asked: Options
) -> dict[str, Any]:
    """Return the columns that may number the cases of several models, as whole numbers."""
    if asked.id == ROW and cells.options.id is None:
        return {}
    options = cells.options
    has_role = {roles.truth, *roles.answers, *roles.dividing, *options.by, options.weight, options.group}
    has_role |= {column for model in models for column in (*model.columns, *model.unread)}
    n_models, names = max(len(division.model_names), 1), []
    if options.id is None:
        first = cells.load([name for name in cells.table.names if name not in has_role], first=True)
        for name, column in first.items():
            n_rows = len(column.cells)
            if len(column.cells.unique()) * n_models >= n_rows:
                names.append(name)
        cells.load(names)
    keys = {name: cells.columns[name].identities() for name in (*roles.cases, *names)}
    tests = [cells.columns[name].identities() for name in (*roles.repeats, *roles.folds)]
    for name in roles.cases:  # a case of several repeats is another case in each
        numbers = keys[name]
        if numbers is not None and recur(numbers, division.models):
            keys[name] = combine(numbers, *(test for test in tests if test is not None))
    found = {name: numbers for name, numbers in keys.items() if numbers is not None}
    return {"keys": found, "case": next((name for name in roles.cases if name in found), None)}


# The answers.


def _named(cells: FileCells, roles: Roles, **columns: str | None) -> dict[str, str]:
    """Return the columns that are read, by what they hold."""
    named = {"truth": roles.truth, **columns}
    named |= {"weight": cells.options.weight, "group": cells.options.group}
    return {what: column for what, column in named.items() if column}


def _forecasts(cells: FileCells, task: Task, roles: Roles, model: ModelColumns) -> Answers:
    """Return the numbers that a model predicted."""
    column = str(model.prediction)
    truth, predicted = (cells.columns[name].numbers for name in (roles.truth, column))
    named = _named(cells, roles, prediction=column)
    return Forecasts(cells.name, named, truth, predicted, quantile=cells.options.quantile)


def _predictions(cells: FileCells, task: Task, roles: Roles, model: ModelColumns) -> Answers:
    """Return the classes that a model predicted."""
    classes, options = task.classes, cells.options
    guesses = cells.labels(model.prediction) if model.prediction else None
    texts = guesses.texts if guesses else []
    check_unknown_labels(task.strangers(texts), texts, classes, cells.place(str(model.prediction)))
    strangers = task.strangers([*texts, *model.probabilities])
    labels = (*classes.names, *strangers)
    refuse_look_alikes(labels, cells.name)
    truth: Any = classes.number(*cells.labels(roles.truth))
    predicted: Any = classes.number(*guesses, strangers) if guesses else None
    found: dict[str, Any] = {"labels": labels, "n_classes": len(classes.names)}
    if task.positive is None:
        found |= _of_several_classes(cells, task, roles, model)
        if predicted is None:
            predicted = np.argmax(found["probabilities"], axis=1)
            found["rule"] = "the class of the greatest probability"
    else:
        found |= {
            "positive": classes.names[task.positive],
            "assumed": options.positive is None,
            "cost": options.cost,
        }
        truth = truth == task.positive
        predicted = None if predicted is None else predicted == task.positive
    if model.score is not None:
        place, score = cells.place(model.score), cells.columns[model.score].numbers
        if model.is_confidence:
            score = scores_from_confidence(score, predicted, place)
        found["score"] = score
        if predicted is None or options.threshold is not None:
            threshold = _find_threshold(score, place, options)
            if threshold is not None:
                predicted, found["threshold"] = score >= threshold.value, threshold.value
                found["rule"] = (
                    f"positive where {model.score} >= {threshold.value + 0.0:.6g}, {threshold.reason}"
                )
    of_score = {"confidence" if model.is_confidence else "score": model.score}
    columns = _named(
        cells,
        roles,
        **of_score,
        prediction=model.prediction,
        probabilities=listed(model.probabilities.values()),
    )
    return Predictions(cells.name, columns, truth, predicted, **found)


def _of_several_classes(cells: FileCells, task: Task, roles: Roles, model: ModelColumns) -> dict[str, Any]:
    names = task.classes.names
    if cells.options.cost is not None or cells.options.threshold is not None:
        raise ValueError(
            f"--cost and --threshold need a positive class; name one of {cells.name} with --positive."
        )
    if model.prediction is None and not model.probabilities:
        raise ValueError(
            f"{cells.place(roles.truth)} has {len(names):,} classes ({listed(names, 5)}), but a score is for one "
            "class; name that class with --positive, or name a column of predictions with --prediction; for numbers "
            "to predict, give --task regression."
        )
    return {"probabilities": cells.numbers(model.probabilities)} if model.probabilities else {}


def _find_threshold(scores: Floats, place: str, options: Options) -> Threshold | None:
    """Return the score from which on cases are predicted positive, if there is one; `place` names the column."""
    if options.threshold is not None:
        return Threshold(options.threshold, "as --threshold says")
    if options.cost is not None:
        if not are_probabilities(scores):
            raise ValueError(
                f"{place} holds scores outside [0, 1], for which --cost sets no threshold; give one with --threshold."
            )
        cost = options.cost
        return Threshold(
            1 / (1 + cost), f"as a missed positive costs {cost:,.10g} false alarm{'s' * (cost != 1)}"
        )
    return usual_threshold(scores)


# What a reader must know, and columns that seem to hold something else than their names say.


def _notes(cells: FileCells, task: Task, roles: Roles, model: ModelColumns) -> Iterator[str]:
    """Say what is to know of the columns and of the task."""
    names, options = task.classes.names, cells.options
    unread = [*roles.unread, *model.unread]
    if task.positive is None and not task.is_regression and not model.probabilities:
        others = cells.without_role(roles)
        unread += [name for name, column in others.items() if _holds_lists(column)]
    unread = [name for name in dict.fromkeys(unread) if name not in model.columns]
    if unread:
        yield (
            f"Not used, though they may hold predictions or scores: {quoted(unread)}. "
            "--prediction, --score and --confidence name such columns."
        )
    if task.positive is not None and len(names) > 2:
        others_named = [repr(name) for name in names if name != names[task.positive]]
        yield f"Every label but {names[task.positive]!r} counts as negative: {listed(others_named, 5)}."
    if task.positive is None and options.score and not task.is_regression:
        yield f"The scores in {quoted(options.score)} are not used; --positive names the class that they are for."
    if options.task is None and options.quantile is None:
        if task.is_regression:
            yield "The truth is read as numbers to predict; --task classification reads it as labels."
        elif task.positive is None and task.classes.value_places and model.prediction:
            yield (
                f"The {len(names):,} different numbers are treated as classes; --task regression treats them as "
                "numbers to predict."
            )


def _notes_on_zeros(cells: FileCells, roles: Roles) -> Iterator[str]:
    """Say that case numbers with leading zeros are others than those without."""
    for name in roles.cases:
        if padded := cells.columns[name].first_padded():
            yield f"{padded} and {padded.lstrip('0') or 0} are different values of {name!r}: leading zeros count."


def _checked(cells: FileCells, task: Task, roles: Roles, model: ModelColumns, member: Any) -> Any:
    """Refuse columns that seem to hold something else, and add what is to know of one model."""
    whole = member if member.is_incomplete is None else member.select_cases(~member.is_incomplete)

    def like_labels() -> list[str]:
        return [
            name
            for name, column in cells.without_role(roles).items()
            if column.labels and len(column.labels.texts) > 1 and not task.strangers(column.labels.texts)
        ]

    if task.is_regression and cells.options.task is None and cells.options.quantile is None:
        refuse_numbers_of_labels(whole, roles.truth, str(model.prediction), cells.name)
    if not task.is_regression:
        if cells.options.truth is None:
            refuse_predicted_truth(whole, roles.truth, cells.place(roles.truth), like_labels)
        if model.score in [each.score for each in roles.models] and not model.is_confidence:
            is_set = cells.options.threshold is not None
            refuse_confidences(
                whole,
                model,
                cells.place(str(model.score)),
                len(task.classes.names),
                like_labels,
                is_set=is_set,
            )
    return member.noted(*notes_on_answers(whole, model))
