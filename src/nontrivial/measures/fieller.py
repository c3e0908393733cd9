"""Student's paired test of losses, and Fieller's interval, which agrees with it."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import FEWEST, UNDEFINED, Bounds, summing
from nontrivial.measures.losses import Case, CrossEntropyLoss, SquaredLoss

# A Prediction Advantage of a is tested by the mean of (1 - a) m - l, for losses l of the model and m of the marginal
# prediction. The advantages that the test does not reject are Fieller's interval for the ratio of the two means. It
# needs no draws, and it is infinite if the test cannot tell the marginal loss from 0. The difference of two
# advantages is also such a ratio: the mean difference of the losses over the mean of m.
#
# Losses are arrays of shape (n,), finite sums over the cases or groups that are independent.


def paired_bounds(losses: Floats, marginal_losses: Floats, level: float) -> Bounds:
    """Return Fieller's bounds of the advantage and the p-values of Student's test, which agree."""
    some_loss = paired_p_value(marginal_losses)
    saved = marginal_losses - losses
    p_better, p_worse = (max(paired_p_value(side), some_loss) for side in (saved, -saved))
    least, greatest = _ratio_bounds(losses, marginal_losses, level)
    # Losses that are all but those of the constant leave a bound of rounding, on either side of 0.
    return Bounds(1 - greatest, 1 - max(least, 0.0), 1.0, 1.0).tested(p_better, p_worse, level)


def cautious_bounds(
    losses: Floats, marginal_losses: Floats, level: float, worst: tuple[float, float] | None = None
) -> Bounds:
    """Return bounds and p-values as `paired_bounds` does, where each bound supposes one more case, the worst for it.

    Of probabilities, `worst` is this case's loss, which may be infinite, and what part of the marginal loss it is; the
    lower bound and the p-value of "not above 0" suppose it. Otherwise it is like the case that moves the bound most,
    and the p-values are Student's. Where no case has a loss, it loses what the constant loses at most.
    """

    def longer(loss: float, marginal_loss: float) -> Bounds:
        if not np.isfinite(loss):
            return Bounds(-np.inf, np.inf, 1.0, 1.0)
        return paired_bounds(np.append(losses, loss), np.append(marginal_losses, marginal_loss), level)

    low, high, p_better, p_worse = paired_bounds(losses, marginal_losses, level)
    if worst is not None:
        more = longer(worst[0], worst[1] * float(marginal_losses.sum()))
        low, p_better = min(low, more.low), max(p_better, more.p_better)
    elif np.isfinite(low):
        lowest = ((1 - low) * marginal_losses - losses).argmin()
        highest = ((1 - high) * marginal_losses - losses).argmax()
        case = losses[lowest], marginal_losses[lowest]
        low = min(low, longer(*(case if losses.any() else (marginal_losses.max(),) * 2)).low)
        high = max(high, longer(losses[highest], marginal_losses[highest]).high)
    return Bounds(low, high, p_better, p_worse).tested(p_better, p_worse, level)


def worst_losses(said: Floats) -> tuple[float, float]:
    """Return the greatest squared and logarithmic loss that probabilities could have had, whatever the classes were.

    The probabilities are of the second of two classes, or of every class in turn.
    """
    if said.ndim == 1:
        least = min(said.min(), 1 - said.max())
        squared = (1 - least) ** 2
    else:
        least = said.min()
        squared = (1 - 2 * said.min(axis=1) + (said**2).sum(axis=1)).max()
    with np.errstate(divide="ignore"):
        return float(squared), float(-np.log(least))


def difference_bounds(saved: Floats, marginal_losses: Floats, level: float) -> tuple[float, float, float]:
    """Return Fieller's bounds for the ratio of two means, and Student's two-sided p-value of the first, which agrees.

    What is saved is by how much one model loses less than the other.
    """
    side = min(paired_p_value(saved), paired_p_value(-saved))
    pvalue = min(2 * max(side, paired_p_value(marginal_losses)), 1.0)
    return *_ratio_bounds(saved, marginal_losses, level), pvalue


def _ratio_bounds(values: Floats, marginal_losses: Floats, level: float) -> tuple[float, float]:
    """Return Fieller's bounds for the mean of values over that of marginal losses; infinite if the latter may be 0."""
    tail = (1 - level) / 2
    if paired_p_value(marginal_losses) > tail:
        return -np.inf, np.inf
    unit = marginal_losses.mean()  # products of very great or very small losses are no floats
    values, marginal_losses = values / unit, marginal_losses / unit
    n, mean, marginal_loss = len(values), values.mean(), marginal_losses.mean()
    (of_values, of_both), (_, of_marginal) = np.cov(values, marginal_losses) * (t.isf(tail, n - 1) ** 2 / n)
    square, product = marginal_loss**2 - of_marginal, mean * marginal_loss - of_both
    root = np.sqrt(max(product**2 - square * (mean**2 - of_values), 0.0))
    return float((product - root) / square), float((product + root) / square)


def paired_p_value(values: Floats) -> float:
    """Return Student's p-value of the hypothesis that the mean is at most 0; 1 for fewer than `FEWEST` values.

    With two normal values and the best constant of the sample, a model that is no better than trivial seemed to be in
    10 % of samples.
    """
    n, mean = len(values), values.mean()
    if n < FEWEST or np.isneginf(mean):
        return 1.0
    error = values.std(ddof=1) / np.sqrt(n)
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(t.sf(mean / error, n - 1))


def fieller_interval(case: Case, level: float, weights: Floats | None, groups: Ints | None) -> Bounds:
    """Return Fieller's bounds and p-values for predicted numbers or probabilities.

    All are NaN where the marginal prediction has no risk, and so are the p-values of an infinite loss.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    if not marginal_losses.any():
        return UNDEFINED
    if np.isposinf(losses).any():
        return Bounds(-np.inf, -np.inf, np.nan, np.nan)
    total, worst, part = summing(weights, groups), _worst_loss(case), 1 / len(losses)
    more = None if worst is None else (worst * part * float(total(np.ones(len(losses))).sum()), part)
    return cautious_bounds(total(losses), total(marginal_losses), level, more)


def fieller_assumption(case: Case) -> Literal["one_worst_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if _worst_loss(case) is None else "one_worst_case"


def _worst_loss(case: Case) -> float | None:
    """Return the greatest loss that probabilities could have had; None for numbers."""
    said, truth = case.prediction, case.truth
    if isinstance(case.loss, CrossEntropyLoss):
        return worst_losses(said)[1]
    if not isinstance(case.loss, SquaredLoss):
        return None
    said, truth = (each.reshape(len(truth), -1) for each in (said, truth))
    one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    if not (one_hot and said.min() >= 0 and said.max() <= 1):
        return None
    return worst_losses(said[:, 0] if truth.shape[1] == 1 else said)[0]
