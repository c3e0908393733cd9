"""Signs that a column holds something else than its name says, which stop a run or are noted."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Mask, weight_counts
from nontrivial.reading.asking import ANY_COLUMN, UnsettledError
from nontrivial.reading.scores import are_confidences, are_separable, not_adding_to_1
from nontrivial.scorecard.answers import SEEM_LABELS, Forecasts
from nontrivial.terminal import listed


def refuse_numbers_of_labels(answers: Any, truth: str, prediction: str) -> None:
    """Refuse predicted numbers of two values, which may be the true labels, and the truth the scores."""
    if len(np.unique(answers.prediction[:1000])) == 2 == len(np.unique(answers.prediction)):
        raise UnsettledError(
            f"{answers.name} has numbers in {truth!r} and two values in {prediction!r}, so the truth and the scores "
            "may be exchanged",
            {"truth": prediction, "score": truth},
            {"task": "regression"},
        )


def refuse_confidences(answers: Any, model: Any, place: str, n_classes: int, others: Sequence[str]) -> None:
    """Refuse scores that seem to be confidences in the predicted label, which `others` may hold."""
    score, predicted = answers.score, answers.prediction
    if predicted is None:
        return
    settings: list[dict[str, Any]] = [{"score": model.score, "threshold": 0.5}]
    least = int(100 / n_classes) / 100  # as files round it
    is_never = not predicted.any() and 0.5 <= score.min() < score.max() <= 1
    if not answers.rule and (is_never or are_confidences(score, predicted, n_classes)):
        why = f"no threshold on them gives the predictions in {model.prediction!r}"
        why = f"no case is predicted positive in {model.prediction!r}" if is_never else why
        if n_classes == 2:
            settings = [{"confidence": model.score, "prediction": model.prediction, "score": ()}, *settings]
    elif others and answers.threshold == 0.5 and least <= score.min() < score.max():
        why = f"none is below {least:g} while another column, such as {others[0]!r}, may hold labels"
        settings.append({"confidence": model.score, "prediction": ANY_COLUMN, "score": ()})
    else:
        return
    raise UnsettledError(
        f"{place} holds scores from {score.min():.3g} to {score.max():.3g}, and {why}, so they may be confidences in "
        "the predicted label",
        *settings,
    )


def scores_from_confidence(confidence: Floats, predicted: Mask, place: str) -> Floats:
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


def notes_on_answers(answers: Any, model: Any) -> Iterator[str]:
    """Say what a reader must know of the answers of one model."""
    labels, chances = getattr(answers, "labels", ()), getattr(answers, "probabilities", None)
    if getattr(answers, "positive", "") is None:
        true, predicted = (
            weight_counts(places, len(labels)) for places in (answers.truth, answers.prediction)
        )
        if never := [repr(labels[place]) for place in np.flatnonzero((true == 0) & (predicted > 0))]:
            yield f"Predicted, but not the true class of any case: {listed(never)}."
    numbers = answers.prediction if isinstance(answers, Forecasts) else answers.score
    if numbers is not None:
        low, high = numbers.min(), numbers.max()
        if low < high and ((numbers == low) | (numbers == high)).all():
            what, remedy = "scores", "--score names the scores behind them"
            if isinstance(answers, Forecasts):
                what, remedy = "predictions", "if they are the true labels, give --truth and --score"
            yield f"The {what} are only {low:.6g} and {high:.6g}, so {SEEM_LABELS}; {remedy}."
    has_no_threshold = getattr(answers, "positive", None) is not None and answers.prediction is None
    if has_no_threshold and not answers.is_threshold_best:
        low, high = answers.score.min(), answers.score.max()
        yield (
            f"There is no verdict on labels: scores from {low:.6g} to {high:.6g} have no usual threshold, which "
            "--threshold sets."
        )
    if chances is not None and (wrong := np.count_nonzero(not_adding_to_1(chances))):
        yield (
            f"In {wrong:,} of {len(answers.truth):,} cases, a score of a class is negative or the scores do not add up "
            "to 1. The scores are therefore not probabilities, and the losses squared and cross_entropy are left out."
        )
    score = getattr(answers, "score", None)
    if score is None or model.is_confidence or answers.rule or answers.prediction is None:
        return
    if not are_separable(score, answers.prediction):
        yield (
            f"No threshold on {model.score!r} gives the predictions in {model.prediction!r}; they may be of two "
            "models, or the scores may be for another label."
        )
