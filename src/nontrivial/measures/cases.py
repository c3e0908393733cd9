"""From the arguments of a user to a loss, and to truth and predictions in the plain numbers that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels, Mask
from nontrivial._encoding import encode_labels
from nontrivial._names import canonical_name
from nontrivial._warnings import warn_column
from nontrivial.measures.losses import (
    AbsoluteLoss,
    CallableRealLoss,
    CostLoss,
    CrossEntropyLoss,
    Loss,
    PinballLoss,
    SquaredLoss,
    ZeroOneLoss,
    call_loss,
)

LossName = str | Callable[[Labels, Labels], ArrayLike]
Given = dict[str, ArrayLike]  # y_true, and predictions and baseline where there are any
Resolved = tuple[Loss, dict[str, Labels]]

NAMES = ("zero_one", "cross_entropy", "squared", "absolute", "pinball", "cost")
PREDICTIONS = ("y_pred", "compared_with")
REGRESSION = ("squared", "absolute", "pinball")
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
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    quantile: float | None = None,
) -> list[Case]:
    """Check everything a user gives about a loss and bring it to numbers; all models have one loss and its classes.

    Parameters
    ----------
    predictions : dict
        Those of each model, by the names in `PREDICTIONS`.

    Raises
    ------
    ValueError
        If the loss is unknown, or truth, predictions, labels, cost and loss do not fit each other.
    """
    known = {} if baseline is None else {"baseline": baseline}
    resolved, arrays = _resolve(loss, {"y_true": y_true, **predictions, **known}, labels, cost, quantile)
    validation.check_lengths(**{name: each for name, each in arrays.items() if name != "baseline"})
    return [Case(resolved, arrays["y_true"], arrays[name], arrays.get("baseline")) for name in predictions]


def resolve_truth(
    loss: LossName,
    y: ArrayLike,
    *,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    quantile: float | None = None,
) -> tuple[Loss, Labels]:
    """Do what `resolve` does where there is no prediction."""
    resolved, arrays = _resolve(loss, {"y": y}, labels, cost, quantile)
    return resolved, arrays["y"]


def _resolve(
    loss: LossName, given: Given, labels: ArrayLike | None, cost: ArrayLike | None, quantile: float | None
) -> Resolved:
    loss = canonical_name(loss)
    if not (callable(loss) or (isinstance(loss, str) and loss in NAMES)):
        raise ValueError(
            f"loss is {validation.show(loss)}; it must be one of {', '.join(NAMES)}, or a callable."
        )
    if (cost is not None) != (loss == "cost"):
        raise ValueError(
            'cost, the matrix of costs, is needed for loss="cost" and not allowed for any other.'
        )
    if (quantile is not None) != (loss == "pinball"):
        raise ValueError(
            'quantile, strictly between 0 and 1, is needed for loss="pinball" and not allowed for any other.'
        )
    if loss in REGRESSION or (callable(loss) and _is_regression(given, labels)):
        if labels is not None:
            raise ValueError(
                f"labels has no meaning for the regression loss {validation.show(loss)}; leave it out."
            )
        return _real_case(loss, given, quantile)
    if loss == "cross_entropy":
        return _probability_case(given, labels)
    return _label_case(loss, given, labels, cost)


def _label_case(loss: LossName, given: Given, labels: ArrayLike | None, cost: ArrayLike | None) -> Resolved:
    arrays = {name: validation.as_labels(values, name) for name, values in given.items()}
    for name in PREDICTIONS:
        if labels is None and name in arrays:
            validation.check_no_scores(arrays["y_true"], arrays[name], name)
    classes, codes = encode_labels(*arrays.values(), names=list(arrays), classes=labels)
    coded: dict[str, Labels] = dict(zip(arrays, codes, strict=True))
    k = len(classes)
    if loss == "zero_one":
        return ZeroOneLoss(classes), coded
    if callable(loss):
        if k > MOST_CLASSES:
            raise ValueError(
                f"There are {k} distinct integer labels, which a callable loss takes for classes; "
                "pass floats for a regression."
            )
        matrix = call_loss(loss, np.tile(classes, k), np.repeat(classes, k)).reshape(k, k)
    else:
        assert cost is not None  # `_resolve` asked for it
        matrix = _as_cost_matrix(cost, k)
    return CostLoss(classes, matrix), coded


def _probability_case(given: Given, labels: ArrayLike | None) -> Resolved:
    arrays = {
        name: validation.as_labels(values, name) for name, values in given.items() if name not in PREDICTIONS
    }
    classes, codes = encode_labels(*arrays.values(), names=list(arrays), classes=labels)
    coded: dict[str, Labels] = dict(zip(arrays, codes, strict=True))
    for name in PREDICTIONS:
        if name in given:
            coded[name] = _as_probabilities(given[name], name, classes, are_named=labels is not None)
    if "baseline" in coded:
        unseen = np.setdiff1d(coded["y_true"], coded["baseline"])
        if len(unseen):
            raise ValueError(
                f"baseline lacks the class {validation.show(classes[unseen[0]])} of y_true, so its cross-entropy is "
                "infinite; every class of y_true must be in it."
            )
    return CrossEntropyLoss(classes), coded


def _real_case(loss: LossName, given: Given, quantile: float | None) -> Resolved:
    arrays = {name: validation.as_real(values, name) for name, values in given.items()}
    for name, array in arrays.items():  # predictions may be arbitrarily close to 0
        validation.check_magnitude(max(np.abs(array).max(), float(name in PREDICTIONS)), name)
    shapes = {array.shape[1:] for array in arrays.values()}
    if shapes == {(), (1,)}:  # one output, as a column here and as a row there
        arrays, shapes = {name: array.ravel() for name, array in arrays.items()}, {()}
    if len(shapes) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"The shapes do not fit: {found}; the number of outputs must be the same.")
    if quantile is not None:
        return PinballLoss(validation.check_in_unit_interval(quantile, "quantile")), arrays
    if not callable(loss):
        return SquaredLoss() if loss == "squared" else AbsoluteLoss(), arrays
    if shapes != {()}:
        raise ValueError("A callable loss takes one output; the truth must have shape (n,).")
    return CallableRealLoss(loss), arrays


def _is_regression(given: Given, labels: ArrayLike | None) -> bool:
    """Floating-point truth or predictions mean regression, unless labels are named."""
    arrays = (validation.as_array(values, name) for name, values in given.items())
    kinds = {pd.api.types.infer_dtype(array.ravel(), skipna=False) for array in arrays}
    return labels is None and not kinds.isdisjoint(("floating", "mixed-integer-float"))


def _as_cost_matrix(cost: ArrayLike, k: int) -> Floats:
    matrix = validation.as_array(cost, "cost")
    if matrix.shape != (k, k):
        raise ValueError(
            f"cost has shape {matrix.shape} for {k} classes; it must be {k} x {k} "
            "(name the classes in labels if some do not occur)."
        )
    if matrix.dtype.kind not in "biuf" or not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(
            "cost holds a negative, NaN, infinite or non-numeric entry; costs must be 0 or greater."
        )
    matrix = matrix.astype(np.float64)
    validation.check_magnitude(matrix, "cost")
    return matrix


def _as_probabilities(values: ArrayLike, name: str, classes: Labels, *, are_named: bool) -> Floats:
    """Return probabilities of shape (n, k); a single column is the probability of the last of two classes."""
    given, k = validation.as_real(values, name), len(classes)
    if (given < 0).any() or (given > 1).any():
        raise ValueError(f"{name} has values outside [0, 1]; cross-entropy needs probabilities.")
    if given.ndim == 2 and given.shape[1] == 1 and k == 2:
        warn_column(name, given.shape)
        given = given[:, 0]
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
