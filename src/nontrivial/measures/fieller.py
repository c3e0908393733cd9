"""Student's paired test of losses, and Fieller's interval, which agrees with it."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import FEWEST, UNDEFINED, Bounds, summing
from nontrivial.measures.losses import Case, CrossEntropyLoss, SquaredLoss

# A Prediction Advantage is the mean of what a model saves, m - l for losses l of the model and m of the marginal
# prediction, over the mean of m; the difference of two advantages is also such a ratio. An advantage of a is tested by
# the mean of m - l - a m, and those that the test does not reject are Fieller's interval. It needs no draws, and it is
# infinite if the test cannot tell the marginal loss from 0.
#
# Losses are arrays of shape (n,), finite sums over the cases or groups that are independent.


def ratio_bounds(saved: Floats, marginal_losses: Floats, level: float) -> Bounds:
    """Return Fieller's bounds for the mean saved over the mean marginal loss, and Student's p-values, which agree."""
    some_loss, tail = paired_p_value(marginal_losses), (1 - level) / 2
    p_better, p_worse = (max(paired_p_value(side), some_loss) for side in (saved, -saved))
    if some_loss > tail:
        return Bounds(-np.inf, np.inf, p_better, p_worse)
    unit = marginal_losses.mean()  # products of very great or very small losses are no floats
    values, lost = saved / unit, marginal_losses / unit
    n, mean, marginal_loss = len(values), values.mean(), lost.mean()
    (of_values, of_both), (_, of_marginal) = np.cov(values, lost) * (t.isf(tail, n - 1) ** 2 / n)
    square, product = marginal_loss**2 - of_marginal, mean * marginal_loss - of_both
    root = np.sqrt(max(product**2 - square * (mean**2 - of_values), 0.0))
    found = Bounds(float((product - root) / square), float((product + root) / square), p_better, p_worse)
    # Losses that are all but those of the constant leave a bound of rounding, on either side of 0.
    return found.tested(p_better, p_worse, level)


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
    """Bound a Prediction Advantage by `ratio_bounds`, where each bound supposes one more case, the worst for it.

    Of probabilities, it is one that the most confident of them gets wrong, and the lower bound and the p-value of "not
    above 0" suppose it. Of numbers, it is like the case that moves the bound most, and the p-values are Student's.
    Where no case has a loss, it loses what the constant loses at most. All are NaN where the marginal prediction has no
    risk, and so are the p-values of an infinite loss.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    if not marginal_losses.any():
        return UNDEFINED
    if np.isposinf(losses).any():
        return Bounds(-np.inf, -np.inf, np.nan, np.nan)
    total, worst, n = summing(weights, groups), _worst_loss(case), len(losses)
    part = float(total(np.ones(n)).sum()) / n  # what one more case weighs
    losses, marginal_losses = total(losses), total(marginal_losses)
    saved = marginal_losses - losses

    def longer(loss: float, marginal_loss: float) -> Bounds:
        if not np.isfinite(loss):
            return Bounds(-np.inf, np.inf, 1.0, 1.0)
        lost = np.append(marginal_losses, marginal_loss)
        return ratio_bounds(np.append(saved, marginal_loss - loss), lost, level)

    low, high, p_better, p_worse = ratio_bounds(saved, marginal_losses, level)
    if worst is not None:
        more = longer(worst * part, float(marginal_losses.sum()) / n)
        low, p_better = min(low, more.low), max(p_better, more.p_better)
    elif np.isfinite(low):
        lowest, highest = (saved - low * marginal_losses).argmin(), (saved - high * marginal_losses).argmax()
        most = float(marginal_losses.max())
        low = min(
            low, longer(*((losses[lowest], marginal_losses[lowest]) if losses.any() else (most, most))).low
        )
        high = max(high, longer(losses[highest], marginal_losses[highest]).high)
    return Bounds(low, min(high, 1.0), p_better, p_worse).tested(p_better, p_worse, level)


def fieller_assumption(case: Case) -> Literal["one_worst_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if _worst_loss(case) is None else "one_worst_case"


def _worst_loss(case: Case) -> float | None:
    """Return the greatest loss that the probabilities could have had, whatever the classes were; None for numbers."""
    said, truth = case.prediction, case.truth
    if isinstance(case.loss, CrossEntropyLoss):
        with np.errstate(divide="ignore"):
            return float(-np.log(said.min()))
    if not isinstance(case.loss, SquaredLoss):
        return None
    said, truth = (each.reshape(len(truth), -1) for each in (said, truth))
    one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    if not (one_hot and said.min() >= 0 and said.max() <= 1):
        return None
    if truth.shape[1] == 1:
        return float((1 - min(said.min(), 1 - said.max())) ** 2)
    return float((1 - 2 * said.min(axis=1) + (said**2).sum(axis=1)).max())
