"""The Prediction Advantage under 0/1 loss by the Bayesian bootstrap, over the constant that is truly the best.

The sample does not show for certain which constant that is. So the lower bound is against the best constant of each
resample. The upper bound is the least over all constants; its tail is divided among those that may be the best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.measures.cell_draws import Cells
from nontrivial.measures.sign_verdict import moved_to_zero, sign_p_values

DRAWS_AT_A_TIME = 100  # few enough that what is drawn for a hundred thousand cases stays small
RARELY = 0.001  # a class that is the most frequent in no more of the resamples is taken not to be so in truth


def may_be_best(times: Ints) -> Mask:
    """Tell which constants may be the best, from how often each was in the resamples; one of them at least."""
    return np.asarray(times > min(RARELY * times.sum(), times.max() / 2))


class ResampledAdvantage(NamedTuple):
    """Bounds of the Prediction Advantage, and the one-sided p-values that agree with them."""

    low: float
    high: float
    p_better: float
    p_worse: float


def resampled_advantage(
    cells: Cells, level: float, n_resamples: int, generator: np.random.Generator, known: int | None = None
) -> ResampledAdvantage:
    """Return bounds, and p-values of "no better than the best constant" and of "no worse".

    The lower bound adds an error where a constant guess is right, and half an error where it is wrong. A whole one
    there would hide how bad a model is that errs more often than the constant. The upper bound adds a hit at either
    place. A p-value is the share of the draws at or beyond 0, so that p-values and interval agree. Against one
    constant, without weights and groups, this share is the p-value of the sign test but for the chance of drawing;
    against several it may be greater. There the p-values are those of the sign tests, and the ends are moved to agree
    with them.

    Parameters
    ----------
    cells : Cells
        Of each class in turn, the cases predicted rightly and those predicted wrongly.
    level : float in (0, 1)
    n_resamples : int
    generator : numpy.random.Generator
    known : int, optional
        The best constant, where it is known.
    """
    constants = slice(None) if known is None else [known]
    lower, upper, best = [], [], []
    for start in range(0, n_resamples, DRAWS_AT_A_TIME):
        size = min(DRAWS_AT_A_TIME, n_resamples - start)
        drawn = cells.draw_classes(generator, size)
        errors = drawn[:, 1::2].sum(axis=1, keepdims=True)
        of_class = drawn[:, ::2] + drawn[:, 1::2]
        of_others = (of_class.sum(axis=1, keepdims=True) - of_class)[:, constants]
        inside, outside = cells.unit * generator.standard_exponential((2, size, 1))
        half_outside = cells.unit * generator.standard_gamma(0.5, outside.shape)
        of_best = of_others.min(axis=1, keepdims=True)
        lower.append((1 - (errors + inside + half_outside) / (of_best + half_outside)).ravel())
        upper.append(1 - errors / (of_others + outside))
        best.append(of_class[:, constants].argmax(axis=1))
    against_all, against_each = np.sort(np.concatenate(lower)), np.sort(np.concatenate(upper), axis=0)
    candidates = int(may_be_best(np.bincount(np.concatenate(best))).sum())
    tail = (1 - level) / 2
    place, place_of_each = (int((1 + n_resamples) * each + 1e-9) for each in (tail, tail / candidates))
    high = float(against_each[-max(place_of_each, 1)].min())
    if not place_of_each:  # so few draws cannot show that it is worse
        high = max(high, 0.0)
    low = float(against_all[max(place, 1) - 1])
    if cells.of_units is None:
        p_values = sign_p_values(cells.weights[::2] + cells.weights[1::2], cells.weights[1::2], known)
        return ResampledAdvantage(*moved_to_zero(low, high, p_values, tail), *p_values)
    not_above, not_below = np.count_nonzero(against_all <= 0), np.count_nonzero(against_each >= 0, axis=0)
    p_better, p_worse = ((1 + int(count)) / (1 + n_resamples) for count in (not_above, not_below.min()))
    return ResampledAdvantage(low, high, p_better, min(candidates * p_worse, 1.0))
