"""Intervals and tests whose level is guaranteed for every sample size."""

import sys
from numbers import Real

import numpy as np
from scipy.optimize import LinearConstraint, bisect, brentq, minimize
from scipy.special import logsumexp, rel_entr
from scipy.stats import beta, binom, norm

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import Bounds, Units
from nontrivial._validation import repr_of
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss, Loss, LossSample
from nontrivial.measures.sign_verdict import sign_p_values


def binomial_bounds(successes: Ints, trials: Ints, tails: Floats | float) -> tuple[Floats, Floats]:
    """Return the bounds of Clopper and Pearson; each fails with at most the probability `tails`."""
    failures = trials - successes
    low = np.where(successes > 0, beta.ppf(tails, np.maximum(successes, 1), failures + 1), 0.0)
    high = np.where(failures > 0, beta.isf(tails, successes + 1, np.maximum(failures, 1)), 1.0)
    return low, high


# For a fixed constant c, the ratio of risks R(f) / R(c) is q + s / (1 - s). Here q is the model's share of errors among
# the cases that c gets wrong, and s is the share of "c right, f wrong" among the cases that f or c gets wrong. Given
# how many these are, both counts are binomial, one after the other, so their exact p-values are independent. Together
# they make a region, and the ratio has its extremes on the region's edge, which is followed along these angles.

EDGE_ANGLES = np.linspace(0, np.pi / 2, 201)
SHARE_FOR_BEST_CLASS = 0.01  # the share of the error probability that is spent on the choice of the class


def class_counts(sample: LossSample) -> tuple[Ints, Ints]:
    """Return how many cases each class has, and how many of them are predicted wrongly."""
    assert isinstance(sample.loss, LabelLoss)
    k, wrong = len(sample.loss.classes), sample.truth[sample.truth != sample.prediction]
    return np.bincount(sample.truth, minlength=k), np.bincount(wrong, minlength=k)


def exact_interval(sample: LossSample, level: float) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage under 0/1 loss that hold with at least probability `level`."""
    counts, wrong = class_counts(sample)
    constants, spent = np.array([sample.known_class]), 0.0
    if sample.baseline is None:
        # The interval covers the intervals of all classes that no sign test rejects as the best constant.
        spent = SHARE_FOR_BEST_CLASS * (1 - level)
        not_above = binom.cdf(counts, counts + counts.max(), 0.5)
        constants = np.flatnonzero(not_above >= spent / max(len(counts) - 1, 1))
    lost, right_class, tail = wrong[constants], counts[constants], (1 - level - spent) / 2
    least, greatest = risk_ratio_bounds(wrong.sum() - lost, counts.sum() - right_class, lost, tail)
    bounds = Bounds(float(1 - greatest.max()), float(1 - least.min()), 1.0, 1.0)
    # The sharper sign tests may show on which side of 0 the advantage is.
    return bounds.with_p_values(*sign_p_values(counts, wrong, sample.known_class), level)[:2]


def risk_ratio_bounds(
    both_wrong: Ints, marginal_wrong: Ints, only_model_wrong: Ints, tail: float
) -> tuple[Floats, Floats]:
    """Return bounds of the ratio of risks from counts of errors; each fails with at most the probability `tail`."""
    # P(max(U, 0)^2 + max(V, 0)^2 > radius^2) = tail for independent standard normal U and V
    radius = float(brentq(lambda r: norm.sf(r) + np.exp(-r * r / 2) / 4 - tail, 0, 40))
    first, second = norm.sf(radius * np.cos(EDGE_ANGLES)), norm.sf(radius * np.sin(EDGE_ANGLES))
    shared, constant, added = (count[:, None] for count in (both_wrong, marginal_wrong, only_model_wrong))
    q_low, q_high = binomial_bounds(shared, constant, first)
    s_low, s_high = binomial_bounds(added, constant + added, second)
    with np.errstate(divide="ignore"):
        r_low, r_high = s_low / (1 - s_low), s_high / (1 - s_high)
    # q and s are taken at neighbouring angles, so that the points between these are covered too.
    return (q_low[:, :-1] + r_low[:, 1:]).min(axis=1), (q_high[:, :-1] + r_high[:, 1:]).max(axis=1)


# The mean of n losses in [0, 1] lies at or beyond a given value, away from its expectation, with at most the
# probability exp(-n kl) (Hoeffding 1963, theorem 1). Here kl is the relative entropy of two coins, one with the value
# and one with the expectation as its chance of heads.


def concentration_interval(sample: LossSample, level: float, bound: float | None) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage that hold with at least probability `level`."""
    tail, n = (1 - level) / 4, len(sample.truth)  # four bounds may fail: two for each risk
    if isinstance(sample.loss, LabelLoss):
        bound = sample.loss.max_cost
        if bound == 0:  # no mistake costs anything
            return np.nan, np.nan
    elif bound is None:
        raise ValueError('method="concentration" needs bound, the greatest loss a case can have.')
    # On the sample, the best constant in hindsight has at most the risk of the truly best constant.
    marginal_low, marginal_high = mean_bounds(_scaled_mean(sample.marginal_losses(None), bound), n, tail)
    if sample.baseline is None and isinstance(sample.loss, LabelLoss):
        risks = sample.loss.constant_losses(sample.truth, None) / (n * bound)
        # The least of the constants' upper bounds holds for the best constant, unless one of these bounds fails.
        _, marginal_high = mean_bounds(risks.min(), n, tail / len(risks))
    elif sample.baseline is None:
        marginal_high = 1.0
        if n > 1:  # a constant that is chosen on half of the cases has at least the risk of the best constant
            constant = sample.loss.marginal(sample.truth[::2], None)
            if isinstance(sample.loss, CrossEntropyLoss):
                constant = _raise_shares(constant, np.exp(-bound))
            held_out = sample.loss.pointwise(sample.truth[1::2], constant)
            _, marginal_high = mean_bounds(_scaled_mean(held_out, bound), n // 2, tail)
    risk_low, risk_high = mean_bounds(_scaled_mean(sample.losses, bound), n, tail)
    low = 1 - risk_high / marginal_low if marginal_low > 0 else -np.inf
    return float(low), float(1 - risk_low / marginal_high)


def mean_bounds(mean: float, n: int, tail: float) -> tuple[float, float]:
    """Return bounds for the expectation of n values in [0, 1]; each fails with at most the probability `tail`."""
    allowed = -np.log(tail) / n

    def excess(expectation: float) -> float:
        return float(rel_entr(mean, expectation) + rel_entr(1 - mean, 1 - expectation) - allowed)

    # The entropy is infinite at 0 and 1. Bisection can handle this, as it uses only signs.
    low = bisect(excess, 0.0, mean) if mean > 0 else 0.0
    high = bisect(excess, mean, 1.0) if mean < 1 else 1.0
    return low, high


def _raise_shares(shares: Floats, least: float) -> Floats:
    """Return shares that still add up to 1, and are all at least `least`."""
    return least + (1 - least * len(shares)) * shares


def check_bound(bound: float, loss: Loss) -> float:
    """Return a user's greatest possible loss of a case as a float."""
    if isinstance(loss, LabelLoss):
        raise ValueError("bound is not for a loss between classes, which has a known bound.")
    if not (isinstance(bound, Real) and 0 < bound <= sys.float_info.max):
        raise ValueError(f"bound is {repr_of(bound)}; it must be a finite number greater than 0.")
    if isinstance(loss, CrossEntropyLoss) and bound < np.log(len(loss.classes)):
        raise ValueError(f"bound is {repr_of(bound)}; some loss is at least ln({len(loss.classes)}).")
    return float(bound)


def check_bounded(losses: Floats, bound: float) -> None:
    if losses.max() > bound * (1 + 1e-12):
        raise ValueError(f"A loss of {losses.max():g} occurs, which is greater than bound = {bound:g}.")


def _scaled_mean(losses: Floats, bound: float) -> float:
    check_bounded(losses, bound)
    return min(float(losses.mean()) / bound, 1.0)


def hoeffding_p_value(values: Floats) -> float:
    """Return Hoeffding's p-value of "the mean is at most 0" for values in [-1, 1]."""
    share = (1 + max(float(values.mean()), 0.0)) / 2
    return float(np.exp(-len(values) * (rel_entr(share, 0.5) + rel_entr(1 - share, 0.5))))


# A bettor stakes a fixed share s of the capital on each value x, which multiplies the capital by 1 + s x. If values in
# [-1, 1] have a mean of at most 0, no gain is expected, so a capital of 1/p has a probability of at most p (Markov).
# The same holds for the mean capital of bettors with different stakes.

STAKES = 0.95 / 2.0 ** np.arange(9)


def betting_p_value(values: Floats) -> float:
    """Return a p-value by betting of "the mean is at most 0" for values in [-1, 1]."""
    return _p_value_of_capitals([float(np.log1p(stake * values).sum()) for stake in STAKES])


def best_constant_p_value(sample: LossSample, bound: float, units: Units) -> float:
    """Return a p-value of "no better than the best constant" under squared loss or cross-entropy up to `bound`."""
    losses, marginal = sample.losses, sample.marginal(units.weights)
    start, shape = np.atleast_1d(marginal), np.shape(marginal)

    def log_capital(constant: Floats, stake: float) -> float:
        gained = (sample.loss.pointwise(sample.truth, constant.reshape(shape)) - losses) / bound
        return float(np.log1p(stake * np.maximum(units.scaled_sums_by_unit(gained), -1.0)).sum())

    constraints: list[LinearConstraint] = []
    # The search finds the least capital of all constants if the logarithm of the capital is convex in the constant.
    # This holds if at least `min_left` of it stays unstaked. Stakes that leave less count as lost.
    min_left = bound
    if isinstance(sample.loss, CrossEntropyLoss):
        min_left, least = 1.0, np.exp(-bound)
        start = _raise_shares(start, least) if start.min() < least else start
        limits = [(least, 1.0)] * len(start)
        constraints = [LinearConstraint(np.ones((1, len(start))), 1, 1)]
    else:
        low = np.atleast_1d(sample.truth.max(axis=0) - np.sqrt(bound))
        high = np.atleast_1d(sample.truth.min(axis=0) + np.sqrt(bound))
        limits = list(zip(np.minimum(low, start), np.maximum(high, start), strict=True))
    least_capitals = []
    for stake in map(float, STAKES):
        if bound / stake - losses.max() < min_left:
            least_capitals.append(-np.inf)
            continue
        minimum = minimize(log_capital, start, args=(stake,), method="SLSQP", bounds=limits, constraints=constraints)
        least_capitals.append(min(minimum.fun, log_capital(start, stake)))
    return _p_value_of_capitals(least_capitals)


def _p_value_of_capitals(log_capitals: list[float]) -> float:
    return float(np.exp(min(np.log(len(log_capitals)) - logsumexp(log_capitals), 0.0)))
