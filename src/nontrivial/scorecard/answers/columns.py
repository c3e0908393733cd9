"""The columns of one file, the task that its truth sets, and the columns that are used for each model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial.reading.asking import UnsettledError, quoted
from nontrivial.reading.cells import MAX_LABELS, EncodedTexts, FileColumn
from nontrivial.reading.files import OpenedTable
from nontrivial.reading.labels import Classes, choose_positive_class, refuse_look_alikes
from nontrivial.reading.options import Options
from nontrivial.reading.roles import ModelColumns, Roles, find_roles
from nontrivial.reading.scores import are_opposite, not_adding_to_1


@dataclass(eq=False)
class PredictionFile:
    """A file of predictions: the user's options, the roles of its columns, and the columns that were read so far."""

    table: OpenedTable
    user_options: Options
    columns: dict[str, FileColumn] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self.table.name

    @cached_property
    def options(self) -> Options:
        """The options for this file, in which ``none`` and ``row`` name no column."""
        return self.user_options.for_columns(self.table.names)

    @cached_property
    def roles(self) -> Roles:
        """The roles of the columns; the column of the truth is read to find them."""
        return find_roles(self.table.names, self.name, self.options, self._read_classes)

    def _read_classes(self, truth: str) -> Classes:
        self.load([truth])
        labels = self.columns[truth].labels
        return Classes.from_labels([] if labels is None else labels.texts)

    def load(self, names: Iterable[str]) -> None:
        """Read columns, all at once."""
        self.columns |= self.read([name for name in dict.fromkeys(names) if name not in self.columns])

    def read(self, names: Sequence[str], *, first: bool = False) -> dict[str, FileColumn]:
        """Return columns, or their first rows, without remembering them."""
        cells = self.table.read(names, first=first)
        decimal, positive = self.options.decimal, self.options.positive
        return {name: FileColumn(self.place(name), cells[name], decimal, positive) for name in cells}

    def place(self, column: str | None) -> str:
        """Return the name of a column in messages."""
        return f"Column {column!r} of {self.name}"

    def labels(self, name: str) -> EncodedTexts:
        """Return the labels of a column; too many are an error."""
        labels = self.columns[name].labels
        if labels is None:
            raise ValueError(
                f"{self.place(name)} has more than {MAX_LABELS:,} different labels; --truth names a column of "
                "classes, or of numbers to predict, and --score one of scores."
            )
        return labels

    def numbers(self, names: Iterable[str]) -> Floats:
        """Return columns of numbers as an array of shape (rows, columns)."""
        return np.column_stack([self.columns[name].numbers for name in names])

    def identity_numbers(self, names: Iterable[str]) -> dict[str, Ints]:
        """Number the cells of each column, equal cells alike. Leave out columns with missing cells."""
        self.load(names := list(names))
        numbers = {name: self.columns[name].identity_numbers for name in names}
        return {name: of_rows for name, of_rows in numbers.items() if of_rows is not None}

    def find_unused(self) -> list[str]:
        """Return the names of the columns that have no role and are not read; a name that recurs is left out."""
        used = {*self.columns, *self.roles.answers, *self.roles.possible_answers}
        names = self.table.names
        return [name for name in names if name not in used and names.count(name) == 1]


class PredictionTask(NamedTuple):
    """Whether numbers are predicted; if not, the true classes, and the index of the positive one if there is one."""

    is_regression: bool
    classes: Classes
    positive: int | None = None

    def find_unknown(self, texts: Iterable[str]) -> list[str]:
        """Return the different texts that name no class."""
        return [text for text in dict.fromkeys(texts) if self.classes.find(text) is None]


def find_task(file: PredictionFile) -> PredictionTask:
    """Return the task of a file; if more than two labels have probabilities, only a named class is positive."""
    truth, options = file.roles.truth, file.options
    is_regression = options.quantile is not None or options.task == "regression"
    if options.task is None and options.quantile is None and options.positive is None:
        is_regression = file.columns[truth].is_regression_target()
    if is_regression:
        return PredictionTask(is_regression=True, classes=Classes.from_labels([]))
    labels = file.labels(truth)
    classes = Classes.from_labels(labels.texts)
    refuse_look_alikes(classes.names, file.place(truth))
    task = PredictionTask(is_regression=False, classes=classes)
    n_labels = max(len(_find_probabilities(file, classes.names, model)) for model in file.roles.models)
    if len(classes.names) < 2 or (options.positive is None and n_labels > 2):
        return task
    counts = np.bincount(classes.encode(*labels)[labels.codes >= 0], minlength=len(classes.names))
    order = file.table.order(truth)
    positive = choose_positive_class(classes, counts, file.place(truth), named=options.positive, order=order)
    return task._replace(positive=positive)


def choose_columns(file: PredictionFile, task: PredictionTask, model: ModelColumns) -> ModelColumns:
    """Return the columns that a model uses; the probabilities of a positive class become the scores."""
    if task.is_regression:
        return _choose_numbers(file, model)
    names = task.classes.names
    probabilities = _find_probabilities(file, names, model)
    if model.is_confidence and len(names) > 2 and (task.positive is not None or file.options.confidence):
        raise ValueError(
            f"{file.place(model.name)} holds the confidence in the predicted label, which gives no score for one of "
            f"{len(names):,} classes; leave out --confidence and --positive, or give each class a column of "
            "probabilities."
        )
    if task.positive is None:
        return ModelColumns(None, model.prediction, probabilities=probabilities)
    if model.is_confidence:
        return model
    if len(names) == 2:
        of_classes = {label: name for label, name in model.probabilities.items() if label in names}
        probabilities = of_classes if len(of_classes) == 1 else probabilities
    of_positive = probabilities.get(names[task.positive])
    if of_positive and model.score:
        raise UnsettledError(
            f"{file.name} has several columns that may hold the score: {quoted([model.score, of_positive])}",
            {"score": model.score},
            {"score": of_positive},
        )
    if probabilities and not (of_positive or model.score or model.prediction):
        (label,) = probabilities
        raise UnsettledError(
            f"{file.name} has probabilities of {label!r} only ({quoted(probabilities.values())}), which is not the "
            "positive label",
            {"positive": label},
        )
    return ModelColumns(of_positive or model.score, model.prediction, probabilities=probabilities)


def _choose_numbers(file: PredictionFile, model: ModelColumns) -> ModelColumns:
    """Return the column of predicted numbers; an option for classes is an error."""
    for option in ("cost", "positive", "threshold"):
        if getattr(file.options, option) is not None:
            quantile = " leave out --quantile and" if file.options.quantile is not None else ""
            raise ValueError(
                f"The truth of {file.name} is read as numbers to predict, and --{option} is for classes; leave it "
                f"out, or{quantile} give --task classification."
            )
    column = model.prediction or model.score
    if column is None:
        raise ValueError(f"{file.name} has no column of predicted numbers; name it with --prediction.")
    return ModelColumns(prediction=column)


def _find_probabilities(file: PredictionFile, classes: Sequence[str], model: ModelColumns) -> Mapping[str, str]:
    """Return a column of probabilities for each class, and for other labels only if all then add up to 1."""
    columns = model.probabilities
    of_classes = {label: columns[label] for label in classes if label in columns}
    of_all = {**of_classes, **columns}
    is_complete = len(of_classes) == len(classes)
    if file.options.probabilities is not None:  # the user says that these are probabilities
        if not is_complete:
            raise ValueError(
                f"The truth of {file.name} has the labels {quoted(classes)}, but the probabilities are of "
                f"{quoted(columns)}; name all classes with labels."
            )
        return of_all
    if not columns:
        return {}
    if is_complete:
        for candidates in (of_classes, of_all):
            if _have_probabilities(file, candidates):
                return candidates
        if len(classes) == 2 and are_opposite(file.numbers(of_classes.values())):
            return of_classes
    if model.score or model.prediction or (len(of_classes) == 1 and len(classes) == 2):
        return {}  # the columns stay unread
    raise ValueError(
        f"{file.name} has columns named after classes, {quoted(columns.values())}, but they are not probabilities "
        f"between 0 and 1 of all classes, {quoted(classes)}, that add up to 1; name the column of predicted labels "
        "with --prediction, or of the scores of one label with --score."
    )


def _have_probabilities(file: PredictionFile, columns: Mapping[str, str]) -> bool:
    """Tell whether columns add up to 1 in each row; columns of 0 and 1 called like classes may be the truth instead."""
    file.load(columns.values())
    if not all(file.columns[name].is_numeric() for name in columns.values()):
        return False
    values = file.numbers(columns.values())
    values = values[~np.isnan(values).any(axis=1)]
    may_be_truth = not columns.keys() - columns.values() and np.isin(values, (0, 1)).all()
    return not not_adding_to_1(values).any() and not may_be_truth
