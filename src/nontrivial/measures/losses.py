"""Losses with their best constant predictions, and the check of a user's arguments about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints, Labels, Mask, count_codes
from nontrivial._draws import Units, find_units
from nontrivial._validation import repr_of
from nontrivial._warnings import UnboundedLossWarning as UnboundedLossWarning
from nontrivial.measures.catalogue import canonical_name

# There are three kinds of losses. A loss between classes is a matrix of costs, also for a callable over a finite set of
# classes. Cross-entropy takes probabilities, and all others take numbers. In each, `pointwise` returns the loss of each
# case for one prediction a case or for a constant, and `marginal` returns the best constant for given labels.

MAX_LOSS = 1e120  # the sums of greater losses could leave the range of a float64
UserLoss = Callable[[Labels, Labels], ArrayLike]


@dataclass(frozen=True)
class LabelLoss:
    """A loss between numbered classes: ``cost[i, j]`` is the cost of predicting class i when the truth is class j."""

    classes: Labels
    cost: Floats | None = None  # None for 0/1 loss, whose matrix could be huge

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        if self.cost is None:
            return np.asarray(truth != prediction, dtype=np.float64)
        return np.asarray(self.cost[prediction, truth])

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        """Return the summed loss of always predicting each of the classes."""
        class_weights = count_codes(truth, len(self.classes), weights)
        if self.cost is None:
            return np.asarray(np.sum(class_weights) - class_weights)
        return np.asarray(self.cost @ class_weights)

    def marginal(self, truth: Ints, weights: Floats | None) -> Any:
        return np.argmin(self.constant_losses(truth, weights))

    @property
    def max_cost(self) -> float:
        return 1.0 if self.cost is None else float(self.cost.max())

    @property
    def has_equal_mistakes(self) -> bool:
        """Whether all mistakes add the same cost to the least cost of their true class, as under 0/1 loss."""
        return self.cost is None or len(np.unique(self.cost - self.cost.min(axis=0))) <= 2


@dataclass(frozen=True)
class CrossEntropyLoss:
    """The negative natural logarithm of the probability given to the true class."""

    classes: Labels

    def pointwise(self, truth: Ints, prediction: Floats) -> Floats:
        if prediction.ndim == 1:  # a constant has one loss for each class
            classes = np.arange(len(self.classes))
            return np.asarray(self.pointwise(classes, np.tile(prediction, (len(classes), 1)))[truth])
        true_share = prediction[np.arange(len(truth)), truth]
        with np.errstate(divide="ignore"):
            losses = -np.log(true_share)
        # If a probability is near 1, the other classes' probabilities have more digits, unless they have only 32 bits.
        (near_1,) = np.nonzero(true_share > 1 - 2**-9)
        false_shares = prediction[near_1]
        false_shares[np.arange(len(near_1)), truth[near_1]] = 0
        false_share = false_shares.sum(axis=1)
        has_digits = (false_share < 2**-10) & (np.abs(true_share[near_1] + false_share - 1) < 2**-50)
        losses[near_1[has_digits]] = -np.log1p(-false_share[has_digits])
        return np.asarray(losses)

    def marginal(self, truth: Ints, weights: Floats | None) -> Any:
        class_weights = count_codes(truth, len(self.classes), weights)
        return class_weights / np.sum(class_weights)


@dataclass(frozen=True)
class NumberLoss:
    """A loss of numbers, summed over outputs."""

    by_output: Callable[[Floats, Any], Floats]  # the loss of each output of each case
    marginal: Callable[[Floats, Floats | None], Any]
    is_squared: bool = False

    def pointwise(self, truth: Floats, prediction: Any) -> Floats:
        losses = np.asarray(self.by_output(truth, prediction))
        return losses if losses.ndim == 1 else losses.sum(axis=1)


Loss = LabelLoss | CrossEntropyLoss | NumberLoss


def _mean_in_range(truth: Floats, weights: Floats | None) -> Any:
    mean = np.average(truth, axis=0, weights=weights)
    # A rounding error in the mean of equal numbers would make a risk of 0 greater than 0.
    return np.clip(mean, truth.min(axis=0), truth.max(axis=0))


def _weighted_median(truth: Floats, weights: Floats | None) -> Any:
    if weights is None:
        return np.median(truth, axis=0)
    return (_lower_quantiles(truth, 0.5, weights) - _lower_quantiles(-truth, 0.5, weights)) / 2


SQUARED = NumberLoss(lambda truth, prediction: (truth - prediction) ** 2, _mean_in_range, is_squared=True)
ABSOLUTE = NumberLoss(lambda truth, prediction: np.abs(truth - prediction), _weighted_median)


def build_pinball_loss(quantile: float) -> NumberLoss:
    """Return the loss of `quantile` times the shortfall of a prediction, or 1 - `quantile` times its excess."""
    return NumberLoss(
        lambda truth, prediction: np.where(truth > prediction, quantile, quantile - 1) * (truth - prediction),
        lambda truth, weights: _lower_quantiles(truth, quantile, weights),
    )


def build_callable_loss(function: UserLoss) -> NumberLoss:
    """Return a user's loss of numbers, whose best constant is searched for within the range of the truth."""

    def by_case(truth: Floats, prediction: Any) -> Floats:
        return evaluate_callable(function, truth, np.broadcast_to(prediction, truth.shape))

    def marginal(truth: Floats, weights: Floats | None) -> np.float64:
        def risk(constant: float) -> float:
            return float(np.average(by_case(truth, np.float64(constant)), weights=weights))

        # A loss may have several local minima, or steps, and `minimize_scalar` finds only one minimum.
        candidates = np.unique(_lower_quantiles(truth, np.linspace(0, 1, 257), weights))
        risks = np.array([risk(constant) for constant in candidates])
        best = int(np.argmin(risks))
        low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        if low == high:
            return np.float64(low)
        precision = 1e-10 * (high - low)
        minimum = minimize_scalar(risk, bounds=(low, high), method="bounded", options={"xatol": precision})
        return np.float64(minimum.x if minimum.fun < risks[best] else candidates[best])

    return NumberLoss(by_case, marginal)


def _lower_quantiles(truth: Floats, shares: float | Floats, weights: Floats | None) -> Any:
    """Return for each output the least values that have at least these shares of the weight at or below them."""
    return np.quantile(truth, shares, axis=0, method="inverted_cdf", weights=weights)


def evaluate_callable(function: UserLoss, truth: Labels, prediction: Labels) -> Floats:
    """Call a user's loss on arrays, or on each case if it takes only scalars; return the checked losses."""
    try:
        losses = np.array(function(truth, prediction), dtype=np.float64, ndmin=1)
    except (TypeError, ValueError):
        pairs = zip(truth, prediction, strict=True)
        losses = np.array([function(true, predicted) for true, predicted in pairs], dtype=np.float64)
    if losses.shape != truth.shape:
        raise ValueError(f"The loss returned shape {losses.shape} for {len(truth)} cases; not one per case.")
    if not ((losses >= 0) & (losses <= MAX_LOSS)).all():
        raise ValueError(f"The loss returned a value that is negative, NaN or greater than {MAX_LOSS:g}.")
    return losses


LossName = str | UserLoss
NamedArrays = dict[str, ArrayLike]  # the user's arrays by the names of their arguments

NUMBER_LOSSES = ("squared", "absolute", "pinball")
PROBABILITY_LOSSES = ("cross_entropy", "brier_score")
Resolved = tuple[Loss, dict[str, Labels], "TrueClasses | None"]  # a loss, its arrays by argument, the classes

LOSS_NAMES = ("zero_one", "cost", *PROBABILITY_LOSSES, *NUMBER_LOSSES)
MAX_TABULATED_CLASSES = 3000  # a callable loss is evaluated for all pairs of classes


@dataclass(frozen=True)
class TrueClasses:
    """The labels of the classes, the code of each case's true class, and the user's positive label."""

    labels: Labels
    codes: Ints
    pos_label: Any
    argument: str  # the name of the user's argument that holds the truth

    def positive_code(self) -> int:
        """Return the code of the positive class of two; for a single class, 1 if it would be negative, else 0."""
        labels = self.labels.tolist()
        if len(labels) > 2:
            raise ValueError(f"pos_label is for two classes, but there are {len(labels)}.")
        if len(labels) == 1:
            is_positive = labels[0] not in (0, -1) if self.pos_label is None else labels[0] == self.pos_label
            return 0 if is_positive else 1
        low, high = sorted(labels)
        return int(labels.index(validation.find_positive(low, high, self.pos_label, self.argument)))


@dataclass(frozen=True)
class LossSample:
    """A loss, and the truth, predictions of one or two models and baseline as numbers for this loss."""

    loss: Loss
    truth: Labels
    predictions: list[Labels]
    baseline: Labels | None
    classes: TrueClasses | None = None  # None for a loss of numbers

    @property
    def prediction(self) -> Labels:
        return self.predictions[0]

    @property
    def losses(self) -> Floats:
        return self.loss.pointwise(self.truth, self.prediction)

    def marginal(self, weights: Floats | None) -> Any:
        """Return the best constant for the baseline, or for the weighted truth without a baseline."""
        truth = (self.truth, weights) if self.baseline is None else (self.baseline, None)
        return self.loss.marginal(*truth)

    def marginal_losses(self, weights: Floats | None) -> Floats:
        return self.loss.pointwise(self.truth, self.marginal(weights))

    @property
    def known_class(self) -> int | None:
        """The class that the baseline predicts; None without a baseline."""
        return None if self.baseline is None else int(self.marginal(None))

    @property
    def is_zero_one(self) -> bool:
        return isinstance(self.loss, LabelLoss) and self.loss.cost is None

    def select(self, chosen: Mask) -> LossSample:
        """Return the sample of the chosen cases."""
        classes = self.classes and replace(self.classes, codes=self.classes.codes[chosen])
        predictions = [prediction[chosen] for prediction in self.predictions]
        return replace(self, truth=self.truth[chosen], predictions=predictions, classes=classes)


def resolve_sample(
    loss: LossName,
    y_true: ArrayLike,
    *predictions: ArrayLike,
    names: Sequence[str] = ("y_true", "y_pred", "compared_with"),
    baseline: ArrayLike | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    quantile: float | None = None,
) -> LossSample:
    """Return a user's loss, truth and predictions as numbers, after checks; `names` are the arrays' names in errors."""
    loss = canonical_name(loss)
    if not (callable(loss) or (isinstance(loss, str) and loss in LOSS_NAMES)):
        raise ValueError(f"loss is {repr_of(loss)}; it must be one of {', '.join(LOSS_NAMES)}, or a callable.")
    if (cost is not None) != (loss == "cost"):
        raise ValueError('cost, the matrix of costs, is for loss="cost", which needs it.')
    if (quantile is not None) != (loss == "pinball"):
        raise ValueError('quantile, strictly between 0 and 1, is for loss="pinball", which needs it.')
    truths = {names[0]: y_true} | ({} if baseline is None else {"baseline": baseline})
    answers_by_name = dict(zip(names[1:], predictions, strict=False))
    has_numbers = loss in NUMBER_LOSSES
    for name, value in {"labels": labels, "pos_label": pos_label}.items():
        if has_numbers and value is not None:
            raise ValueError(f"{name} has no meaning for the regression loss {repr_of(loss)}; leave it out.")
    if has_numbers or (callable(loss) and labels is None and _has_floats(truths | answers_by_name)):
        resolved, arrays, classes = _resolve_numbers(loss, truths, answers_by_name, quantile)
    elif loss in PROBABILITY_LOSSES:
        resolved, arrays, classes = _resolve_probabilities(loss, truths, answers_by_name, labels, pos_label)
    else:
        resolved, arrays, classes = _resolve_classes(loss, truths, answers_by_name, labels, pos_label, cost)
    validation.check_lengths(*(array for name, array in arrays.items() if name != "baseline"))
    answers = [arrays[name] for name in answers_by_name]
    return LossSample(resolved, arrays[names[0]], answers, arrays.get("baseline"), classes)


def resolve_sample_and_units(
    loss: LossName,
    y_true: ArrayLike,
    *predictions: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    **options: Any,
) -> tuple[LossSample, Units]:
    """Return the sample of the cases that have weight, and their independent units."""
    sample = resolve_sample(loss, y_true, *predictions, **options)
    counted, units = find_units(sample_weight, groups, len(sample.truth))
    return sample.select(counted), units


def _has_floats(named_arrays: NamedArrays) -> bool:
    arrays = (validation.as_array(values, name) for name, values in named_arrays.items())
    kinds = {pd.api.types.infer_dtype(array.ravel(), skipna=False) for array in arrays}
    return not kinds.isdisjoint(("floating", "mixed-integer-float"))


def _resolve_classes(
    loss: LossName,
    truths: NamedArrays,
    predictions: NamedArrays,
    labels: ArrayLike | None,
    pos_label: Any,
    cost: ArrayLike | None,
) -> Resolved:
    """Return a loss between classes, and all labels as codes of the classes."""
    arrays = {name: validation.as_labels(values, name) for name, values in (truths | predictions).items()}
    if labels is None:
        for name in predictions:
            validation.check_no_scores(arrays["y_true"], arrays[name], name)
    classes, codes = _encode_classes(arrays, labels, pos_label)
    k, matrix = len(classes.labels), None
    if cost is not None:
        matrix = validation.as_floats(cost, "cost")
        if matrix.shape != (k, k):
            raise ValueError(f"cost has shape {matrix.shape} for {k} classes; name all of them in labels.")
        if matrix.min() < 0:
            raise ValueError("cost has a negative entry; costs must be 0 or greater.")
        validation.check_magnitude(matrix, "cost")
    elif callable(loss):
        if k > MAX_TABULATED_CLASSES:
            raise ValueError(f"The loss takes {k} distinct labels for classes; pass floats for a regression.")
        true_labels, predicted_labels = np.tile(classes.labels, k), np.repeat(classes.labels, k)
        matrix = evaluate_callable(loss, true_labels, predicted_labels).reshape(k, k)
    return LabelLoss(classes.labels, matrix), codes, classes


def _resolve_probabilities(
    loss: LossName, truths: NamedArrays, predictions: NamedArrays, labels: ArrayLike | None, pos_label: Any
) -> Resolved:
    """Return a loss of probabilities, and the labels and probabilities in the form that this loss takes."""
    arrays = {name: validation.as_labels(values, name) for name, values in truths.items()}
    classes, codes = _encode_classes(arrays, labels, pos_label)
    answers = {name: _as_probabilities(values, name, classes) for name, values in predictions.items()}
    k = len(classes.labels)
    if loss == "cross_entropy":
        if "baseline" in codes:
            unseen = classes.labels[np.setdiff1d(codes["y_true"], codes["baseline"])]
            if len(unseen):
                raise ValueError(f"baseline lacks the class {repr_of(unseen[0])}, whose loss would be infinite.")
        for name, shares in answers.items():
            if shares.ndim == 1:
                columns = [shares, 1 - shares] if classes.positive_code() == 0 else [1 - shares, shares]
                answers[name] = np.column_stack(columns[:k])
        return CrossEntropyLoss(classes.labels), codes | answers, classes
    if k > 2:
        one_hot = {name: np.eye(k)[array] for name, array in codes.items()}
        return SQUARED, one_hot | answers, classes
    # With two columns, the loss is the same whichever class is positive, so strings need no `pos_label`.
    has_positive = pos_label is not None or classes.labels.dtype != object
    positive = classes.positive_code() if has_positive or not predictions else 1
    is_positive = {name: (array == positive).astype(np.float64) for name, array in codes.items()}
    chances = {name: shares if shares.ndim == 1 else shares[:, positive] for name, shares in answers.items()}
    return SQUARED, is_positive | chances, classes


def _encode_classes(
    arrays: dict[str, Labels], labels: ArrayLike | None, pos_label: Any
) -> tuple[TrueClasses, dict[str, Labels]]:
    """Return the classes, and each array as codes of its labels; the truth is the first array."""
    class_labels, codes = validation.encode_labels(*arrays.values(), classes=labels)
    classes = TrueClasses(class_labels, codes[0], pos_label, next(iter(arrays)))
    if pos_label is not None:
        classes.positive_code()  # raises an error if no class has this label
    return classes, dict(zip(arrays, codes, strict=True))


def _resolve_numbers(loss: LossName, truths: NamedArrays, predictions: NamedArrays, quantile: float | None) -> Resolved:
    """Return a loss of numbers, and all arrays as floats with the same number of outputs."""
    arrays = {name: validation.as_floats(values, name) for name, values in (truths | predictions).items()}
    for name, array in arrays.items():  # only the truth can be too small; predictions may all be near 0
        validation.check_magnitude(max(np.abs(array).max(), float(name in predictions)), name)
    shapes = {array.shape[1:] for array in arrays.values()}
    if shapes == {(), (1,)}:  # some arrays have one output as a column
        arrays, shapes = {name: array.ravel() for name, array in arrays.items()}, {()}
    if len(shapes) > 1:
        shown = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"The shapes do not fit: {shown}; the number of outputs must be the same.")
    if quantile is not None:
        return build_pinball_loss(validation.check_in_unit_interval(quantile, "quantile")), arrays, None
    if not callable(loss):
        return (SQUARED if loss == "squared" else ABSOLUTE), arrays, None
    if shapes != {()}:
        raise ValueError("A callable loss takes one output; the truth must have shape (n,).")
    return build_callable_loss(loss), arrays, None


def _as_probabilities(values: ArrayLike, name: str, classes: TrueClasses) -> Floats:
    """Return probabilities of all classes, of shape (n, k), or of the positive one of two, of shape (n,)."""
    shares, k = validation.as_floats(values, name), len(classes.labels)
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError(f"{name} has values outside [0, 1]; this loss needs probabilities.")
    if k <= 2 and (shares.ndim == 1 or shares.shape[1] == 1):
        classes.positive_code()  # raises an error if strings need a `pos_label`
        return validation.as_column(shares, name)
    if shares.ndim == 1 or shares.shape[1] != k:
        raise ValueError(f"{name} has shape {shares.shape} for {k} classes; name all of them in labels.")
    # Probabilities in single precision add up to 1 only within its rounding.
    if np.abs(shares.sum(axis=1) - 1).max() > 1e-4:
        raise ValueError(f"{name} has rows that do not add up to 1; this loss needs probabilities.")
    return shares


def weights_at_prevalence(sample: LossSample, weights: Floats | None, prevalence: Any) -> Floats:
    """Return weights with the same sum that give the classes the shares `prevalence`."""
    if sample.classes is None or sample.baseline is not None:
        raise ValueError("prevalence is only for losses between classes or of probabilities, and without baseline.")
    classes, is_number = sample.classes, np.ndim(prevalence) == 0
    check = validation.check_in_unit_interval if is_number else validation.as_floats
    shares: Any = check(prevalence, "prevalence")
    labels = classes.labels
    class_weights = np.bincount(classes.codes, weights=weights, minlength=len(labels))
    if np.count_nonzero(class_weights) == 1:
        label = repr_of(labels[class_weights.argmax()])
        raise validation.OneClassError(f"y_true has one class only ({label}); a prevalence needs more.")
    if is_number:
        if len(labels) != 2:
            raise ValueError(f"prevalence is one number; give the share of each of {labels.tolist()}.")
        shares = np.where(np.arange(2) == classes.positive_code(), shares, 1 - shares)
    elif shares.shape != class_weights.shape or shares.min() < 0 or abs(shares.sum() - 1) > 1e-9:
        raise ValueError(f"prevalence must be {len(labels)} shares of 0 or greater that add up to 1.")
    absent = (class_weights == 0) & (shares > 0)
    if absent.any():
        label = repr_of(labels[absent][0])
        raise ValueError(f"prevalence gives a share to the class {label}, of which y_true has no case.")
    factors = np.zeros(len(labels))
    np.divide(shares * class_weights.sum(), class_weights, out=factors, where=class_weights > 0)
    case_factors = factors[classes.codes]
    return np.asarray(case_factors if weights is None else case_factors * weights)
