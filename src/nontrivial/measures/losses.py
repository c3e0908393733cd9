"""The losses of the Prediction Advantage, and the arguments of a user in their terms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from nontrivial._arrays import Floats, Ints, Labels, Mask, weight_counts
from nontrivial._validation import (
    OneClassError,
    as_array,
    as_column,
    as_labels,
    as_real,
    canonical_name,
    check_in_unit_interval,
    check_lengths,
    check_magnitude,
    check_no_scores,
    check_prevalence,
    encode_labels,
    show,
)
from nontrivial._warnings import warn_user

# What intervals and tests assume if the loss has no bound.


class UnboundedLossWarning(UserWarning):
    """An interval or a test assumes that no rare case has a loss much greater than those seen."""


def warn_unbounded(what: str, remedy: str = "") -> None:
    """Warn of what an interval or a test assumes for a loss of numbers, and name what does without the assumption."""
    if remedy:
        remedy = f"; with {remedy}, the greatest possible loss, it would not"
    warn_user(
        f"The {what} assumes that no rare case has a loss much greater than those seen{remedy}.",
        UnboundedLossWarning,
    )


# The losses, each with its Bayesian marginal prediction: the best constant for one who knows nothing but the
# distribution of the labels. A loss between classes is a matrix of costs, and so is a callable over a finite set of
# classes; cross-entropy scores probabilities; the others score numbers.


MOST_LOSS = 1e120  # of a case, so that their sums stay within the range of a float64
UserLoss = Callable[[Labels, Labels], ArrayLike]


class Loss(Protocol):
    def pointwise(self, truth: Labels, prediction: Any) -> Floats:
        """Return the loss of each case; `prediction` is one per case or a single constant."""

    def marginal(self, truth: Labels, weights: Floats | None) -> Any:
        """Return the best constant, coded as `pointwise` takes it."""


@dataclass(frozen=True)
class LabelLoss(Loss):
    """A loss between classes, numbered from 0."""

    classes: Labels

    @abstractmethod
    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        """Return the summed loss of always predicting each of the classes."""

    @abstractmethod
    def greatest(self) -> float:
        """Return the greatest loss there is."""

    def marginal(self, truth: Ints, weights: Floats | None) -> np.intp:
        return np.argmin(self.constant_losses(truth, weights))


@dataclass(frozen=True)
class ZeroOneLoss(LabelLoss):
    """1 for a wrong class; without the matrix of costs, which would be huge for many classes."""

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        return np.asarray(truth != prediction, dtype=np.float64)

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        mass = weight_counts(truth, len(self.classes), weights)
        return np.sum(mass) - mass

    def greatest(self) -> float:
        return 1.0


@dataclass(frozen=True)
class CostLoss(LabelLoss):
    """``cost[i, j]`` is charged for predicting class i when the truth is class j."""

    cost: Floats

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        charged: Floats = self.cost[prediction, truth]
        return charged

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        charged: Floats = self.cost @ weight_counts(truth, len(self.classes), weights)
        return charged

    def greatest(self) -> float:
        return float(self.cost.max())

    def has_equal_mistakes(self) -> bool:
        """Return whether every mistake costs as much more than the least cost of its class, as under 0/1 loss."""
        return len(np.unique(self.cost - self.cost.min(axis=0))) <= 2


@dataclass(frozen=True)
class CrossEntropyLoss(Loss):
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
        mass = weight_counts(truth, len(self.classes), weights)
        return mass / np.sum(mass)


class NumberLoss(Loss):
    """A loss of numbers, summed over outputs."""

    @abstractmethod
    def charge(self, truth: Floats, prediction: Any) -> Floats:
        """Return the loss of each output of each case."""

    def pointwise(self, truth: Floats, prediction: Any) -> Floats:
        losses = self.charge(truth, prediction)
        return losses if losses.ndim == 1 else losses.sum(axis=1)


class SquaredLoss(NumberLoss):
    def charge(self, truth: Floats, prediction: Any) -> Floats:
        return np.asarray((truth - prediction) ** 2)

    def marginal(self, truth: Floats, weights: Floats | None) -> Any:
        mean = np.average(truth, axis=0, weights=weights)
        # The mean of equal numbers can be off by a rounding, and then a risk of 0 would not be 0.
        return np.clip(mean, truth.min(axis=0), truth.max(axis=0))


class AbsoluteLoss(NumberLoss):
    def charge(self, truth: Floats, prediction: Any) -> Floats:
        return np.asarray(np.abs(truth - prediction))

    def marginal(self, truth: Floats, weights: Floats | None) -> Any:
        if weights is None:
            return np.median(truth, axis=0)
        return (_quantiles(truth, 0.5, weights) - _quantiles(-truth, 0.5, weights)) / 2


@dataclass(frozen=True)
class PinballLoss(NumberLoss):
    """`quantile` times the shortfall of a prediction, or 1 - `quantile` times its excess."""

    quantile: float

    def charge(self, truth: Floats, prediction: Any) -> Floats:
        short = truth - prediction
        return np.asarray(np.maximum(self.quantile * short, (self.quantile - 1) * short))

    def marginal(self, truth: Floats, weights: Floats | None) -> Any:
        return _quantiles(truth, self.quantile, weights)


@dataclass(frozen=True)
class CallableLoss(NumberLoss):
    """A user's loss of numbers, whose best constant is searched for within the range of the truth."""

    function: UserLoss

    def charge(self, truth: Floats, prediction: Any) -> Floats:
        return call_loss(self.function, truth, np.broadcast_to(prediction, truth.shape))

    def marginal(self, truth: Floats, weights: Floats | None) -> np.float64:
        def risk(constant: float) -> float:
            return float(np.average(self.pointwise(truth, np.float64(constant)), weights=weights))

        # A loss may have several valleys, or steps, and the search below finds one valley only.
        candidates = np.unique(_quantiles(truth, np.linspace(0, 1, 257), weights))
        risks = np.array([risk(constant) for constant in candidates])
        best = int(np.argmin(risks))
        low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        if low == high:
            return np.float64(low)
        precision = 1e-10 * (high - low)
        found = minimize_scalar(risk, bounds=(low, high), method="bounded", options={"xatol": precision})
        return np.float64(found.x if found.fun < risks[best] else candidates[best])


def _quantiles(truth: Floats, shares: float | Floats, weights: Floats | None) -> Any:
    """Return the least values with at least these shares of the weight up to them, for each output."""
    return np.quantile(truth, shares, axis=0, method="inverted_cdf", weights=weights)


def call_loss(function: UserLoss, truth: Labels, prediction: Labels) -> Floats:
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


# From the arguments of a user to a loss, and to truth and predictions in the plain numbers that it takes.


LossName = str | UserLoss
Given = dict[str, ArrayLike]  # by the names of the arguments
Resolved = tuple[Loss, dict[str, Labels]]

NAMES = ("zero_one", "cross_entropy", "squared", "absolute", "pinball", "cost")
MOST_CLASSES = 3000  # a callable is tabulated for all pairs of classes


@dataclass(frozen=True)
class Case:
    """A loss with truth, predictions and baseline labels in the plain numbers it takes."""

    loss: Loss
    truth: Labels
    prediction: Labels
    baseline: Labels | None

    @property
    def known_class(self) -> int | None:
        """The marginal prediction under 0/1 loss where the baseline tells it."""
        return None if self.baseline is None else int(self.marginal(None))

    def only(self, counted: Mask) -> Case:
        """Return the case of some of the test cases."""
        return replace(self, truth=self.truth[counted], prediction=self.prediction[counted])

    def marginal(self, weights: Floats | None) -> Any:
        """Return the marginal prediction: that of the baseline, or else that of the weighted truth."""
        known = (self.truth, weights) if self.baseline is None else (self.baseline, None)
        return self.loss.marginal(*known)


def resolve(loss: LossName, y_true: ArrayLike, y_pred: ArrayLike, **options: Any) -> Case:
    """Do what `resolve_models` does for one model."""
    (case,) = resolve_models(loss, y_true, {"y_pred": y_pred}, **options)
    return case


def resolve_models(
    loss: LossName,
    y_true: ArrayLike,
    predictions: Given,
    *,
    baseline: ArrayLike | None = None,
    **options: Any,
) -> list[Case]:
    """Do what `resolve_arrays` does, and return the case of each model."""
    truths = {"y_true": y_true} | ({} if baseline is None else {"baseline": baseline})
    resolved, arrays = resolve_arrays(loss, truths, predictions, **options)
    check_lengths(*(each for name, each in arrays.items() if name != "baseline"))
    return [Case(resolved, arrays["y_true"], arrays[name], arrays.get("baseline")) for name in predictions]


def resolve_arrays(
    loss: LossName,
    truths: Given,
    predictions: Given,
    *,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    quantile: float | None = None,
) -> Resolved:
    """Check everything a user gives about a loss and bring it to numbers; all arrays have the loss's classes."""
    loss = canonical_name(loss)
    if not (callable(loss) or (isinstance(loss, str) and loss in NAMES)):
        raise ValueError(f"loss is {show(loss)}; it must be one of {', '.join(NAMES)}, or a callable.")
    if (cost is not None) != (loss == "cost"):
        raise ValueError(
            'cost, the matrix of costs, is needed for loss="cost" and not allowed for any other.'
        )
    if (quantile is not None) != (loss == "pinball"):
        raise ValueError(
            'quantile, strictly between 0 and 1, is needed for loss="pinball" and not allowed for any other.'
        )
    if loss not in ("squared", "absolute", "pinball") and not (
        callable(loss) and labels is None and _has_floats(truths | predictions)
    ):
        return _resolve_classes(loss, truths, predictions, labels, cost)
    if labels is not None:
        raise ValueError(f"labels has no meaning for the regression loss {show(loss)}; leave it out.")
    return _resolve_numbers(loss, truths, predictions, quantile)


def _has_floats(given: Given) -> bool:
    arrays = (as_array(values, name) for name, values in given.items())
    kinds = {pd.api.types.infer_dtype(array.ravel(), skipna=False) for array in arrays}
    return not kinds.isdisjoint(("floating", "mixed-integer-float"))


def _resolve_classes(
    loss: LossName, truths: Given, predictions: Given, labels: ArrayLike | None, cost: ArrayLike | None
) -> Resolved:
    of_labels = truths if loss == "cross_entropy" else truths | predictions
    arrays = {name: as_labels(values, name) for name, values in of_labels.items()}
    if labels is None and loss != "cross_entropy":
        for name in predictions:
            check_no_scores(arrays["y_true"], arrays[name], name)
    classes, codes = encode_labels(*arrays.values(), classes=labels)
    coded: dict[str, Labels] = dict(zip(arrays, codes, strict=True))
    k = len(classes)
    if loss == "zero_one":
        return ZeroOneLoss(classes), coded
    if loss == "cross_entropy":
        for name, values in predictions.items():
            coded[name] = _as_probabilities(values, name, classes, are_named=labels is not None)
        if "baseline" in coded:
            unseen = np.setdiff1d(coded["y_true"], coded["baseline"])
            if len(unseen):
                raise ValueError(
                    f"baseline lacks the class {show(classes[unseen[0]])} of y_true, so its cross-entropy is infinite; "
                    "every class of y_true must be in it."
                )
        return CrossEntropyLoss(classes), coded
    if not callable(loss):
        return CostLoss(classes, _as_cost_matrix(cost, k)), coded
    if k > MOST_CLASSES:
        raise ValueError(
            f"There are {k} distinct integer labels, which a callable loss takes for classes; pass floats for a "
            "regression."
        )
    matrix = call_loss(loss, np.tile(classes, k), np.repeat(classes, k)).reshape(k, k)
    return CostLoss(classes, matrix), coded


def _resolve_numbers(loss: LossName, truths: Given, predictions: Given, quantile: float | None) -> Resolved:
    arrays = {name: as_real(values, name) for name, values in (truths | predictions).items()}
    for name, array in arrays.items():  # predictions may be arbitrarily close to 0
        check_magnitude(max(np.abs(array).max(), float(name in predictions)), name)
    shapes = {array.shape[1:] for array in arrays.values()}
    if shapes == {(), (1,)}:  # one output, as a column here and as a row there
        arrays, shapes = {name: array.ravel() for name, array in arrays.items()}, {()}
    if len(shapes) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"The shapes do not fit: {found}; the number of outputs must be the same.")
    if quantile is not None:
        return PinballLoss(check_in_unit_interval(quantile, "quantile")), arrays
    if not callable(loss):
        return SquaredLoss() if loss == "squared" else AbsoluteLoss(), arrays
    if shapes != {()}:
        raise ValueError("A callable loss takes one output; the truth must have shape (n,).")
    return CallableLoss(loss), arrays


def _as_cost_matrix(cost: Any, k: int) -> Floats:
    matrix = as_array(cost, "cost")
    if matrix.shape != (k, k):
        raise ValueError(
            f"cost has shape {matrix.shape} for {k} classes; it must be {k} x {k} "
            "(name the classes in labels if some do not occur)."
        )
    if matrix.dtype.kind not in "biuf" or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(
            "cost holds a negative, NaN, infinite or non-numeric entry; costs must be 0 or greater."
        )
    check_magnitude(matrix, "cost")
    return matrix.astype(np.float64)


def _as_probabilities(values: ArrayLike, name: str, classes: Labels, *, are_named: bool) -> Floats:
    """Return probabilities of shape (n, k); a single column is the probability of the last of two classes."""
    given, k = as_real(values, name), len(classes)
    if (given < 0).any() or (given > 1).any():
        raise ValueError(f"{name} has values outside [0, 1]; cross-entropy needs probabilities.")
    if given.ndim == 2 and given.shape[1] == 1 and k == 2:
        given = as_column(given, name)
    if given.ndim == 1 and k == 2:
        if classes.dtype == object and not are_named:
            raise ValueError(
                f"y_true holds strings; labels must name the two classes, last the one {name} is for."
            )
        return np.column_stack([1 - given, given])
    if given.ndim == 1 or given.shape[1] != k:
        raise ValueError(
            f"{name} has shape {given.shape} for {k} classes; cross-entropy needs one probability per class "
            "(name the classes in labels if some do not occur)."
        )
    # Probabilities that were computed in single precision add up to 1 within its rounding only.
    if not np.allclose(given.sum(axis=1), 1, rtol=0, atol=1e-4):
        raise ValueError(f"{name} has rows that do not add up to 1; cross-entropy needs probabilities.")
    return given


# Weights with which the classes have the shares they have somewhere else (prior shift).


def weights_at_prevalence(case: Case, weights: Floats | None, prevalence: ArrayLike) -> Floats:
    """Return weights of the cases, of the same sum, with which the classes have the shares `prevalence`."""
    if not isinstance(case.loss, (LabelLoss, CrossEntropyLoss)) or case.baseline is not None:
        raise ValueError(
            "prevalence is only for losses between classes, and cannot be combined with baseline."
        )
    classes = case.loss.classes
    mass = np.bincount(case.truth, weights=weights, minlength=len(classes))
    is_number = np.ndim(prevalence) == 0
    given: Any = check_prevalence(prevalence) if is_number else as_real(prevalence, "prevalence")  # type: ignore[arg-type]
    if np.count_nonzero(mass) == 1:
        label = show(classes[mass.argmax()])
        raise OneClassError(f"y_true has one class only ({label}); a prevalence needs cases of others, too.")
    if is_number:
        if len(classes) != 2 or classes.dtype == object:
            raise ValueError(
                f"prevalence is one number for the classes {classes.tolist()}; give the share of each, in this order."
            )
        shares = np.where(classes == classes.max(), given, 1 - given)
    elif given.shape == (len(classes),) and (given >= 0).all() and abs(given.sum() - 1) <= 1e-9:
        shares = given
    else:
        raise ValueError(f"prevalence must be {len(classes)} shares of 0 or greater that add up to 1.")
    absent = (mass == 0) & (shares > 0)
    if absent.any():
        raise ValueError(
            f"prevalence gives a share to the class {show(classes[absent][0])}, of which y_true has no case."
        )
    factor = np.divide(shares * mass.sum(), mass, out=np.zeros(len(shares)), where=mass > 0)[case.truth]
    return np.asarray(factor if weights is None else factor * weights)
