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
    Forecasts,
    Predictions,
    apply_threshold,
    are_shares,
    drop_missing,
    drop_uncounted,
    split_models,
)
from nontrivial.scorecard.cells import MOST_LABELS, Cells, Column
from nontrivial.scorecard.read import open_table
from nontrivial.scorecard.roles import Model, Options, find_columns, options_of
from nontrivial.terminal import listed, waiting


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
    members: list[Any] = []
    for file in files:
        what = "the table" if isinstance(file, pd.DataFrame) else Path(file).name
        with waiting(f"Reading {what}", shown=progress):
            found = _read_file(file, options)
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


def _read_file(file: str | Path | pd.DataFrame, options: Options) -> list[Any]:
    """Read the answers of all models of one file."""
    read = _File(file, options)
    columns = read.columns
    members: list[Any]
    if read.is_regression():
        if options.cost is not None:
            raise ValueError(f"--cost is for classes, and {read.name} predicts numbers; leave it out.")
        read.complete(None)
        members, unused = [read.forecasts(model) for model in columns.models], list(columns.unread)
    else:
        classes = Classes.of(read.labels(columns.truth).texts)
        read.complete(classes)
        if len(classes.names) < 2:
            raise ValueError(f"{read.place(columns.truth)} has one class only; two or more are needed.")
        members = [read.predictions(model, classes) for model in columns.models]
        unused = read.unused(classes, members)
    notes = columns.notes
    if unused:
        notes += (
            f"Not used, though they may hold predictions or scores: {listed(map(repr, unused))}. "
            "--prediction, --score and --confidence name such columns.",
        )
    shared: dict[str, Any] = {"sha256": read.table.sha256, "lacks": read.lacks, "notes": notes}
    dividing: dict[str, str] = {}
    if columns.case is not None:
        shared["cases"] = read.column(columns.case).identities()
    if columns.weight is not None:
        given, dividing["weight"] = read.column(columns.weight).numbers.cases, columns.weight
        shared["weights"] = as_weights(given, len(given), read.place(columns.weight))
    if columns.group is not None:
        groups, dividing["group"] = read.column(columns.group).names, columns.group
        if len(groups.texts) < 2:
            raise ValueError(
                f"{read.place(columns.group)} has one group only; an interval needs two or more."
            )
        shared["groups"] = groups.cases
    for number, (member, model) in enumerate(zip(members, columns.models, strict=True)):
        name = model.name if len(members) > 1 else ""
        members[number] = replace(member, model=name, columns=member.columns | dividing, **shared)
    names = {name: read.column(name).names for name in (*columns.by, *columns.model, *columns.parts)}
    gaps = [gap for name in columns.by if (gap := names[name].missing) is not None]
    whole: Mask = ~np.any([np.zeros(len(members[0].truth), dtype=bool), *gaps], axis=0)
    if gaps:
        absent = f"{np.count_nonzero(~whole):,} of {len(whole):,}"
        note = f"Cases left out, as they have no value of {listed(map(repr, columns.by))}: {absent}."
        members = [member.only(whole, notes=(*member.notes, note)) for member in members]
    codes = {name: (each.cases[whole], each.texts) for name, each in names.items()}
    return split_models(members, codes, columns)


def _checked(member: Any) -> Any:
    """Refuse columns that seem to hold something else than their names say, and note scores that give no prediction."""
    named = {what: f"Column {column!r} of {member.name}" for what, column in member.columns.items()}
    score = getattr(member, "score", None)
    perfect = np.array_equal(member.prediction, member.truth)
    if member.rivals and (perfect or (score is not None and are_separable(score, member.truth))):
        raise ValueError(
            f"{named['truth']} follows from the answers in every case, so it may hold predicted labels, and "
            f"{listed(map(repr, member.rivals))} the true ones; name the true labels with --truth."
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
    note = (
        f"No threshold on {member.columns['score']!r} gives the predictions in {guess}; they may be of two models, or "
        "the scores may be for another label."
    )
    return replace(member, notes=(*member.notes, note))


def _follows(member: Any) -> bool:
    """Tell whether the predictions follow from the scores, if there are any."""
    chances, score = (getattr(member, what, None) for what in ("probabilities", "score"))
    if chances is not None:
        chosen = np.take_along_axis(chances, member.prediction[:, None], 1)[:, 0]
        return bool((chosen == chances.max(axis=1)).all())
    return score is None or bool(member.rule) or are_separable(score, member.prediction)


_NO_THRESHOLD = "no threshold on them gives the predictions in"


def _refuse_confidence(place: str, score: Floats, why: str, n_classes: int, option: str) -> None:
    turn = f"if so, name it with {option}"
    if n_classes > 2:
        turn = "if so, leave out --positive, or give each class a column of probabilities"
    raise ValueError(
        f"{place} holds scores from {score.min():.3g} to {score.max():.3g}, and {why}, so they seem to be confidences "
        f"in the predicted label; {turn}; if they are scores of one label, set the predictions aside with --threshold."
    )


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
        return f"Column {column!r} of {self.name}"

    def labels(self, name: str) -> Cells:
        """Return the labels of a column, or say that there are too many."""
        labels = self.column(name).labels
        if labels is None:
            hint = "--score names a column of scores"
            if name == self.columns.truth:
                hint = "--truth names a column of classes, or of numbers to predict"
            raise ValueError(f"{self.place(name)} has more than {MOST_LABELS:,} different labels; {hint}.")
        return labels

    def is_regression(self) -> bool:
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

    def complete(self, classes: Classes | None) -> None:
        """Give the cases that lack a value those of a complete case, and keep which they are in `lacks`.

        `classes` are those of the truth, or None if numbers are predicted. Columns that are not used may lack values.
        """
        columns, models = self.columns, self.columns.models
        two = classes is not None and (len(classes.names) == 2 or self.options.positive is not None)
        numbers = [each.score for each in models if two or (classes is None and not each.prediction)]
        if classes is not None and not (two and models[0].score):
            # What holds no numbers is an error only where it is read.
            numbers += [name for name in columns.probabilities.values() if self.column(name).are_numbers()]
        needed = {
            name: self.labels(name) if classes else self.column(name).numbers
            for name in (columns.truth, *self.predicted)
        }
        for name in (*numbers, columns.weight):
            if name and name not in needed:
                needed[name] = self.column(name).numbers
        needed |= {name: self.column(name).names for name in (columns.group, *columns.by) if name}
        gaps = {name: cells.missing for name, cells in needed.items() if cells.missing is not None}
        if not gaps:
            return
        lacks: Mask = np.any(list(gaps.values()), axis=0)
        if self.options.missing == "refuse" or lacks.all():
            self._refuse_gaps(needed, gaps, lacks)
        for cells in needed.values():
            cells.cases[lacks] = cells.cases[int(lacks.argmin())]
        self.lacks = lacks

    def _refuse_gaps(self, needed: dict[str, Cells], gaps: dict[str, Mask], lacks: Mask) -> None:
        said = []
        for name, gap in gaps.items():
            word = f", where it holds {needed[name].word!r}" if needed[name].word else ""
            said.append(
                f"{np.count_nonzero(gap):,} in {name!r} (the first in row {gap.argmax() + 1:,}{word})"
            )
        remedy = "complete them"
        if not gaps.keys().isdisjoint(self.columns.by):
            remedy += ", or give them a value of their own, such as unknown"
        if not lacks.all():
            remedy += ", or leave these cases out with --missing drop"
        if any(needed[name].word and needed[name].cases.dtype.kind == "i" for name in gaps):
            remedy += "; a label must be written otherwise, or named with --positive"
        count = f"{np.count_nonzero(lacks):,} of {len(lacks):,}"
        raise ValueError(f"{self.name} lacks values in {count} data rows: {listed(said)}; {remedy}.")

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
                f"{self.name} has no column of predicted numbers; name it with --prediction; for classes, leave out "
                "--quantile and --task regression."
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
        truth, predicted = (self.column(name).numbers.cases for name in (self.columns.truth, column))
        named = {"truth": self.columns.truth, "prediction": column}
        return Forecasts(
            self.name, named, truth, predicted, doubtful=model.doubtful, quantile=self.options.quantile
        )

    def predictions(self, model: Model, classes: Classes) -> Predictions:
        """Return the classes that a model predicted."""
        columns, options, label = self.columns, self.options, self._positive(classes)
        if model.confidence and len(classes.names) > 2 and (options.confidence or label is not None):
            raise ValueError(
                f"{self.place(model.name)} holds the confidence in the predicted label, which gives no score for one "
                f"of {len(classes.names):,} classes; leave out --confidence and --positive, or give each class a "
                "column of probabilities."
            )
        guesses = None if model.prediction is None else self.labels(model.prediction)
        strangers = [] if guesses is None else [text for text in guesses.texts if classes.find(text) is None]
        if model.doubtful and strangers and (model.score or columns.probabilities):
            model, guesses, strangers = replace(model, prediction=None, doubtful=False), None, []
        if guesses is not None and model.prediction is not None:
            check_unknown_labels(strangers, guesses.texts, classes, self.place(model.prediction))
        chances = self._probabilities(model, classes)
        if chances is not None:
            strangers = list(dict.fromkeys([*strangers, *chances.others]))
        true = self.labels(columns.truth)
        truth: Any = classes.number(true.texts, true.cases)
        predicted: Any = None if guesses is None else classes.number(guesses.texts, guesses.cases, strangers)
        named = {"truth": columns.truth}
        found: dict[str, Any]
        if label is None:
            predicted, rule = self._chosen(predicted, chances, classes)
            found = {"rule": rule, "unused": (model.score or "") if options.score else ""}
        else:
            truth, predicted = truth == label, None if predicted is None else predicted == label
            score = model.score
            scores: Any = None if score is None else self.column(score).numbers.cases
            if score is None and chances is not None:
                score, scores = chances.columns[label], chances.of_cases[:, label]
            if model.confidence:
                scores = self._turned(scores, predicted, self.place(str(score)))
            found = {"score": scores, "cost": options.cost}
            if predicted is None or options.threshold is not None:
                assert score is not None
                if model.score and options.threshold is None:
                    self._check_confidence(score, scores, truth, classes, label)
                predicted, found["threshold"], found["rule"] = apply_threshold(
                    scores, score, options.threshold, self.place(score), options.cost
                )
            if score is not None:
                named["confidence" if model.confidence else "score"] = score
        if model.prediction is not None:
            named["prediction"] = model.prediction
        if label is None and chances is not None:
            found["probabilities"], named["probabilities"] = chances.of_cases, listed(chances.columns)
        labels = (*classes.names, *strangers)
        return Predictions(
            self.name,
            named,
            truth,
            predicted,
            positive=None if label is None else classes.names[label],
            assumed=label is not None and options.positive is None,
            labels=labels,
            n_classes=len(classes.names),
            may_be_numbers=options.task is None and guesses is not None and bool(classes.values),
            doubtful=model.doubtful,
            rivals=tuple(self._fitting(classes, scores=False)) if columns.assumed else (),
            merged=equal_labels(classes.values),
            alike=look_alikes(labels),
            **found,
        )

    def _chosen(self, predicted: Any, chances: _Probabilities | None, classes: Classes) -> tuple[Any, str]:
        """Return the predicted one of several classes, and by what rule it was chosen."""
        for option in ("cost", "threshold"):
            if getattr(self.options, option) is not None:
                raise ValueError(
                    f"--{option} is for a positive class, and no class of {self.name} is positive; name one with "
                    "--positive."
                )
        if predicted is not None:
            return predicted, ""
        if chances is None:
            raise ValueError(
                f"{self.place(self.columns.truth)} has {len(classes.names):,} classes ({listed(classes.names, 5)}), "
                "but a score is for one class; name that class with --positive, or name a column of predictions with "
                "--prediction; for numbers to predict, give --task regression."
            )
        return np.argmax(chances.of_cases, axis=1), "the class of the greatest probability"

    def _probabilities(self, model: Model, classes: Classes) -> _Probabilities | None:
        """Return a column for each class, if there are such columns; the model may have others, too."""
        named, two = self.columns.probabilities, len(classes.names) == 2
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
        of_cases = np.column_stack([self.column(column).numbers.cases for column in columns])
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

    def _turned(self, confidence: Floats, predicted: Mask, place: str) -> Floats:
        """Return the scores of the positive label from confidences in the predicted one."""
        least, greatest = confidence.min(), confidence.max()
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

    def _check_confidence(
        self, column: str, scores: Floats, truth: Mask, classes: Classes, label: int
    ) -> None:
        """Refuse scores that seem to be the confidence in labels which stand in a column without a role."""
        if scores.min() < 1 / len(classes.names) - 0.01:
            return
        whole = np.ones(len(truth), dtype=bool) if self.lacks is None else ~self.lacks
        constant = max(truth[whole].mean(), 1 - truth[whole].mean())
        for name in self._fitting(classes, scores=False):
            self._load(name)
            labels = self.column(name).labels
            if labels is None or labels.missing is not None or not self.column(name).may_be(classes)[0]:
                continue
            predicted = (classes.number(labels.texts, labels.cases) == label)[whole]
            is_better = (predicted == truth[whole]).mean() > constant
            if is_better and are_confidences(scores[whole], predicted, len(classes.names)):
                option = f"--confidence, and {name!r} with --prediction"
                why = f"{_NO_THRESHOLD} {name!r}"
                _refuse_confidence(self.place(column), scores, why, len(classes.names), option)

    def _positive(self, classes: Classes) -> int | None:
        text = self.options.positive
        if text is None:
            return 1 if len(classes.names) == 2 else None
        found = classes.find(text)
        if found is None:
            raise ValueError(
                f"--positive is {text!r}, which column {self.columns.truth!r} of {self.name} does not hold; it holds "
                f"{listed(map(repr, classes.names))}."
            )
        return found
