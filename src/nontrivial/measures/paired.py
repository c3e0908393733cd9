"""Student's paired test of losses against those of the marginal prediction, and the interval that agrees with it.

A Prediction Advantage of a is tested by the mean of (1 - a) m - l, for losses l of the model and m of the marginal
prediction. The advantages that the test does not reject are Fieller's interval for the ratio of the two means. It needs
no draws, and it widens without end where the marginal loss itself is not told from 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats


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
    >>> losses, marginal_losses = np.array([0.1, 0.2, 0.3, 0.2]), np.array([1.0, 0.8, 1.2, 1.4])
    >>> [round(bound, 2) for bound in paired_bounds(losses, marginal_losses, 0.95)]
    [0.68, 0.93, 0.0, 1.0]
    """
    some_loss = paired_p_value(marginal_losses)
    saved = marginal_losses - losses
    p_better, p_worse = (max(paired_p_value(side), some_loss) for side in (saved, -saved))
    tail = (1 - level) / 2
    if some_loss > tail:
        return PairedBounds(-np.inf, 1.0, p_better, p_worse)
    n, loss, marginal_loss = len(losses), losses.mean(), marginal_losses.mean()
    (of_loss, of_both), (_, of_marginal) = np.cov(losses, marginal_losses) * (t.isf(tail, n - 1) ** 2 / n)
    square, product = marginal_loss**2 - of_marginal, loss * marginal_loss - of_both
    root = np.sqrt(max(product**2 - square * (loss**2 - of_loss), 0.0))
    least, greatest = (product - root) / square, (product + root) / square
    return PairedBounds(float(1 - greatest), float(1 - max(least, 0.0)), p_better, p_worse)


def paired_p_value(values: Floats) -> float:
    """Return Student's p-value of the hypothesis that the mean is at most 0."""
    n, mean = len(values), values.mean()
    if n < 2 or np.isneginf(mean):
        return 1.0
    error = values.std(ddof=1) / np.sqrt(n)
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(t.sf(mean / error, n - 1))
