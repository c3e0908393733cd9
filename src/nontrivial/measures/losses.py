"""The losses that Prediction Advantage knows, each with its Bayesian marginal prediction.

The Bayesian marginal prediction (BMP) is the best constant prediction for one who knows the distribution of
the labels and nothing else. A loss between classes is a matrix of costs, and so is a callable over a finite
set of classes; cross-entropy scores probabilities; the others are regression losses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from nontrivial._arrays import Floats, Ints, Labels
from nontrivial._stretches import masses

MOST_LOSS = 1e120  # of a case, so that their sums stay within the range of a float64


class Loss(Protocol):
    """What a loss charges, and the constant prediction that is charged least."""

    def pointwise(self, truth: Labels, prediction: Any) -> Floats:
        """Return the loss of each case; `prediction` is one per case or a single constant."""

    def marginal(self, truth: Labels, weights: Floats | None) -> Any:
        """Return the Bayesian marginal prediction, coded as `pointwise` takes it."""


@dataclass(frozen=True)
class LabelLoss(Loss):
    """A loss between classes, numbered from 0."""

    classes: Labels

    @abstractmethod
    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        """Return the summed loss of always predicting each of the classes."""

    @abstractmethod
    def extremes(self) -> tuple[Floats, Floats]:
        """Return the least and the greatest loss there is for each true class."""

    def marginal(self, truth: Ints, weights: Floats | None) -> np.intp:
        """Return the number of the class that costs least as a constant."""
        return np.argmin(self.constant_losses(truth, weights))


@dataclass(frozen=True)
class ZeroOneLoss(LabelLoss):
    """1 for a wrong class; without the matrix of costs, which would be huge for many classes."""

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        return np.asarray(truth != prediction, dtype=np.float64)

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        mass = masses(truth, len(self.classes), weights)
        return np.sum(mass) - mass

    def extremes(self) -> tuple[Floats, Floats]:
        return np.zeros(len(self.classes)), np.ones(len(self.classes))


@dataclass(frozen=True)
class CostLoss(LabelLoss):
    """``cost[i, j]`` is charged for predicting class i when the truth is class j."""

    cost: Floats

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        charged: Floats = self.cost[prediction, truth]
        return charged

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        charged: Floats = self.cost @ masses(truth, len(self.classes), weights)
        return charged

    def extremes(self) -> tuple[Floats, Floats]:
        return self.cost.min(axis=0), self.cost.max(axis=0)

    def has_equal_mistakes(self) -> bool:
        """Return whether every mistake costs as much more than the least cost of its class, as under 0/1 loss."""
        return len(np.unique(self.cost - self.cost.min(axis=0))) <= 2


@dataclass(frozen=True)
class CrossEntropyLoss:
    """The negative natural logarithm of the probability given to the true class."""

    classes: Labels

    def pointwise(self, truth: Ints, prediction: Floats) -> Floats:
        if prediction.ndim == 1:  # a constant: once for each class
            each = np.arange(len(self.classes))
            return self.pointwise(each, np.tile(prediction, (len(each), 1)))[truth]
        of_truth = prediction[np.arange(len(truth)), truth]
        with np.errstate(divide="ignore"):
            losses = -np.log(of_truth)
        near = np.flatnonzero(losses < 2**-10)
        others = prediction[near]
        others[np.arange(len(near)), truth[near]] = 0
        rest = others.sum(axis=1)
        # Near 1, what a probability leaves has more digits; of 32 bits, it does not add up to 1 with them.
        exact = np.abs(of_truth[near] + rest - 1) < 2**-50
        losses[near[exact]] = -np.log1p(-rest[exact])
        return losses

    def marginal(self, truth: Ints, weights: Floats | None) -> Floats:
        mass = masses(truth, len(self.classes), weights)
        return mass / np.sum(mass)


@dataclass(frozen=True)
class SquaredLoss:
    """The squared Euclidean distance, summed over outputs."""

    def pointwise(self, truth: Floats, prediction: Floats | np.float64) -> Floats:
        return _sum_outputs((truth - prediction) ** 2)

    def marginal(self, truth: Floats, weights: Floats | None) -> Floats | np.float64:
        mean = np.average(truth, axis=0, weights=weights)
        # The mean of equal numbers can be off by a rounding, and then a risk of 0 would not be 0.
        return np.clip(mean, truth.min(axis=0), truth.max(axis=0))


@dataclass(frozen=True)
class AbsoluteLoss:
    """The absolute difference, summed over outputs."""

    def pointwise(self, truth: Floats, prediction: Floats | np.float64) -> Floats:
        return _sum_outputs(np.abs(truth - prediction))

    def marginal(self, truth: Floats, weights: Floats | None) -> Floats | np.float64:
        if weights is None:
            return np.median(truth, axis=0)
        return np.apply_along_axis(_weighted_median, 0, truth, weights)


@dataclass(frozen=True)
class PinballLoss:
    """`quantile` times what a prediction is too low by, or 1 - `quantile` times what it is too high by, summed."""

    quantile: float

    def pointwise(self, truth: Floats, prediction: Floats | np.float64) -> Floats:
        short = truth - prediction
        return _sum_outputs(np.maximum(self.quantile * short, (self.quantile - 1) * short))

    def marginal(self, truth: Floats, weights: Floats | None) -> Floats | np.float64:
        lowest: Floats | np.float64 = np.quantile(
            truth, self.quantile, axis=0, method="inverted_cdf", weights=weights
        )
        return lowest


@dataclass(frozen=True)
class CallableRealLoss:
    """A user's regression loss, whose best constant is searched for within the range of the truth."""

    function: Callable[[Labels, Labels], ArrayLike]

    def pointwise(self, truth: Floats, prediction: Floats | np.float64) -> Floats:
        return call_loss(self.function, truth, np.broadcast_to(prediction, truth.shape))

    def candidates(self, truth: Floats, weights: Floats | None) -> Floats:
        """Return quantiles of the truth, increasing, among which the best constant is searched for first."""
        shares = np.linspace(0, 1, 257)
        return np.unique(np.quantile(truth, shares, method="inverted_cdf", weights=weights))

    def marginal(self, truth: Floats, weights: Floats | None) -> np.float64:
        def risk(constant: float) -> float:
            return float(np.average(self.pointwise(truth, np.float64(constant)), weights=weights))

        # A loss may have several valleys, or steps, and the search below finds one valley only.
        candidates = self.candidates(truth, weights)
        risks = np.array([risk(constant) for constant in candidates])
        best = int(np.argmin(risks))
        bounds = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        if bounds[0] == bounds[1]:
            return np.float64(candidates[best])
        span = bounds[1] - bounds[0]
        found = minimize_scalar(risk, bounds=bounds, method="bounded", options={"xatol": 1e-10 * span})
        return np.float64(found.x if found.fun < risks[best] else candidates[best])


def call_loss(function: Callable[[Labels, Labels], ArrayLike], truth: Labels, prediction: Labels) -> Floats:
    """Call a user's loss on arrays, or case by case if it takes scalars only; check what it returns."""
    try:
        losses = np.array(function(truth, prediction), dtype=np.float64, ndmin=1)  # one case: maybe a scalar
    except (TypeError, ValueError):
        pairs = zip(truth, prediction, strict=True)
        losses = np.array([function(true, predicted) for true, predicted in pairs], dtype=np.float64)
    if losses.shape != truth.shape:
        raise ValueError(
            f"The loss returned shape {losses.shape} for {len(truth)} cases; it must return one per case."
        )
    if not ((losses >= 0) & (losses <= MOST_LOSS)).all():
        raise ValueError(
            f"The loss returned a value that is negative, NaN, infinite or greater than {MOST_LOSS:g}; "
            f"losses must lie in [0, {MOST_LOSS:g}]."
        )
    return losses


def _sum_outputs(losses: Floats) -> Floats:
    return losses if losses.ndim == 1 else losses.sum(axis=1)


def _weighted_median(values: Floats, weights: Floats) -> np.float64:
    """Return the midpoint of the values that halve the weight: the median, for weights of 1."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    half = below[-1] / 2
    lower = np.searchsorted(below, half, side="left")
    upper = np.searchsorted(below, half, side="right")
    return np.float64((values[order[lower]] + values[order[upper]]) / 2)
