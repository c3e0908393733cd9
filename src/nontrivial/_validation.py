"""From whatever users pass to plain arrays, or an error of one sentence that says what is wrong.

Labels may be numbers, booleans or strings, in a list, an array, or a column of pandas or another library, which is
taken by position. scikit-learn's `check_array` would drop masks and round whole numbers, and take half the time of a
short area.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence, Sized
from contextlib import suppress
from functools import wraps
from numbers import Real
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import Floats, Ints, Labels, Mask, Scores
from nontrivial._warnings import warn_column, warn_undefined

WIDEST = 1e12  # greatest weight over the least one; a smaller weight would be lost in sums
LEAST_SHARE = 1e-9  # of a class at another prevalence, which would be lost in sums
MOST_RESAMPLES = 1_000_000  # so that their results fit into memory

# Arrays.


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return an array, whatever its shape and type; what NumPy would misread is refused."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values; every value must be known.")
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is not an array; it must have one value per case.") from None


def as_labels(values: ArrayLike, name: str) -> Labels:
    """Return labels as a one-dimensional array of booleans, numbers, or Python strings (dtype object)."""
    labels = _one_dimensional(values, name)
    if labels.dtype.kind == "U" and isinstance(values, (list, tuple)):
        labels = np.array(values, dtype=object).ravel()  # NumPy would write the 1 of ["a", 1] as "1"
    if labels.dtype.kind in "OUT":
        kind = pd.api.types.infer_dtype(labels, skipna=False)
        if kind == "string":
            return labels.astype(object)
        if pd.isna(labels).any():
            raise ValueError(f"{name} has missing values; every label must be known.")
        if kind not in ("boolean", "integer", "floating", "mixed-integer-float"):
            raise ValueError(f"{name} mixes kinds of labels; use numbers, booleans or strings alone.")
        labels = np.array(labels.tolist())
    if labels.dtype.kind not in "biuf":
        raise ValueError(f"{name} has type {labels.dtype}; labels are numbers, booleans or strings.")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError(f"{name} has NaN or infinite values; every label must be known.")
    return labels


def as_scores(values: ArrayLike, name: str = "y_score") -> Scores:
    """Return scores as a one-dimensional array of finite floats or integers, in the type they came in."""
    return as_finite(_one_dimensional(values, name), name)


def as_probabilities(values: ArrayLike, needed_for: str) -> Scores:
    """Return scores that lie in [0, 1]."""
    scores = as_scores(values)
    if scores.min() < 0 or scores.max() > 1:
        raise ValueError(f"y_score has values outside [0, 1]; {needed_for} needs probabilities.")
    return scores


def as_real(values: ArrayLike, name: str) -> Floats:
    """Return targets or predictions of a regression as finite float64, of shape (n,) or (n, n_outputs)."""
    real = as_array(values, name)
    if real.ndim not in (1, 2):
        raise ValueError(f"{name} has {real.ndim} dimensions; it must have shape (n,) or (n, n_outputs).")
    if real.size == 0:
        raise ValueError(f"{name} is empty; at least one case is needed.")
    real = as_finite(real, name)
    floats = real.astype(np.float64)
    with np.errstate(invalid="ignore"):
        is_rounded = real.dtype.kind in "iu" and (floats.astype(real.dtype) != real).any()
    if is_rounded:
        raise ValueError(f"{name} has whole numbers beyond 2**53, which floats round; subtract a constant.")
    return floats


def as_weights(sample_weight: ArrayLike | None, n: int, name: str = "sample_weight") -> Floats | None:
    """Return `n` finite weights of at least 0 with a positive sum; None stays None (all weights 1)."""
    if sample_weight is None:
        return None
    weights = as_scores(sample_weight, name).astype(np.float64, copy=False)
    if len(weights) != n:
        raise ValueError(f"{name} has {len(weights)} values for {n} cases; one per case is needed.")
    if weights.min() < 0:
        raise ValueError(f"{name} has negative values; weights must be 0 or greater.")
    if not weights.any():
        raise ValueError(f"{name} is zero everywhere; at least one case must count.")
    greatest, least = weights.max(), weights[weights > 0].min()
    check_magnitude(greatest, name)
    if least * WIDEST < greatest * (1 - 1e-9):
        raise ValueError(
            f"{name} has both {least:.3g} and {greatest:.3g}; the greatest weight must be at most {WIDEST:.0e} "
            "times the least one above 0."
        )
    return weights


def as_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Labels, Labels, Floats | None]:
    """Return true labels, predicted labels and weights of one length."""
    labels, predictions = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    check_lengths(y_true=labels, y_pred=predictions)
    return labels, predictions, as_weights(sample_weight, len(labels))


def as_groups(groups: ArrayLike | None, n: int) -> Ints | None:
    """Return the number of the group of each of `n` cases; None stays None (each case by itself)."""
    if groups is None:
        return None
    labels = as_labels(groups, "groups")
    if len(labels) != n:
        raise ValueError(f"groups has {len(labels)} values for {n} cases; one per case is needed.")
    codes: Ints = pd.factorize(labels, sort=True)[0]
    if codes.max() < 1:
        raise ValueError("groups has one group only; an interval needs at least two.")
    return codes


def as_units(
    sample_weight: ArrayLike | None, groups: ArrayLike | None, n: int
) -> tuple[Mask, Floats | None, Ints | None]:
    """Return which of `n` cases count, and their weights and groups; None where all are equal, or of one case each."""
    weights, units = as_weights(sample_weight, n), as_groups(groups, n)
    counted = np.ones(n, dtype=bool) if weights is None else weights > 0
    if weights is not None:
        weights = weights[counted]
        if np.allclose(weights, weights[0], rtol=1e-9, atol=0):
            weights = None
    if units is not None:
        names, units = np.unique(units[counted], return_inverse=True)
        if len(names) == len(units):
            units = None
    return counted, weights, units


def _one_dimensional(values: ArrayLike, name: str) -> NDArray[Any]:
    array = as_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        warn_column(name, array.shape)
        array = array[:, 0]
    if array.ndim == 2 and array.shape[1] > 1:
        which = ", that of the positive class of two" if name == "y_score" else ""
        raise ValueError(f"{name} has shape {array.shape}; pass one column{which}.")
    if array.ndim != 1:
        given = f"has {array.ndim} dimensions" if array.ndim else f"is of type {type(values).__name__}"
        raise ValueError(f"{name} {given}; it must be an array of one value per case.")
    if array.size == 0:
        raise ValueError(f"{name} is empty; at least one case is needed.")
    return array


def as_finite(array: NDArray[Any], name: str) -> Scores:
    """Return an array of any shape as finite floats or integers."""
    if array.dtype.kind == "O":
        array = _from_objects(array, name)
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} has type {array.dtype}; numbers are needed.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} has NaN or infinite values; every value must be a finite number.")
    return array


def _from_objects(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Turn Python numbers, such as a nullable pandas column gives, into integers where all are, else into floats."""
    if pd.isna(array).any():
        raise ValueError(f"{name} has missing values; every value must be a finite number.")
    numbers = np.array(array.tolist())
    if numbers.dtype.kind in "biu":
        return numbers
    try:
        floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} holds something that is not a number, or too great a number.") from None
    pairs = zip(array.ravel().tolist(), floats.ravel().tolist(), strict=True)
    if any(isinstance(value, (int, np.integer)) and int(value) != rounded for value, rounded in pairs):
        raise ValueError(f"{name} has whole numbers that floats would round; use smaller ones.")
    return floats


# Checks.


def check_lengths(**arrays: Sized) -> None:
    """Raise ValueError unless all arrays, given by their names, have the same length."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"The lengths differ: {found}; they must be the same.")


def check_no_scores(truth: Labels, prediction: Labels, name: str) -> None:
    """Raise ValueError if probabilities are passed for classes; all of them would be wrong classes."""
    if prediction.dtype.kind == "f" and truth.dtype.kind in "biuf":
        strange = np.setdiff1d(prediction, truth)
        if (strange % 1 != 0).any():
            raise ValueError(
                f"{name} holds {strange[strange % 1 != 0][0]:g}, which is not a class of y_true; "
                "predicted classes are needed here, not scores."
            )


def check_magnitude(values: ArrayLike, name: str, least: float = 1e-60, most: float = 1e60) -> None:
    """Raise ValueError if products and sums of values of 0 or greater could leave the range of a float64."""
    values = np.asarray(values)
    if (values > most).any() or ((values > 0) & (values < least)).any():
        raise ValueError(
            f"{name} has values too large or too close to 0 for 64-bit floats; other than 0 they must lie "
            f"from {least:g} to {most:g}."
        )


def check_choice(value: object, name: str, choices: Iterable[str | None]) -> None:
    """Raise ValueError unless an option is one of its choices, whatever type it has."""
    choices = tuple(choices)
    if not (value is None or isinstance(value, str)) or value not in choices:
        raise ValueError(f"{name} is {show(value)}; it must be one of {', '.join(map(str, choices))}.")


def check_flag(value: object, name: str) -> None:
    """Raise ValueError unless an option is True or False; "no" would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} is {show(value)}; it must be True or False.")


def check_in_unit_interval(value: float, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1, such as the level of an interval."""
    return _number(value, name, math.ulp(0), math.nextafter(1, 0), "lie strictly between 0 and 1")


def check_prevalence(prevalence: float) -> float:
    """Return a share of positives as a float."""
    needed = f"lie strictly between 0 and 1, at least {LEAST_SHARE:.0e} from both"
    return _number(prevalence, "prevalence", LEAST_SHARE, 1 - LEAST_SHARE, needed)


def check_beta(beta: float) -> float:
    """Return `beta` of an F-beta as a float of at least 0; it may be infinite."""
    return _number(beta, "beta", 0, math.inf, "be a number of 0 or greater, or infinite")


def _number(value: float, name: str, least: float, most: float, needed: str) -> float:
    with suppress(OverflowError):  # a whole number beyond all floats
        if isinstance(value, Real) and least <= float(value) <= most:
            return float(value)
    raise ValueError(f"{name} is {show(value)}; it must {needed}.")


def least_resamples(level: float) -> int:
    """Return how many draws leave at least one beyond each end of an interval."""
    return max(math.ceil(2 / (1 - level) - 1e-9) - 1, 1)


def check_resamples(n_resamples: int, level: float) -> int:
    """Return how many draws a bootstrap makes."""
    least = least_resamples(level)
    if not isinstance(n_resamples, (int, np.integer)) or not least <= n_resamples <= MOST_RESAMPLES:
        raise ValueError(
            f"n_resamples is {show(n_resamples)}; a level of {level:.9g} needs a whole number of at least {least}, and "
            f"{MOST_RESAMPLES:,} is the most."
        )
    return int(n_resamples)


def show(value: Any) -> str:
    """Return a value as Python would write it, NumPy's numbers too, and lists of them."""
    with np.printoptions(legacy="1.25"):
        return repr(value)


def show_some(labels: Labels) -> str:
    """Return the first three labels, and how many more there are."""
    shown = ", ".join(map(show, labels[:3]))
    return shown if len(labels) <= 3 else f"{shown} and {len(labels) - 3} more"


# The other names of measures, losses and methods, which functions and look-ups take, too; no output has them.


Found = TypeVar("Found")

ALIASES = {
    "f1": "f_beta",
    "f1_gain": "f_beta_gain",
    "error": "error_rate",
    "sensitivity": "recall",
    "ppv": "precision",
    "npv": "negative_predictive_value",
    "kappa": "cohen_kappa",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "youden": "informedness",
    "auc": "roc_auc",
    "log_loss": "cross_entropy",
    "brier_score": "squared",
    "quantile": "pinball",
    "bayesian_bootstrap": "bootstrap",
}


def canonical_name(name: Any) -> Any:
    """Return the name that this package uses; whatever has no other one stays as it is."""
    return ALIASES.get(name, name) if isinstance(name, str) else name


class Named(dict[str, Found]):
    """Values by name; ``[...]`` finds them by their other names, too."""

    def __missing__(self, name: str) -> Found:
        if name not in ALIASES:
            raise KeyError(name)
        return self[ALIASES[name]]


# Labels as the numbers of their classes.


def encode_labels(
    *arrays: Labels, names: Sequence[str], classes: ArrayLike | None = None
) -> tuple[Labels, Sequence[Ints]]:
    """Return the classes, as given or else sorted, and each array as their places; `names` are for errors."""
    given, names = list(arrays), list(names)
    if classes is not None:
        classes = as_labels(classes, "labels")
        given.append(classes)
        names.append("labels")
    for array, name in zip(given[1:], names[1:], strict=True):
        _check_kinds(given[0], array, names[0], name)
    is_mixed = np.result_type(*given).kind == "f" and all(array.dtype.kind in "biu" for array in given)
    if is_mixed:  # signed and unsigned numbers of 64 bits, which NumPy would join to floats, and round
        given = [array.astype(object) for array in given]
    joined, found = pd.factorize(np.concatenate(given), sort=True)
    parts = np.split(joined, np.cumsum([len(array) for array in given])[:-1])
    if classes is None:
        return pd.Series(found).infer_objects().to_numpy() if is_mixed else found, parts
    *parts, order = parts
    if len(np.unique(order)) < len(order):
        raise ValueError("labels names a class twice; every class must appear once.")
    if len(order) < len(found):
        stranger = found[np.setdiff1d(np.arange(len(found)), order)[0]]
        raise ValueError(f"The label {show(stranger)} occurs but is not in labels, which must name all.")
    place = np.argsort(order)
    return classes, [place[part] for part in parts]


def check_two_classes(y_true: ArrayLike, labels: ArrayLike, sample_weight: ArrayLike | None) -> None:
    """Raise ValueError unless `labels` are two, which hold those of the cases that count."""
    truth = as_labels(np.ravel(as_array(y_true, "y_true")), "y_true")
    counted = _counted(truth, as_weights(sample_weight, len(truth)))
    classes, _ = encode_labels(counted, names=["y_true"], classes=labels)
    if len(classes) != 2:
        raise ValueError(f"labels has {len(classes)} classes; one column of scores needs exactly two.")


def check_fitted_to(
    estimator: Any, y: ArrayLike, name: str = "y", sample_weight: ArrayLike | None = None
) -> None:
    """Raise ValueError if a case that counts has a label that is no class of a fitted classifier."""
    labels, classes = as_labels(y, name), as_labels(estimator.classes_, "classes_")
    labels = _counted(labels, as_weights(sample_weight, len(labels)))
    strange = labels[~np.isin(labels, classes)]
    if len(strange):
        raise ValueError(
            f"{name} has the label {show(strange[0])}, but {type(estimator).__name__} was fitted to the classes "
            f"{show_some(classes)}; use the labels that it was fitted to."
        )


def _check_kinds(labels: Labels, others: Labels, name: str, other_name: str) -> None:
    if (labels.dtype == object) != (others.dtype == object):
        raise ValueError(f"One of {name} and {other_name} holds strings, the other numbers; use one kind.")


def _counted(values: NDArray[Any], weights: Floats | None) -> NDArray[Any]:
    """Return the values of the cases with a weight above 0."""
    return values if weights is None else values[weights > 0]


# Two classes: which cases are positive, and what was predicted or scored for them.


P = ParamSpec("P")
R = TypeVar("R")
U = TypeVar("U")


class OneClassError(ValueError):
    """All cases are of one class, so measures of two classes are undefined."""


def undefined_for_one_class(
    undefined: Callable[[], U],
) -> Callable[[Callable[P, R]], Callable[P, R | U]]:
    """Make a function warn, as scikit-learn does, and return what `undefined` gives, if all cases are of one class."""

    def decorate(function: Callable[P, R]) -> Callable[P, R | U]:
        @wraps(function)
        def measured(*args: P.args, **kwargs: P.kwargs) -> R | U:
            try:
                return function(*args, **kwargs)
            except OneClassError as error:
                warn_undefined(f"{error} The result is set to NaN.")
                return undefined()

        return measured

    return decorate


def warn_undefined_advantage(consequence: str) -> None:
    """Warn that the marginal prediction has no loss, and what follows."""
    warn_undefined(
        "The marginal prediction has no loss on y_true, as when all labels are equal, so the Prediction Advantage is "
        f"a division by 0; {consequence}."
    )


def binary_truth(
    y_true: ArrayLike, *, pos_label: Any = None, sample_weight: Floats | None = None, name: str = "y_true"
) -> tuple[Mask, Any, Any]:
    """Return which cases are positive, the positive label and the negative label; in linear time, without a sort.

    A third label of weight 0 may be on either side. Without `pos_label` the greater number is positive.
    """
    labels = as_labels(y_true, name)
    counted = _counted(labels, sample_weight)
    first = counted[0]
    is_other = np.asarray(labels != first, dtype=bool)
    of_counted = _counted(is_other, sample_weight)
    other = counted[of_counted.argmax()]
    if other == first:
        raise OneClassError(f"{name} has one class only ({show(first)}); both classes are needed.")
    if np.count_nonzero(counted == other) < np.count_nonzero(of_counted):
        raise ValueError(
            f"{name} has more than two classes; exactly two are needed here. Where average is an option, give "
            'average="macro" with predicted labels, or one column of scores per class; elsewhere, compare one class '
            f"with the rest ({name} == label)."
        )
    low, high, is_high = (first, other, is_other) if first < other else (other, first, ~is_other)
    if pos_label is None and labels.dtype == object:
        raise ValueError(
            f"{name} holds strings; pos_label must say which of {show(low)} and {show(high)} is positive."
        )
    if np.ndim(pos_label) != 0:
        raise ValueError(f"pos_label is {show(pos_label)}; it must be one label.")
    known = pos_label is not pd.NA  # comparing with it gives neither True nor False
    if pos_label is None or (known and pos_label == high):
        return is_high, high, low
    if known and pos_label == low:
        return ~is_high, low, high
    raise ValueError(
        f"pos_label is {show(pos_label)}; it must be one of the labels {show(low)} and {show(high)}."
    )


def binary_truth_and_scores(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Mask, Scores, Floats | None]:
    """Return which cases are positive, their scores, and their weights or None."""
    scores = as_scores(y_score)
    labels = as_labels(y_true, "y_true")
    check_lengths(y_true=labels, y_score=scores)
    weights = as_weights(sample_weight, len(labels))
    positive, _, _ = binary_truth(labels, pos_label=pos_label, sample_weight=weights)
    return positive, scores, weights


def binary_truth_and_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Mask, Mask, Floats | None]:
    """Return which cases are positive, which are predicted positive, and their weights or None."""
    labels, predictions, weights = as_predictions(y_true, y_pred, sample_weight)
    positive, positive_label, negative_label = binary_truth(
        labels, pos_label=pos_label, sample_weight=weights
    )
    _check_kinds(labels, predictions, "y_true", "y_pred")
    predicted = np.asarray(predictions == positive_label, dtype=bool)
    if not _counted(predicted | (predictions == negative_label), weights).all():
        check_no_scores(_counted(labels, weights), _counted(predictions, weights), "y_pred")
        raise ValueError(
            "y_pred has a label that y_true does not have; "
            f"it may hold {show(negative_label)} and {show(positive_label)}."
        )
    return positive, predicted, weights
