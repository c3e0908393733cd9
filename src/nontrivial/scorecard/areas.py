"""Areas under the curves of scores, and their means over classes, with intervals."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import are_few
from nontrivial.curves.resampling import bootstrap_curve_areas
from nontrivial.curves.summary import curve_areas
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import LEVEL, SEED, Estimate

MOST_CLASSES = 8  # with intervals, which take seconds for each class

Areas = dict[str, Estimate]


def estimate_areas(truth: Mask, score: Floats, weights: Floats | None, groups: Ints | None) -> Areas:
    """Return the areas of one ranking, without an interval where no resample has the area, or few units are drawn."""
    if are_few(weights, groups, len(truth)):
        return _without_intervals(truth, score, weights)
    table = bootstrap_curve_areas(
        truth, score, level=LEVEL, sample_weight=weights, groups=groups, random_state=SEED
    )
    return {
        str(name): Estimate(column["estimate"], column["low"], column["high"], table.attrs["method"])
        if column["resamples"]
        else Estimate(float(column["estimate"]))
        for name, column in table.items()
    }


def areas_of_classes(predictions: Predictions) -> list[Areas]:
    """Return the areas of each class against the rest, without intervals for many classes; nothing without scores."""
    said = predictions.probabilities
    if said is None:
        return [{}] * predictions.n_classes
    sides = [(predictions.truth == place, said[:, place]) for place in range(predictions.n_classes)]
    weights, groups = predictions.weights, predictions.groups
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # a class without cases has NaN, and few cases are for the reader to see
        for truth, score in sides:
            if len(sides) <= MOST_CLASSES and truth.any():
                found.append(estimate_areas(truth, score, weights, groups))
            else:
                found.append(_without_intervals(truth, score, weights))
    return found


def _without_intervals(truth: Mask, score: Floats, weights: Floats | None) -> Areas:
    return {name: Estimate(value) for name, value in curve_areas(truth, score, sample_weight=weights).items()}


def macro_areas(of_classes: Sequence[Areas]) -> Areas:
    """Return the means over the classes, between the means of the ends of the classes' intervals.

    These lie at least as far apart as the ends of the mean's own interval would, as the standard deviation of a mean is
    at most the mean of the standard deviations.
    """
    found = {}
    for name in of_classes[0]:
        members = [areas[name] for areas in of_classes]
        value, low, high = (
            float(np.mean(part)) for part in zip(*(each[:3] for each in members), strict=True)
        )
        offered = value == value and all(each.method for each in members)
        found[f"macro_{name}"] = (
            Estimate(value, low, high, "mean_of_intervals") if offered else Estimate(value)
        )
    return found
