"""Fieller's interval for the Prediction Advantage under losses of numbers, and of probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import effective_units
from nontrivial.measures.cases import Case
from nontrivial.measures.cell_draws import unit_of
from nontrivial.measures.losses import CallableRealLoss, CrossEntropyLoss, PinballLoss, SquaredLoss
from nontrivial.measures.paired import PairedBounds, cautious_bounds, worst_losses
from nontrivial.measures.totals import Totals


def fieller_interval(case: Case, level: float, weights: Floats | None, groups: Ints | None) -> PairedBounds:
    """Return Fieller's bounds and p-values.

    All are NaN where the marginal prediction has no risk, and so are the p-values of an infinite loss. The lower bound
    supposes each best constant that is not ruled out; `cautious_bounds` says which case more.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    if not marginal_losses.any():
        return PairedBounds(np.nan, np.nan, np.nan, np.nan)
    if np.isposinf(losses).any():
        return PairedBounds(-np.inf, -np.inf, np.nan, np.nan)
    mass = np.ones(len(losses)) if weights is None else weights
    total = Totals(mass, groups)
    sums = total(losses), total(marginal_losses)
    constants = _other_constants(case, total, weights, groups, level)
    others = (total(case.loss.pointwise(case.truth, constant)) for constant in constants)
    probabilities = probabilities_of(case)
    if probabilities is None:
        return cautious_bounds(*sums, level, others)
    worst, classes, said = probabilities
    cells = 2 * classes + (said != classes)
    part = unit_of(cells, int(cells.max()) + 1, weights, groups) / mass.sum()
    return cautious_bounds(*sums, level, others, (worst * part * total(np.ones(len(mass))).sum(), part))


def fieller_assumption(case: Case) -> Literal["one_worst_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if probabilities_of(case) is None else "one_worst_case"


def _other_constants(
    case: Case, total: Totals, weights: Floats | None, groups: Ints | None, level: float
) -> Iterator[Floats]:
    """Give the ends of the interval of the best constant, or all of it under a user's loss; nothing if it is given.

    A nearly constant model loses almost the same as the best constant of the sample in each case, so the interval for
    this constant alone is almost a point. It missed the truth in 15 % of the samples if the model's constant was one
    and a half standard errors from the best one.
    """
    if case.baseline is not None:
        return
    truth = case.truth
    if isinstance(case.loss, CallableRealLoss):
        yield from _near_best(case.loss, truth, total, weights, level)
        return
    if isinstance(case.loss, (SquaredLoss, CrossEntropyLoss)):
        center, mean = case.marginal(weights), np.average(case.prediction, axis=0, weights=weights)
        if isinstance(case.loss, CrossEntropyLoss):
            truth = np.eye(len(center))[truth]
        deviations = np.array([total(each) for each in np.atleast_2d((truth - center).T)])
        are_shares = np.size(center) > 1 and probabilities_of(case) is not None
        ends = other_shares if are_shares else other_means
        yield from ends(center, deviations, total(np.ones(len(truth))).sum(), mean, level)
        return
    quantile = case.loss.quantile if isinstance(case.loss, PinballLoss) else 0.5
    n = effective_units(weights, groups, len(truth))
    error = t.isf((1 - level) / 2, n - 1) * np.sqrt(quantile * (1 - quantile) / n)
    for share in (quantile - error, quantile + error):
        yield np.quantile(truth, np.clip(share, 0, 1), axis=0, method="inverted_cdf", weights=weights)


def _near_best(
    loss: CallableRealLoss, truth: Floats, total: Totals, weights: Floats | None, level: float
) -> Floats:
    """Return the quantiles of the truth that may be the best constant, and the next one on each side.

    The risk of a constant exceeds the least one by the square of their distance, nearly. So Student's statistic of this
    excess is half of that of the distance.
    """
    constants = loss.candidates(truth, weights)
    least = total(loss.pointwise(truth, loss.marginal(truth, weights)))
    excesses = np.empty((2, len(constants)))
    for place, constant in enumerate(constants):
        excess = total(loss.pointwise(truth, constant)) - least
        excesses[:, place] = excess.mean(), excess.std(ddof=1) / np.sqrt(len(excess))
    means, errors = excesses
    may_be_best = means <= t.isf((1 - level) / 2, len(least) - 1) / 2 * errors
    may_be_best[means.argmin()] = True
    (places,) = may_be_best.nonzero()
    with_next = np.unique(np.clip(np.add.outer(places, [-1, 0, 1]), 0, len(constants) - 1))
    return np.asarray(constants[with_next])


def other_means(
    center: Floats, deviations: Floats, mass: float, predicted: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the ends of Student's interval of some means: all lie farther from what is predicted, or nearer to it.

    Parameters
    ----------
    center, predicted : ndarray of shape (k,) or float
        The means of the sample, and those of the predictions.
    deviations : ndarray of shape (k, n)
        The deviations from the means, summed over each of the cases or groups that are independent.
    mass : float
        What all cases weigh.
    """
    n = deviations.shape[1]
    error = np.sqrt((deviations**2).sum(axis=1) * n / (n - 1)) / mass
    sign = np.where(center >= predicted, 1.0, -1.0)
    away = sign * (t.isf((1 - level) / 2, n - 1) * error).reshape(np.shape(center))
    return center + away, center - away


def other_shares(
    center: Floats, deviations: Floats, mass: float, predicted: Floats, level: float
) -> Iterator[Floats]:
    """Give `other_means` as shares of the classes, of which none is 0, so that no case has an infinite loss."""
    predicted = predicted + (1 - predicted.sum()) / len(center)
    if np.allclose(center, predicted, rtol=0, atol=1e-9):
        # The first grows and the others shrink, or the reverse; if all grew, none would.
        predicted = np.arange(float(len(center)))
    for end in other_means(center, deviations, mass, predicted, level):
        shares = np.maximum(end, center / deviations.shape[1])
        yield shares / shares.sum()


def probabilities_of(case: Case) -> tuple[float, Ints, Ints] | None:
    """Return the greatest loss that probabilities could have had, the classes, and the likeliest; None for numbers."""
    said, truth = case.prediction, case.truth
    if isinstance(case.loss, CrossEntropyLoss):
        return worst_losses(said)[1], truth.astype(np.intp), said.argmax(axis=1)
    if not isinstance(case.loss, SquaredLoss):
        return None
    said, truth = (each.reshape(len(truth), -1) for each in (said, truth))
    one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    if not (one_hot and said.min() >= 0 and said.max() <= 1):
        return None
    if truth.shape[1] == 1:
        classes, likeliest = ((each[:, 0] >= 0.5).astype(np.intp) for each in (truth, said))
        return worst_losses(said[:, 0])[0], classes, likeliest
    return worst_losses(said)[0], truth.argmax(axis=1), said.argmax(axis=1)
