"""Signs that a column holds something else than its name says; they stop a run."""

from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Mask
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.roles import ModelColumns
from nontrivial.reading.scores import are_confidences, are_separable, least_confidence
from nontrivial.scorecard.answers.columns import FileColumns, PredictionTask


def refuse_other_meanings(file: FileColumns, task: PredictionTask, model: ModelColumns, answers: Any) -> None:
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


def _refuse_confidences(file: FileColumns, model: ModelColumns, n_classes: int, answers: Any) -> None:
    """Refuse scores that seem to be confidences in the predicted label, which another column may hold."""
    score, predicted = answers.score, answers.prediction
    if predicted is None:
        return
    possible_answers = [name for name in file.roles.possible_answers if name not in file.roles.answers]
    possible_labels = [*possible_answers, *file.find_unused()]
    settings: list[dict[str, Any]] = [{"score": model.score, "threshold": 0.5}]
    least = least_confidence(n_classes)
    is_never = not predicted.any() and 0.5 <= score.min() < score.max() <= 1
    if not answers.rule and (is_never or are_confidences(score, predicted, n_classes)):
        sign = f"no threshold on them gives the predictions in {model.prediction!r}"
        if is_never:
            sign = f"no case is predicted positive in {model.prediction!r}"
        if n_classes == 2:
            settings = [{"confidence": model.score, "prediction": model.prediction, "score": ()}, *settings]
    elif possible_labels and answers.threshold == 0.5 and least <= score.min() < score.max():
        sign = (
            f"none is below {least:g} while another column, such as {possible_labels[0]!r}, may hold labels"
        )
        settings.append({"confidence": model.score, "prediction": ANY_COLUMN, "score": ()})
    else:
        return
    raise UnsettledError(
        f"{file.place(model.score)} holds scores from {score.min():.3g} to {score.max():.3g}, and {sign}, so they may "
        "be confidences in the predicted label",
        *settings,
    )


def scores_from_confidence(confidence: Floats, predicted: Mask, place: str) -> Floats:
    """Return the scores of the positive label from confidences in the predicted one of two labels."""
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
