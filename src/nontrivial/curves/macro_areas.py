"""Intervals for the means over several classes of the areas of each against the rest, by the Bayesian bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import effective_units
from nontrivial.curves.points import find_rises
from nontrivial.curves.resampled_areas import resampled_areas
from nontrivial.curves.resamples import OF_CASES, OF_UNITS, Sample
from nontrivial.curves.resampling import resample, table_of
from nontrivial.curves.summary import areas_of
from nontrivial.seeds import generator_for


def bootstrap_macro_areas(
    truth: Ints,
    scores: Floats,
    weights: Floats | None,
    groups: Ints | None,
    *,
    level: float,
    n_resamples: int = 1000,
) -> pd.DataFrame:
    """Return the means over the classes of the areas of each against the rest, with intervals.

    Each class is a ranking of its own. In a resample a case weighs the same in all of them; the pseudo-cases of each
    are drawn apart. Each counts as it does for one ranking, times the square root of its class's share of the variance.
    (The variance of a class is proportional to one over its cases.) So many classes widen the interval no more than
    one.

    A mean of many classes varies less than they do, but few cases of a class mislead it as much. Three corrections
    follow, each small beside the interval of one class:

    - Draws of n cases vary less than the cases do. They are taken further from the sample's value, as if the variance
      were one part in n greater.
    - A positive is among those that score as high as itself: `average_precision` counts it, `pr_auc` half of it. The
      lower bounds leave it out.
    - Where the draws' area is less than the sample's, the sample's is less than the population's by as much.

    Parameters
    ----------
    truth : int array of shape (n,)
        The column of `scores` that each case belongs to. There is a case of each.
    scores : ndarray of shape (n, n_classes)
    weights : ndarray of shape (n,) or None
        Greater than 0.
    groups : int array of shape (n,) or None
    """
    n_classes = scores.shape[1]
    masses = np.bincount(truth, weights=weights)
    rarity = masses.sum() / masses / effective_units(weights, groups, len(truth))
    rises = [
        find_rises(truth == place, scores[:, place], sample_weight=weights) for place in range(n_classes)
    ]
    samples = [
        Sample.of_cases(truth == place, [scores[:, place]], [each], weights, groups)
        for place, each in enumerate(rises)
    ]
    least = OF_CASES if weights is None and groups is None else OF_UNITS
    shapes = np.array([sample.part_of(least) for sample in samples])
    shapes *= np.sqrt(rarity / rarity.sum())
    parts = generator_for("bootstrap_macro_areas", "pseudo-cases").standard_gamma(
        shapes[:, None, None], (n_classes, n_resamples, 2)
    )
    held, lower, upper = [], [], []
    for sample, part in zip(samples, parts, strict=True):
        rng = generator_for("bootstrap_macro_areas", "cases")  # the same for all classes
        worst, best = resample(sample, n_resamples, rng, stratify=False, parts=part)
        held.append(resampled_areas(*sample.without_resampling()))
        lower.append(worst)
        upper.append(best)
    value, low, high = _mean(held), _mean(lower), _mean(upper)
    half_of_it = np.abs(high["average_precision"] - high["pr_auc"])
    wider = np.sqrt(1 + rarity @ rarity / rarity.sum())
    for name, area in value.items():
        low[name], high[name] = (area + wider * (draws[name] - area) for draws in (low, high))
    for name in ("average_precision", "pr_auc"):
        low[name] = low[name] - half_of_it
    for name in ("roc_auc", "average_precision", "pr_auc"):
        low[name] = np.maximum(low[name], 0.0)
    for name, draws in high.items():
        if not np.isnan(draws).all():
            bias = max(float(value[name][0] - np.nanmean(draws)), 0.0)
            low[name], high[name] = low[name] + 2 * bias, np.minimum(draws + 2 * bias, 1.0)
    return table_of(_mean(list(map(areas_of, rises))), value, low, high, level)


def _mean(areas: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.mean([each[name] for each in areas], axis=0) for name in areas[0]}
