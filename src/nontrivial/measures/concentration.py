"""Intervals for the Prediction Advantage under any bounded loss, without assumptions on the distribution.

The mean of n losses in [0, 1] is as far from its expectation as a given value, or farther on the same side, with a
probability of at most exp(-n kl) (Hoeffding 1963, theorem 1). Here kl is the relative entropy between two coins, whose
chances of heads are the value and the expectation. Such bounds are never wider than the familiar square root, and much
narrower for small risks.
"""

from __future__ import annotations

import sys
from numbers import Real

import numpy as np
from scipy.optimize import bisect
from scipy.special import rel_entr

from nontrivial._arrays import Floats
from nontrivial._validation import show
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss, Loss


def concentration_interval(case: Case, level: float, bound: float | None) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage that hold with at least probability `level`.

    Four one-sided bounds are joined, two for the risk of the predictions and two for that of the marginal
    prediction, each with a quarter of the error probability. `bound` is the greatest possible loss;
    losses between classes have a known one.
    """
    tail = (1 - level) / 4
    n = len(case.truth)
    if isinstance(case.loss, LabelLoss):
        bound = float(case.loss.extremes()[1].max())
        if bound == 0:  # no mistake costs anything
            return np.nan, np.nan
    elif bound is None:
        raise ValueError(
            'method="concentration" needs bound, the greatest loss a case can have, for this loss.'
        )
    marginal = case.loss.pointwise(case.truth, case.marginal(None))
    # The best constant in hindsight has no greater empirical risk than the one that is best in truth.
    marginal_low, marginal_high = mean_bounds(_scaled_mean(marginal, bound), n, tail)
    if case.baseline is None and isinstance(case.loss, LabelLoss):
        risks = case.loss.constant_losses(case.truth, None) / (n * bound)
        # The least of the constants' upper bounds is one for the best constant; any of them may fail.
        _, marginal_high = mean_bounds(risks.min(), n, tail / len(risks))
    elif case.baseline is None:
        _, marginal_high = mean_bounds(_held_out_risk(case, bound), n // 2, tail) if n > 1 else (0.0, 1.0)
    losses = case.loss.pointwise(case.truth, case.prediction)
    risk_low, risk_high = mean_bounds(_scaled_mean(losses, bound), n, tail)
    low = 1 - risk_high / marginal_low if marginal_low > 0 else -np.inf
    return float(low), float(1 - risk_low / marginal_high)


def mean_bounds(mean: float, n: int, tail: float) -> tuple[float, float]:
    """Return bounds for the expectation of n independent values in [0, 1], each failing with at most `tail`."""
    allowed = -np.log(tail) / n

    def excess(expectation: float) -> float:
        return float(rel_entr(mean, expectation) + rel_entr(1 - mean, 1 - expectation) - allowed)

    # At 0 and 1 the entropy is infinite; bisection uses only signs.
    low = bisect(excess, 0.0, mean) if mean > 0 else 0.0
    high = bisect(excess, mean, 1.0) if mean < 1 else 1.0
    return low, high


def _held_out_risk(case: Case, bound: float) -> float:
    """Return the scaled risk, on every other case, of the best constant for the cases between.

    The best constant of all has no greater risk than this one, which is a fixed one for the cases held out.
    """
    chosen_on, held_out = case.truth[::2], case.truth[1::2]
    constant = case.loss.marginal(chosen_on, None)
    if isinstance(case.loss, CrossEntropyLoss):
        least = np.exp(-bound)
        constant = least + (1 - least * len(constant)) * constant
    return _scaled_mean(case.loss.pointwise(held_out, constant), bound)


def checked_bound(bound: float, loss: Loss) -> float:
    """Return the greatest loss a case can have, as the user gives it."""
    if isinstance(loss, LabelLoss):
        raise ValueError(
            "bound is only for losses that are not between classes; a loss between classes has a known bound."
        )
    if not (isinstance(bound, Real) and 0 < bound <= sys.float_info.max):
        raise ValueError(f"bound is {show(bound)}; it must be a finite number greater than 0.")
    if isinstance(loss, CrossEntropyLoss) and bound < np.log(len(loss.classes)):
        raise ValueError(
            f"bound is {show(bound)}, less than the logarithm of {len(loss.classes)} classes; "
            "some class has a greater loss under any probabilities."
        )
    return float(bound)


def check_bounded(losses: Floats, bound: float) -> None:
    """Raise ValueError if a loss exceeds what the user says is the greatest there can be."""
    if losses.max() > bound * (1 + 1e-12):
        raise ValueError(f"A loss of {losses.max():g} occurs, which is greater than bound = {bound:g}.")


def _scaled_mean(losses: Floats, bound: float) -> float:
    check_bounded(losses, bound)
    return min(float(losses.mean()) / bound, 1.0)
