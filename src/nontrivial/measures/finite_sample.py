"""Intervals and tests that hold their level for every sample size."""

import sys
from numbers import Real

import numpy as np
from scipy.optimize import LinearConstraint, bisect, brentq, minimize
from scipy.special import logsumexp, rel_entr
from scipy.stats import beta, binom, norm

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import Bounds, Units
from nontrivial._validation import show
from nontrivial.measures.losses import Case, CrossEntropyLoss, LabelLoss, Loss
from nontrivial.measures.sign_verdict import sign_p_values


def binomial_bounds(successes: Ints, trials: Ints, tails: Floats | float) -> tuple[Floats, Floats]:
    """Return the bounds of Clopper and Pearson, each with its tail probability."""
    failures = trials - successes
    low = np.where(successes > 0, beta.ppf(tails, np.maximum(successes, 1), failures + 1), 0.0)
    high = np.where(failures > 0, beta.isf(tails, successes + 1, np.maximum(failures, 1)), 1.0)
    return low, high


# For a fixed marginal prediction c, the ratio of risks R(f) / R(c) is q + s / (1 - s): q is the share of errors among
# the cases that c gets wrong, and s the share of "c right, f wrong" among the cases that f or c gets wrong. Given the
# number of the latter, first the count behind s and then the one behind q is binomial, so that their exact p-values are
# independent. Together they make a region, and the ratio is extremal on its edge.

ANGLES = np.linspace(0, np.pi / 2, 201)
SLACK = 0.01  # the part of the error probability that is spent on which class is the best constant


def class_counts(case: Case) -> tuple[Ints, Ints]:
    """Return how many cases each class has, and how many of them are predicted wrongly."""
    assert isinstance(case.loss, LabelLoss)
    k, wrong = len(case.loss.classes), case.truth[case.truth != case.prediction]
    return np.bincount(case.truth, minlength=k), np.bincount(wrong, minlength=k)


def exact_interval(case: Case, level: float) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage under 0/1 loss that are right with at least probability `level`."""
    counts, wrong = class_counts(case)
    places, slack = np.array([case.known_class]), 0.0
    if case.baseline is None:
        # The interval spans the intervals of all classes that a sign test does not reject as the best.
        slack = SLACK * (1 - level)
        not_above = binom.cdf(counts, counts + counts.max(), 0.5)
        places = np.flatnonzero(not_above >= slack / max(len(counts) - 1, 1))
    lost, of_class, tail = wrong[places], counts[places], (1 - level - slack) / 2
    least, greatest = risk_ratio_bounds(wrong.sum() - lost, counts.sum() - of_class, lost, tail)
    bounds = Bounds(float(1 - greatest.max()), float(1 - least.min()), 1.0, 1.0)
    # The sharper sign tests may show on which side of 0 the advantage is.
    return bounds.tested(*sign_p_values(counts, wrong, case.known_class), level)[:2]


def risk_ratio_bounds(
    both_wrong: Ints, marginal_wrong: Ints, only_model_wrong: Ints, tail: float
) -> tuple[Floats, Floats]:
    """Return bounds of R(f) / R(c), each of which errs with at most probability `tail`, by who is wrong."""
    # P(max(U, 0)^2 + max(V, 0)^2 > radius^2) = tail for independent standard normal U and V
    radius = float(brentq(lambda r: norm.sf(r) + np.exp(-r * r / 2) / 4 - tail, 0, 40))
    first, second = norm.sf(radius * np.cos(ANGLES)), norm.sf(radius * np.sin(ANGLES))
    both, marginal, only = (count[:, None] for count in (both_wrong, marginal_wrong, only_model_wrong))
    q_low, q_high = binomial_bounds(both, marginal, first)
    s_low, s_high = binomial_bounds(only, marginal + only, second)
    with np.errstate(divide="ignore"):
        r_low, r_high = s_low / (1 - s_low), s_high / (1 - s_high)
    # Neighbouring angles are crossed, so that the points between them are covered too.
    return (q_low[:, :-1] + r_low[:, 1:]).min(axis=1), (q_high[:, :-1] + r_high[:, 1:]).max(axis=1)


# The mean of n losses in [0, 1] is as far from its expectation as a given value, or farther on the same side, with a
# probability of at most exp(-n kl) (Hoeffding 1963, theorem 1). Here kl is the relative entropy between two coins,
# whose chances of heads are the value and the expectation.


def concentration_interval(case: Case, level: float, bound: float | None) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage that hold with at least probability `level`."""
    tail, n = (1 - level) / 4, len(case.truth)  # two bounds of each of two risks
    if isinstance(case.loss, LabelLoss):
        bound = case.loss.greatest
        if bound == 0:  # no mistake costs anything
            return np.nan, np.nan
    elif bound is None:
        raise ValueError('method="concentration" needs bound, the greatest loss a case can have.')
    # The best constant in hindsight has no greater empirical risk than the one that is best in truth.
    marginal_low, marginal_high = mean_bounds(_scaled_mean(case.marginal_losses(None), bound), n, tail)
    if case.baseline is None and isinstance(case.loss, LabelLoss):
        risks = case.loss.constant_losses(case.truth, None) / (n * bound)
        # The least of the constants' upper bounds is one for the best constant; any of them may fail.
        _, marginal_high = mean_bounds(risks.min(), n, tail / len(risks))
    elif case.baseline is None:
        marginal_high = 1.0
        if n > 1:  # the best constant has no greater risk than one from every other case has on the rest
            constant = case.loss.marginal(case.truth[::2], None)
            if isinstance(case.loss, CrossEntropyLoss):
                constant = _floored(constant, np.exp(-bound))
            held_out = case.loss.pointwise(case.truth[1::2], constant)
            _, marginal_high = mean_bounds(_scaled_mean(held_out, bound), n // 2, tail)
    risk_low, risk_high = mean_bounds(_scaled_mean(case.losses, bound), n, tail)
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


def _floored(shares: Floats, least: float) -> Floats:
    """Return shares that add up to 1 as before, and are nowhere below the least."""
    return least + (1 - least * len(shares)) * shares


def check_bound(bound: float, loss: Loss) -> float:
    """Return a user's greatest loss of a case as a float."""
    if isinstance(loss, LabelLoss):
        raise ValueError("bound is not for a loss between classes, which has a known bound.")
    if not (isinstance(bound, Real) and 0 < bound <= sys.float_info.max):
        raise ValueError(f"bound is {show(bound)}; it must be a finite number greater than 0.")
    if isinstance(loss, CrossEntropyLoss) and bound < np.log(len(loss.classes)):
        raise ValueError(f"bound is {show(bound)}; some loss is at least ln({len(loss.classes)}).")
    return float(bound)


def check_bounded(losses: Floats, bound: float) -> None:
    if losses.max() > bound * (1 + 1e-12):
        raise ValueError(f"A loss of {losses.max():g} occurs, which is greater than bound = {bound:g}.")


def _scaled_mean(losses: Floats, bound: float) -> float:
    check_bounded(losses, bound)
    return min(float(losses.mean()) / bound, 1.0)


def hoeffding_p_value(values: Floats) -> float:
    """Return a p-value of the hypothesis that values in [-1, 1] have a mean of at most 0; less for a greater mean."""
    share = (1 + max(float(values.mean()), 0.0)) / 2
    return float(np.exp(-len(values) * (rel_entr(share, 0.5) + rel_entr(1 - share, 0.5))))


# A bettor stakes a fixed share s of the capital on each value x, which multiplies the capital by 1 + s x. If values
# in [-1, 1] have a mean of at most 0, no gain is expected, so a capital of 1/p has a probability of at most p
# (Markov). The mean capital of several stakes is capital as well.

STAKES = 0.95 / 2.0 ** np.arange(9)


def betting_p_value(values: Floats) -> float:
    """Return a p-value of the hypothesis that values in [-1, 1] have a mean of at most 0."""
    return _p_value([float(np.log1p(stake * values).sum()) for stake in STAKES])


def best_constant_p_value(case: Case, bound: float, units: Units) -> float:
    """Return a p-value of "no better than the best constant" under squared loss or cross-entropy up to `bound`."""
    losses, marginal = case.losses, case.marginal(units.weights)
    start, shape = np.atleast_1d(marginal), np.shape(marginal)

    def capital(constant: Floats, stake: float) -> float:
        gained = (case.loss.pointwise(case.truth, constant.reshape(shape)) - losses) / bound
        return float(np.log1p(stake * np.maximum(units.scaled_sums(gained), -1.0)).sum())

    constraints: list[LinearConstraint] = []
    # If the rest of the capital is at least `enough`, the logarithm of the capital is convex in the constant, so that
    # the search finds its least value. Other stakes count as lost.
    enough = bound
    if isinstance(case.loss, CrossEntropyLoss):
        enough, least = 1.0, np.exp(-bound)
        start = _floored(start, least) if start.min() < least else start
        limits = [(least, 1.0)] * len(start)
        constraints = [LinearConstraint(np.ones((1, len(start))), 1, 1)]
    else:
        low = np.atleast_1d(case.truth.max(axis=0) - np.sqrt(bound))
        high = np.atleast_1d(case.truth.min(axis=0) + np.sqrt(bound))
        limits = list(zip(np.minimum(low, start), np.maximum(high, start), strict=True))
    least_capitals = []
    for stake in map(float, STAKES):
        if bound / stake - losses.max() < enough:
            least_capitals.append(-np.inf)
            continue
        minimum = minimize(
            capital, start, args=(stake,), method="SLSQP", bounds=limits, constraints=constraints
        )
        least_capitals.append(min(minimum.fun, capital(start, stake)))
    return _p_value(least_capitals)


def _p_value(log_capitals: list[float]) -> float:
    return float(np.exp(min(np.log(len(log_capitals)) - logsumexp(log_capitals), 0.0)))
