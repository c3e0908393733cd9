"""The losses of predicted numbers and of probabilities, beside those of the best constant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Ints, chunks
from nontrivial._draws import FEWEST as FEWEST_UNITS
from nontrivial._draws import are_few, are_few_units, assign_blocks, least_units
from nontrivial._warnings import Assumption
from nontrivial.measures.advantage import bayesian_marginal_prediction, prediction_advantage_score
from nontrivial.measures.bootstrap import unit_weight
from nontrivial.measures.fieller import (
    cautious_bounds,
    fieller_assumption,
    fieller_interval,
    plausible_shares,
    worst_losses,
)
from nontrivial.measures.losses import resolve
from nontrivial.scorecard.answers import Forecasts, Predictions
from nontrivial.scorecard.estimates import LEVEL, Estimate
from nontrivial.scorecard.probabilities import are_shares
from nontrivial.scorecard.thresholds import are_probabilities

FEWEST = 10  # of each class; with fewer, the least simulated coverage of a 95 % interval was 45 %
# Cases that must be expected beyond a quantile. With five, coverage was 89 %. With two, 6 % of the samples showed a
# forecast of the true quantile to be worse than trivial.
FEWEST_BEYOND = 10
FEW = f"the effective sample size is below {FEWEST_UNITS} cases or groups"


@dataclass(frozen=True)
class LossRow:
    """One loss.

    Attributes
    ----------
    name : str
    loss, trivial : float
        The mean loss of the predictions, and that of the best constant.
    constant : float or None
        The best constant, if it is one number.
    advantage : Estimate
        The Prediction Advantage under this loss: one minus the quotient of the two means.
    no_interval : str
        Why the advantage has no interval, or is undefined; empty if it has one.
    assumes : {"no_rare_loss", "one_worst_case"} or None
        What the interval assumes besides independent cases, as in `AdvantageInterval`; None without one.
    p_better, p_worse : float in [0, 1]
        P-values that agree with the interval of predicted numbers; NaN without one.
    """

    name: str
    loss: float
    trivial: float
    constant: float | None
    advantage: Estimate
    no_interval: str = ""
    assumes: Assumption | None = None
    p_better: float = np.nan
    p_worse: float = np.nan


def losses_of_numbers(forecasts: Forecasts) -> tuple[LossRow, ...]:
    """Return squared and absolute loss, and the pinball loss of the quantile that is forecast."""
    rows = [_row(loss, forecasts) for loss in ("squared", "absolute")]
    if forecasts.quantile is not None:
        rows.append(_row("pinball", forecasts, quantile=forecasts.quantile))
    return tuple(rows)


def few_beyond(quantile: float | None, n: int, groups: Ints | None) -> bool:
    """Tell whether few of n cases, or of their groups, are expected beyond a quantile, if one is forecast."""
    if quantile is None:
        return False
    n_units = n if groups is None else len(np.unique(groups))
    return n_units * min(quantile, 1 - quantile) < FEWEST_BEYOND


def losses_of_probabilities(predictions: Predictions) -> tuple[LossRow, ...]:
    """Return squared loss, or Brier score, and cross-entropy, or log loss, of probabilities; of other scores nothing.

    There is no interval if a class has fewer than `FEWEST` cases or groups. The lower bounds assume one more case, or
    as much of a group as goes wrong together, for which the most confident of the probabilities is wrong. That no such
    case was seen proves little.
    """
    said = predictions.score if predictions.probabilities is None else predictions.probabilities
    if said is None or not (are_probabilities(said) if said.ndim == 1 else are_shares(said)):
        return ()
    n_classes = 2 if said.ndim == 1 else said.shape[1]
    units, n_units = assign_blocks(predictions.groups, len(said))
    of_classes, sums, worst = np.zeros(n_units * n_classes), np.zeros((2, n_units)), np.zeros(2)
    predicted = np.zeros(said.shape[1:])
    for part in chunks(len(said)):
        truth, unit = predictions.truth[part], units[part].astype(np.intp)
        mass = np.ones(len(unit)) if predictions.weights is None else predictions.weights[part]
        of_classes += np.bincount(unit * n_classes + truth, weights=mass, minlength=len(of_classes))
        chances = _without_rounding(said[part])
        for summed, losses in zip(sums, _losses_of_cases(truth, chances), strict=True):
            summed += np.bincount(unit, weights=mass * losses, minlength=n_units)
        worst, predicted = np.maximum(worst, worst_losses(chances)), predicted + mass @ chances
    by_unit = of_classes.reshape(n_units, n_classes)
    sums, by_unit = sums[:, by_unit.any(axis=1)], by_unit[by_unit.any(axis=1)]
    too_few = are_few(predictions.weights, predictions.groups, len(said))
    reason = FEW if too_few else few_of_a_class(predictions)
    total, one_more = by_unit.sum(), 1.0
    if predictions.weights is not None or predictions.groups is not None:
        likeliest = said >= 0.5 if said.ndim == 1 else said.argmax(axis=1)
        cells = 2 * predictions.truth.astype(np.intp) + (predictions.truth != likeliest)
        one_more = unit_weight(cells, 2 * n_classes, predictions.weights, predictions.groups)
    shares, predicted = by_unit.sum(axis=0) / total, predicted / total
    trivial, others = _losses_of_constant(by_unit, shares, said.ndim), []
    if not reason:
        deviations = (by_unit - by_unit.sum(axis=1, keepdims=True) * shares).T
        averages = predicted if said.ndim > 1 else np.array([1 - predicted, predicted])
        ends = plausible_shares(shares, deviations, total, averages, LEVEL)
        others = [_losses_of_constant(by_unit, each, said.ndim) for each in ends]
    rows = []
    for place, name in enumerate(("squared", "cross_entropy")):
        more = float(worst[place]) * one_more, one_more / total
        further = [each[place] for each in others]
        rows.append(_row_of_sums(name, sums[place], trivial[place], further, total, more, reason))
    constant = float(shares[1]) if said.ndim == 1 else None
    return tuple(replace(row, constant=constant) for row in rows)


def _without_rounding(said: Floats) -> Floats:
    """Return probabilities that lie in [0, 1], and of all classes add up to 1."""
    return np.clip(said, 0, 1) if said.ndim == 1 else said / said.sum(axis=1, keepdims=True)


def _losses_of_cases(truth: Ints, said: Floats) -> tuple[Floats, Floats]:
    """Return the squared and the logarithmic loss of each case."""
    if said.ndim == 1:
        right, squared = np.where(truth, said, 1 - said), (truth - said) ** 2
    else:
        right = said[np.arange(len(truth)), truth]
        squared = ((np.eye(said.shape[1])[truth] - said) ** 2).sum(axis=1)
    with np.errstate(divide="ignore"):
        return squared, -np.log(right)


def _losses_of_constant(by_unit: Floats, shares: Floats, ndim: int) -> list[Floats]:
    """Return what the shares of the classes lose as predictions, by the weight of each class in each block or group."""
    classes = np.flatnonzero(by_unit.any(axis=0))
    said = np.full(len(classes), shares[1]) if ndim == 1 else np.tile(shares, (len(classes), 1))
    return [by_unit[:, classes] @ losses for losses in _losses_of_cases(classes, said)]


def _not_finite(value: float) -> str:
    if np.isnan(value):
        return "the best constant loses nothing"
    return "" if np.isfinite(value) else "the loss of a case is infinite"


def unit_drawn(groups: Ints | None) -> str:
    """Return the word for what was drawn."""
    return "case" if groups is None else "group"


def _row_of_sums(
    name: str,
    losses: Floats,
    trivial: Floats,
    others: list[Floats],
    total: float,
    more: tuple[float, float],
    reason: str,
) -> LossRow:
    """Make a row from the summed losses of the cases of each block or group, without interval if there is a reason."""
    value = float((trivial.sum() - losses.sum()) / trivial.sum())
    advantage = Estimate(value)
    reason = _not_finite(value) or reason
    if not reason:
        low, high, *_ = cautious_bounds(losses, trivial, LEVEL, others, more)
        advantage = Estimate(value, low, high, "fieller")
    means = float(losses.sum() / total), float(trivial.sum() / total)
    return LossRow(name, *means, None, advantage, reason, None if reason else "one_worst_case")


def few_of_a_class(predictions: Predictions) -> str:
    """Say that a class has too few cases or groups to support an interval alone; nothing if none has."""
    if least_units(predictions.truth, predictions.weights, predictions.groups) >= FEWEST * (1 - 1e-9):
        return ""
    if predictions.weights is None and predictions.groups is None:
        return f"a class has fewer than {FEWEST} cases"
    return f"the effective sample size of a class is below {FEWEST} {unit_drawn(predictions.groups)}s"


def _row(loss: str, forecasts: Forecasts, **options: Any) -> LossRow:
    options |= {"loss": loss, "sample_weight": forecasts.weights}
    truth, prediction = forecasts.truth, forecasts.prediction
    constant, trivial = bayesian_marginal_prediction(truth, **options)
    case = resolve(loss, truth, prediction, quantile=options.get("quantile"))
    mean = float(np.average(case.loss.pointwise(case.truth, case.prediction), weights=forecasts.weights))
    value = prediction_advantage_score(truth, prediction, **options) if trivial else np.nan
    reason = _not_finite(value)
    if not reason and are_few_units(forecasts.weights, forecasts.groups, len(truth)):
        reason = FEW
    if not reason and few_beyond(options.get("quantile"), len(truth), forecasts.groups):
        reason = (
            f"fewer than {FEWEST_BEYOND} {unit_drawn(forecasts.groups)}s are expected beyond the quantile"
        )
    row = LossRow(loss, mean, float(trivial), float(constant), Estimate(value), reason)
    if reason:
        return row
    low, high, p_better, p_worse = fieller_interval(case, LEVEL, forecasts.weights, forecasts.groups)
    advantage = Estimate(value, low, high, "fieller")
    return replace(
        row, advantage=advantage, assumes=fieller_assumption(case), p_better=p_better, p_worse=p_worse
    )
