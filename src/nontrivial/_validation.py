"""From a user's input to plain arrays, or an error that says what is wrong.

Labels may be numbers, booleans or strings, in a list, an array, or a column of pandas or another library, which is
taken by position. Finite numbers in the right shape pass at once. scikit-learn checks and converts the rest, because
`check_array` takes as long as an area of a thousand cases, and importing it takes longer than `nontrivial score`.
"""

import math
from collections.abc import Callable, Collection, Sequence, Sized
from functools import wraps
from numbers import Real
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import Floats, Ints, Labels, Mask, Scores
from nontrivial._warnings import warn_undefined

WIDEST = 1e12  # greatest weight over the least one; a smaller weight would be lost in sums
MOST_RESAMPLES = 1_000_000  # the results of more would not fit into memory

# Arrays.


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return an array of any shape and type; NumPy and scikit-learn would take masked values as they are."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values; every value must be known.")
    return np.asarray(values)


def as_numbers(values: ArrayLike, name: str) -> Scores | Mask:
    """Return finite numbers of any shape: integers, floats and booleans in the type they came in, others as floats."""
    numbers = as_array(values, name)
    if numbers.dtype.kind in "biu" or (numbers.dtype.kind == "f" and np.isfinite(numbers).all()):
        return numbers
    if numbers.dtype.kind not in "fcO":  # scikit-learn would convert dates and strings
        raise ValueError(f"{name} has type {numbers.dtype}; numbers are needed.")
    from sklearn.utils import check_array

    try:
        floats: Floats = check_array(
            values, dtype=np.float64, ensure_2d=False, allow_nd=True, ensure_min_samples=0, input_name=name
        )
    except (TypeError, OverflowError) as error:
        raise ValueError(f"{name} must be an array with one value per case: {error}") from None
    return floats


def as_labels(values: ArrayLike, name: str) -> Labels:
    """Return labels as a one-dimensional array of booleans, numbers, or Python strings (dtype object)."""
    labels = as_column(as_array(values, name), name)
    if labels.dtype.kind in "biuf":
        return as_numbers(labels, name)
    labels = np.asarray(values, dtype=object).ravel()  # NumPy would write the 1 of ["a", 1] as "1"
    kind = pd.api.types.infer_dtype(labels, skipna=False)
    if kind == "string":
        return labels
    if kind not in ("boolean", "integer", "floating", "mixed-integer-float"):
        raise ValueError(f"{name} must hold numbers, booleans or strings, all of one kind and none missing.")
    return as_numbers(np.array(labels.tolist()), name)


def as_scores(values: ArrayLike, name: str = "y_score") -> Scores:
    """Return scores as a one-dimensional array of finite floats or integers."""
    scores = as_column(as_numbers(values, name), name)
    return scores.astype(np.uint8) if scores.dtype.kind == "b" else scores


def as_probabilities(values: ArrayLike, needed_for: str) -> Scores:
    scores = as_scores(values)
    if scores.min() < 0 or scores.max() > 1:
        raise ValueError(f"y_score has values outside [0, 1]; {needed_for} needs probabilities.")
    return scores


def as_real(values: ArrayLike, name: str) -> Floats:
    """Return targets or predictions of a regression as finite float64, of shape (n,) or (n, n_outputs)."""
    real = as_numbers(values, name)
    if real.ndim not in (1, 2) or real.size == 0:
        raise ValueError(f"{name} has shape {real.shape}; a list or a table of numbers is needed.")
    return real.astype(np.float64, copy=False)


def as_column(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array of one value per case; scikit-learn takes a column, with a warning."""
    n = array.size
    if n == 0 or array.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name} has shape {array.shape}; pass one column with a value for each case.")
    if array.ndim == 1:
        return array
    from sklearn.utils import column_or_1d

    column: NDArray[Any] = column_or_1d(array, warn=True)
    return column


def as_weights(sample_weight: ArrayLike | None, n: int, name: str = "sample_weight") -> Floats | None:
    """Return `n` finite weights of at least 0 with a positive sum; None stays None (all weights 1)."""
    if sample_weight is None:
        return None
    weights = as_scores(sample_weight, name).astype(np.float64, copy=False)
    check_lengths(weights, range(n))
    if weights.min() < 0:
        least = f"the least in case {int(weights.argmin()) + 1:,}"
        raise ValueError(f"{name} has negative values, {least}; weights must be 0 or greater.")
    if not weights.any():
        raise ValueError(f"{name} is zero everywhere; at least one case must count.")
    greatest, smallest = weights.max(), weights[weights > 0].min()
    check_magnitude(greatest, name)
    if smallest * WIDEST < greatest * (1 - 1e-9):
        raise ValueError(
            f"{name} has both {smallest:.3g} and {greatest:.3g}; the greatest weight must be at most {WIDEST:.0e} "
            "times the least one above 0."
        )
    return weights


def as_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Labels, Labels, Floats | None]:
    labels, predictions = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    check_lengths(labels, predictions)
    return labels, predictions, as_weights(sample_weight, len(labels))


def as_units(
    sample_weight: ArrayLike | None, groups: ArrayLike | None, n: int
) -> tuple[Mask, Floats | None, Ints | None]:
    """Return which of `n` cases count, their weights (None if equal) and their groups (None if of one case each)."""
    weights = as_weights(sample_weight, n)
    counted = np.ones(n, dtype=bool) if weights is None else weights > 0
    if weights is not None:
        weights = weights[counted]
        if np.allclose(weights, weights[0], rtol=1e-9, atol=0):
            weights = None
    if groups is None:
        return counted, weights, None
    labels = as_labels(groups, "groups")
    check_lengths(labels, range(n))
    units, names = pd.factorize(labels[counted], sort=True)
    if len(names) == 1:
        raise ValueError("groups has one group only; an interval needs at least two.")
    return counted, weights, None if len(names) == len(units) else units


# Checks.


def check_lengths(*arrays: Sized) -> None:
    """Raise scikit-learn's ValueError unless all arrays have the same length."""
    if len({len(array) for array in arrays}) > 1:
        from sklearn.utils import check_consistent_length

        check_consistent_length(*arrays)


def check_magnitude(values: ArrayLike, name: str, least: float = 1e-60, most: float = 1e60) -> None:
    """Raise ValueError if products and sums of values of 0 or greater could leave the range of a float64."""
    values = np.asarray(values)
    if (values > most).any() or ((values > 0) & (values < least)).any():
        raise ValueError(
            f"{name} has values that are too small or too large; each must be 0, or from {least:g} to {most:g}."
        )


def check_choice(value: object, name: str, choices: Collection[str | bool | None]) -> None:
    if not (value is None or isinstance(value, (str, bool, np.bool_))) or value not in choices:
        raise ValueError(f"{name} is {show(value)}; it must be one of {', '.join(map(str, choices))}.")


def check_in_unit_interval(value: float, name: str) -> float:
    """Return a share or level as a float; sums would lose a class whose share is nearer to 0 or 1."""
    return _number(value, name, 1e-9, 1 - 1e-9, "lie strictly between 0 and 1, at least 1e-09 from both")


def check_beta(beta: float) -> float:
    return _number(beta, "beta", 0, math.inf, "be a number of 0 or greater, or infinite")


def _number(value: float, name: str, least: float, most: float, needed: str) -> float:
    if isinstance(value, Real) and least <= value <= most:
        return float(value)
    raise ValueError(f"{name} is {show(value)}; it must {needed}.")


def least_resamples(level: float) -> int:
    """Return the least number of draws with one or more beyond each end of an interval."""
    return max(math.ceil(2 / (1 - level) - 1e-9) - 1, 1)


def check_resamples(n_resamples: int, level: float) -> int:
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
    shown = ", ".join(map(show, labels[:3]))
    return shown if len(labels) <= 3 else f"{shown} and {len(labels) - 3} more"


# Labels as the numbers of their classes.


def encode_labels(*arrays: Labels, classes: ArrayLike | None = None) -> tuple[Labels, Sequence[Ints]]:
    """Return the classes, as given or else sorted, and each array as their places."""
    first = [] if classes is None else [as_labels(classes, "labels")]
    all_arrays = [*first, *arrays]
    _check_one_kind(*all_arrays)
    # Unsorted, labels are numbered in the order of their first place, so the given classes come first.
    joined, all_classes = pd.factorize(np.concatenate(all_arrays), sort=not first)
    parts = np.split(joined, np.cumsum([len(array) for array in all_arrays])[:-1])
    if not first:
        return all_classes, parts
    named, places = first[0], parts[0]
    if len(np.unique(places)) < len(places):
        raise ValueError("labels names a class twice; every class must appear once.")
    if len(all_classes) > len(named):
        stranger = all_classes[len(named) :].min()
        raise ValueError(f"The label {show(stranger)} is none of the classes {show_some(named)}.")
    return named, parts[1:]


def check_no_scores(truth: Labels, prediction: Labels, name: str) -> None:
    """Raise ValueError if scores are passed for classes; all of them would be wrong classes."""
    is_numeric = prediction.dtype.kind == "f" and truth.dtype.kind in "biuf"
    if is_numeric and (np.setdiff1d(prediction, truth) % 1 != 0).any():
        raise ValueError(
            f"{name} holds fractions that are not classes of y_true; it needs classes, not scores."
        )


def _check_one_kind(*arrays: Labels) -> None:
    if len({array.dtype == object for array in arrays}) > 1:
        raise ValueError("Some labels are strings and others are numbers; use one kind.")


# Two classes: which cases are positive, with their predictions or scores.

P = ParamSpec("P")
R = TypeVar("R")


class OneClassError(ValueError):
    """All cases are of one class, so measures of two classes are undefined."""


def nan_for_one_class(function: Callable[P, R]) -> Callable[P, R | float]:
    """Make a function warn, as scikit-learn does, and return NaN if all cases are of one class."""

    @wraps(function)
    def measured(*args: P.args, **kwargs: P.kwargs) -> R | float:
        try:
            return function(*args, **kwargs)
        except OneClassError as error:
            warn_undefined(f"{error} The result is set to NaN.")
            return math.nan

    return measured


def warn_undefined_advantage(consequence: str) -> None:
    """Warn that the marginal prediction has no loss, and of the consequence."""
    warn_undefined(
        "The marginal prediction has no loss on y_true, as when all labels are equal, so the Prediction Advantage is "
        f"a division by 0; {consequence}."
    )


def binary_truth(
    labels: Labels, *, pos_label: Any = None, sample_weight: Floats | None = None, name: str = "y_true"
) -> tuple[Mask, Any, Any]:
    """Return which cases are positive, the positive and the negative label; cases without weight may have others."""
    counted = labels if sample_weight is None else labels[sample_weight > 0]
    low, high = counted.min(), counted.max()
    if low == high:
        raise OneClassError(f"{name} has one class only ({show(low)}); both classes are needed.")
    if ((counted != low) & (counted != high)).any():
        raise ValueError(
            f"{name} has more than two classes; exactly two are needed here. Where average is an option, give "
            'average="macro" with predicted labels, or one column of scores per class; elsewhere, compare one class '
            f"with the rest ({name} == label)."
        )
    positive = find_positive(low, high, pos_label, name)
    return np.asarray(labels == positive, dtype=bool), positive, low if positive == high else high


def find_positive(low: Any, high: Any, pos_label: Any, name: str = "y_true") -> Any:
    """Return the positive label of two: `pos_label`, or else the greater number; strings must be named."""
    if pos_label is None:
        if isinstance(low, str):
            raise ValueError(
                f"{name} holds strings; pos_label must say which of {show(low)} and {show(high)} is positive."
            )
        return high
    is_label = pos_label is not pd.NA and np.ndim(pos_label) == 0
    for label in (low, high):
        if is_label and pos_label == label:
            return label
    raise ValueError(
        f"pos_label is {show(pos_label)}; it must be one of the labels {show(low)} and {show(high)}."
    )


def binary_truth_and_scores(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Mask, Scores, Floats | None]:
    """Return which cases are positive, their scores, and their weights or None; `labels` may name the two classes."""
    truth, scores = as_labels(y_true, "y_true"), as_scores(y_score)
    check_lengths(truth, scores)
    weights = as_weights(sample_weight, len(truth))
    if labels is not None:
        classes, _ = encode_labels(truth if weights is None else truth[weights > 0], classes=labels)
        if len(classes) != 2:
            raise ValueError(f"labels has {len(classes)} classes; one column of scores needs exactly two.")
    positive, _, _ = binary_truth(truth, pos_label=pos_label, sample_weight=weights)
    return positive, scores, weights


def binary_truth_and_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Mask, Mask, Floats | None]:
    """Return which cases are positive, which are predicted positive, and their weights or None."""
    labels, predictions, weights = as_predictions(y_true, y_pred, sample_weight)
    positive, high, low = binary_truth(labels, pos_label=pos_label, sample_weight=weights)
    _check_one_kind(labels, predictions)
    predicted = np.asarray(predictions == high, dtype=bool)
    known = predicted | (predictions == low)
    if weights is not None:
        known |= weights == 0
    if not known.all():
        check_no_scores(labels, predictions, "y_pred")
        raise ValueError(
            f"y_pred has a label that y_true does not have; it may hold {show(low)} and {show(high)}."
        )
    return positive, predicted, weights
