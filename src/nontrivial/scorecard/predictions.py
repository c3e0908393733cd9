"""From files to the answers of models: which cases are positive, and what was predicted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from nontrivial._arrays import Floats, Mask, weight_counts
from nontrivial._validation import as_weights
from nontrivial.reading.cells import MOST_LABELS, Cells, Column
from nontrivial.reading.files import open_table
from nontrivial.reading.labels import (
    MANY,
    Classes,
    check_unknown_labels,
    look_alikes,
)
from nontrivial.reading.scores import are_confidences, are_separable
from nontrivial.scorecard.answers import (
    SEEM_LABELS,
    Forecasts,
    Predictions,
    are_probabilities,
    drop_missing,
    drop_uncounted,
    no_shares,
    split_models,
)
from nontrivial.scorecard.roles import Columns, Model, Options, one_of, quoted
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
    return [drop_uncounted(member) for member in drop_missing(members, options.by)]


class _File:
    """The columns of a file that are needed, without missing values, and what they mean."""

    def __init__(self, file: str | Path | pd.DataFrame, options: Options) -> None:
        self.table = table = open_table(file, options.separator, options.encoding)
        self.name, self.options = table.name, options
        self.columns: dict[str, Column] = {}
        self.roles = roles = Columns(table.names, table.name, options, self._classes_of)
        self.unread = roles.unread
        self.predicted = [model.prediction for model in roles.models if model.prediction]
        of_models = [column for model in roles.models for column in model.columns]
        dividing = (options.weight, options.group, roles.case, *options.by, *roles.model, *roles.parts)
        needed = dict.fromkeys(filter(None, (roles.truth, *of_models, *dividing)))
        self.columns |= self._read([name for name in needed if name not in self.columns])
        others = [name for name in table.names if name not in self.columns and table.names.count(name) == 1]
        self.others: dict[str, Column] = {}  # columns without a role
        with contextlib.suppress(ValueError):
            self.others = self._read(others, first=True)
        self.is_regression = self._is_regression()
        self.classes = Classes.of([] if self.is_regression else self.labels(roles.truth).texts)
        self.label = self._positive()
        self.models = list(map(self._of_numbers if self.is_regression else self._of_classes, roles.models))
        self.cases = self.columns[roles.case].identities() if roles.case else None
        self.lacks = self._complete()
        if len(self.classes.names) < 2 and not self.is_regression:
            raise ValueError(f"{self.place(roles.truth)} has one class only; two or more are needed.")

    def _read(self, names: list[str], *, first: bool = False) -> dict[str, Column]:
        cells, options = self.table.read(names, first=first), self.options
        return {
            name: Column(self.place(name), each, options.decimal, options.positive)
            for name, each in cells.items()
        }

    def _classes_of(self, truth: str) -> Classes:
        self.columns |= self._read([truth])
        labels = self.columns[truth].labels
        return Classes.of([] if labels is None else labels.texts)

    def place(self, column: str) -> str:
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

    def _is_regression(self) -> bool:
        """Tell whether numbers are predicted: there are many different ones, and not all predictions are among them."""
        options = self.options
        if options.task is not None or options.quantile is not None:
            return options.task != "classification"
        truth, *predicted = (self.columns[name] for name in (self.roles.truth, *self.predicted))
        if truth.labels is None:
            return truth.are_numbers()
        values = truth.numerals()
        if len(values) <= MANY or options.positive is not None:
            return False
        if not predicted:
            return any(value != value.to_integral_value() for value in values)
        return any(
            each.are_numbers() if each.labels is None else not each.numerals() <= values for each in predicted
        )

    def _positive(self) -> int | None:
        """Return the place of the class that stands against the others, by its name or as there are two."""
        text, names = self.options.positive, self.classes.names
        if self.is_regression or (text is None and len(names) != 2):
            return None
        found = 1 if text is None else self.classes.find(text)
        if found is None:
            raise ValueError(
                f"--positive is {text!r}, which column {self.roles.truth!r} of {self.name} does not hold; it holds "
                f"{listed(map(repr, names), 8)}."
            )
        return found

    # Which columns of a model are used, now that the classes are known.

    def _of_numbers(self, model: Model) -> Model:
        for option in ("cost", "positive", "threshold"):
            if getattr(self.options, option) is not None:
                quantile = " leave out --quantile and" if self.options.quantile is not None else ""
                raise ValueError(
                    f"{self.place(self.roles.truth)} is read as numbers to predict, and --{option} is for classes; "
                    f"leave it out, or{quantile} give --task classification."
                )
        columns = [column for column in (model.prediction, model.score) if column]
        column = one_of(columns if model.doubtful else columns[:1], "prediction", self.name)
        if column is None:
            raise ValueError(f"{self.name} has no column of predicted numbers; name it with --prediction.")
        return Model(prediction=column, doubtful=model.doubtful)

    def _of_classes(self, model: Model) -> Model:
        """Return the columns that hold the classes a model predicts, and its scores of the positive one."""
        n, guess, score = len(self.classes.names), model.prediction, model.score
        texts = self.labels(guess).texts if model.doubtful and guess else []
        if self._strangers(texts) and (score or model.probabilities):
            model = replace(model, prediction=None, doubtful=False)
        if model.confidence and n > 2 and (self.label is not None or self.options.confidence):
            raise ValueError(
                f"{self.place(model.name)} holds the confidence in the predicted label, which gives no score for one "
                f"of {n:,} classes; leave out --confidence and --positive, or give each class a column of "
                "probabilities."
            )
        chances = {} if score and self.label is not None else self._chances(model)
        if not chances:
            self.unread += model.probabilities.values()
        if guess and not model.prediction:
            self.unread.append(guess)
        if self.label is None:
            return replace(model, score=None, probabilities=chances)
        if chances:
            score = list(chances.values())[self.label]
        return replace(model, score=score, probabilities={})

    def _chances(self, model: Model) -> dict[str, str]:
        """Return a column of probabilities for each class in its order, and for others that were named, if any are."""
        named, names, lack = model.probabilities, self.classes.names, ""
        found, others = {self.classes.find(text): text for text in named}, self._strangers(named)
        ordered = [*map(found.get, range(len(names))), *others]
        if None in ordered or (len(names) == 2 and others):
            lack = (
                f"but the classes {listed(names)}; give each class a column of probabilities, or name the columns of "
                "models with --score or --prediction"
            )
        elif named and all(text == named[text] for text in named):  # then nothing else says what they hold
            values = self._shares(named)
            if ((values == 0) | (values == 1)).all():
                lack = "named as the classes, but they hold only 0 and 1, so they may be the truth"
            elif no_shares(values).any():
                lack = "named as the classes, but they are negative or do not add up to 1 in some cases"
            lack += "; if they hold probabilities or scores, rename them to p_ and the class" if lack else ""
        if not lack:
            return {text: named[text] for text in ordered if text is not None}
        if named and not (model.score or model.prediction):
            raise ValueError(f"{self.name} has columns {listed(named.values())}, {lack}.")
        return {}

    def _strangers(self, texts: Iterable[str]) -> list[str]:
        """Return the different texts that name no class."""
        return [text for text in dict.fromkeys(texts) if self.classes.find(text) is None]

    def _shares(self, of_classes: Mapping[str, str]) -> Floats:
        return np.column_stack([self.columns[column].numbers for column in of_classes.values()])

    # Missing values.

    def _complete(self) -> Mask | None:
        """Give the cases that lack a value those of a complete case; return which they are, if any."""
        options, truth, columns = self.options, self.roles.truth, self.columns
        labels = [] if self.is_regression else [truth, *(each.prediction for each in self.models)]
        read = [truth, *(column for each in self.models for column in each.columns), options.weight]
        missing = {name: self.labels(name).cases < 0 for name in labels if name}
        missing |= {name: np.isnan(columns[name].numbers) for name in read if name and name not in labels}
        missing |= {name: columns[name].names.isna() for name in (options.group, *options.by) if name}
        gaps = {name: gap for name, gap in missing.items() if gap.any()}
        if not gaps:
            return None
        lacks: Mask = np.any(list(gaps.values()), axis=0)
        if options.missing == "refuse" or lacks.all():
            self._refuse_gaps(gaps, lacks)
        rows = pa.array(np.where(lacks, lacks.argmin(), np.arange(len(lacks))))
        for name in missing:
            columns[name] = replace(columns[name], cells=columns[name].cells.take(rows))
        return lacks

    def _refuse_gaps(self, gaps: Mapping[str, Mask], lacks: Mask) -> None:
        said, words, remedy = [], {}, "complete them"
        for name, gap in gaps.items():
            row = int(gap.argmax())
            words[name] = str(self.columns[name].cells[row].as_py() or "").strip()
            holds = f", where it holds {words[name]!r}" if words[name] else ""
            said.append(f"{np.count_nonzero(gap):,} in {name!r} (the first in row {row + 1:,}{holds})")
        if not gaps.keys().isdisjoint(self.options.by):
            remedy += ", or give them a value of their own, such as unknown"
        if not lacks.all():
            remedy += ", or leave these cases out with --missing drop"
        if not self.is_regression and any(words.get(name) for name in (self.roles.truth, *self.predicted)):
            remedy += "; a label must be written otherwise, or named with --positive"
        count = f"{np.count_nonzero(lacks):,} of {len(lacks):,}"
        raise ValueError(f"{self.name} lacks values in {count} data rows: {listed(said)}; {remedy}.")

    # The answers.

    def answers(self) -> list[Any]:
        """Return the answers of all models, Predictions or Forecasts."""
        roles, options = self.roles, self.options
        read = self._forecasts if self.is_regression else self._predictions
        of_all: dict[str, Any] = {"sha256": self.table.sha256, "lacks": self.lacks, "cases": self.cases}
        if options.weight is not None:
            given = self.columns[options.weight].numbers
            of_all["weights"] = as_weights(given, len(given), self.place(options.weight))
        if options.group is not None:
            groups = self.columns[options.group].names
            if len(groups.categories) < 2:
                raise ValueError(f"{self.place(options.group)} has one group only; two or more are needed.")
            of_all["groups"] = groups.codes.astype(np.int64)
        of_all["notes"] = tuple(self._notes())
        several = len(self.models) > 1
        members = [
            replace(read(model), model=named.name if several else "", **of_all)
            for model, named in zip(self.models, roles.models, strict=True)
        ]
        names = {name: self.columns[name].names for name in (*options.by, *roles.model, *roles.parts)}
        parts = zip(self.models, split_models(members, names, roles, options), strict=True)
        return [self._checked(part, model) for model, of_model in parts for part in of_model]

    def _named(self, **columns: str | None) -> dict[str, str]:
        """Return the columns that are read, by what they hold."""
        named = {"truth": self.roles.truth, **columns}
        named |= {"weight": self.options.weight, "group": self.options.group}
        return {what: column for what, column in named.items() if column}

    def _forecasts(self, model: Model) -> Forecasts:
        """Return the numbers that a model predicted."""
        column = str(model.prediction)
        truth, predicted = (self.columns[name].numbers for name in (self.roles.truth, column))
        named = self._named(prediction=column)
        return Forecasts(self.name, named, truth, predicted, quantile=self.options.quantile)

    def _predictions(self, model: Model) -> Predictions:
        """Return the classes that a model predicted."""
        classes, label, options = self.classes, self.label, self.options
        guesses = self.labels(model.prediction) if model.prediction else None
        texts = guesses.texts if guesses else []
        check_unknown_labels(self._strangers(texts), texts, classes, self.place(str(model.prediction)))
        strangers = self._strangers([*texts, *model.probabilities])
        truth: Any = classes.number(*self.labels(self.roles.truth))
        predicted: Any = classes.number(*guesses, strangers) if guesses else None
        found: dict[str, Any] = {"labels": (*classes.names, *strangers), "n_classes": len(classes.names)}
        if label is None:
            if options.cost is not None or options.threshold is not None:
                raise ValueError(
                    f"--cost and --threshold need a positive class; name one of {self.name} with --positive."
                )
            if predicted is None and not model.probabilities:
                raise ValueError(
                    f"{self.place(self.roles.truth)} has {len(classes.names):,} classes ({listed(classes.names, 5)}), "
                    "but a score is for one class; name that class with --positive, or name a column of predictions "
                    "with --prediction; for numbers to predict, give --task regression."
                )
            if model.probabilities:
                found["probabilities"] = self._shares(model.probabilities)
            if predicted is None:
                predicted = np.argmax(found["probabilities"], axis=1)
                found["rule"] = "the class of the greatest probability"
        else:
            positive = classes.names[label]
            for alike in look_alikes(found["labels"]):
                if positive in alike and len(found["labels"]) > 2:
                    raise ValueError(
                        f"{self.name} holds the labels {listed(map(repr, alike))}, which look alike; if they are one "
                        "label, write it in one way; if not, rename one."
                    )
            found |= {
                "positive": positive,
                "assumed": options.positive is None,
                "cost": options.cost,
            }
            truth, predicted = truth == label, None if predicted is None else predicted == label
        if model.score is not None:
            place, score = self.place(model.score), self.columns[model.score].numbers
            if model.confidence:
                score = _turned(score, predicted, place)
            found["score"] = score
            if predicted is None or options.threshold is not None:
                if options.threshold is None and model.score in [each.score for each in self.roles.models]:
                    self._check_confidence(model.score, score, truth)
                threshold, reason = _find_threshold(score, place, options.threshold, options.cost)
                predicted, found["threshold"] = score >= threshold, threshold
                found["rule"] = f"positive where {model.score} >= {threshold + 0.0:.6g}, {reason}"
        chances = listed(model.probabilities.values())
        of_score = {"confidence" if model.confidence else "score": model.score}
        columns = self._named(**of_score, prediction=model.prediction, probabilities=chances)
        return Predictions(self.name, columns, truth, predicted, **found)

    # What a reader must know, and columns that seem to hold something else than their names say.

    def _notes(self) -> Iterator[str]:
        """Say what is to know of the file."""
        names, label, roles = self.classes.names, self.label, self.roles
        yield from roles.notes
        unused = dict.fromkeys([*self.unread, *self._fitting(scores=label is not None)])
        if unused:
            yield (
                f"Not used, though they may hold predictions or scores: {quoted(unused)}. "
                "--prediction, --score and --confidence name such columns."
            )
        if label is not None and len(names) > 2:
            others = [repr(name) for name in names if name != names[label]]
            yield f"Every label but {names[label]!r} counts as negative: {listed(others, 5)}."
        if label is None and self.options.score and not self.is_regression:
            scores = quoted(self.options.score)
            yield f"The scores in {scores} are not used; --positive names the class that they are for."
        if label is None and self.classes.value_places and self.options.task is None and self.predicted:
            yield (
                f"The {len(names):,} different numbers are treated as classes; --task regression treats them as "
                "numbers to predict."
            )

    def _fitting(self, *, scores: bool = False) -> list[str]:
        """Return the columns without a role that may hold predicted labels or, if these can be read, scores."""
        found = []
        for name, column in self.others.items():
            texts = column.labels.texts if column.labels else []
            if (len(texts) > 1 and not self._strangers(texts)) or (scores and column.are_shares()):
                found.append(name)
        return found

    def _check_confidence(self, column: str, score: Floats, truth: Mask) -> None:
        """Refuse scores that seem to be the confidence in labels which stand in a column without a role."""
        n_classes = len(self.classes.names)
        if score.min() < 1 / n_classes - 0.01:
            return
        for name in self._fitting():
            labels = self.others[name].labels  # of the first rows
            assert labels is not None  # as they fit
            whole = labels.cases >= 0
            if self.lacks is not None:
                whole &= ~self.lacks[: len(whole)]
            right, said = truth[: len(whole)][whole], score[: len(whole)][whole]
            predicted = (self.classes.number(*labels) == self.label)[whole]
            is_better = (predicted == right).mean() > max(right.mean(), 1 - right.mean())
            if is_better and are_confidences(said, predicted, n_classes):
                option = f"--confidence, and {name!r} with --prediction"
                self._refuse_confidence(column, score, f"{_NO_THRESHOLD} {name!r}", option)

    def _refuse_confidence(self, column: str, score: Floats, why: str, option: str = "--confidence") -> None:
        turn = f"name it with {option}"
        if len(self.classes.names) > 2:
            turn = "leave out --positive, or give each class a column of probabilities"
        raise ValueError(
            f"{self.place(column)} holds scores from {score.min():.3g} to {score.max():.3g}, and {why}, so they seem "
            f"to be confidences in the predicted label; if so, {turn}; if they are scores of one label, set the "
            "predictions aside with --threshold."
        )

    def _checked(self, member: Any, model: Model) -> Any:
        """Refuse columns that seem to hold something else, and add what is to know of one model."""
        whole = member if member.lacks is None else member.only(~member.lacks)
        score, n_classes = getattr(whole, "score", None), len(self.classes.names)
        perfect = np.array_equal(whole.prediction, whole.truth)
        rivals = self._fitting() if self.roles.assumed else []
        if rivals and (perfect or (score is not None and are_separable(score, whole.truth))):
            raise ValueError(
                f"{self.place(self.roles.truth)} follows from the answers in every case, so it may hold predicted "
                f"labels, and {quoted(rivals)} the true ones; name the true labels with --truth."
            )
        is_confidence = score is not None and are_confidences(score, whole.prediction, n_classes)
        if model.doubtful and (perfect or not (is_confidence or _follows(whole))):
            what = "equals the truth in every case" if perfect else "does not follow from the scores"
            raise ValueError(
                f"{self.place(str(model.prediction))} {what}, so it may not hold predicted labels; if it does, name it "
                "with --prediction; otherwise set it aside with --threshold, or rename it."
            )
        notes = list(_notes_on_answers(whole))
        if score is not None and not model.confidence and not whole.rule:
            guess = repr(model.prediction)
            never = n_classes == 2 and not whole.prediction.any() and 0.5 <= score.min() < score.max() <= 1
            if never or is_confidence:
                why = f"no case is predicted positive in {guess}" if never else f"{_NO_THRESHOLD} {guess}"
                self._refuse_confidence(str(model.score), score, why)
            if not are_separable(score, whole.prediction):
                notes.append(
                    f"No threshold on {model.score!r} gives the predictions in {guess}; they may be of two models, or "
                    "the scores may be for another label."
                )
        return member.noted(*notes)


def _notes_on_answers(answers: Any) -> Iterator[str]:
    """Say what a reader must know of the answers of one model."""
    labels, chances = getattr(answers, "labels", ()), getattr(answers, "probabilities", None)
    if getattr(answers, "positive", "") is None:
        true, predicted = (weight_counts(each, len(labels)) for each in (answers.truth, answers.prediction))
        if never := [repr(labels[place]) for place in np.flatnonzero((true == 0) & (predicted > 0))]:
            yield f"Predicted, but not the true class of any case: {listed(never)}."
    if alike := look_alikes(labels):
        groups = listed(" and ".join(map(repr, group)) for group in alike)
        yield f"Labels that differ only by case or blanks count as different labels: {groups}."
    numbers = answers.prediction if isinstance(answers, Forecasts) else answers.score
    if numbers is not None:
        low, high = numbers.min(), numbers.max()
        if low < high and ((numbers == low) | (numbers == high)).all():
            what, remedy = "scores", "--score names the scores behind them"
            if isinstance(answers, Forecasts):
                what, remedy = "predictions", "if they are the true labels, give --truth and --score"
            yield f"The {what} are only {low:.6g} and {high:.6g}, so {SEEM_LABELS}; {remedy}."
    if chances is not None and (wrong := np.count_nonzero(no_shares(chances))):
        yield (
            f"In {wrong:,} of {len(answers.truth):,} cases, a score of a class is negative or the scores do not add up "
            "to 1. The scores are therefore not probabilities, and the losses squared and cross_entropy are left out."
        )


_NO_THRESHOLD = "no threshold on them gives the predictions in"


def _follows(member: Any) -> bool:
    """Tell whether the predictions follow from the scores, if there are any."""
    chances, score = (getattr(member, what, None) for what in ("probabilities", "score"))
    if chances is not None:
        chosen = np.take_along_axis(chances, member.prediction[:, None], 1)[:, 0]
        return bool((chosen == chances.max(axis=1)).all())
    return score is None or are_separable(score, member.prediction)


def _turned(confidence: Floats, predicted: Mask, place: str) -> Floats:
    """Return the scores of the positive label from confidences in the predicted one of two."""
    least, greatest = confidence.min(), confidence.max()
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


def _find_threshold(
    scores: Floats, place: str, threshold: float | None, cost: float | None
) -> tuple[float, str]:
    """Return from what score on cases are predicted positive, and why; `place` names the column."""
    if threshold is not None:
        return threshold, "as --threshold says"
    probabilities = are_probabilities(scores)
    if cost is not None:
        if not probabilities:
            raise ValueError(
                f"{place} holds scores outside [0, 1], for which --cost sets no threshold; give one with --threshold."
            )
        return 1 / (1 + cost), f"as a missed positive costs {cost:,.10g} false alarm{'s' * (cost != 1)}"
    if probabilities:
        return 0.5, "as all scores lie in [0, 1]"
    if scores.min() >= 0 or scores.max() < 0:
        raise ValueError(
            f"{place} holds scores from {scores.min():.6g} to {scores.max():.6g}, so the "
            "default threshold 0 puts all cases on one side; give another with --threshold."
        )
    return 0.0, "as scores lie outside [0, 1]"
