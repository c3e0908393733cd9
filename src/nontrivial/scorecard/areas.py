"""Areas under the curves of scores, and their means over classes, with intervals."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import are_few
from nontrivial.curves.areas import curve_areas
from nontrivial.curves.bootstrap import bootstrap_curve_areas, bootstrap_macro_areas
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import LEVEL, Estimate

MOST_CLASSES = 8  # that have intervals; coverage was measured up to this number

Areas = dict[str, Estimate]


def estimate_areas(truth: Mask, score: Floats, weights: Floats | None, groups: Ints | None) -> Areas:
    """Return the areas of one ranking; without intervals if too few resamples have the area, or units are too few."""
    if are_few(weights, groups, len(truth)):
        areas = curve_areas(truth, score, sample_weight=weights)
        return {name: Estimate(value) for name, value in areas.items()}
    table = bootstrap_curve_areas(truth, score, level=LEVEL, sample_weight=weights, groups=groups)
    return _estimates(table)


def areas_of_classes(predictions: Predictions) -> list[dict[str, float]]:
    """Return the areas of each class against the rest; nothing without scores."""
    said = predictions.probabilities
    if said is None:
        return [{}] * predictions.n_classes
    with warnings.catch_warnings():
        # A class without cases has NaN, and readers see for themselves if a class has few cases.
        warnings.simplefilter("ignore")
        return [
            curve_areas(predictions.truth == place, score, sample_weight=predictions.weights)
            for place, score in enumerate(said.T)
        ]


def macro_areas(predictions: Predictions, of_classes: Sequence[dict[str, float]]) -> Areas:
    """Return the means over the classes, without an interval where `estimate_areas` has none, or for many classes."""
    said, weights, groups = predictions.probabilities, predictions.weights, predictions.groups
    if said is None:
        return {}
    values = {name: float(np.mean([areas[name] for areas in of_classes])) for name in of_classes[0]}
    found = {name: Estimate(value) for name, value in values.items()}
    all_have_cases = not math.isnan(values["roc_auc"])
    if len(of_classes) <= MOST_CLASSES and all_have_cases and not are_few(weights, groups, len(said)):
        found = _estimates(bootstrap_macro_areas(predictions.truth, said, weights, groups, level=LEVEL))
    return {f"macro_{name}": estimate for name, estimate in found.items()}


def _estimates(table: pd.DataFrame) -> Areas:
    return {
        str(name): Estimate(column["estimate"], column["low"], column["high"], table.attrs["method"])
        if column["resamples"]
        else Estimate(float(column["estimate"]))
        for name, column in table.items()
    }
