"""Student's paired test of losses, and Fieller's interval, which agrees with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import t

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import FEWEST, effective_units
from nontrivial.measures.bootstrap import GroupSums, unit_weight
from nontrivial.measures.losses import CallableRealLoss, Case, CrossEntropyLoss, PinballLoss, SquaredLoss
from nontrivial.measures.sign_verdict import agreeing_with_test

# Student's paired test of losses against those of the marginal prediction, and the interval that agrees with it.
#
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
        return _wider_with_pseudo_case(losses, marginal_losses, level, "low", supposed(marginal_losses))

    tail, low = (1 - level) / 2, lower(marginal_losses)
    _, high, p_better, p_worse = paired_bounds(losses, marginal_losses, level)
    if case := supposed(marginal_losses):
        p_better = max(p_better, _with_pseudo_case(losses, marginal_losses, level, case).p_better)
    else:
        high = _wider_with_pseudo_case(losses, marginal_losses, level, "high")
        best = (marginal_losses - losses).argmax()
        case = float(losses[best]), float(marginal_losses[best])
        p_worse = max(p_worse, _with_pseudo_case(losses, marginal_losses, level, case).p_worse)
    if p_better > tail:
        low = min([low, *map(lower, others)])
    return PairedBounds(*agreeing_with_test(low, high, (p_better, p_worse), tail), p_better, p_worse)


def _wider_with_pseudo_case(
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
    longer = _with_pseudo_case(losses, marginal_losses, level, more)
    return outer(end, longer.low if side == "low" else longer.high)


def _with_pseudo_case(
    losses: Floats, marginal_losses: Floats, level: float, more: tuple[float, float]
) -> PairedBounds:
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


# Fieller's interval for the Prediction Advantage under losses of numbers, and of probabilities.


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
    total = GroupSums(mass, groups)
    sums = total(losses), total(marginal_losses)
    constants = _plausible_constants(case, total, weights, groups, level)
    others = (total(case.loss.pointwise(case.truth, constant)) for constant in constants)
    probabilities = probabilities_of(case)
    if probabilities is None:
        return cautious_bounds(*sums, level, others)
    worst, classes, said = probabilities
    cells = 2 * classes + (said != classes)
    part = unit_weight(cells, int(cells.max()) + 1, weights, groups) / mass.sum()
    return cautious_bounds(*sums, level, others, (worst * part * total(np.ones(len(mass))).sum(), part))


def fieller_assumption(case: Case) -> Literal["one_worst_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if probabilities_of(case) is None else "one_worst_case"


def _plausible_constants(
    case: Case, total: GroupSums, weights: Floats | None, groups: Ints | None, level: float
) -> Iterator[Floats]:
    """Give the ends of the interval of the best constant, or all of it under a user's loss; nothing if it is given."""
    # A nearly constant model loses almost the same as the best constant of the sample in each case, so the interval for
    # this constant alone is almost a point. It missed the truth in 15 % of the samples if the model's constant was one
    # and a half standard errors from the best one.
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
        ends = plausible_shares if are_shares else plausible_means
        yield from ends(center, deviations, total(np.ones(len(truth))).sum(), mean, level)
        return
    quantile = case.loss.quantile if isinstance(case.loss, PinballLoss) else 0.5
    n = effective_units(weights, groups, len(truth))
    error = t.isf((1 - level) / 2, n - 1) * np.sqrt(quantile * (1 - quantile) / n)
    for share in (quantile - error, quantile + error):
        yield np.quantile(truth, np.clip(share, 0, 1), axis=0, method="inverted_cdf", weights=weights)


def _near_best(
    loss: CallableRealLoss, truth: Floats, total: GroupSums, weights: Floats | None, level: float
) -> Floats:
    """Return the quantiles of the truth that may be the best constant, and the next one on each side."""
    # The risk of a constant exceeds the least one by the square of their distance, nearly. So Student's statistic of
    # this excess is half of that of the distance.
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


def plausible_means(
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


def plausible_shares(
    center: Floats, deviations: Floats, mass: float, predicted: Floats, level: float
) -> Iterator[Floats]:
    """Give `plausible_means` as shares of the classes, of which none is 0, so that no case has an infinite loss."""
    predicted = predicted + (1 - predicted.sum()) / len(center)
    if np.allclose(center, predicted, rtol=0, atol=1e-9):
        # The first grows and the others shrink, or the reverse; if all grew, none would.
        predicted = np.arange(float(len(center)))
    for end in plausible_means(center, deviations, mass, predicted, level):
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
