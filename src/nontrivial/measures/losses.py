"""The losses that Prediction Advantage knows, each with its Bayesian marginal prediction.

The Bayesian marginal prediction (BMP) is the best constant prediction for one who knows the distribution of
the labels and nothing else. A loss between classes is a matrix of costs, and so is a callable over a finite
set of classes; cross-entropy scores probabilities; the others are regression losses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from nontrivial import _validation as validation

Floats = NDArray[np.float64]
LossName = str | Callable[[NDArray, NDArray], ArrayLike]

NAMES = ("zero_one", "cross_entropy", "squared", "absolute", "cost")


class Loss(Protocol):
    """What a loss charges, and the constant prediction that is charged least."""

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        """Return the loss of each case; `prediction` is one per case or a single constant."""

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        """Return the Bayesian marginal prediction, coded as `pointwise` takes it."""

    def decode(self, prediction: Any) -> Any:
        """Return a prediction as the user would write it."""


@dataclass(frozen=True)
class ZeroOneLoss:
    """1 for a wrong class; without the matrix of costs, which would be huge for many classes."""

    classes: NDArray

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        return (truth != prediction).astype(np.float64)

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        return np.argmax(np.bincount(truth, weights=weights))

    def decode(self, prediction: Any) -> Any:
        return self.classes[prediction]


@dataclass(frozen=True)
class CostLoss:
    """``cost[i, j]`` is charged for predicting class i when the truth is class j."""

    classes: NDArray
    cost: Floats

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        return self.cost[prediction, truth]

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        mass = np.bincount(truth, weights=weights, minlength=len(self.classes))
        return np.argmin(self.cost @ mass)  # of equals, the first class

    def decode(self, prediction: Any) -> Any:
        return self.classes[prediction]


@dataclass(frozen=True)
class CrossEntropyLoss:
    """The negative natural logarithm of the probability given to the true class."""

    classes: NDArray

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        rows = np.broadcast_to(prediction, (len(truth), len(self.classes)))
        with np.errstate(divide="ignore"):
            return -np.log(rows[np.arange(len(truth)), truth])

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        mass = np.bincount(truth, weights=weights, minlength=len(self.classes))
        return mass / mass.sum()

    def decode(self, prediction: Any) -> Any:
        return prediction


@dataclass(frozen=True)
class SquaredLoss:
    """The squared Euclidean distance, summed over outputs."""

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        return _sum_outputs((truth - prediction) ** 2)

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        mean = np.average(truth, axis=0, weights=weights)
        # The mean of equal numbers can be off by a rounding, and then a risk of 0 would not be 0.
        return np.clip(mean, truth.min(axis=0), truth.max(axis=0))

    def decode(self, prediction: Any) -> Any:
        return prediction


@dataclass(frozen=True)
class AbsoluteLoss:
    """The absolute difference, summed over outputs."""

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        return _sum_outputs(np.abs(truth - prediction))

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        if weights is None:
            return np.median(truth, axis=0)
        return np.apply_along_axis(_weighted_median, 0, truth, weights)

    def decode(self, prediction: Any) -> Any:
        return prediction


@dataclass(frozen=True)
class CallableRealLoss:
    """A user's regression loss, whose best constant is searched for within the range of the truth."""

    function: Callable[[NDArray, NDArray], ArrayLike]

    def pointwise(self, truth: NDArray, prediction: NDArray) -> Floats:
        return call_loss(self.function, truth, np.broadcast_to(prediction, truth.shape))

    def marginal(self, truth: NDArray, weights: Floats | None) -> Any:
        def risk(constant: float) -> float:
            return float(np.average(self.pointwise(truth, np.float64(constant)), weights=weights))

        # Quantiles first: a loss may have several valleys, or steps, and the search below finds one valley
        # only.
        candidates = np.unique(np.quantile(truth, np.linspace(0, 1, 257), method="inverted_cdf"))
        risks = np.array([risk(constant) for constant in candidates])
        best = int(np.argmin(risks))
        bounds = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        if bounds[0] == bounds[1]:
            return candidates[best]
        span = bounds[1] - bounds[0]
        found = minimize_scalar(risk, bounds=bounds, method="bounded", options={"xatol": 1e-10 * span})
        return np.float64(found.x) if found.fun < risks[best] else candidates[best]

    def decode(self, prediction: Any) -> Any:
        return prediction


@dataclass(frozen=True)
class Case:
    """A loss with truth, predictions and baseline labels in the plain numbers it takes."""

    loss: Loss
    truth: NDArray
    prediction: NDArray | None
    baseline: NDArray | None


def resolve(
    loss: LossName,
    y_true: ArrayLike,
    y_pred: ArrayLike | None = None,
    *,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
) -> Case:
    """Check everything a user gives about a loss and bring it to numbers.

    Raises
    ------
    ValueError
        If the loss is unknown, or truth, predictions, labels, cost and loss do not fit each other.
    """
    if not callable(loss) and loss not in NAMES:
        raise ValueError(f"loss is {loss!r}; it must be one of {', '.join(NAMES)}, or a callable.")
    if (cost is not None) != (loss == "cost"):
        raise ValueError('cost, the matrix of costs, is needed for loss="cost" and taken for no other loss.')
    given = {"y_true": y_true, "y_pred": y_pred, "baseline": baseline}
    given = {name: values for name, values in given.items() if values is not None}
    if loss in ("squared", "absolute") or (callable(loss) and _is_regression(given, labels)):
        if labels is not None:
            raise ValueError(f"labels has no meaning for the regression loss {loss!r}; leave it out.")
        return _real_case(loss, given)
    if loss == "cross_entropy":
        return _probability_case(given, labels)
    return _label_case(loss, given, labels, cost)


def call_loss(function: Callable, truth: NDArray, prediction: NDArray) -> Floats:
    """Call a user's loss on arrays, or case by case if it takes scalars only; check what it returns."""
    try:
        losses = np.asarray(function(truth, prediction), dtype=np.float64)
    except (TypeError, ValueError):
        pairs = zip(truth, prediction, strict=True)
        losses = np.array([function(true, predicted) for true, predicted in pairs], dtype=np.float64)
    if losses.shape != truth.shape:
        raise ValueError(
            f"The loss returned shape {losses.shape} for {len(truth)} cases; it must return one per case."
        )
    if not (losses >= 0).all() or np.isinf(losses).any():
        raise ValueError(
            "The loss returned a negative, NaN or infinite value; losses must be finite and 0 or greater."
        )
    return losses


def _label_case(loss: LossName, given: dict, labels: ArrayLike | None, cost: ArrayLike | None) -> Case:
    arrays = {name: validation.as_labels(values, name) for name, values in given.items()}
    classes, codes = validation.encode_labels(*arrays.values(), names=list(arrays), classes=labels)
    coded = dict(zip(arrays, codes, strict=True))
    k = len(classes)
    if loss == "zero_one":
        return _case(ZeroOneLoss(classes), coded)
    if callable(loss):
        matrix = call_loss(loss, np.tile(classes, k), np.repeat(classes, k)).reshape(k, k)
    else:
        matrix = _as_cost_matrix(cost, k)
    return _case(CostLoss(classes, matrix), coded)


def _probability_case(given: dict, labels: ArrayLike | None) -> Case:
    arrays = {name: validation.as_labels(values, name) for name, values in given.items() if name != "y_pred"}
    classes, codes = validation.encode_labels(*arrays.values(), names=list(arrays), classes=labels)
    coded = dict(zip(arrays, codes, strict=True))
    if "y_pred" in given:
        coded["y_pred"] = _as_probabilities(given["y_pred"], len(classes))
    case = _case(CrossEntropyLoss(classes), coded)
    if case.baseline is not None:
        unseen = np.setdiff1d(case.truth, case.baseline)
        if len(unseen):
            raise ValueError(
                f"baseline lacks the class {classes[unseen[0]]} of y_true, so that its cross-entropy is "
                "infinite; every class of y_true must be in it."
            )
    return case


def _real_case(loss: LossName, given: dict) -> Case:
    arrays = {name: validation.as_real(values, name) for name, values in given.items()}
    shapes = {array.shape[1:] for array in arrays.values()}
    if len(shapes) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"The shapes do not fit: {found}; the number of outputs must be the same.")
    if not callable(loss):
        return _case(SquaredLoss() if loss == "squared" else AbsoluteLoss(), arrays)
    if shapes != {()}:
        raise ValueError("A callable loss takes one output; y_true must have shape (n,).")
    return _case(CallableRealLoss(loss), arrays)


def _case(loss: Loss, arrays: dict[str, NDArray]) -> Case:
    prediction = arrays.get("y_pred")
    if prediction is not None:
        validation.check_lengths(y_true=arrays["y_true"], y_pred=prediction)
    return Case(loss, arrays["y_true"], prediction, arrays.get("baseline"))


def _is_regression(given: dict, labels: ArrayLike | None) -> bool:
    """Floating-point truth or predictions mean regression, unless labels are named."""
    return labels is None and any(np.asarray(values).dtype.kind == "f" for values in given.values())


def _as_cost_matrix(cost: ArrayLike, k: int) -> Floats:
    matrix = np.asarray(cost)
    if matrix.shape != (k, k):
        raise ValueError(
            f"cost has shape {matrix.shape} for {k} classes; it must be {k} x {k} "
            "(name the classes in labels if some do not occur)."
        )
    if matrix.dtype.kind not in "biuf" or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(
            "cost holds a negative, NaN, infinite or non-numeric entry; costs must be 0 or greater."
        )
    return matrix.astype(np.float64)


def _as_probabilities(y_pred: ArrayLike, k: int) -> Floats:
    """Return probabilities of shape (n, k); a single column is the probability of the last of two classes."""
    given = validation.as_real(y_pred, "y_pred")
    if (given < 0).any() or (given > 1).any():
        raise ValueError("y_pred has values outside [0, 1]; cross-entropy needs probabilities.")
    if given.ndim == 1 and k == 2:
        return np.column_stack([1 - given, given])
    if given.ndim == 1 or given.shape[1] != k:
        raise ValueError(
            f"y_pred has shape {given.shape} for {k} classes; cross-entropy needs one probability per class "
            "(name the classes in labels if some do not occur)."
        )
    # Probabilities that were computed in single precision add up to 1 within its rounding only.
    if not np.allclose(given.sum(axis=1), 1, rtol=0, atol=1e-4):
        raise ValueError("y_pred has rows that do not add up to 1; cross-entropy needs probabilities.")
    return given


def _sum_outputs(losses: Floats) -> Floats:
    return losses if losses.ndim == 1 else losses.sum(axis=1)


def _weighted_median(values: Floats, weights: Floats) -> np.float64:
    """Return the midpoint of the values that halve the weight: the median, for weights of 1."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    half = below[-1] / 2
    lower = np.searchsorted(below, half, side="left")
    upper = np.searchsorted(below, half, side="right")
    return (values[order[lower]] + values[order[upper]]) / 2
