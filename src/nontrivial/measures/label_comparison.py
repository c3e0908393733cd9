"""The comparison of two models under a loss between classes: by exchanging them, and by the Bayesian bootstrap."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binomtest

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import ends_of_draws, typical_mass, units_of_difference
from nontrivial._stretches import stretches
from nontrivial.measures.bootstrap import BATCH, Design, resampled_ratios
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import LabelLoss, ZeroOneLoss
from nontrivial.measures.totals import Totals


def compare_labels(
    case: Case, losses: Floats, other_losses: Floats, level: float, design: Design
) -> tuple[float, float, float]:
    """Return the ends of the interval and the p-value under a loss between classes, for a difference of at least 0."""
    assert isinstance(case.loss, LabelLoss)
    weights, groups = design.weights, design.groups
    gained = other_losses - losses
    _, kinds = np.unique(np.column_stack([case.truth, losses, other_losses]), axis=0, return_inverse=True)
    widest = np.subtract(*reversed(case.loss.extremes()))
    # Under 0/1 loss, more, or Student's tails, made intervals of few cases twice as wide.
    part = 1 / 4 if weights is None and groups is None else 1 / 2
    unit = _differing_weight(gained, weights, groups)
    greatest, least = resampled_ratios(
        case, gained, kinds, (-widest, widest), design, case.marginal(weights), part=part, unit=unit
    )
    is_zero_one = isinstance(case.loss, ZeroOneLoss)
    tells_apart = math.inf if is_zero_one else units_of_difference(case.truth, weights, groups)
    low, high, beyond = ends_of_draws(least, greatest, (1 - level) / 2, tells_apart)
    total = Totals(np.ones(len(gained)) if weights is None else weights, groups)
    pvalue = exchange_p_value(total(gained), design.n_resamples, design.generator)
    if not is_zero_one or weights is not None or groups is not None:
        pvalue = max(pvalue, min(2 * beyond, 1.0))
    low, high = (min(low, 0.0), max(high, 0.0)) if pvalue > 1 - level else (max(low, 0.0), high)
    return low, high, pvalue


def _differing_weight(gained: Floats, weights: Floats | None, groups: Ints | None) -> float:
    """Return the typical weight of a case, or of the cases of a group in which the same model is better.

    The latter is the typical weight of a group times the mean share of its cases in which one model is better where it
    is better in any. One more group, in which it is better in all, counts in this mean.
    """
    mass = np.ones(len(gained)) if weights is None else weights
    typical = typical_mass(mass, groups)
    if groups is None:
        return typical
    of_groups = np.bincount(groups, weights=mass)
    parts = [
        np.bincount(groups[side], weights=mass[side], minlength=len(of_groups))
        for side in (gained > 0, gained < 0)
    ]
    together = sum(part @ part for part in parts) + typical**2
    return float(typical * together / (sum(part @ of_groups for part in parts) + typical**2))


def exchange_p_value(gained: Floats, n_resamples: int, generator: np.random.Generator) -> float:
    """Return the two-sided p-value of the hypothesis that two models can be exchanged in each unit separately.

    Under it, each gain is as likely as a loss of the same size, whatever the units weigh. If all gains and losses have
    the same size, this is McNemar's exact test; otherwise it uses random draws.

    Parameters
    ----------
    gained : ndarray of shape (n_units,)
        By how much one model loses less than the other in each case or group.
    n_resamples : int
    generator : numpy.random.Generator

    Examples
    --------
    >>> exchange_p_value(np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0]), 99, np.random.default_rng(0))
    0.21875
    """
    sizes, units = np.unique(np.abs(gained[gained != 0]), return_counts=True)
    if len(sizes) == 0:
        return 1.0
    if len(sizes) == 1:
        return float(binomtest(int(np.count_nonzero(gained > 0)), int(units[0])).pvalue)
    least = abs(gained.sum()) - 1e-12 * (sizes @ units)
    beyond = 0
    for part in stretches(n_resamples, length=max(BATCH // len(sizes), 1)):
        of_first = generator.binomial(units, 0.5, size=(part.stop - part.start, len(units)))
        beyond += int(np.count_nonzero(np.abs((2 * of_first - units) @ sizes) >= least))
    return (1 + beyond) / (1 + n_resamples)
