"""Signs that a column holds something else than its name says, which stop a run, and notes for the reader of a card."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nontrivial._arrays import count_codes
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError, quoted
from nontrivial.reading.roles import ModelColumns
from nontrivial.reading.scores import are_confidences, are_separable, least_confidence, not_adding_to_1
from nontrivial.scorecard.answers.answers import SEEM_LABELS, Forecasts
from nontrivial.scorecard.answers.columns import PredictionFile, PredictionTask
from nontrivial.terminal import listed


def refuse_other_meanings(file: PredictionFile, task: PredictionTask, model: ModelColumns, answers: Any) -> None:
    """Refuse a truth and scores that seem to be exchanged, and scores that seem to be confidences.

    The user's options settle both. `answers` are the answers of one model to complete cases.
    """
    options, truth, prediction = file.options, file.roles.truth, model.prediction
    is_assumed = task.is_regression and options.task is None and options.quantile is None
    if is_assumed and len(np.unique(answers.prediction[:1000])) == 2 == len(np.unique(answers.prediction)):
        raise UnsettledError(
            f"{file.name} has numbers in {truth!r} and two values in {prediction!r}, so the truth and the scores "
            "may be exchanged",
            {"truth": prediction, "score": truth},
            {"task": "regression"},
        )
    is_probability = model.score not in [named_model.score for named_model in file.roles.models]
    if model.score and not (model.is_confidence or is_probability or options.threshold is not None):
        _refuse_confidences(file, model, len(task.classes.names), answers)


def _refuse_confidences(file: PredictionFile, model: ModelColumns, n_classes: int, answers: Any) -> None:
    """Refuse scores that seem to be confidences in the predicted label, which another column may hold."""
    score, predicted = answers.score, answers.prediction
    if predicted is None:
        return
    possible_answers = [name for name in file.roles.possible_answers if name not in file.roles.answers]
    possible_labels = [*possible_answers, *file.find_unused()]
    settings: list[dict[str, Any]] = [{"score": model.score, "threshold": 0.5}]
    least = least_confidence(n_classes)
    is_never_positive = not predicted.any() and 0.5 <= score.min() < score.max() <= 1
    if not answers.rule and (is_never_positive or are_confidences(score, predicted, n_classes)):
        sign = f"no threshold on them gives the predictions in {model.prediction!r}"
        if is_never_positive:
            sign = f"no case is predicted positive in {model.prediction!r}"
        if n_classes == 2:
            settings = [{"confidence": model.score, "prediction": model.prediction, "score": ()}, *settings]
    elif possible_labels and answers.threshold == 0.5 and least <= score.min() < score.max():
        column = possible_labels[0]
        sign = f"none is below {least:g} while another column, such as {column!r}, may hold labels"
        settings.append({"confidence": model.score, "prediction": ANY_COLUMN, "score": ()})
    else:
        return
    raise UnsettledError(
        f"{file.place(model.score)} holds scores from {score.min():.3g} to {score.max():.3g}, and {sign}, so they may "
        "be confidences in the predicted label",
        *settings,
    )


def notes_on_rows(file: PredictionFile, group: str | None, *, has_models: bool) -> Iterator[str]:
    """Say that rows of a case are one group, or that the rows of several tests are pooled."""
    columns, of_tests = file.columns, (*file.roles.repeats, *file.roles.folds)
    tests = [name for name in of_tests if len(columns[name].names.categories) > 1]
    if group is not None and file.options.group is None:
        yield (
            f"Rows with the same {group!r} are one group, as cases recur over {quoted(tests)}; --group names another."
        )
    elif tests and not file.options.by:
        of_models = "of each model " if has_models else ""
        yield (
            f"Rows {of_models}are pooled, whatever their values of {quoted(tests)}; --by scores them separately. If "
            "they come from models that were trained separately, pooling may make their ranking look worse."
        )


def notes_on_columns(
    file: PredictionFile, task: PredictionTask, models: Sequence[ModelColumns], *, has_others: bool
) -> Iterator[str]:
    """Say which columns are not used, how scores and the truth are read, and that leading zeros count."""
    names, options = task.classes.names, file.options
    used = {column for model in models for column in model.columns}
    unused = [name for name in file.roles.possible_answers if name not in used]
    if unused:
        yield (
            f"Not used, though they may hold predictions or scores: {quoted(unused)}. "
            "--prediction, --score and --confidence name such columns."
        )
    for model in models:
        if model.is_confidence and model.score not in options.confidence:
            yield (
                f"Column {model.score!r} is the confidence in the predicted label, as its tool writes it; it gives the "
                "scores. If it is the score of one label, name it with --score."
            )
    if task.positive is not None and len(names) > 2:
        negatives = [repr(name) for name in names if name != names[task.positive]]
        yield f"Every label but {names[task.positive]!r} counts as negative: {listed(negatives, 5)}."
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
    for name in file.roles.cases if has_others else ():  # another file may write numbers without zeros
        cells = file.columns[name].cells
        is_padded = pc.match_substring_regex(cells.cast(pa.string()), "^0[0-9]+$")
        if pc.any(is_padded).as_py():
            padded = cells[pc.index(is_padded, True).as_py()].as_py()
            number = padded.lstrip("0") or 0
            yield f"{padded} and {number} are different values of {name!r}: leading zeros count."


def notes_on_answers(answers: Any, model: ModelColumns) -> Iterator[str]:
    """Say what is unusual about the answers of one model to complete cases."""
    if isinstance(answers, Forecasts):
        yield from _note_on_two_values(
            answers.prediction, "predictions", "if they are the true labels, give --truth and --score"
        )
        return
    score, predicted, labels = answers.score, answers.prediction, answers.labels
    if answers.positive is None:
        n_true, n_predicted = (count_codes(indices, len(labels)) for indices in (answers.truth, predicted))
        never_true = [repr(labels[index]) for index in np.flatnonzero((n_true == 0) & (n_predicted > 0))]
        if never_true:
            yield f"Predicted, but not the true class of any case: {listed(never_true)}."
    if score is not None:
        yield from _note_on_two_values(score, "scores", "--score names the scores behind them")
    if answers.positive is not None and predicted is None and not answers.is_threshold_best:
        yield (
            f"There is no verdict on labels: scores from {score.min():.6g} to {score.max():.6g} have no usual "
            "threshold, which --threshold sets."
        )
    n_wrong = 0 if answers.probabilities is None else np.count_nonzero(not_adding_to_1(answers.probabilities))
    if n_wrong:
        yield (
            f"In {n_wrong:,} of {len(answers.truth):,} cases, a score of a class is negative or the scores do not add "
            "up to 1. The scores are therefore not probabilities, and the losses squared and cross_entropy are left "
            "out."
        )
    if score is None or predicted is None or model.is_confidence or answers.rule:
        return
    if not are_separable(score, predicted):
        yield (
            f"No threshold on {model.score!r} gives the predictions in {model.prediction!r}; they may be of two "
            "models, or the scores may be for another label."
        )


def _note_on_two_values(numbers: Any, kind: str, remedy: str) -> Iterator[str]:
    """Say that numbers have only two values, as labels would."""
    low, high = numbers.min(), numbers.max()
    if low < high and ((numbers == low) | (numbers == high)).all():
        yield f"The {kind} are only {low:.6g} and {high:.6g}, so {SEEM_LABELS}; {remedy}."
