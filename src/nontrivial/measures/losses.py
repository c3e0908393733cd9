"""The losses of the Prediction Advantage, and the arguments of a user in their terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints, Labels, Mask, weight_counts
from nontrivial._draws import Units
from nontrivial._validation import show
from nontrivial._warnings import UnboundedLossWarning as UnboundedLossWarning
from nontrivial.measures.names import canonical_name

# The losses, each with its Bayesian marginal prediction: the best constant for a known distribution of the labels. A
# loss between classes, also a callable over a finite set of classes, is a matrix of costs. Cross-entropy scores
# probabilities, and the others score numbers. `pointwise` returns the loss of each case, for a prediction per case or
# a constant one, and `marginal` returns the best constant.

MOST_LOSS = 1e120  # the sums of greater losses could leave the range of a float64
UserLoss = Callable[[Labels, Labels], ArrayLike]


@dataclass(frozen=True)
class LabelLoss:
    """A loss between classes, numbered from 0: ``cost[i, j]`` for predicting class i when the truth is class j."""

    classes: Labels
    cost: Floats | None = None  # 1 for each wrong class, without a matrix that would be huge for many classes

    def pointwise(self, truth: Ints, prediction: Ints | np.intp) -> Floats:
        if self.cost is None:
            return np.asarray(truth != prediction, dtype=np.float64)
        return np.asarray(self.cost[prediction, truth])

    def constant_losses(self, truth: Ints, weights: Floats | None) -> Floats:
        """Return the summed loss of always predicting each of the classes."""
        mass = weight_counts(truth, len(self.classes), weights)
        return np.asarray(np.sum(mass) - mass if self.cost is None else self.cost @ mass)

    def marginal(self, truth: Ints, weights: Floats | None) -> Any:
        return np.argmin(self.constant_losses(truth, weights))

    @property
    def greatest(self) -> float:
        return 1.0 if self.cost is None else float(self.cost.max())

    @property
    def has_equal_mistakes(self) -> bool:
        """Whether every mistake adds the same to the least cost of its class, as under 0/1 loss."""
        return self.cost is None or len(np.unique(self.cost - self.cost.min(axis=0))) <= 2


@dataclass(frozen=True)
class CrossEntropyLoss:
    """The negative natural logarithm of the probability given to the true class."""

    classes: Labels

    def pointwise(self, truth: Ints, prediction: Floats) -> Floats:
        if prediction.ndim == 1:  # a constant: once for each class
            places = np.arange(len(self.classes))
            return np.asarray(self.pointwise(places, np.tile(prediction, (len(places), 1)))[truth])
        true_share = prediction[np.arange(len(truth)), truth]
        with np.errstate(divide="ignore"):
            losses = -np.log(true_share)
        # Near 1, the rest to 1 has more digits than the probability, unless both were rounded to 32 bits.
        (near,) = np.nonzero(true_share > 1 - 2**-9)
        others = prediction[near]
        others[np.arange(len(near)), truth[near]] = 0
        rest = others.sum(axis=1)
        has_digits = (rest < 2**-10) & (np.abs(true_share[near] + rest - 1) < 2**-50)
        losses[near[has_digits]] = -np.log1p(-rest[has_digits])
        return np.asarray(losses)

    def marginal(self, truth: Ints, weights: Floats | None) -> Any:
        mass = weight_counts(truth, len(self.classes), weights)
        return mass / np.sum(mass)


@dataclass(frozen=True)
class NumberLoss:
    """A loss of numbers, summed over outputs."""

    charge: Callable[[Floats, Any], Floats]  # the loss of each output of each case
    marginal: Callable[[Floats, Floats | None], Any]
    is_squared: bool = False

    def pointwise(self, truth: Floats, prediction: Any) -> Floats:
        losses = np.asarray(self.charge(truth, prediction))
        return losses if losses.ndim == 1 else losses.sum(axis=1)


Loss = LabelLoss | CrossEntropyLoss | NumberLoss


def _mean(truth: Floats, weights: Floats | None) -> Any:
    mean = np.average(truth, axis=0, weights=weights)
    # The mean of equal numbers can be off by a rounding, and then a risk of 0 would not be 0.
    return np.clip(mean, truth.min(axis=0), truth.max(axis=0))


def _median(truth: Floats, weights: Floats | None) -> Any:
    if weights is None:
        return np.median(truth, axis=0)
    return (_quantiles(truth, 0.5, weights) - _quantiles(-truth, 0.5, weights)) / 2


SQUARED = NumberLoss(lambda truth, prediction: (truth - prediction) ** 2, _mean, is_squared=True)
ABSOLUTE = NumberLoss(lambda truth, prediction: np.abs(truth - prediction), _median)


def pinball_loss(quantile: float) -> NumberLoss:
    """Charge `quantile` times the shortfall of a prediction, or 1 - `quantile` times its excess."""
    return NumberLoss(
        lambda truth, prediction: np.where(truth > prediction, quantile, quantile - 1) * (truth - prediction),
        lambda truth, weights: _quantiles(truth, quantile, weights),
    )


def callable_loss(function: UserLoss) -> NumberLoss:
    """Charge a user's loss; the best constant is searched for within the range of the truth."""

    def charge(truth: Floats, prediction: Any) -> Floats:
        return call_loss(function, truth, np.broadcast_to(prediction, truth.shape))

    def marginal(truth: Floats, weights: Floats | None) -> np.float64:
        def risk(constant: float) -> float:
            return float(np.average(charge(truth, np.float64(constant)), weights=weights))

        # A loss may have several valleys, or steps, and the search below finds one valley only.
        candidates = np.unique(_quantiles(truth, np.linspace(0, 1, 257), weights))
        risks = np.array([risk(constant) for constant in candidates])
        best = int(np.argmin(risks))
        low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, len(candidates) - 1)]
        if low == high:
            return np.float64(low)
        precision = 1e-10 * (high - low)
        minimum = minimize_scalar(risk, bounds=(low, high), method="bounded", options={"xatol": precision})
        return np.float64(minimum.x if minimum.fun < risks[best] else candidates[best])

    return NumberLoss(charge, marginal)


def _quantiles(truth: Floats, shares: float | Floats, weights: Floats | None) -> Any:
    """Return the least values with at least these shares of the weight up to them, for each output."""
    return np.quantile(truth, shares, axis=0, method="inverted_cdf", weights=weights)


def call_loss(function: UserLoss, truth: Labels, prediction: Labels) -> Floats:
    """Call a user's loss on arrays, or case by case if it takes scalars only; check its result."""
    try:
        losses = np.array(function(truth, prediction), dtype=np.float64, ndmin=1)  # one case: maybe a scalar
    except (TypeError, ValueError):
        pairs = zip(truth, prediction, strict=True)
        losses = np.array([function(true, predicted) for true, predicted in pairs], dtype=np.float64)
    if losses.shape != truth.shape:
        raise ValueError(f"The loss returned shape {losses.shape} for {len(truth)} cases; not one per case.")
    if not ((losses >= 0) & (losses <= MOST_LOSS)).all():
        raise ValueError(f"The loss returned a value that is negative, NaN or greater than {MOST_LOSS:g}.")
    return losses


# From the arguments of a user to a loss, and to truth and predictions in the plain numbers that it takes.

LossName = str | UserLoss
Given = dict[str, ArrayLike]  # by the names of the arguments

OF_NUMBERS = ("squared", "absolute", "pinball")
OF_PROBABILITIES = ("cross_entropy", "brier_score")
LOSS_NAMES = ("zero_one", "cost", *OF_PROBABILITIES, *OF_NUMBERS)
MOST_CLASSES = 3000  # a callable is tabulated for all pairs of classes


@dataclass(frozen=True)
class TrueClasses:
    """The classes, which of them each case has, and which one a user calls positive."""

    labels: Labels
    places: Ints
    pos_label: Any
    truth_name: str  # the argument that holds the truth

    def find_positive(self) -> int:
        """Return the place of the positive class of two; 0 or 1 if there is only one, whose loss is 0/0 anyway."""
        labels = self.labels.tolist()
        if len(labels) > 2:
            raise ValueError(f"pos_label is for two classes, but there are {len(labels)}.")
        if len(labels) == 1:
            is_positive = labels[0] not in (0, -1) if self.pos_label is None else labels[0] == self.pos_label
            return 0 if is_positive else 1
        low, high = sorted(labels)
        return int(labels.index(validation.find_positive(low, high, self.pos_label, self.truth_name)))


@dataclass(frozen=True)
class Case:
    """A loss with truth, predictions of one model or two, and baseline labels in the plain numbers it takes."""

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
        """Return the best constant for the baseline, or else for the weighted truth."""
        known = (self.truth, weights) if self.baseline is None else (self.baseline, None)
        return self.loss.marginal(*known)

    def marginal_losses(self, weights: Floats | None) -> Floats:
        return self.loss.pointwise(self.truth, self.marginal(weights))

    @property
    def known_class(self) -> int | None:
        """The marginal prediction between classes if a baseline gives it."""
        return None if self.baseline is None else int(self.marginal(None))

    @property
    def is_zero_one(self) -> bool:
        return isinstance(self.loss, LabelLoss) and self.loss.cost is None

    def only(self, counted: Mask) -> Case:
        """Return the case of some of the test cases."""
        classes = self.classes and replace(self.classes, places=self.classes.places[counted])
        predictions = [prediction[counted] for prediction in self.predictions]
        return replace(self, truth=self.truth[counted], predictions=predictions, classes=classes)


def resolve(
    loss: LossName,
    y_true: ArrayLike,
    *predictions: ArrayLike,
    names: Sequence[str] = ("y_true", "y_pred", "compared_with"),
    baseline: ArrayLike | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    quantile: float | None = None,
) -> Case:
    """Check a user's arguments of a loss and bring them to numbers; `names` are for errors."""
    loss = canonical_name(loss)
    if not (callable(loss) or (isinstance(loss, str) and loss in LOSS_NAMES)):
        raise ValueError(f"loss is {show(loss)}; it must be one of {', '.join(LOSS_NAMES)}, or a callable.")
    if (cost is not None) != (loss == "cost"):
        raise ValueError('cost, the matrix of costs, is for loss="cost", which needs it.')
    if (quantile is not None) != (loss == "pinball"):
        raise ValueError('quantile, strictly between 0 and 1, is for loss="pinball", which needs it.')
    truths = {names[0]: y_true} | ({} if baseline is None else {"baseline": baseline})
    named = dict(zip(names[1:], predictions, strict=False))
    is_of_numbers = loss in OF_NUMBERS
    for name, value in {"labels": labels, "pos_label": pos_label}.items():
        if is_of_numbers and value is not None:
            raise ValueError(f"{name} has no meaning for the regression loss {show(loss)}; leave it out.")
    classes: TrueClasses | None = None
    if is_of_numbers or (callable(loss) and labels is None and _has_floats(truths | named)):
        resolved, arrays = _resolve_numbers(loss, truths, named, quantile)
    elif loss in OF_PROBABILITIES:
        resolved, arrays, classes = _resolve_probabilities(loss, truths, named, labels, pos_label)
    else:
        resolved, arrays, classes = _resolve_classes(loss, truths, named, labels, pos_label, cost)
    validation.check_lengths(*(array for name, array in arrays.items() if name != "baseline"))
    return Case(resolved, arrays[names[0]], [arrays[name] for name in named], arrays.get("baseline"), classes)


def resolve_units(
    loss: LossName,
    y_true: ArrayLike,
    *predictions: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    **options: Any,
) -> tuple[Case, Units]:
    """Resolve as `resolve` does; return the cases that count, and their independent units."""
    case = resolve(loss, y_true, *predictions, **options)
    counted, weights, codes = validation.as_units(sample_weight, groups, len(case.truth))
    case = case.only(counted)
    return case, Units(len(case.truth), weights, codes)


def _has_floats(given: Given) -> bool:
    arrays = (validation.as_array(values, name) for name, values in given.items())
    kinds = {pd.api.types.infer_dtype(array.ravel(), skipna=False) for array in arrays}
    return not kinds.isdisjoint(("floating", "mixed-integer-float"))


def _resolve_classes(
    loss: LossName,
    truths: Given,
    predictions: Given,
    labels: ArrayLike | None,
    pos_label: Any,
    cost: ArrayLike | None,
) -> tuple[Loss, dict[str, Labels], TrueClasses]:
    arrays = {name: validation.as_labels(values, name) for name, values in (truths | predictions).items()}
    if labels is None:
        for name in predictions:
            validation.check_no_scores(arrays["y_true"], arrays[name], name)
    classes, coded = _encode(arrays, labels, pos_label)
    k, matrix = len(classes.labels), None
    if cost is not None:
        matrix = validation.as_real(cost, "cost")
        if matrix.shape != (k, k):
            raise ValueError(f"cost has shape {matrix.shape} for {k} classes; name all of them in labels.")
        if matrix.min() < 0:
            raise ValueError("cost has a negative entry; costs must be 0 or greater.")
        validation.check_magnitude(matrix, "cost")
    elif callable(loss):
        if k > MOST_CLASSES:
            raise ValueError(f"The loss takes {k} distinct labels for classes; pass floats for a regression.")
        columns, rows = np.tile(classes.labels, k), np.repeat(classes.labels, k)
        matrix = call_loss(loss, columns, rows).reshape(k, k)
    return LabelLoss(classes.labels, matrix), coded, classes


def _resolve_probabilities(
    loss: LossName, truths: Given, predictions: Given, labels: ArrayLike | None, pos_label: Any
) -> tuple[Loss, dict[str, Labels], TrueClasses]:
    arrays = {name: validation.as_labels(values, name) for name, values in truths.items()}
    classes, coded = _encode(arrays, labels, pos_label)
    answers = {name: _as_probabilities(values, name, classes) for name, values in predictions.items()}
    k = len(classes.labels)
    if loss == "cross_entropy":
        if "baseline" in coded:
            unseen = classes.labels[np.setdiff1d(coded["y_true"], coded["baseline"])]
            if len(unseen):
                raise ValueError(f"baseline lacks the class {show(unseen[0])}, whose loss would be infinite.")
        for name, given in answers.items():
            if given.ndim == 1:
                columns = [given, 1 - given] if classes.find_positive() == 0 else [1 - given, given]
                answers[name] = np.column_stack(columns[:k])
        return CrossEntropyLoss(classes.labels), coded | answers, classes
    if k > 2:
        one_hot = {name: np.eye(k)[places] for name, places in coded.items()}
        return SQUARED, one_hot | answers, classes
    # Either column of two has the same loss, so strings need no `pos_label`.
    has_positive = pos_label is not None or classes.labels.dtype != object
    positive = classes.find_positive() if has_positive or not predictions else 1
    is_positive = {name: (places == positive).astype(np.float64) for name, places in coded.items()}
    chances = {name: given if given.ndim == 1 else given[:, positive] for name, given in answers.items()}
    return SQUARED, is_positive | chances, classes


def _encode(
    arrays: dict[str, Labels], labels: ArrayLike | None, pos_label: Any
) -> tuple[TrueClasses, dict[str, Labels]]:
    """Return the classes, and each array as the places of its labels among them; the truth comes first."""
    known, codes = validation.encode_labels(*arrays.values(), classes=labels)
    classes = TrueClasses(known, codes[0], pos_label, next(iter(arrays)))
    if pos_label is not None:
        classes.find_positive()  # an error if it is none of two
    return classes, dict(zip(arrays, codes, strict=True))


def _resolve_numbers(
    loss: LossName, truths: Given, predictions: Given, quantile: float | None
) -> tuple[Loss, dict[str, Labels]]:
    arrays = {name: validation.as_real(values, name) for name, values in (truths | predictions).items()}
    for name, array in arrays.items():  # predictions may be arbitrarily close to 0
        validation.check_magnitude(max(np.abs(array).max(), float(name in predictions)), name)
    shapes = {array.shape[1:] for array in arrays.values()}
    if shapes == {(), (1,)}:  # one output, as a column here and as a row there
        arrays, shapes = {name: array.ravel() for name, array in arrays.items()}, {()}
    if len(shapes) > 1:
        shown = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"The shapes do not fit: {shown}; the number of outputs must be the same.")
    if quantile is not None:
        return pinball_loss(validation.check_in_unit_interval(quantile, "quantile")), arrays
    if not callable(loss):
        return SQUARED if loss == "squared" else ABSOLUTE, arrays
    if shapes != {()}:
        raise ValueError("A callable loss takes one output; the truth must have shape (n,).")
    return callable_loss(loss), arrays


def _as_probabilities(values: ArrayLike, name: str, classes: TrueClasses) -> Floats:
    """Return probabilities of all classes, of shape (n, k), or of the positive one of two, of shape (n,)."""
    given, k = validation.as_real(values, name), len(classes.labels)
    if given.min() < 0 or given.max() > 1:
        raise ValueError(f"{name} has values outside [0, 1]; this loss needs probabilities.")
    if k <= 2 and (given.ndim == 1 or given.shape[1] == 1):
        classes.find_positive()  # an error if it is not named
        return validation.as_column(given, name)
    if given.ndim == 1 or given.shape[1] != k:
        raise ValueError(f"{name} has shape {given.shape} for {k} classes; name all of them in labels.")
    # Probabilities that were computed in single precision add up to 1 within its rounding only.
    if np.abs(given.sum(axis=1) - 1).max() > 1e-4:
        raise ValueError(f"{name} has rows that do not add up to 1; this loss needs probabilities.")
    return given


def weights_at_prevalence(case: Case, weights: Floats | None, prevalence: Any) -> Floats:
    """Return weights of the cases, of the same sum, with which the classes have the shares `prevalence`."""
    if case.classes is None or case.baseline is not None:
        raise ValueError(
            "prevalence is only for losses between classes or of probabilities, and without baseline."
        )
    classes, is_number = case.classes, np.ndim(prevalence) == 0
    check = validation.check_in_unit_interval if is_number else validation.as_real
    given: Any = check(prevalence, "prevalence")
    labels, places = classes.labels, classes.places
    mass = np.bincount(places, weights=weights, minlength=len(labels))
    if np.count_nonzero(mass) == 1:
        label = show(labels[mass.argmax()])
        raise validation.OneClassError(f"y_true has one class only ({label}); a prevalence needs more.")
    if is_number:
        if len(labels) != 2:
            raise ValueError(f"prevalence is one number; give the share of each of {labels.tolist()}.")
        given = np.where(np.arange(2) == classes.find_positive(), given, 1 - given)
    elif given.shape != mass.shape or given.min() < 0 or abs(given.sum() - 1) > 1e-9:
        raise ValueError(f"prevalence must be {len(labels)} shares of 0 or greater that add up to 1.")
    absent = (mass == 0) & (given > 0)
    if absent.any():
        label = show(labels[absent][0])
        raise ValueError(f"prevalence gives a share to the class {label}, of which y_true has no case.")
    factor = np.divide(given * mass.sum(), mass, out=np.zeros(len(mass)), where=mass > 0)[places]
    return np.asarray(factor if weights is None else factor * weights)
