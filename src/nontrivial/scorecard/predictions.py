"""From files to the answers of models: which cases are positive, and what was predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

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
    Forecasts,
    Predictions,
    apply_threshold,
    are_shares,
    drop_missing,
    drop_uncounted,
    split_models,
)
from nontrivial.scorecard.cells import MOST_LABELS, Cells, Column, missing_in
from nontrivial.scorecard.read import open_table
from nontrivial.scorecard.roles import Model, Options, find_columns, one_of, quoted
from nontrivial.terminal import listed, waiting


def read_answers(
    files: Sequence[str | Path | pd.DataFrame], options: Options, *, progress: bool = False
) -> list[Any]:
    """Read the answers of all models of some files, or tables in memory: Predictions, or Forecasts, all of one kind."""
    members: list[Any] = []
    for file in files:
        what = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with waiting(f"Reading {what}", shown=progress):
            found = _File(file, options).answers()
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
    return [_checked(drop_uncounted(member)) for member in drop_missing(members, options.by)]


@dataclass(frozen=True)
class _Probabilities:
    """The columns of the classes in their order, and then the columns of classes that no case has."""

    columns: list[str]
    of_cases: Floats
    others: list[str]


class _File:
    """The columns of a file that are needed."""

    def __init__(self, file: str | Path | pd.DataFrame, options: Options) -> None:
        self.table = table = open_table(file, options.separator, options.encoding)
        self.name, self.options = table.name, options
        self.lacks: Mask | None = None
        self._read: dict[str, Column] = {}
        self.columns = columns = find_columns(table.names, table.name, options, self._classes_of)
        self.predicted = [model.prediction for model in columns.models if model.prediction]
        scores = (*(model.score for model in columns.models), *columns.probabilities.values())
        dividing = (options.weight, options.group, columns.case, *options.by, *columns.model, *columns.parts)
        self._load(columns.truth, *self.predicted, *scores, *dividing)
        others = [name for name in table.names if name not in self._read and table.names.count(name) == 1]
        self._others = self._columns_of(table.peek(others))
        self.is_regression = self._is_regression()
        self.classes = Classes.of([] if self.is_regression else self.labels(columns.truth).texts)
        self.label = self._positive()
        self._complete()
        if len(self.classes.names) < 2 and not self.is_regression:
            raise ValueError(f"{self.place(columns.truth)} has one class only; two or more are needed.")

    def _load(self, *names: str | None) -> None:
        new = [name for name in dict.fromkeys(names) if name and name not in self._read]
        self._read |= self._columns_of(self.table.read(new))

    def _columns_of(self, cells: dict[str, Any]) -> dict[str, Column]:
        decimal, positive = self.options.decimal, self.options.positive
        return {name: Column(self.place(name), each, decimal, positive) for name, each in cells.items()}

    def _classes_of(self, truth: str) -> Classes:
        self._load(truth)
        labels = self.column(truth).labels
        return Classes.of([] if labels is None else labels.texts)

    def column(self, name: str) -> Column:
        return self._read[name]

    def place(self, column: str) -> str:
        return f"Column {column!r} of {self.name}"

    def labels(self, name: str) -> Cells:
        """Return the labels of a column, or say that there are too many."""
        labels = self.column(name).labels
        if labels is None:
            raise ValueError(
                f"{self.place(name)} has more than {MOST_LABELS:,} different labels; --truth names a column of "
                "classes, or of numbers to predict, and --score one of scores."
            )
        return labels

    def answers(self) -> list[Any]:
        """Return the answers of all models, Predictions or Forecasts."""
        columns, options = self.columns, self.options
        answers_of = self._forecasts if self.is_regression else self._predictions
        members: list[Any] = [answers_of(model) for model in columns.models]
        unused = columns.unread if self.is_regression else self._unused(members)
        notes = columns.notes
        if unused:
            notes += (
                f"Not used, though they may hold predictions or scores: {quoted(unused)}. "
                "--prediction, --score and --confidence name such columns.",
            )
        shared: dict[str, Any] = {"sha256": self.table.sha256, "lacks": self.lacks, "notes": notes}
        dividing: dict[str, str] = {}
        if columns.case is not None:
            shared["cases"] = self.column(columns.case).identities()
        if options.weight is not None:
            given, dividing["weight"] = self.column(options.weight).numbers, options.weight
            shared["weights"] = as_weights(given, len(given), self.place(options.weight))
        if options.group is not None:
            groups, dividing["group"] = self.column(options.group).names, options.group
            if len(groups.texts) < 2:
                raise ValueError(f"{self.place(options.group)} has one group only; two or more are needed.")
            shared["groups"] = groups.cases
        for number, (member, model) in enumerate(zip(members, columns.models, strict=True)):
            name = model.name if len(members) > 1 else ""
            members[number] = replace(member, model=name, columns=member.columns | dividing, **shared)
        codes = {name: self.column(name).names for name in (*options.by, *columns.model, *columns.parts)}
        return split_models(members, codes, columns, options)

    def _positive(self) -> int | None:
        """Return the place of the class that stands against the others, by its name or as there are two."""
        text, names = self.options.positive, self.classes.names
        if text is None or self.is_regression:
            return 1 if len(names) == 2 else None
        found = self.classes.find(text)
        if found is None:
            raise ValueError(
                f"--positive is {text!r}, which column {self.columns.truth!r} of {self.name} does not hold; it holds "
                f"{quoted(names)}."
            )
        return found

    def _is_regression(self) -> bool:
        """Tell whether numbers are predicted: there are many different ones, and not all predictions are among them."""
        options, names = self.options, (self.columns.truth, *self.predicted)
        for name in names:
            if self.column(name).labels is None and not self.column(name).are_numbers():
                self.labels(name)
        if options.task is not None:
            return options.task == "regression"
        truth, *predicted = map(self.column, names)
        if truth.labels is None or options.quantile is not None:
            return True
        values = truth.numerals()
        if len(values) <= MANY or options.positive is not None:
            return False
        if not predicted:
            return any(value != value.to_integral_value() for value in values)
        return any(each.labels is None or not each.numerals() <= values for each in predicted)

    # Missing values.

    def _complete(self) -> None:
        """Give the cases that lack a value those of a complete case, and keep which they are in `lacks`."""
        needed = self._needed()
        gaps = {name: gap for name, cells in needed.items() if (gap := missing_in(cells)).any()}
        if not gaps:
            return
        lacks: Mask = np.any(list(gaps.values()), axis=0)
        if self.options.missing == "refuse" or lacks.all():
            self._refuse_gaps(gaps, lacks)
        for cells in needed.values():
            cells[lacks] = cells[int(lacks.argmin())]
        self.lacks = lacks

    def _needed(self) -> dict[str, NDArray[Any]]:
        """Return the cells of the columns that must be complete."""
        columns, models, options = self.columns, self.columns.models, self.options
        needed: dict[str, NDArray[Any]] = {
            name: self.column(name).numbers if self.is_regression else self.labels(name).cases
            for name in (columns.truth, *self.predicted)
        }
        if self.is_regression:
            numbers = [each.score for each in models if not each.prediction]
        else:
            numbers = [each.score for each in models if self.label is not None]
        if not self.is_regression and (self.label is None or not models[0].score):
            # What holds no numbers is an error only where it is read.
            numbers += [name for name in columns.probabilities.values() if self.column(name).are_numbers()]
        for name in (*numbers, options.weight):
            if name and name not in needed:
                needed[name] = self.column(name).numbers
        return needed | {name: self.column(name).names.cases for name in (options.group, *options.by) if name}

    def _refuse_gaps(self, gaps: dict[str, Mask], lacks: Mask) -> None:
        said, words, remedy = [], {}, "complete them"
        for name, gap in gaps.items():
            row = int(gap.argmax())
            words[name] = str(self.column(name).cells[row].as_py() or "").strip()
            holds = f", where it holds {words[name]!r}" if words[name] else ""
            said.append(f"{np.count_nonzero(gap):,} in {name!r} (the first in row {row + 1:,}{holds})")
        if not gaps.keys().isdisjoint(self.options.by):
            remedy += ", or give them a value of their own, such as unknown"
        if not lacks.all():
            remedy += ", or leave these cases out with --missing drop"
        if not self.is_regression and any(words.get(name) for name in (self.columns.truth, *self.predicted)):
            remedy += "; a label must be written otherwise, or named with --positive"
        count = f"{np.count_nonzero(lacks):,} of {len(lacks):,}"
        raise ValueError(f"{self.name} lacks values in {count} data rows: {listed(said)}; {remedy}.")

    # Columns without a role.

    def _fitting(self, *, scores: bool = False) -> list[str]:
        """Return the columns without a role that may hold predicted labels or, if these can be read, scores."""
        fit = {name: column.may_be(self.classes) for name, column in self._others.items()}
        return [name for name, (labels, shares) in fit.items() if labels or (scores and shares)]

    def _unused(self, members: Sequence[Predictions]) -> Sequence[str]:
        """Return the columns that may hold answers of a model but are not used."""
        columns, read = self.columns, {column for member in members for column in member.columns.values()}
        of_classes = columns.probabilities.values()
        if members[0].probabilities is not None or not read.isdisjoint(of_classes):
            read |= {*of_classes}
        doubtful = [model.prediction for model in columns.models if model.doubtful and model.prediction]
        found = [*columns.unread, *doubtful, *of_classes, *self._fitting(scores=self.label is not None)]
        return [name for name in dict.fromkeys(found) if name not in read]

    # The answers of one model.

    def _forecasts(self, model: Model) -> Forecasts:
        """Return the numbers that a model predicted."""
        for option in ("cost", "positive", "threshold"):
            if getattr(self.options, option) is not None:
                raise ValueError(
                    f"{self.place(self.columns.truth)} is read as numbers to predict, and --{option} is for classes; "
                    "leave it out, or leave out --quantile and give --task classification."
                )
        columns = [column for column in (model.prediction, model.score) if column]
        column = one_of(columns if model.doubtful else columns[:1], "prediction", self.name)
        if column is None:
            raise ValueError(f"{self.name} has no column of predicted numbers; name it with --prediction.")
        truth, predicted = (self.column(name).numbers for name in (self.columns.truth, column))
        named, quantile = {"truth": self.columns.truth, "prediction": column}, self.options.quantile
        return Forecasts(self.name, named, truth, predicted, doubtful=model.doubtful, quantile=quantile)

    def _predictions(self, model: Model) -> Predictions:
        """Return the classes that a model predicted."""
        columns, classes, label = self.columns, self.classes, self.label
        guesses = None if model.prediction is None else self.labels(model.prediction)
        strangers = [] if guesses is None else [text for text in guesses.texts if classes.find(text) is None]
        if model.doubtful and strangers and (model.score or columns.probabilities):
            model, guesses, strangers = replace(model, prediction=None, doubtful=False), None, []
        if guesses is not None and model.prediction is not None:
            check_unknown_labels(strangers, guesses.texts, classes, self.place(model.prediction))
        chances = self._probabilities(model)
        if chances is not None:
            strangers = list(dict.fromkeys([*strangers, *chances.others]))
        true, labels = self.labels(columns.truth), (*classes.names, *strangers)
        truth = classes.number(true.texts, true.cases)
        predicted = None if guesses is None else classes.number(guesses.texts, guesses.cases, strangers)
        if label is None:
            found = self._of_several(model, predicted, chances)
        else:
            truth, predicted = truth == label, None if predicted is None else predicted == label
            found = self._of_positive(model, label, truth, predicted, chances)
        return Predictions(
            self.name,
            {"truth": columns.truth} | found.pop("columns"),
            truth,
            **found,
            positive=None if label is None else classes.names[label],
            assumed=label is not None and self.options.positive is None,
            labels=labels,
            n_classes=len(classes.names),
            may_be_numbers=self.options.task is None and guesses is not None and bool(classes.values),
            doubtful=model.doubtful,
            rivals=tuple(self._fitting()) if columns.assumed else (),
            merged=equal_labels(classes.values),
            alike=look_alikes(labels),
        )

    def _probabilities(self, model: Model) -> _Probabilities | None:
        """Return a column for each class, if there are such columns; the model may have others, too."""
        named, classes, two = self.columns.probabilities, self.classes, len(self.classes.names) == 2
        if not named or (two and model.score is not None):
            return None
        found = {classes.find(text): column for text, column in named.items()}
        others = [text for text in named if classes.find(text) is None]
        if not set(range(len(classes.names))) <= found.keys() or (two and others):
            if model.score or model.prediction:
                return None
            raise ValueError(
                f"{self.name} has columns {listed(named.values())}, but the classes {listed(classes.names)}; give each "
                "class a column of probabilities, or name the columns of models with --score or --prediction."
            )
        columns = [found[place] for place in range(len(classes.names))] + [named[text] for text in others]
        of_cases = np.column_stack([self.column(column).numbers for column in columns])
        if all(text == column for text, column in named.items()):  # then nothing else says what they hold
            lack = "" if are_shares(of_cases) else "are negative or do not add up to 1 in some cases"
            if ((of_cases == 0) | (of_cases == 1)).all():
                lack = "hold only 0 and 1, so they may be the truth"
            if lack and model.prediction:
                return None
            if lack:
                raise ValueError(
                    f"{self.name} has columns {listed(columns)}, named as the classes, but they {lack}; if they hold "
                    "probabilities or scores, rename them to p_ and the class."
                )
        return _Probabilities(columns, of_cases, others)

    def _of_several(self, model: Model, predicted: Any, chances: _Probabilities | None) -> dict[str, Any]:
        """Return what was predicted of several classes, none of them positive."""
        options, n = self.options, len(self.classes.names)
        if options.cost is not None or options.threshold is not None:
            raise ValueError(
                f"--cost and --threshold need a positive class; name one of {self.name} with --positive."
            )
        if options.confidence:
            raise ValueError(_no_score(self.place(model.name), n))
        named = {"prediction": model.prediction} if model.prediction else {}
        found: dict[str, Any] = {"prediction": predicted, "columns": named}
        if options.score:
            found["unused"] = model.score or ""
        if chances is not None:
            found["probabilities"], named["probabilities"] = chances.of_cases, listed(chances.columns)
            if predicted is None:
                found["prediction"] = np.argmax(chances.of_cases, axis=1)
                found["rule"] = "the class of the greatest probability"
        elif predicted is None:
            raise ValueError(
                f"{self.place(self.columns.truth)} has {n:,} classes ({listed(self.classes.names, 5)}), but a score is "
                "for one class; name that class with --positive, or name a column of predictions with --prediction; "
                "for numbers to predict, give --task regression."
            )
        return found

    def _of_positive(
        self, model: Model, label: int, truth: Mask, predicted: Any, chances: _Probabilities | None
    ) -> dict[str, Any]:
        """Return what was predicted of the positive class, and the scores behind it."""
        options, name = self.options, model.score
        scores: Any = None if name is None else self.column(name).numbers
        if name is None and chances is not None:
            name, scores = chances.columns[label], chances.of_cases[:, label]
        named = {} if name is None else {"confidence" if model.confidence else "score": name}
        if model.confidence:
            scores = _turned(scores, predicted, self.place(str(name)), len(self.classes.names))
        if model.prediction is not None:
            named["prediction"] = model.prediction
        found = {"prediction": predicted, "score": scores, "cost": options.cost, "columns": named}
        if name is not None and (predicted is None or options.threshold is not None):
            if model.score and options.threshold is None:
                self._check_confidence(name, scores, truth, label)
            found["prediction"], found["threshold"], found["rule"] = apply_threshold(
                scores, name, options.threshold, self.place(name), options.cost
            )
        return found

    def _check_confidence(self, column: str, scores: Floats, truth: Mask, label: int) -> None:
        """Refuse scores that seem to be the confidence in labels which stand in a column without a role."""
        n_classes = len(self.classes.names)
        if scores.min() < 1 / n_classes - 0.01:
            return
        for name in self._fitting():
            labels = self._others[name].labels  # of the first rows
            assert labels is not None  # as they fit
            whole = ~missing_in(labels.cases)
            if self.lacks is not None:
                whole &= ~self.lacks[: len(whole)]
            right, said = truth[: len(whole)][whole], scores[: len(whole)][whole]
            predicted = (self.classes.number(labels.texts, labels.cases) == label)[whole]
            is_better = (predicted == right).mean() > max(right.mean(), 1 - right.mean())
            if is_better and are_confidences(said, predicted, n_classes):
                why = f"{_NO_THRESHOLD} {name!r}"
                option = f"--confidence, and {name!r} with --prediction"
                _refuse_confidence(self.place(column), scores, why, n_classes, option)


# Columns that seem to hold something else than their names say.

_NO_THRESHOLD = "no threshold on them gives the predictions in"


def _checked(member: Any) -> Any:
    """Refuse such columns, and note scores that give no prediction."""
    named = {what: f"Column {column!r} of {member.name}" for what, column in member.columns.items()}
    score = getattr(member, "score", None)
    perfect = np.array_equal(member.prediction, member.truth)
    if member.rivals and (perfect or (score is not None and are_separable(score, member.truth))):
        raise ValueError(
            f"{named['truth']} follows from the answers in every case, so it may hold predicted labels, and "
            f"{quoted(member.rivals)} the true ones; name the true labels with --truth."
        )
    is_confidence = score is not None and are_confidences(score, member.prediction, member.n_classes)
    if member.doubtful and (perfect or not (is_confidence or _follows(member))):
        what = "equals the truth in every case" if perfect else "does not follow from the scores"
        raise ValueError(
            f"{named['prediction']} {what}, so it may not hold predicted labels; if it does, name it with "
            "--prediction; otherwise set it aside with --threshold, or rename it."
        )
    if score is None or "score" not in named or member.rule or member.positive is None:
        return member
    guess = repr(member.columns["prediction"])
    never = member.n_classes == 2 and not member.prediction.any() and 0.5 <= score.min() < score.max() <= 1
    if never or is_confidence:
        why = "no case is predicted positive in" if never else _NO_THRESHOLD
        _refuse_confidence(named["score"], score, f"{why} {guess}", member.n_classes, "--confidence")
    if are_separable(score, member.prediction):
        return member
    return member.noted(
        f"No threshold on {member.columns['score']!r} gives the predictions in {guess}; they may be of two models, or "
        "the scores may be for another label."
    )


def _follows(member: Any) -> bool:
    """Tell whether the predictions follow from the scores, if there are any."""
    chances, score = (getattr(member, what, None) for what in ("probabilities", "score"))
    if chances is not None:
        chosen = np.take_along_axis(chances, member.prediction[:, None], 1)[:, 0]
        return bool((chosen == chances.max(axis=1)).all())
    return score is None or bool(member.rule) or are_separable(score, member.prediction)


def _refuse_confidence(place: str, score: Floats, why: str, n_classes: int, option: str) -> None:
    turn = f"if so, name it with {option}"
    if n_classes > 2:
        turn = "if so, leave out --positive, or give each class a column of probabilities"
    raise ValueError(
        f"{place} holds scores from {score.min():.3g} to {score.max():.3g}, and {why}, so they seem to be confidences "
        f"in the predicted label; {turn}; if they are scores of one label, set the predictions aside with --threshold."
    )


def _no_score(place: str, n_classes: int) -> str:
    return (
        f"{place} holds the confidence in the predicted label, which gives no score for one of {n_classes:,} classes; "
        "leave out --confidence and --positive, or give each class a column of probabilities."
    )


def _turned(confidence: Floats, predicted: Mask, place: str, n_classes: int) -> Floats:
    """Return the scores of the positive label from confidences in the predicted one of two."""
    least, greatest = confidence.min(), confidence.max()
    if n_classes > 2:
        raise ValueError(_no_score(place, n_classes))
    if least < 0 or greatest > 1:
        raise ValueError(
            f"{place} holds values from {least:.6g} to {greatest:.6g}, but a confidence lies in [0, 1]; scores of the "
            "positive label are named with --score."
        )
    if least < 0.5 and are_separable(confidence, predicted):
        raise ValueError(
            f"{place} holds the higher values where the positive label is predicted, and values below 0.5, so it "
            "seems to be the score of the positive label; name it with --score."
        )
    return np.where(predicted, confidence, np.round(1 - confidence, 15))
