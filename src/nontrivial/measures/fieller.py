"""Student's paired test of losses, and Fieller's interval, which agrees with it."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import FEWEST
from nontrivial.measures.bootstrap import GroupSums
from nontrivial.measures.losses import Case, CrossEntropyLoss, SquaredLoss
from nontrivial.measures.sign_verdict import agreeing_with_test

# A Prediction Advantage of a is tested by the mean of (1 - a) m - l, for losses l of the model and m of the marginal
# prediction. The advantages that the test does not reject are Fieller's interval for the ratio of the two means. It
# needs no draws, and it is infinite if the test cannot tell the marginal loss from 0. The difference of two
# advantages is also such a ratio: the mean difference of the losses over the mean of m.


class PairedBounds(NamedTuple):
    """Bounds of an advantage, and p-values of "not above 0" and of "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float


def paired_bounds(losses: Floats, marginal_losses: Floats, level: float) -> PairedBounds:
    """Return Fieller's bounds and the p-values of Student's test.

    A p-value is at most ``(1 - level) / 2`` exactly where the bounds lie on one side of 0.

    Parameters
    ----------
    losses, marginal_losses : ndarray of shape (n,)
        Finite sums over the cases or groups that are independent.
    level : float in (0, 1)

    Examples
    --------
    >>> losses, marginal_losses = np.array([1, 2, 3, 2, 4]), np.array([10, 8, 12, 14, 9])
    >>> [round(bound, 2) for bound in paired_bounds(losses, marginal_losses, 0.95)]
    [0.59, 0.91, 0.0, 1.0]
    """
    some_loss = paired_p_value(marginal_losses)
    saved = marginal_losses - losses
    p_better, p_worse = (max(paired_p_value(side), some_loss) for side in (saved, -saved))
    least, greatest = _ratio_bounds(losses, marginal_losses, level)
    # Losses that are all but those of the constant leave a bound of rounding, on either side of 0.
    low, high = agreeing_with_test(1 - greatest, 1 - max(least, 0.0), (p_better, p_worse), (1 - level) / 2)
    return PairedBounds(low, high, p_better, p_worse)


def cautious_bounds(
    losses: Floats, marginal_losses: Floats, level: float, worst: tuple[float, float] | None = None
) -> PairedBounds:
    """Return Fieller's bounds and agreeing p-values, where each bound supposes one more case, the worst for it.

    Parameters
    ----------
    losses, marginal_losses, level
        As in `paired_bounds`.
    worst : pair of float, optional
        The worst case of probabilities, which the lower bound and the p-value of "not above 0" suppose: its loss, which
        may be infinite, and what part of the marginal loss it is. By default each bound supposes one more case like the
        one that moves it most, and the p-values are Student's. Where no case has a loss, the lower bound supposes one
        that loses what the constant loses at most.
    """

    def longer(loss: float, marginal_loss: float) -> PairedBounds:
        if not np.isfinite(loss):
            return PairedBounds(-np.inf, np.inf, 1.0, 1.0)
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
    tail = (1 - level) / 2
    return PairedBounds(*agreeing_with_test(low, high, (p_better, p_worse), tail), p_better, p_worse)


def worst_losses(said: Floats) -> tuple[float, float]:
    """Return the greatest squared and logarithmic loss that probabilities could have had, whatever the classes were.

    Parameters
    ----------
    said : ndarray of shape (n,) or (n, n_classes)
        Probabilities of the second of two classes, or of every class.

    Examples
    --------
    >>> [round(loss, 4) for loss in worst_losses(np.array([0.5, 0.75]))]
    [0.5625, 1.3863]
    >>> [round(loss, 4) for loss in worst_losses(np.array([[0.5, 0.5], [0.25, 0.75]]))]
    [1.125, 1.3863]
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
    """Return Fieller's bounds for the ratio of two means, and the two-sided p-value of Student's test of the first.

    The p-value is at most ``1 - level`` exactly where the bounds exclude 0.

    Parameters
    ----------
    saved, marginal_losses : ndarray of shape (n,)
        Finite sums over the cases or groups that are independent: by how much one model loses less than the other, and
        what the marginal prediction loses.
    level : float in (0, 1)

    Examples
    --------
    >>> saved, marginal_losses = np.array([1, 2, 3, 2, 4]), np.array([10, 8, 12, 14, 9])
    >>> [round(bound, 2) for bound in difference_bounds(saved, marginal_losses, 0.95)]
    [0.09, 0.41, 0.01]
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


def fieller_interval(case: Case, level: float, weights: Floats | None, groups: Ints | None) -> PairedBounds:
    """Return Fieller's bounds and p-values for predicted numbers or probabilities.

    All are NaN where the marginal prediction has no risk, and so are the p-values of an infinite loss.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    if not marginal_losses.any():
        return PairedBounds(np.nan, np.nan, np.nan, np.nan)
    if np.isposinf(losses).any():
        return PairedBounds(-np.inf, -np.inf, np.nan, np.nan)
    mass = np.ones(len(losses)) if weights is None else weights
    total = GroupSums(mass, groups)
    worst, part = _worst_loss(case), 1 / len(mass)
    more = None if worst is None else (worst * part * float(total(np.ones(len(mass))).sum()), part)
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
