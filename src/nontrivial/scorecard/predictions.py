"""From files to the answers of models: cells, then roles of columns, then models and cases, then predictions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._validation import as_weights
from nontrivial.reading.answer_columns import ModelColumns
from nontrivial.reading.asking import UnsettledError, quoted
from nontrivial.reading.cases import RowColumns, combine, find_case_column, has_duplicates
from nontrivial.reading.cells import MAX_LABELS, EncodedTexts, FileColumn
from nontrivial.reading.cross_table import refuse_counts
from nontrivial.reading.files import OpenedTable, open_table
from nontrivial.reading.labels import (
    Classes,
    choose_positive_class,
    refuse_look_alikes,
    refuse_unknown_labels,
)
from nontrivial.reading.layouts import is_model_name
from nontrivial.reading.options import BEST_THRESHOLD, ROW_ORDER, Options
from nontrivial.reading.roles import Roles, find_roles
from nontrivial.reading.scores import (
    Threshold,
    are_opposite,
    are_probabilities,
    find_usual_threshold,
    not_adding_to_1,
)
from nontrivial.scorecard import suspicions
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.pairing import AlignedAnswers, Division, align_cases, divide_rows, split_models
from nontrivial.scorecard.thresholds import judge_best_threshold
from nontrivial.terminal import listed, waiting


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> AlignedAnswers:
    """Read the answers of all models of some files, or tables in memory: Predictions, or Forecasts, all of one kind."""
    members: list[Any] = []
    for file in files:
        what = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with waiting(f"Reading {what}", shown=progress):
            of_file, are_same_rows = read_file(file, options, has_others=len(files) > 1)
        if len(files) > 1:
            names = [f"{answers.name}: {answers.model}".removesuffix(": ") for answers in of_file]
            of_file = [replace(answers, model=name) for answers, name in zip(of_file, names, strict=True)]
        members += of_file
    pa.default_memory_pool().release_unused()  # what the texts of the files took up
    if len({member.model for member in members}) < len(members):
        members = [
            replace(member, model=f"{member.model} ({place})") for place, member in enumerate(members, 1)
        ]
    if len({type(member) for member in members}) > 1:
        raise ValueError("Some files have classes and others have numbers; choose one kind with --task.")
    aligned = align_cases(members, named=options.id, are_same_rows=len(files) == 1 and are_same_rows)
    if options.threshold != BEST_THRESHOLD:
        return aligned
    return replace(aligned, members=tuple(map(judge_best_threshold, aligned.members)))


def read_file(
    file: str | Path | pd.DataFrame, options: Options, *, has_others: bool
) -> tuple[list[Any], bool]:
    """Return the answers of the models of a file, and whether they stand beside each other in the same rows."""
    table = open_table(file, options.separator, options.encoding, options.sheet)
    refuse_counts(table)
    read = FileColumns(table, options.for_columns(table.names))
    roles, asked, options = read.roles, options, read.options
    named = filter(None, (options.weight, options.group))
    read.load([roles.truth, *roles.answers, *named, *options.by, *roles.of_rows])
    task = _find_task(read)
    models = [_choose_columns(read, task, model) for model in roles.models]
    column = read.columns[roles.truth]
    codes = column.names.codes if column.labels is None else column.labels.codes
    truth = np.asarray(codes, dtype=np.int64)  # before gaps are filled
    is_incomplete = _fill_gaps(read, task, models)
    if len(task.classes.names) < 2 and not task.is_regression:
        raise ValueError(f"{read.place(roles.truth)} has one class only; two or more are needed.")
    division = _divide(read, asked, truth)
    group = options.group
    if asked.group is None:
        group = _find_case_column(read, division, truth)
    shared = {"sha256": table.sha256, "is_incomplete": is_incomplete, **_weights_and_groups(read, group)}
    if has_others or division.model_names:
        shared |= _number_cases(read, division, asked)
    notes = [*division.notes, *_notes_on_rows(read, division, group), *_notes_on_columns(read, task, models)]
    for name in roles.cases if has_others else ():
        if padded := read.columns[name].find_padded_number():
            bare = padded.lstrip("0") or 0
            notes.append(f"{padded} and {bare} are different values of {name!r}: leading zeros count.")
    members = []
    for model, named_model in zip(models, roles.models, strict=True):
        answers = _read_model(read, task, model)
        columns = {"truth": roles.truth, **answers.columns}
        columns |= {role: name for role, name in (("weight", options.weight), ("group", group)) if name}
        model_name = named_model.name if len(models) > 1 else ""
        answers = replace(answers, model=model_name, columns=columns, **shared).noted(*notes)
        for part in split_models(answers, division, options.by):
            members.append(_checked(read, task, model, part))
    return members, not division.model_names


@dataclass(eq=False)
class FileColumns:
    """A file, the options for it, the roles of its columns, and those columns that were read."""

    table: OpenedTable
    options: Options
    columns: dict[str, FileColumn] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What messages call the file."""
        return self.table.name

    @cached_property
    def roles(self) -> Roles:
        """The roles of the columns, once the column of the truth is read."""
        return find_roles(self.table.names, self.name, self.options, self._classes_of)

    def load(self, names: Iterable[str]) -> None:
        """Read columns, all at once."""
        self.columns |= self.read([name for name in dict.fromkeys(names) if name not in self.columns])

    def read(self, names: Sequence[str], *, first: bool = False) -> dict[str, FileColumn]:
        """Return columns, or their first rows, without remembering them."""
        cells = self.table.read(names, first=first)
        decimal, positive = self.options.decimal, self.options.positive
        return {name: FileColumn(self.place(name), cells[name], decimal, positive) for name in cells}

    def _classes_of(self, truth: str) -> Classes:
        self.load([truth])
        labels = self.columns[truth].labels
        return Classes.of([] if labels is None else labels.texts)

    def place(self, column: str) -> str:
        """What messages call a column."""
        return f"Column {column!r} of {self.name}"

    def labels(self, name: str) -> EncodedTexts:
        """Return the labels of a column, or say that there are too many."""
        labels = self.columns[name].labels
        if labels is None:
            raise ValueError(
                f"{self.place(name)} has more than {MAX_LABELS:,} different labels; --truth names a column of "
                "classes, or of numbers to predict, and --score one of scores."
            )
        return labels

    def numbers(self, names: Iterable[str]) -> Floats:
        """Return the numbers of columns beside each other."""
        return np.column_stack([self.columns[name].numbers for name in names])

    def find_others(self) -> list[str]:
        """Return the names of the columns without a role, if they are there once."""
        has_role = {*self.columns, *self.roles.answers, *self.roles.possible_answers}
        names = self.table.names
        return [name for name in names if name not in has_role and names.count(name) == 1]

    def identities(self, names: Iterable[str]) -> dict[str, Ints]:
        """Return those columns that have no gap as whole numbers, equal for equal cells."""
        self.load(names := list(names))
        numbers = {name: self.columns[name].identities() for name in names}
        return {name: of_rows for name, of_rows in numbers.items() if of_rows is not None}


@dataclass(frozen=True)
class PredictionTask:
    """The true classes and the place of the positive one, or that numbers are predicted."""

    is_regression: bool
    classes: Classes
    positive: int | None = None

    def strangers(self, texts: Iterable[str]) -> list[str]:
        """Return the different texts that name no class."""
        return [text for text in dict.fromkeys(texts) if self.classes.find(text) is None]


def _find_task(read: FileColumns) -> PredictionTask:
    """Return the task; beside probabilities of more than two labels, none is positive unless it is named."""
    truth, options = read.roles.truth, read.options
    is_regression = options.quantile is not None or options.task == "regression"
    if options.task is None and options.quantile is None and options.positive is None:
        is_regression = read.columns[truth].is_regression_target()
    if is_regression:
        return PredictionTask(is_regression=True, classes=Classes.of([]))
    place, labels = read.place(truth), read.labels(truth)
    task = PredictionTask(is_regression=False, classes=Classes.of(labels.texts))
    names = task.classes.names
    refuse_look_alikes(names, place)
    n_labels = max(len(_find_probabilities(read, names, model)) for model in read.roles.models)
    if len(names) < 2 or (options.positive is None and n_labels > 2):
        return task
    counts = np.bincount(task.classes.encode(*labels)[labels.codes >= 0], minlength=len(names))
    order = read.table.order(truth)
    positive = choose_positive_class(task.classes, counts, place, named=options.positive, order=order)
    return replace(task, positive=positive)


def _choose_columns(read: FileColumns, task: PredictionTask, model: ModelColumns) -> ModelColumns:
    """Return the columns that are used; of two classes, the probabilities of the positive one are the scores."""
    if task.is_regression:
        return _choose_numbers(read, model)
    names = task.classes.names
    probabilities = _find_probabilities(read, names, model)
    if model.is_confidence and len(names) > 2 and (task.positive is not None or read.options.confidence):
        raise ValueError(
            f"{read.place(model.name)} holds the confidence in the predicted label, which gives no score for one of "
            f"{len(names):,} classes; leave out --confidence and --positive, or give each class a column of "
            "probabilities."
        )
    if task.positive is None:
        return ModelColumns(None, model.prediction, probabilities=probabilities)
    if model.is_confidence:
        return model
    of_classes = {label: name for label, name in model.probabilities.items() if label in names}
    if len(names) == 2 and len(of_classes) == 1:
        probabilities = of_classes
    of_positive = probabilities.get(names[task.positive])
    if of_positive and model.score:
        raise UnsettledError(
            f"{read.name} has several columns that may hold the score: {quoted([model.score, of_positive])}",
            {"score": model.score},
            {"score": of_positive},
        )
    if probabilities and not (of_positive or model.score or model.prediction):
        (label,) = probabilities
        raise UnsettledError(
            f"{read.name} has probabilities of {label!r} only ({quoted(probabilities.values())}), which is not the "
            "positive label",
            {"positive": label},
        )
    return ModelColumns(of_positive or model.score, model.prediction, probabilities=probabilities)


def _choose_numbers(read: FileColumns, model: ModelColumns) -> ModelColumns:
    for option in ("cost", "positive", "threshold"):
        if getattr(read.options, option) is not None:
            quantile = " leave out --quantile and" if read.options.quantile is not None else ""
            raise ValueError(
                f"The truth of {read.name} is read as numbers to predict, and --{option} is for classes; leave it "
                f"out, or{quantile} give --task classification."
            )
    column = model.prediction or model.score
    if column is None:
        raise ValueError(f"{read.name} has no column of predicted numbers; name it with --prediction.")
    return ModelColumns(prediction=column)


def _find_probabilities(read: FileColumns, classes: Sequence[str], model: ModelColumns) -> Mapping[str, str]:
    """Return a column of probabilities for each class, and for other labels only if all then add up to 1."""
    named = model.probabilities
    of_classes = {label: named[label] for label in classes if label in named}
    of_all = {**of_classes, **named}
    is_complete = len(of_classes) == len(classes)
    if read.options.probabilities is not None:  # the user says that all are probabilities
        if not is_complete:
            raise ValueError(
                f"The truth of {read.name} has the labels {quoted(classes)}, but the probabilities are of "
                f"{quoted(named)}; name all classes with labels."
            )
        return of_all
    if not named:
        return {}
    if is_complete:
        for columns in (of_classes, of_all):
            if _are_probabilities(read, columns):
                return columns
        if len(classes) == 2 and are_opposite(read.numbers(of_classes.values())):
            return of_classes
    if model.score or model.prediction or (len(of_classes) == 1 and len(classes) == 2):
        return {}  # the columns stay unread
    raise ValueError(
        f"{read.name} has columns named after classes, {quoted(named.values())}, but they are not probabilities "
        f"between 0 and 1 of all classes, {quoted(classes)}, that add up to 1; name the column of predicted labels "
        "with --prediction, or of the scores of one label with --score."
    )


def _are_probabilities(read: FileColumns, columns: Mapping[str, str]) -> bool:
    """Tell whether columns add up to 1 in each row; those with the bare names of classes may also be the truth."""
    read.load(columns.values())
    if not all(read.columns[name].is_numeric() for name in columns.values()):
        return False
    values = read.numbers(columns.values())
    values = values[~np.isnan(values).any(axis=1)]
    are_bare = not columns.keys() - columns.values()
    return not not_adding_to_1(values).any() and not (are_bare and np.isin(values, (0, 1)).all())


def _fill_gaps(read: FileColumns, task: PredictionTask, models: Sequence[ModelColumns]) -> Mask | None:
    """Return which rows are incomplete, and give them a complete row's values, so that arrays need no mask."""
    options, columns, truth = read.options, read.columns, read.roles.truth
    predictions = [model.prediction for model in models if model.prediction]
    numbers = [name for model in models for name in model.columns if name not in predictions]
    labels = [truth, *predictions]
    if task.is_regression:
        numbers, labels = [truth, *predictions, *numbers], []
    gaps = {name: read.labels(name).codes < 0 for name in labels}
    gaps |= {name: np.isnan(columns[name].numbers) for name in (*numbers, options.weight) if name}
    gaps |= {name: columns[name].names.isna() for name in (options.group, *options.by) if name}
    incomplete: Mask = np.any(list(gaps.values()), axis=0)
    if not incomplete.any():
        return None
    if options.missing == "refuse" or incomplete.all():
        _refuse_gaps(read, {name: gap for name, gap in gaps.items() if gap.any()}, incomplete)
    # They are left out later, together with the same cases of other models.
    rows = pa.array(np.where(incomplete, incomplete.argmin(), np.arange(len(incomplete))))
    for name in gaps:
        columns[name] = replace(columns[name], cells=columns[name].cells.take(rows))
    return incomplete


def _refuse_gaps(read: FileColumns, gaps: Mapping[str, Mask], incomplete: Mask) -> None:
    counts, is_word = [], False
    for name, gap in gaps.items():
        row = int(gap.argmax())
        cell = str(read.columns[name].cells[row].as_py() or "").strip()
        holds = f", where it holds {cell!r}" if cell else ""
        is_word = is_word or bool(cell)
        counts.append(f"{np.count_nonzero(gap):,} in {name!r} (the first in row {row + 1:,}{holds})")
    remedy = "complete them"
    if not gaps.keys().isdisjoint(read.options.by):
        remedy += ", or give them a value of their own, such as unknown"
    if not incomplete.all():
        remedy += ", or leave these cases out with --missing drop"
    if is_word:
        remedy += "; a label must be written otherwise, or named with --positive"
    raise ValueError(
        f"{read.name} lacks values in {np.count_nonzero(incomplete):,} of {len(incomplete):,} data rows: "
        f"{listed(counts)}; {remedy}."
    )


def _divide(read: FileColumns, asked: Options, truth: Ints) -> Division:
    """Return which rows are of which model and subgroup."""
    roles, by = read.roles, read.options.by
    of_models = [*roles.model_names, *(name for name in by if name in roles.tuning or is_model_name(name))]
    names = {name: read.columns[name].names for name in (*by, *roles.model_names)}
    cases = list(read.identities(roles.cases).values())
    model_columns = list(dict.fromkeys(of_models))
    return divide_rows(read.name, by, names, model_columns, cases, truth, is_settled=asked.by != by)


def _find_case_column(read: FileColumns, division: Division, truth: Ints) -> str | None:
    """Return the column that groups the rows of a case, if a model has several of them."""
    roles = read.roles
    dividing = read.options.by if division.model_names else ()
    repeats, folds, tuning = (
        read.identities(name for name in names if name not in dividing)
        for names in (roles.repeats, roles.folds, roles.tuning)
    )
    # A column that differs in every row, such as the row names of R, is no setting of a model.
    tuning = {name: values for name, values in tuning.items() if len(np.unique(values)) < len(values)}
    cases = read.identities(roles.cases)
    rows = RowColumns(read.name, truth, cases, roles.cases_count_rows, repeats, folds, tuning)
    return find_case_column(rows, division.models)


def _weights_and_groups(read: FileColumns, group: str | None) -> dict[str, Any]:
    """Return the weights and the groups of the cases, if there are any."""
    weight, fields = read.options.weight, dict[str, Any]()
    if weight is not None:
        weights = read.columns[weight].numbers
        fields["weights"] = as_weights(weights, len(weights), read.place(weight))
    if group is not None:
        names = read.columns[group].names
        if len(names.categories) < 2:
            raise ValueError(f"{read.place(group)} has one group only; two or more are needed.")
        fields["groups"] = names.codes.astype(np.int64)
    return fields


def _number_cases(read: FileColumns, division: Division, asked: Options) -> dict[str, Any]:
    """Return the columns that may number the cases of several models, as whole numbers."""
    roles, options = read.roles, read.options
    if asked.id == ROW_ORDER and options.id is None:
        return {}
    others: dict[str, FileColumn] = {}
    if options.id is None:
        n_models = max(len(division.model_names), 1)
        others = {
            name: column
            for name, column in read.read(read.find_others(), first=True).items()
            if len(column.cells.unique()) * n_models >= len(column.cells)
        }
    keys = read.identities([*roles.cases, *others])
    tests = read.identities([*roles.repeats, *roles.folds]).values()
    for name in roles.cases:  # a case of several repeats is another case in each
        if name in keys and has_duplicates(keys[name], division.models):
            keys[name] = combine(keys[name], *tests)
    return {"keys": keys, "case": next((name for name in roles.cases if name in keys), None)}


def _read_model(read: FileColumns, task: PredictionTask, model: ModelColumns) -> Answers:
    """Return the classes or the numbers that a model predicted."""
    if task.is_regression:
        column = str(model.prediction)
        numbers = read.columns[read.roles.truth].numbers, read.columns[column].numbers
        return Forecasts(read.name, {"prediction": column}, *numbers, quantile=read.options.quantile)
    classes, options = task.classes, read.options
    guesses = read.labels(model.prediction) if model.prediction else EncodedTexts([], np.array([], dtype=int))
    refuse_unknown_labels(
        task.strangers(guesses.texts), guesses.texts, classes, read.place(str(model.prediction))
    )
    probabilities = model.probabilities if task.positive is None else {}
    strangers = task.strangers([*guesses.texts, *probabilities])
    labels = (*classes.names, *strangers)
    refuse_look_alikes(labels, read.name)
    truth = classes.encode(*read.labels(read.roles.truth))
    predicted: Any = classes.encode(*guesses, strangers) if model.prediction else None
    columns = {
        "confidence" if model.is_confidence else "score": model.score,
        "prediction": model.prediction,
        "probabilities": listed(probabilities.values()),
    }
    named = {role: column for role, column in columns.items() if column}
    of_all: dict[str, Any] = {"labels": labels, "n_classes": len(classes.names)}
    if task.positive is not None:
        of_all |= {"positive": classes.names[task.positive], "assumed": options.positive is None}
        predicted = None if predicted is None else predicted == task.positive
        answers = Predictions(
            read.name, named, truth == task.positive, predicted, cost=options.cost, **of_all
        )
        return answers if model.score is None else _with_score(read, model, answers)
    if options.cost is not None or options.threshold is not None:
        raise ValueError(
            f"--cost and --threshold need a positive class; name one of {read.name} with --positive."
        )
    if predicted is None and not probabilities:
        raise ValueError(
            f"{read.place(read.roles.truth)} has {len(classes.names):,} classes ({listed(classes.names, 5)}), but a "
            "score is for one class; name that class with --positive, or name a column of predictions with "
            "--prediction; for numbers to predict, give --task regression."
        )
    if probabilities:
        of_all["probabilities"] = read.numbers(probabilities.values())
        if predicted is None:
            predicted = np.argmax(of_all["probabilities"], axis=1)
            of_all["rule"] = "the class of the greatest probability"
    return Predictions(read.name, named, truth, predicted, **of_all)


def _with_score(read: FileColumns, model: ModelColumns, answers: Predictions) -> Predictions:
    """Add the scores of the positive class, and the predictions that a threshold makes of them, if none are there."""
    column, options = str(model.score), read.options
    place, score = read.place(column), read.columns[column].numbers
    if model.is_confidence:
        score = suspicions.scores_from_confidence(score, answers.prediction, place)
    answers = replace(answers, score=score)
    if answers.prediction is not None and options.threshold is None:
        return answers
    if options.threshold == BEST_THRESHOLD:
        return replace(answers, prediction=None, is_threshold_best=True)
    threshold = _find_threshold(score, place, options)
    if threshold is None:
        return answers
    rule = f"positive where {column} >= {threshold.value + 0.0:.6g}, {threshold.reason}"
    return replace(answers, prediction=score >= threshold.value, threshold=threshold.value, rule=rule)


def _find_threshold(scores: Floats, place: str, options: Options) -> Threshold | None:
    """Return the score from which on cases are predicted positive, if there is one; `place` names the column."""
    cost = options.cost
    if options.threshold is not None:
        return Threshold(float(options.threshold), "as --threshold says")
    if cost is None:
        return find_usual_threshold(scores)
    if not are_probabilities(scores):
        raise ValueError(
            f"{place} holds scores outside [0, 1], for which --cost sets no threshold; give a number, or best, "
            "with --threshold."
        )
    alarms = f"{cost:,.10g} false alarm{'s' * (cost != 1)}"
    return Threshold(1 / (1 + cost), f"as a missed positive costs {alarms}")


def _notes_on_rows(read: FileColumns, division: Division, group: str | None) -> Iterator[str]:
    """Say which rows are taken together."""
    roles, by = read.roles, read.options.by
    tests = [name for name in (*roles.repeats, *roles.folds) if len(read.columns[name].names.categories) > 1]
    if group is not None and read.options.group is None:
        yield (
            f"Rows with the same {group!r} are one group, as cases recur over {quoted(tests)}; --group names another."
        )
    elif tests and not by:
        of_models = "of each model " if division.model_names else ""
        yield (
            f"Rows {of_models}are pooled, whatever their values of {quoted(tests)}; --by scores them separately. If "
            "they come from models that were trained separately, pooling may make their ranking look worse."
        )


def _notes_on_columns(
    read: FileColumns, task: PredictionTask, models: Sequence[ModelColumns]
) -> Iterator[str]:
    """Say what is to know of the columns and of the task."""
    names, options = task.classes.names, read.options
    used = {column for model in models for column in model.columns}
    unread = [name for name in read.roles.possible_answers if name not in used]
    if unread:
        yield (
            f"Not used, though they may hold predictions or scores: {quoted(unread)}. "
            "--prediction, --score and --confidence name such columns."
        )
    for model in models:
        if model.is_confidence and model.score not in options.confidence:
            yield (
                f"Column {model.score!r} is the confidence in the predicted label, as its tool writes it; it gives the "
                "scores. If it is the score of one label, name it with --score."
            )
    if task.positive is not None and len(names) > 2:
        others = [repr(name) for name in names if name != names[task.positive]]
        yield f"Every label but {names[task.positive]!r} counts as negative: {listed(others, 5)}."
    if task.positive is None and options.score and not task.is_regression:
        yield f"The scores in {quoted(options.score)} are not used; --positive names the class that they are for."
    if options.task is None and options.quantile is None:
        if task.is_regression:
            yield "The truth is read as numbers to predict; --task classification reads it as labels."
        elif task.positive is None and task.classes.indices_of_values and models[0].prediction:
            yield (
                f"The {len(names):,} different numbers are treated as classes; --task regression treats them as "
                "numbers to predict."
            )


def _checked(read: FileColumns, task: PredictionTask, model: ModelColumns, answers: Any) -> Any:
    """Refuse columns that seem to hold something else, and add what is to know of one model."""
    whole = answers if answers.is_incomplete is None else answers.select_cases(~answers.is_incomplete)
    options = read.options
    if task.is_regression and options.task is None and options.quantile is None:
        suspicions.refuse_numbers_of_labels(whole, read.roles.truth, str(model.prediction))
    is_probability = model.score not in [named.score for named in read.roles.models]
    if model.score and not (model.is_confidence or is_probability or options.threshold is not None):
        rivals = [name for name in read.roles.possible_answers if name not in read.roles.answers]
        suspicions.refuse_confidences(
            whole, model, read.place(model.score), len(task.classes.names), [*rivals, *read.find_others()]
        )
    return answers.noted(*suspicions.notes_on_answers(whole, model))
