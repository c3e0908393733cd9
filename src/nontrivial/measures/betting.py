"""A test of bounded differences by betting, valid for every sample size and distribution.

A bettor stakes a fixed share s of the capital on each value x, which multiplies the capital by 1 + s x. If values in
[-1, 1] have a mean of at most 0, no gain is expected, so a capital of 1/p has a probability of at most p (Markov). The
mean capital of several stakes is capital as well, and it does not depend on the order of the cases.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import LinearConstraint, minimize
from scipy.special import logsumexp

from nontrivial._arrays import Floats
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, SquaredLoss

STAKES = 0.95 / 2.0 ** np.arange(9)


def betting_p_value(values: Floats) -> float:
    """Return a p-value of the hypothesis that values in [-1, 1] have a mean of at most 0.

    Examples
    --------
    >>> betting_p_value(np.array([0.5] * 40 + [-0.5] * 10)) < 0.01
    True
    >>> betting_p_value(np.array([0.5, -0.5]))
    1.0
    """
    return _p_value([float(np.log1p(stake * values).sum()) for stake in STAKES])


def best_constant_p_value(
    case: Case, losses: Floats, bound: float, total: Callable[[Floats], Floats], weights: Floats | None
) -> float:
    """Return a p-value of "no better than the best constant", which is not known: it is the greatest over all.

    Parameters
    ----------
    case : Case
        Under squared loss or cross-entropy.
    losses : ndarray of shape (n,)
        Of the predictions.
    bound : float
        The greatest loss that there can be.
    total : callable
        Sums the differences of the cases of a group, and weighs them, so that they stay in [-1, 1].
    weights : ndarray of shape (n,) or None
    """
    marginal = case.marginal(weights)
    start, shape = np.atleast_1d(marginal), np.shape(marginal)

    def capital(constant: Floats, stake: float) -> float:
        gained = (case.loss.pointwise(case.truth, constant.reshape(shape)) - losses) / bound
        return float(np.log1p(stake * np.maximum(total(gained), -1.0)).sum())

    constraints: list[LinearConstraint] = []
    if isinstance(case.loss, CrossEntropyLoss):
        least = np.exp(-bound)
        if start.min() < least:
            start = least + (1 - least * len(start)) * start
        limits = [(least, 1.0)] * len(start)
        constraints = [LinearConstraint(np.ones((1, len(start))), 1, 1)]
    else:
        assert isinstance(case.loss, SquaredLoss)
        reach = np.sqrt(bound)
        low, high = (
            np.atleast_1d(end) for end in (case.truth.max(axis=0) - reach, case.truth.min(axis=0) + reach)
        )
        limits = list(zip(np.minimum(low, start), np.maximum(high, start), strict=True))
    least_capitals = []
    for stake in STAKES:
        # Where `rest` is at least this, the logarithm of the capital is convex in the constant, so that its least value
        # is found. Other stakes count as lost.
        rest = bound / stake - losses.max()
        if rest < (1.0 if isinstance(case.loss, CrossEntropyLoss) else bound):
            least_capitals.append(-np.inf)
            continue
        found = minimize(
            capital,
            start,
            args=(float(stake),),
            method="SLSQP",
            bounds=limits,
            constraints=constraints,
        )
        least_capitals.append(min(found.fun, capital(start, float(stake))))
    return _p_value(least_capitals)


def _p_value(log_capitals: list[float]) -> float:
    return float(np.exp(min(np.log(len(log_capitals)) - logsumexp(log_capitals), 0.0)))
