"""The threshold that costs least, chosen on all cases, and its verdict on cases that did not choose it."""

from dataclasses import replace

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from nontrivial._arrays import Floats, Mask
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.seeds import generator_for

FOLDS = 10


def least_cost_threshold(truth: Mask, scores: Floats, weights: Floats | None = None, cost: float = 1.0) -> float:
    """Return the threshold that costs least if a missed positive costs as much as `cost` false alarms.

    The threshold lies between two scores, at the shortest decimal near their middle. Of thresholds that cost the same,
    the greatest is returned. If acting on no case costs least, the threshold is just above all scores.

    >>> truth, scores = np.array([False, True, False, True]), np.array([0.1, 0.4, 0.6, 0.9])
    >>> least_cost_threshold(truth, scores), least_cost_threshold(truth, scores, cost=5)
    (0.75, 0.25)
    """
    values, places = np.unique(scores, return_inverse=True)
    mass = np.ones(len(truth)) if weights is None else weights
    positives = np.bincount(places, weights=mass * truth)
    negatives = np.bincount(places, weights=mass * ~truth)
    missed = np.concatenate([[0.0], np.cumsum(positives)])  # index: the number of values below the threshold
    alarms = negatives.sum() - np.concatenate([[0.0], np.cumsum(negatives)])
    costs = cost * missed + alarms
    rounded = np.round(costs / costs.max(), 12)  # sums may differ by rounding
    n_below = len(costs) - 1 - int(np.argmin(rounded[::-1]))
    if n_below == len(values):
        return float(np.nextafter(values[-1], np.inf))
    if n_below == 0:
        return float(values[0])
    return _decimal_between(float(values[n_below - 1]), float(values[n_below]))


def _decimal_between(below: float, upper: float) -> float:
    """Return a short decimal above one number and not above the other."""
    middle = (below + upper) / 2
    decimals = (float(f"{middle:.{digits}g}") for digits in range(2, 17))
    return next((number for number in decimals if below < number <= upper), upper)


def judge_best_threshold(predictions: Predictions) -> Predictions:
    """Choose the threshold on nine tenths of the cases, and predict the last tenth by it, in ten turns.

    So no case is predicted by a threshold that it helped to choose. The folds have the classes in equal shares, and
    keep groups together. The returned `threshold` is chosen on all cases. ValueError says that a class has fewer than
    two cases or groups.
    """
    truth, scores, groups = predictions.truth, np.asarray(predictions.score), predictions.groups
    cost = 1.0 if predictions.cost is None else predictions.cost
    units = np.arange(len(truth)) if groups is None else groups
    n_least = min(len(np.unique(units[truth])), len(np.unique(units[~truth])))
    if n_least < 2:
        unit = "case" if groups is None else "group"
        raise ValueError(
            f"A class of {predictions.name} has one {unit} only, so no threshold can be chosen without it; give a "
            "number with --threshold."
        )
    splitter = StratifiedKFold if groups is None else StratifiedGroupKFold
    seed = int(generator_for("folds of the best threshold").integers(2**31))
    folds = splitter(min(FOLDS, n_least), shuffle=True, random_state=seed)
    predicted = np.zeros(len(truth), dtype=bool)
    for chosen_on, applied_to in folds.split(scores, truth, groups):
        weights = None if predictions.weights is None else predictions.weights[chosen_on]
        threshold = least_cost_threshold(truth[chosen_on], scores[chosen_on], weights, cost)
        predicted[applied_to] = scores[applied_to] >= threshold
    best = least_cost_threshold(truth, scores, predictions.weights, cost)
    score = predictions.columns.get("score", "the score")
    rule = (
        "by thresholds that were each chosen without the cases they are applied to; on all cases, "
        f"{score} >= {best:.10g} costs least"
    )
    return replace(predictions, prediction=predicted, threshold=best, rule=rule)
