"""Scores of the positive class: from which threshold on a case is positive, and whether they fit the predictions."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Mask

PROBABILITY_TOLERANCE = 1e-6  # how far outside [0, 1] computed probabilities may lie
SUM_TOLERANCE = 1e-3  # how far computed probabilities of classes may be from adding up to 1


class Threshold(NamedTuple):
    """The score from which on cases are predicted positive, and why."""

    value: float
    reason: str


def are_probabilities(scores: Floats) -> bool:
    """Tell whether all scores lie in [0, 1], apart from rounding."""
    return bool(scores.min() >= -PROBABILITY_TOLERANCE and scores.max() <= 1 + PROBABILITY_TOLERANCE)


def usual_threshold(scores: Floats) -> Threshold | None:
    """Return 0.5 for probabilities, 0 for margins, which have both signs, and None for all other scores.

    Examples
    --------
    >>> usual_threshold(np.array([-3, 0.5]))
    Threshold(value=0.0, reason='as scores have both signs')
    >>> usual_threshold(np.array([20, 80])) is None
    True
    """
    if are_probabilities(scores):
        return Threshold(0.5, "as all scores lie in [0, 1]")
    return Threshold(0.0, "as scores have both signs") if scores.min() < 0 < scores.max() else None


def are_separable(score: Floats, predicted: Mask) -> bool:
    """Tell whether predictions follow from scores: whether a threshold t exists with ``predicted == (score >= t)``."""
    predicted = np.asarray(predicted, dtype=bool)
    return bool(predicted.all() or not predicted.any() or score[predicted].min() > score[~predicted].max())


def are_confidences(score: Floats, predicted: NDArray[Any], n_classes: int) -> bool:
    """Tell whether scores look like the confidence in the predicted label and not in one class.

    They do if they differ, all lie in [1/k, 1] for k classes, several classes are predicted, and no threshold
    separates the predictions of any class from the others. A third counts as reached from 0.33 on, as files round it.
    """
    classes = np.unique(predicted)
    least, greatest = score.min(), score.max()
    if len(classes) < 2 or least == greatest or least < int(100 / n_classes) / 100 or greatest > 1:
        return False
    return not any(are_separable(score, predicted == place) for place in classes)


def no_shares(probabilities: Floats) -> Mask:
    """Tell in which cases the scores of classes are negative or do not add up to 1.

    The sum may be off by `SUM_TOLERANCE`, or by half a unit of the last printed decimal for each class.

    Examples
    --------
    >>> no_shares(np.array([[0.33, 0.33, 0.33], [0.2, 0.3, 0.5]])).tolist()
    [False, False]
    >>> no_shares(np.array([[0.331, 0.331, 0.331], [0.2, 0.3, 0.5]])).tolist()
    [True, False]
    """
    off = SUM_TOLERANCE
    decimals = next(
        (d for d in range(4) if np.allclose(probabilities, probabilities.round(d), atol=1e-9)), None
    )
    if decimals:  # whole numbers are not rounded
        off = max(off, probabilities.shape[1] * 0.5 * 10.0**-decimals)
    wrong: Mask = (probabilities.min(axis=1) < 0) | (np.abs(probabilities.sum(axis=1) - 1) > off + 1e-9)
    return wrong


def are_opposite(scores: Floats) -> bool:
    """Tell whether scores of two classes are of opposite sign, so that either follows from the other."""
    return scores.shape[1] == 2 and np.allclose(scores.sum(axis=1), 0)
