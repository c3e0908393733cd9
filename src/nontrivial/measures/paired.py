"""Student's paired test of losses against those of the marginal prediction, and the interval that agrees with it.

A Prediction Advantage of a is tested by the mean of (1 - a) m - l, for losses l of the model and m of the marginal
prediction. The advantages that the test does not reject are Fieller's interval for the ratio of the two means. It needs
no draws, and it is infinite if the test cannot tell the marginal loss from 0. The difference of two advantages is also
such a ratio: the mean difference of the losses over the mean of m.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats
from nontrivial._draws import FEWEST
from nontrivial.measures.sign_verdict import moved_to_zero


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
    low, high = moved_to_zero(1 - greatest, 1 - max(least, 0.0), (p_better, p_worse), (1 - level) / 2)
    return PairedBounds(low, high, p_better, p_worse)


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


def cautious_bounds(
    losses: Floats,
    marginal_losses: Floats,
    level: float,
    others: Iterable[Floats],
    more: tuple[float, float] | None = None,
) -> PairedBounds:
    """Return Fieller's bounds and agreeing p-values, which suppose the least favourable of what the cases allow.

    Parameters
    ----------
    losses, marginal_losses, level
        As in `paired_bounds`.
    others : iterable of ndarray of shape (n,)
        What other constants lose that may be the best one. They do not count if the model is shown to be better.
    more : pair of float, optional
        One more case, which the lower bound and the p-value of "not above 0" suppose: its loss, which may be infinite,
        and what part of the marginal loss it is. That no case had this loss proves little. By default, each bound
        supposes one more case like the one that moves it most, and the p-value of "not below 0" one like that in which
        the model saves most, which a sample of a skewed target often lacks. Where no case has a loss, the lower bound
        supposes one that loses what the best constant loses at most.
    """

    def supposed(marginal_losses: Floats) -> tuple[float, float] | None:
        return None if more is None else (more[0], more[1] * float(marginal_losses.sum()))

    def lower(marginal_losses: Floats) -> float:
        return _with_one_more(losses, marginal_losses, level, "low", supposed(marginal_losses))

    tail, low = (1 - level) / 2, lower(marginal_losses)
    _, high, p_better, p_worse = paired_bounds(losses, marginal_losses, level)
    if case := supposed(marginal_losses):
        p_better = max(p_better, _longer(losses, marginal_losses, level, case).p_better)
    else:
        high = _with_one_more(losses, marginal_losses, level, "high")
        best = (marginal_losses - losses).argmax()
        case = float(losses[best]), float(marginal_losses[best])
        p_worse = max(p_worse, _longer(losses, marginal_losses, level, case).p_worse)
    if p_better > tail:
        low = min([low, *map(lower, others)])
    return PairedBounds(*moved_to_zero(low, high, (p_better, p_worse), tail), p_better, p_worse)


def _with_one_more(
    losses: Floats,
    marginal_losses: Floats,
    level: float,
    side: Literal["low", "high"],
    more: tuple[float, float] | None = None,
) -> float:
    """Return one of Fieller's bounds, or that with one more case if this is wider."""
    end: float = getattr(paired_bounds(losses, marginal_losses, level), side)
    outer, furthest = (min, np.argmin) if side == "low" else (max, np.argmax)
    if more is None:
        if not np.isfinite(end):
            return end
        case = furthest((1 - end) * marginal_losses - losses)
        more = float(losses[case]), float(marginal_losses[case])
        if side == "low" and not losses.any():
            more = (float(marginal_losses.max()),) * 2
    longer = _longer(losses, marginal_losses, level, more)
    return outer(end, longer.low if side == "low" else longer.high)


def _longer(losses: Floats, marginal_losses: Floats, level: float, more: tuple[float, float]) -> PairedBounds:
    """Return the bounds and p-values with one more case; those that say nothing if its loss is infinite."""
    if not np.isfinite(more[0]):
        return PairedBounds(-np.inf, np.inf, 1.0, 1.0)
    return paired_bounds(np.append(losses, more[0]), np.append(marginal_losses, more[1]), level)


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
