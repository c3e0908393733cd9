"""Find the threshold of scores, and check whether scores fit the predictions or are probabilities."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Mask
from nontrivial.reading.options import Options
from nontrivial.terminal import count_of

MAX_ROUNDING_ERROR = 1e-6  # rounding may put a probability this far outside [0, 1]
MAX_ERROR_OF_SUM = 1e-3  # rounding may put the sum over the classes this far from 1


class Threshold(NamedTuple):
    """The least score that is predicted positive, and the reason for this threshold."""

    value: float
    reason: str


def are_probabilities(scores: Floats) -> bool:
    """Tell whether all scores lie in [0, 1], apart from rounding."""
    return bool(scores.min() >= -MAX_ROUNDING_ERROR and scores.max() <= 1 + MAX_ROUNDING_ERROR)


def find_threshold(scores: Floats, options: Options, place: str) -> Threshold | None:
    """Return the threshold that the user gives, or that a cost sets, or else the usual threshold of such scores.

    The usual threshold is 0.5 for probabilities and 0 for scores of both signs. Other scores have none.

    >>> find_threshold(np.array([-3, 0.5]), Options(), "Column 'p'")
    Threshold(value=0.0, reason='as scores have both signs')
    """
    if options.threshold is not None:
        return Threshold(float(options.threshold), "as --threshold says")
    if options.cost is None:
        if are_probabilities(scores):
            return Threshold(0.5, "as all scores lie in [0, 1]")
        return Threshold(0.0, "as scores have both signs") if scores.min() < 0 < scores.max() else None
    if not are_probabilities(scores):
        raise ValueError(
            f"{place} holds scores outside [0, 1], for which --cost sets no threshold; give a number, or best, "
            "with --threshold."
        )
    alarms = count_of(options.cost, "false alarm")
    return Threshold(1 / (1 + options.cost), f"as a missed positive costs {alarms}")


def are_separable(score: Floats, predicted: Mask) -> bool:
    """Tell whether some threshold t gives the predictions: ``predicted == (score >= t)``."""
    predicted = np.asarray(predicted, dtype=bool)
    return bool(predicted.all() or not predicted.any() or score[predicted].min() > score[~predicted].max())


def are_confidences(score: Floats, predicted: NDArray[Any], n_classes: int) -> bool:
    """Tell whether scores look like the confidence in the predicted label, and not in one class.

    The result is true if the scores differ, all lie in [1/k, 1] for k classes, several classes are predicted, and no
    threshold separates the predictions of any class from the others.
    """
    classes = np.unique(predicted)
    least, greatest = score.min(), score.max()
    if len(classes) < 2 or least == greatest or least < least_confidence(n_classes) or greatest > 1:
        return False
    return not any(are_separable(score, predicted == index) for index in classes)


def least_confidence(n_classes: int) -> float:
    """Return 1/k, the least confidence in the most probable of k classes, as files round it: 0.33 for k = 3."""
    return int(100 / n_classes) / 100


def scores_from_confidence(confidence: Floats, predicted: Mask, place: str) -> Floats:
    """Compute the scores of the positive label from the confidences in the predicted label, for two labels."""
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


def not_adding_to_1(probabilities: Floats) -> Mask:
    """Tell which cases have a negative score of a class, or scores whose sum is not 1.

    The sum may be off by `MAX_ERROR_OF_SUM`, or by half a unit of the last decimal for each class.

    >>> [not_adding_to_1(np.array([[third] * 3])).tolist() for third in (0.33, 0.331)]
    [[False], [True]]
    """
    fitting = (d for d in range(4) if np.allclose(probabilities, probabilities.round(d), atol=1e-9))
    decimals = next(fitting, None)
    tolerance = MAX_ERROR_OF_SUM
    if decimals:  # without decimals, nothing is rounded
        tolerance = max(tolerance, probabilities.shape[1] * 0.5 * 10.0**-decimals)
    is_off = np.abs(probabilities.sum(axis=1) - 1) > tolerance + 1e-9
    is_wrong: Mask = is_off | (probabilities.min(axis=1) < 0)
    return is_wrong


def are_opposite(scores: Floats) -> bool:
    """Tell whether there are two classes, and each score of one class is minus the score of the other."""
    return scores.shape[1] == 2 and np.allclose(scores.sum(axis=1), 0)
