"""From files to the answers of models: which cases are positive, and what was predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from nontrivial._arrays import Floats, Mask
from nontrivial._validation import as_weights
from nontrivial.labels import (
    MANY,
    Classes,
    are_confidences,
    are_separable,
    check_unknown_labels,
    equal_labels,
    look_alikes,
)
from nontrivial.scorecard.answers import (
    Answers,
    Forecasts,
    Predictions,
    apply_threshold,
    are_shares,
    drop_missing,
    drop_uncounted,
    split_models,
)
from nontrivial.scorecard.cells import MOST_LABELS, Cells, Column
from nontrivial.scorecard.read import Table, open_table
from nontrivial.scorecard.roles import Model, Options, find_columns, options_of
from nontrivial.terminal import listed, waiting


@dataclass(frozen=True)
class Probabilities:
    """The columns of the classes in their order, and then the columns of classes that no case has."""

    columns: list[str]
    of_cases: Floats
    others: list[str]


def read_predictions(path: str | Path, **options: Any) -> Any:
    """Read the answers of the one model that a file has, as `read_answers` does, with the options of `Options`."""
    members = read_answers([path], options_of(**options))
    if len(members) > 1:
        raise ValueError(f"{members[0].name} has {len(members)} models; one is needed.")
    return members[0]


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> list[Any]:
    """Read the answers of all models of some files, or tables in memory: Predictions, or Forecasts, all of one kind."""
    read = []
    for file in files:
        what = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with waiting(f"Reading {what}", shown=progress):
            read.append(read_file(file, options))
    pa.default_memory_pool().release_unused()  # what the texts of the files took up
    if len(read) > 1:
        read = [[replace(each, model=_joined(each)) for each in members] for members in read]
    members = [member for members in read for member in members]
    if len({member.model for member in members}) < len(members):
        members = [
            replace(each, model=f"{each.model} ({number})") for number, each in enumerate(members, start=1)
        ]
    if len({type(member) for member in members}) > 1:
        raise ValueError("Some files have classes and others have numbers; choose one kind with --task.")
    return [_checked(drop_uncounted(member)) for member in drop_missing(members, options.by)]


def _checked(member: Any) -> Any:
    """Refuse columns that seem to hold something else than their names say, and note scores that give no prediction."""
    column, guess = member.columns.get("score"), member.columns.get("prediction")
    perfect = np.array_equal(member.prediction, member.truth)
    score = getattr(member, "score", None)
    if member.rivals:
        follows = score is not None and are_separable(score, member.truth)
        if perfect or follows:
            raise ValueError(
                f"Column {member.columns['truth']!r} of {member.name} follows from the answers in every case, so it "
                f"may hold predicted labels, and {listed(map(repr, member.rivals))} the true ones; name the true "
                "labels with --truth."
            )
    if member.doubtful:
        agrees = score is None or member.rule or are_separable(score, member.prediction)
        chances = getattr(member, "probabilities", None)
        if chances is not None:
            agrees = (
                np.take_along_axis(chances, member.prediction[:, None], 1)[:, 0] == chances.max(axis=1)
            ).all()
        is_confidence = score is not None and are_confidences(score, member.prediction, member.n_classes)
        if perfect or not (agrees or is_confidence):
            what = "equals the truth in every case" if perfect else "does not follow from the scores"
            raise ValueError(
                f"Column {guess!r} of {member.name} {what}, so it may not hold predicted labels; if it does, name it "
                "with --prediction; otherwise set it aside with --threshold, or rename it."
            )
    if score is None or column is None or member.rule or member.positive is None:
        return member
    never = member.n_classes == 2 and not member.prediction.any() and 0.5 <= score.min() < score.max() <= 1
    if never or are_confidences(score, member.prediction, member.n_classes):
        turn = f"if so, name it with --confidence {column}"
        if member.n_classes > 2:
            turn = "if so, leave out --positive, or give each class a column of probabilities"
        raise ValueError(
            f"Column {column!r} of {member.name} holds scores from {score.min():.3g} to {score.max():.3g}, and "
            f"{'no case is predicted positive' if never else 'no threshold on them gives the predictions'} in "
            f"{guess!r}, so they seem to be confidences in the predicted label; {turn}; if they are scores of one "
            "label, set the predictions aside with --threshold."
        )
    if not are_separable(score, member.prediction):
        note = (
            f"No threshold on {column!r} gives the predictions in {guess!r}; they may be of two models, or the scores "
            "may be for another label."
        )
        return replace(member, notes=(*member.notes, note))
    return member


def _joined(answers: Answers) -> str:
    return f"{answers.name}: {answers.model}" if answers.model else answers.name


def read_file(file: str | Path | pd.DataFrame, options: Options) -> list[Any]:
    """Read the answers of all models of one file, as `read_answers` does."""
    read = _File(open_table(file, options.separator, options.encoding), options)
    columns = read.columns
    if read.is_regression():
        if options.cost is not None:
            raise ValueError(f"--cost is for classes, and {read.table.name} predicts numbers; leave it out.")
        lacks = read.complete(None)
        members: list[Any] = [read.forecasts(model) for model in columns.models]
        unassigned = list(columns.unread)
    else:
        classes = Classes.of(read.labels(columns.truth).texts)
        lacks = read.complete(classes)
        if len(classes.names) < 2:
            raise ValueError(f"{read.place(columns.truth)} has one class only; two or more are needed.")
        if options.confidence and len(classes.names) > 2:
            raise ValueError(
                f"--confidence is for two classes, and {read.place(columns.truth)} has {len(classes.names)}; leave it "
                "out, or give each class a column of probabilities."
            )
        members = [read.predictions(model, classes) for model in columns.models]
        unassigned = read.unused(classes, members)
    notes = columns.notes
    if unassigned:
        notes += (
            f"Not used, though they may hold predictions or scores: {listed(map(repr, unassigned))}. "
            "--prediction, --score and --confidence name such columns.",
        )
    shared: dict[str, Any] = {"lacks": lacks, "notes": notes}
    if columns.case is not None:
        shared["cases"] = read.column(columns.case).identities()
    if columns.group is not None:
        groups = read.column(columns.group).names
        if len(groups.texts) < 2:
            raise ValueError(
                f"{read.place(columns.group)} has one group only; an interval needs two or more."
            )
        shared["groups"] = groups.cases
    if columns.weight is not None:
        given = read.column(columns.weight).numbers.cases
        shared["weights"] = as_weights(given, len(given), read.place(columns.weight))
    members = [
        replace(member, model=model.name if len(members) > 1 else "", **shared)
        for member, model in zip(members, columns.models, strict=True)
    ]
    names = {name: read.column(name).names for name in (*columns.by, *columns.model, *columns.parts)}
    gaps = [gap for name in columns.by if (gap := names[name].missing) is not None]
    whole = ~np.any([np.zeros(len(members[0].truth), dtype=bool), *gaps], axis=0)
    if gaps:
        absent = f"{np.count_nonzero(~whole):,} of {len(whole):,}"
        note = f"Cases left out, as they have no value of {listed(map(repr, columns.by))}: {absent}."
        members = [member.only(whole, notes=(*member.notes, note)) for member in members]
    codes = {name: (each.cases[whole], each.texts) for name, each in names.items()}
    return split_models(members, codes, columns)


class _File:
    """The columns of a file that are needed."""

    def __init__(self, table: Table, options: Options) -> None:
        self.table, self.options = table, options
        self._columns: dict[str, Column] = {}
        self.columns = columns = find_columns(table.names, table.name, options, self._classes_of)
        self.predicted = [model.prediction for model in columns.models if model.prediction]
        dividing = (columns.weight, columns.group, columns.case, *columns.by, *columns.model, *columns.parts)
        scores = (*(model.score for model in columns.models), *columns.probabilities.values())
        self._load(columns.truth, *self.predicted, *scores, *dividing)
        others = [name for name in table.names if name not in self._columns and table.names.count(name) == 1]
        self._others = self._columns_of(table.peek(others))

    def _load(self, *names: str | None) -> None:
        new = [name for name in dict.fromkeys(names) if name and name not in self._columns]
        self._columns |= self._columns_of(self.table.read(new))

    def _columns_of(self, cells: dict[str, Any]) -> dict[str, Column]:
        decimal, positive = self.options.decimal, self.options.positive
        return {name: Column(self.place(name), each, decimal, positive) for name, each in cells.items()}

    def _classes_of(self, truth: str) -> Classes:
        self._load(truth)
        labels = self.column(truth).labels
        return Classes.of([] if labels is None else labels.texts)

    def column(self, name: str) -> Column:
        return self._columns[name]

    def place(self, column: str) -> str:
        return f"Column {column!r} of {self.table.name}"

    def labels(self, name: str) -> Cells:
        """Return the labels of a column, or say that there are too many."""
        labels = self.column(name).labels
        if labels is None:
            hint = "if they are scores, name the column with --score"
            if name == self.columns.truth:
                hint = "name a column of classes, or of numbers to predict, with --truth"
            raise ValueError(f"{self.place(name)} has more than {MOST_LABELS:,} different labels; {hint}.")
        return labels

    def is_regression(self) -> bool:
        """Tell whether numbers are predicted: there are many different ones, and not all predictions are among them."""
        for name in (self.columns.truth, *self.predicted):
            if self.column(name).labels is None and not self.column(name).are_numbers():
                self.labels(name)
        if self.options.task is not None:
            return self.options.task == "regression"
        truth, predicted = self.column(self.columns.truth), [self.column(each) for each in self.predicted]
        if truth.labels is None or self.options.quantile is not None:
            return True
        values = truth.numerals()
        if len(values) <= MANY or self.options.positive is not None:
            return False
        if not predicted:
            return any(value != value.to_integral_value() for value in values)
        return any(each.labels is None or not each.numerals() <= values for each in predicted)

    def complete(self, classes: Classes | None) -> Mask | None:
        """Give the cases that lack a value those of a complete case, and return which they are; None if none are.

        `classes` are those of the truth, or None if numbers are predicted. Columns that are not used may lack values.
        """
        columns, models = self.columns, self.columns.models
        labelled = [columns.truth, *self.predicted]
        two = classes is not None and (len(classes.names) == 2 or self.options.positive is not None)
        read = [each.score for each in models if two or (classes is None and not each.prediction)]
        if classes is not None and not (two and models[0].score):
            # What holds no numbers is an error only where it is read.
            read += [name for name in columns.probabilities.values() if self.column(name).are_numbers()]
        read.append(columns.weight)
        needed = {name: self.labels(name) for name in labelled} if classes else {}
        needed |= {
            name: self.column(name).numbers for name in (*labelled, *read) if name and name not in needed
        }
        needed |= {name: self.column(name).names for name in (columns.group, *columns.by) if name}
        gaps = {name: cells for name, cells in needed.items() if cells.missing is not None}
        if not gaps:
            return None
        lacks: Mask = np.any([np.asarray(cells.missing) for cells in gaps.values()], axis=0)
        said = []
        for name, cells in gaps.items():
            rows = np.flatnonzero(np.asarray(cells.missing))
            word = f", where it holds {cells.word!r}" if cells.word else ""
            said.append(f"{len(rows):,} in {name!r} (the first in row {rows[0] + 1:,}{word})")
        if self.options.missing == "refuse" or lacks.all():
            drop = "" if lacks.all() else ", or leave these cases out with --missing drop"
            apart = not gaps.keys().isdisjoint(columns.by)
            divides = ", or give them a value of their own, such as unknown" if apart else ""
            named = any(cells.word and cells.cases.dtype.kind == "i" for cells in gaps.values())
            word = "; a label must be written otherwise, or named with --positive" if named else ""
            raise ValueError(
                f"{self.table.name} lacks values in {np.count_nonzero(lacks):,} of {len(lacks):,} data rows: "
                f"{listed(said)}; complete them{divides}{drop}{word}."
            )
        whole = int(lacks.argmin())
        for cells in needed.values():
            cells.cases[lacks] = cells.cases[whole]
        return lacks

    def _fitting(self, classes: Classes, *, scores: bool) -> list[str]:
        """Return the columns without a role that may hold predicted labels or, if these can be read, scores."""
        fit = {name: column.may_be(classes) for name, column in self._others.items()}
        return [name for name, (labels, shares) in fit.items() if labels or (scores and shares)]

    def unused(self, classes: Classes, members: Sequence[Predictions]) -> list[str]:
        """Return the columns that may hold answers of a model but are not used."""
        of_scores = len(classes.names) == 2 or self.options.positive is not None
        of_classes = set(self.columns.probabilities.values())
        named = list(self.columns.unread) if of_scores or self.options.score else []
        named += [model.prediction for model in self.columns.models if model.doubtful and model.prediction]
        read = {column for member in members for column in member.columns.values()}
        if members[0].probabilities is not None or read & of_classes:
            read |= of_classes
        found = [*named, *self.columns.probabilities.values(), *self._fitting(classes, scores=of_scores)]
        return [name for name in dict.fromkeys(found) if name not in read]

    def forecasts(self, model: Model) -> Forecasts:
        """Return the numbers that a model predicted."""
        column = model.prediction or model.score
        if column is None:
            raise ValueError(
                f"{self.table.name} has no column of predicted numbers; name it with --prediction; for classes, leave "
                "out --quantile and --task regression."
            )
        if model.doubtful and model.score:
            raise ValueError(
                f"{self.table.name} has 2 columns that may hold a prediction: {model.prediction!r}, {model.score!r}; "
                "name the right one with --prediction."
            )
        if self.options.positive is not None or self.options.threshold is not None:
            raise ValueError(
                f"{self.place(self.columns.truth)} is read as numbers to predict; --positive and --threshold are only "
                "for classes, --task regression and --quantile only for numbers."
            )
        return Forecasts(
            name=self.table.name,
            columns=self._named(prediction=column),
            truth=self.column(self.columns.truth).numbers.cases,
            prediction=self.column(column).numbers.cases,
            sha256=self.table.sha256,
            doubtful=model.doubtful,
            quantile=self.options.quantile,
        )

    def _named(self, **read: str | None) -> dict[str, str]:
        """Name the columns that are read, by what they hold."""
        named = {
            "truth": self.columns.truth,
            **read,
            "weight": self.columns.weight,
            "group": self.columns.group,
        }
        return {what: column for what, column in named.items() if column is not None}

    def predictions(self, model: Model, classes: Classes) -> Predictions:
        """Return the classes that a model predicted."""
        columns, options = self.columns, self.options
        label = self._positive(classes)
        true = self.labels(columns.truth)
        guesses = None if model.prediction is None else self.labels(model.prediction)
        strangers = [] if guesses is None else [text for text in guesses.texts if classes.find(text) is None]
        if model.doubtful and strangers and (model.score or columns.probabilities):
            model, guesses, strangers = replace(model, prediction=None, doubtful=False), None, []
        if guesses is not None:
            assert model.prediction is not None
            check_unknown_labels(strangers, guesses.texts, classes, self.place(model.prediction))
        chances = self._probabilities(model, classes)
        if chances is not None:
            strangers = list(dict.fromkeys([*strangers, *chances.others]))
        truth: Any = classes.number(true.texts, true.cases)
        predicted: Any = None if guesses is None else classes.number(guesses.texts, guesses.cases, strangers)
        scores, rule, threshold, score_column = None, "", None, None if label is None else model.score
        asked = (
            "--cost" if options.cost is not None else "--threshold" if options.threshold is not None else ""
        )
        if label is None and asked:
            raise ValueError(
                f"{asked} is for a positive class, and no class of {self.table.name} is positive; name one with "
                "--positive."
            )
        if label is None:
            if predicted is None and chances is not None:
                predicted, rule = np.argmax(chances.of_cases, axis=1), "the class of the greatest probability"
            if predicted is None:
                raise ValueError(
                    f"{self.place(columns.truth)} has {len(classes.names):,} classes ({listed(classes.names, 5)}), but "
                    "a score is for one class; name that class with --positive, or name a column of predictions with "
                    "--prediction; for numbers to predict, give --task regression."
                )
        else:
            truth = truth == label
            if score_column is None and chances is not None:
                score_column, scores = chances.columns[label], chances.of_cases[:, label]
            elif score_column is not None:
                scores = self.column(score_column).numbers.cases
            if model.confidence:
                assert scores is not None
                scores = self._turned(scores, predicted == label, model, classes)
            if predicted is None or options.threshold is not None:
                assert score_column is not None
                assert scores is not None
                predicted, threshold, rule = apply_threshold(
                    scores, score_column, options.threshold, self.place(score_column), options.cost
                )
            else:
                predicted = predicted == label
        of_classes = None if label is not None or chances is None else chances
        read = {"confidence" if model.confidence else "score": score_column, "prediction": model.prediction}
        return Predictions(
            name=self.table.name,
            columns=self._named(
                **read, probabilities=None if of_classes is None else listed(of_classes.columns)
            ),
            truth=truth,
            prediction=predicted,
            sha256=self.table.sha256,
            score=scores,
            probabilities=None if of_classes is None else of_classes.of_cases,
            positive=None if label is None else classes.names[label],
            assumed=label is not None and options.positive is None,
            labels=(*classes.names, *strangers),
            n_classes=len(classes.names),
            may_be_numbers=options.task is None and guesses is not None and bool(classes.values),
            doubtful=model.doubtful,
            rivals=tuple(self._fitting(classes, scores=False)) if columns.assumed else (),
            unused=(model.score or "") if label is None and options.score else "",
            rule=rule,
            threshold=threshold,
            cost=options.cost if label is not None else None,
            merged=equal_labels(classes.values),
            alike=look_alikes((*classes.names, *strangers)),
        )

    def _probabilities(self, model: Model, classes: Classes) -> Probabilities | None:
        """Return a column for each class, if there are such columns; the model may have others, too."""
        named, two, file = (
            self.columns.probabilities,
            len(classes.names) == 2,
            f"{self.table.name} has columns",
        )
        if not named or (two and model.score is not None):
            return None
        found = {classes.find(text): column for text, column in named.items()}
        others = [text for text in named if classes.find(text) is None]
        if not set(range(len(classes.names))) <= found.keys() or (two and others):
            if model.score or model.prediction:
                return None
            raise ValueError(
                f"{file} {listed(named.values())}, but the classes {listed(classes.names)}; give each class a column "
                "of probabilities, or name the columns of models with --score or --prediction."
            )
        columns = [found[place] for place in range(len(classes.names))] + [named[text] for text in others]
        of_cases = np.column_stack([self.column(column).numbers.cases for column in columns])
        if all(text == column for text, column in named.items()):  # then nothing else says what they hold
            lack = "" if are_shares(of_cases) else "are negative or do not add up to 1 in some cases"
            if ((of_cases == 0) | (of_cases == 1)).all():
                lack = "hold only 0 and 1, so they may be the truth"
            if lack and model.prediction:
                return None
            if lack:
                raise ValueError(
                    f"{file} {listed(columns)}, named as the classes, but they {lack}; if they hold probabilities or "
                    "scores, rename them to p_ and the class."
                )
        return Probabilities(columns, of_cases, others)

    def _turned(self, confidence: Floats, predicted: Mask, model: Model, classes: Classes) -> Floats:
        """Return the scores of the positive label from confidences in the predicted one."""
        assert model.score is not None
        place = self.place(model.score)
        least, greatest = confidence.min(), confidence.max()
        if len(classes.names) > 2:
            raise ValueError(
                f"{place} holds the confidence in the predicted label, which gives no score for one of "
                f"{len(classes.names):,} classes; leave out --positive, or give each class a column of probabilities."
            )
        if least < 0 or greatest > 1:
            raise ValueError(
                f"{place} holds values from {least:.6g} to {greatest:.6g}; a confidence lies in [0, 1]; for scores of "
                "the positive label, name the column with --score."
            )
        if least < 0.5 and are_separable(confidence, predicted):
            raise ValueError(
                f"{place} holds the higher values where the positive label is predicted, and values below 0.5, so it "
                "seems to be the score of the positive label; name it with --score."
            )
        return np.where(predicted, confidence, np.round(1 - confidence, 15))

    def _positive(self, classes: Classes) -> int | None:
        text = self.options.positive
        if text is None:
            return 1 if len(classes.names) == 2 else None
        found = classes.find(text)
        if found is None:
            place = self.place(self.columns.truth)
            raise ValueError(
                f"--positive is {text!r}, which {place[0].lower()}{place[1:]} does not hold; "
                f"it holds {listed(map(repr, classes.names))}."
            )
        return found
