"""From files to the answers of models: which cases are positive, and what was predicted."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

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
    values_of,
)
from nontrivial.scorecard.answers import (
    Answers,
    Forecasts,
    Predictions,
    apply_threshold,
    are_shares,
    check_threshold,
    drop_missing,
    drop_uncounted,
    split_models,
)
from nontrivial.scorecard.cells import Codes, Labels, Numbers, UnassignedColumn
from nontrivial.scorecard.reading import (
    FrameTable,
    Layout,
    Source,
    Table,
    check_rows,
    open_table,
    read_chunks,
)
from nontrivial.scorecard.roles import Columns, Model, Options, find_columns, options_of
from nontrivial.terminal import listed, waiting

# Columns of probabilities, one for each class.


@dataclass(frozen=True)
class Probabilities:
    """The columns of the classes in their order, and then the columns of classes that no case has."""

    columns: list[str]
    of_cases: Floats
    others: list[str]


def columns_named_as_classes(table: Table, truth: str, names: Sequence[str]) -> dict[str, str]:
    """Return the columns with the names of classes, by the class; none unless there are two.

    Parameters
    ----------
    table : Table
    truth : str
        The column of true labels. It is read to its end only if one of its first labels is the name of a column.
    names : sequence of str
        The other columns.
    """
    labels = _labels(table, truth)
    with read_chunks(table, [truth], plain=True) as chunks:
        for before, chunk in chunks:
            labels.add(chunk.column(0), before)
            classes = Classes.of(labels.texts)
            found = {name: name for name in names if classes.find(name) is not None}
            if labels.overfull or not found:
                return {}
    return found if len(found) > 1 else {}


def first_classes(table: Table, truth: str) -> Classes:
    """Return the classes of the first cases of a table."""
    labels = _labels(table, truth)
    labels.add(_first_chunk(table, [truth])[truth], 0)
    return Classes.of(labels.texts)


def find_unassigned(
    table: Table, truth: str, names: Sequence[str], decimal: str
) -> dict[str, UnassignedColumn]:
    """Return the columns that may hold answers of a model, as far as the first cases tell."""
    classes = first_classes(table, truth)
    try:
        first = _first_chunk(table, names)
    except ValueError:  # one of them cannot be read, or all of them take too much memory at once
        first = {}
        for name in names:
            with contextlib.suppress(ValueError):
                first |= _first_chunk(table, [name])
    unassigned = {name: UnassignedColumn(decimal) for name in first}
    for name, column in unassigned.items():
        column.add(first[name], 0)
    return {
        name: UnassignedColumn(decimal) for name, column in unassigned.items() if column.may_serve(classes)
    }


def _first_chunk(table: Table, names: Sequence[str]) -> dict[str, Any]:
    if not names:
        return {}
    with read_chunks(table, names, plain=True) as chunks:
        _, chunk = next(chunks)
    return dict(zip(names, chunk.columns, strict=True))


def _labels(table: Table, truth: str) -> Labels:
    return Labels(f"Column {truth!r} of {table.name}", "name a column of classes with --truth")


def find_probabilities(
    named: Mapping[str, str], numbers: Mapping[str, Numbers], classes: Classes, model: Model, file: str
) -> Probabilities | None:
    """Return a column for each class, if there are such columns.

    Parameters
    ----------
    named : mapping of str to str
        Columns by the labels that they name.
    numbers : mapping of str to Numbers
        The contents of the columns.
    classes : Classes
    model : Model
        The other columns of the model.
    file : str
        The beginning of an error.
    """
    two = len(classes.names) == 2
    if not named or (two and model.score is not None):
        return None
    found = {classes.find(text): column for text, column in named.items()}
    others = [text for text in named if classes.find(text) is None]
    if not set(range(len(classes.names))) <= found.keys() or (two and others):
        if model.score or model.prediction:
            return None
        raise ValueError(
            f"{file} {listed(named.values())}, but the classes {listed(classes.names)}; give each class a column of "
            "probabilities, or name the columns of models with --score or --prediction."
        )
    columns = [found[place] for place in range(len(classes.names))] + [named[text] for text in others]
    of_cases = np.column_stack([numbers[column].cases for column in columns])
    if all(text == column for text, column in named.items()):  # then nothing else says what they hold
        only_ends = bool(((of_cases == 0) | (of_cases == 1)).all())
        if only_ends or not are_shares(of_cases):
            if model.prediction:
                return None
            lack = (
                "hold only 0 and 1, so they may be the truth"
                if only_ends
                else "are negative or do not add up to 1 in some cases"
            )
            raise ValueError(
                f"{file} {listed(columns)}, named as the classes, but they {lack}; if they hold probabilities or "
                "scores, rename them to p_ and the class."
            )
    return Probabilities(columns, of_cases, others)


def read_predictions(path: str | Path, **options: Any) -> Any:
    """Read the answers of the one model that a file has: Predictions, or Forecasts.

    Parameters
    ----------
    path : path
        CSV, Parquet, Feather, ARFF, JSON lines or XLSX, plain or compressed, one row per case.
    **options
        The options of `Options`; one name stands for a tuple of one.

    Raises
    ------
    ValueError
        If the file cannot be read or is too large, a column is missing or holds wrong values, a value is missing,
        there is no such label, or a threshold has no scores or no threshold follows from them.
    """
    members = read_answers([path], options_of(**options))
    if len(members) > 1:
        raise ValueError(f"{members[0].name} has {len(members)} models; one is needed.")
    return members[0]


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> list[Any]:
    """Read the answers of all models of some files.

    Returns
    -------
    list of Predictions, or of Forecasts
        All of the same kind.

    Raises
    ------
    ValueError
        As `read_predictions`, or if one file has classes and another numbers.
    """
    read = [read_file(each, options, progress=progress) for each in files]
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
    if are_confidences(score, member.prediction, member.n_classes):
        turn = f"if so, name it with --confidence {column}"
        if member.n_classes > 2:
            turn = "if so, leave out --positive, or give each class a column of probabilities"
        raise ValueError(
            f"Column {column!r} of {member.name} holds scores from {score.min():.3g} to {score.max():.3g}, and no "
            f"threshold on them gives the predictions in {guess!r}, so they seem to be confidences in the predicted "
            f"label; {turn}; if they are scores of one label, set the predictions aside with --threshold."
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


def read_file(file: str | Path | pd.DataFrame, options: Options, *, progress: bool) -> list[Any]:
    """Read the answers of all models of one file, as `read_answers` does."""
    read = _File.read(file, options, progress=progress)
    if read.is_regression():
        if options.cost is not None:
            raise ValueError(f"--cost is for classes, and {read.name} predicts numbers; leave it out.")
        lacks = read.complete(None)
        members: list[Any] = [read.forecasts(model) for model in read.columns.models]
        unassigned = list(read.columns.unread)
    else:
        if read.truth.overfull:
            read.truth.refuse()
        for labels in (read.truth, *read.labels.values()):
            labels.mark_words()
        classes = Classes.of(read.truth.texts)
        lacks = read.complete(classes)
        if len(classes.names) < 2:
            raise ValueError(f"{read.place(read.columns.truth)} has one class only; two or more are needed.")
        members = [read.predictions(model, classes) for model in read.columns.models]
        unassigned = read.unused(classes, members)
    one_is_positive = getattr(members[0], "positive", None) is not None
    check_rows(read.name, len(members[0].truth), plain=one_is_positive)
    notes = read.columns.notes
    if unassigned:
        notes += (
            f"Not used, though they may hold predictions or scores: {listed(map(repr, unassigned))}. "
            "--prediction, --score and --confidence name such columns.",
        )
    members = [replace(member, lacks=lacks, notes=notes) for member in members]
    if len(members) > 1:
        names = [model.name for model in read.columns.models]
        members = [replace(member, model=name) for member, name in zip(members, names, strict=True)]
    if read.columns.group is not None:
        groups, names = read.encoded[read.columns.group]
        if len(names) < 2:
            raise ValueError(
                f"{read.place(read.columns.group)} has one group only; an interval needs two or more."
            )
        members = [replace(member, groups=groups) for member in members]
    if read.columns.weight is not None:
        given = read.numbers[read.columns.weight].cases
        weights = as_weights(given, len(given), read.place(read.columns.weight))
        members = [replace(member, weights=weights) for member in members]
    return split_models(members, read.encoded, read.columns)


@dataclass(eq=False)
class _File:
    """The columns of a file that were read."""

    name: str
    sha256: str
    options: Options
    columns: Columns
    truth: Labels
    labels: dict[str, Labels]
    numbers: dict[str, Numbers]
    codes: dict[str, Codes]
    unassigned: dict[str, UnassignedColumn]
    encoded: dict[str, tuple[Any, list[str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: str | Path | pd.DataFrame, options: Options, *, progress: bool) -> _File:
        layout = Layout(options.separator, options.encoding)
        table = FrameTable.of(file) if isinstance(file, pd.DataFrame) else open_table(Source.of(file), layout)
        columns = find_columns(
            table.names,
            table.name,
            options,
            partial(columns_named_as_classes, table),
            partial(first_classes, table),
        )
        if options.threshold is not None:
            first = columns.models[0]
            check_threshold(options.threshold, first.score, next(iter(options.prediction), None), table.name)
            models = tuple(Model(model.score) for model in columns.models)
            columns = replace(columns, models=models)
        read = cls(table.name, table.sha256(), options, columns, Labels("", ""), {}, {}, {}, {})
        read._make_columns()
        parts: list[tuple[str, Labels | Numbers | Codes | UnassignedColumn]] = [(columns.truth, read.truth)]
        parts += [*read.labels.items(), *read.numbers.items(), *read.codes.items()]
        others = [name for name in table.names if name not in dict(parts) and table.names.count(name) == 1]
        read.unassigned = find_unassigned(table, columns.truth, others, options.decimal)
        parts += read.unassigned.items()
        plain = len(columns.models) == 1 and len(read.numbers) <= 1 and not (columns.weight or read.codes)
        wanted = list(dict.fromkeys(column for column, _ in parts))
        with (
            read_chunks(table, wanted, plain=plain) as chunks,
            waiting(f"Reading {table.name}", "rows", shown=progress) as count,
        ):
            for before, chunk in chunks:
                for column, part in parts:
                    part.add(chunk.column(column), before)
                count(chunk.num_rows)
        return read

    def _make_columns(self) -> None:
        columns, decimal, positive = self.columns, self.options.decimal, self.options.positive
        hint = "name a column of classes, or of numbers to predict, with --truth"
        self.truth = Labels(self.place(columns.truth), hint, decimal, but=positive)
        for model in columns.models:
            if model.prediction:
                self.labels[model.prediction] = Labels(
                    self.place(model.prediction),
                    "if they are scores, name the column with --score",
                    decimal,
                    but=positive,
                )
        scores = [model.score for model in columns.models]
        for column in (*scores, *columns.probabilities.values(), columns.weight):
            if column:
                self.numbers[column] = Numbers(self.place(column), decimal)
        for column in (columns.group, columns.case, *columns.by, *columns.model, *columns.parts):
            if column:
                self.codes[column] = Codes(self.place(column))

    def place(self, column: str) -> str:
        return f"Column {column!r} of {self.name}"

    def complete(self, classes: Classes | None) -> Mask | None:
        """Give the cases that lack a value those of a complete case, and return which they are; None if none are.

        `classes` are those of the truth, or None if numbers are predicted. Columns that are not used may lack values.
        """
        columns, models = self.columns, self.columns.models
        needed: dict[str, Labels | Numbers] = {columns.truth: self.truth}
        needed |= {each.prediction: self.labels[each.prediction] for each in models if each.prediction}
        if classes is None:
            needed = {
                name: column.as_numbers() for name, column in needed.items() if isinstance(column, Labels)
            }
        two = classes is not None and (len(classes.names) == 2 or self.options.positive is not None)
        read = [each.score for each in models if two or (classes is None and not each.prediction)]
        if classes is not None and not (two and models[0].score):
            read += columns.probabilities.values()
        needed |= {name: self.numbers[name] for name in (*read, columns.weight) if name}
        dividing = [name for name in (columns.group, *columns.by) if name]
        gaps = {
            name: column
            for name, column in (needed | {name: self.codes[name] for name in dividing}).items()
            if column.missing
        }
        self.encoded = {name: column.encoded() for name, column in self.codes.items()}
        if not gaps:
            return None
        lacks = np.zeros(len(self.truth.cases if classes else needed[columns.truth].cases), dtype=bool)
        said = []
        for name, column in gaps.items():
            rows = np.concatenate(column.missing)
            lacks[rows] = True
            word = f", where it holds {column.word!r}" if column.word else ""
            said.append(f"{len(rows):,} in {name!r} (the first in row {rows[0] + 1:,}{word})")
        stays = lacks.all() or not gaps.keys().isdisjoint(columns.by)
        if self.options.missing == "refuse" or stays:
            drop = "" if stays else ", or leave these cases out with --missing drop"
            named = any(column.word for name, column in gaps.items() if name not in self.numbers)
            word = "; a label must be written otherwise, or named with --positive" if named else ""
            raise ValueError(
                f"{self.name} lacks values in {np.count_nonzero(lacks):,} of {len(lacks):,} data rows: "
                f"{listed(said)}; complete them{drop}{word}."
            )
        whole = int(lacks.argmin())
        for cells in (
            *(each.cases for each in needed.values()),
            *(self.encoded[name][0] for name in dividing),
        ):
            cells[lacks] = cells[whole]
        return lacks

    def unused(self, classes: Classes, members: Sequence[Predictions]) -> list[str]:
        """Return the columns that may hold answers of a model but are not used."""
        of_scores = len(classes.names) == 2 or self.options.positive is not None
        named = list(self.columns.unread) if of_scores or self.options.score else []
        named += [model.prediction for model in self.columns.models if model.doubtful and model.prediction]
        named += self.columns.probabilities.values()
        read = {column for member in members for column in member.columns.values()}
        if members[0].probabilities is not None or not read.isdisjoint(self.columns.probabilities.values()):
            read.update(self.columns.probabilities.values())
        fit = [
            name
            for name, column in self.unassigned.items()
            if column.are_labels(classes) or (of_scores and column.are_shares())
        ]
        return [name for name in dict.fromkeys([*named, *fit]) if name not in read]

    def is_regression(self) -> bool:
        """Tell whether numbers are predicted: there are many different ones, and not all predictions are among them."""
        if self.options.task is not None:
            return self.options.task == "regression"
        if self.truth.overfull or self.options.quantile is not None:
            return True
        values = self._values(self.truth)
        if len(values) <= MANY or self.options.positive is not None:
            return False
        predicted = [self.labels[model.prediction] for model in self.columns.models if model.prediction]
        if not predicted:
            return any(value != value.to_integral_value() for value in values)
        return any(labels.overfull or not self._values(labels) <= values for labels in predicted)

    def _values(self, labels: Labels) -> set[Decimal]:
        return set(values_of(text.replace(self.options.decimal, ".") for text in labels.texts).values())

    def forecasts(self, model: Model) -> Forecasts:
        """Return the numbers that a model predicted."""
        column = model.prediction or model.score
        if column is None:
            raise ValueError(
                f"{self.name} has no column of predicted numbers; name it with --prediction; for classes, leave "
                "out --quantile and --task regression."
            )
        if model.doubtful and model.score:
            raise ValueError(
                f"{self.name} has 2 columns that may hold a prediction: {model.prediction!r}, {model.score!r}; name "
                "the right one with --prediction."
            )
        if self.options.positive is not None or self.options.threshold is not None:
            raise ValueError(
                f"{self.place(self.columns.truth)} is read as numbers to predict; --positive and --threshold are only "
                "for classes, --task regression and --quantile only for numbers."
            )
        return Forecasts(
            name=self.name,
            columns={"truth": self.columns.truth, "prediction": column} | self._also(),
            truth=self.truth.as_numbers().cases,
            prediction=(self.labels[column].as_numbers() if model.prediction else self.numbers[column]).cases,
            sha256=self.sha256,
            doubtful=model.doubtful,
            quantile=self.options.quantile,
        )

    def _also(self) -> dict[str, str]:
        named = {"weight": self.columns.weight, "group": self.columns.group}
        return {what: column for what, column in named.items() if column is not None}

    def predictions(self, model: Model, classes: Classes) -> Predictions:
        """Return the classes that a model predicted."""
        columns, options = self.columns, self.options
        label = self._positive(classes)
        guesses = None if model.prediction is None else self.labels[model.prediction]
        strangers = [] if guesses is None else [text for text in guesses.texts if classes.find(text) is None]
        if model.doubtful and strangers and (model.score or columns.probabilities):
            model, guesses, strangers = replace(model, prediction=None, doubtful=False), None, []
        if guesses is not None:
            assert model.prediction is not None
            if guesses.overfull:
                guesses.refuse()
            check_unknown_labels(strangers, guesses.texts, classes, self.place(model.prediction))
        chances = find_probabilities(
            columns.probabilities, self.numbers, classes, model, f"{self.name} has columns"
        )
        if chances is not None:
            strangers = list(dict.fromkeys([*strangers, *chances.others]))
        truth: Any = classes.number(self.truth.texts, self.truth.cases)
        predicted: Any = None if guesses is None else classes.number(guesses.texts, guesses.cases, strangers)
        scores, rule, threshold, score_column = None, "", None, None if label is None else model.score
        if label is None and options.cost is not None:
            raise ValueError(
                f"--cost weighs a missed positive against false alarms, and no class of {self.name} is positive; name "
                "one with --positive."
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
                scores = self.numbers[score_column].cases
            if model.confidence:
                assert scores is not None
                scores = self._turned(scores, predicted == label, model, classes)
            if predicted is None:
                assert score_column is not None
                assert scores is not None
                predicted, threshold, rule = apply_threshold(
                    scores, score_column, options.threshold, self.place(score_column), options.cost
                )
            else:
                predicted = predicted == label
        kind = "confidence" if model.confidence else "score"
        read = {"truth": columns.truth, kind: score_column, "prediction": model.prediction}
        if label is None and chances is not None:
            read["probabilities"] = listed(chances.columns)
        return Predictions(
            name=self.name,
            columns={what: column for what, column in read.items() if column is not None} | self._also(),
            truth=truth,
            prediction=predicted,
            sha256=self.sha256,
            score=scores,
            probabilities=None if label is not None or chances is None else chances.of_cases,
            positive=None if label is None else classes.names[label],
            assumed=label is not None and options.positive is None,
            labels=(*classes.names, *strangers),
            n_classes=len(classes.names),
            may_be_numbers=options.task is None and guesses is not None and bool(classes.values),
            doubtful=model.doubtful,
            rivals=tuple(
                name
                for name, column in self.unassigned.items()
                if columns.assumed and column.are_labels(classes)
            ),
            unused=(model.score or "") if label is None and options.score else "",
            rule=rule,
            threshold=threshold,
            cost=options.cost if label is not None else None,
            merged=equal_labels(classes.values),
            alike=look_alikes((*classes.names, *strangers)),
        )

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
