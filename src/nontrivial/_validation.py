"""From a user's input to plain arrays, or an error that says what is wrong.

In this order: arrays (`as_...`), options (`check_...`), labels as codes of classes, and two classes. Labels may be
numbers, booleans or strings, in a list, an array, or a column of any library, whose index is ignored. Finite numbers in
the right shape pass at once. All others go to scikit-learn, which takes longer to import than `nontrivial score` runs.
"""

import math
from collections.abc import Callable, Collection, Sequence, Sized
from functools import wraps
from numbers import Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import Floats, Ints, Labels, Mask, Scores
from nontrivial._warnings import warn_undefined

MAX_WEIGHT_RATIO = 1e12  # sums would lose a lighter case
MAX_RESAMPLES = 1_000_000  # more would not fit into memory


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return an array of any shape and type; raise an error for masked values, which NumPy would use."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values; every value must be known.")
    return np.asarray(values)


def as_numbers(values: ArrayLike, name: str) -> Scores | Mask:
    """Return finite numbers of any shape: integers, floats and booleans in their own type, others as floats."""
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


def as_floats(values: ArrayLike, name: str) -> Floats:
    """Return finite numbers as float64, of shape (n,) or (n, n_outputs)."""
    numbers = as_numbers(values, name)
    if numbers.ndim not in (1, 2) or numbers.size == 0:
        raise ValueError(f"{name} has shape {numbers.shape}; a list or a table of numbers is needed.")
    return numbers.astype(np.float64, copy=False)


def as_column(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array with one value for each case; of a table with one column, the column with a warning."""
    n = array.size
    if n == 0 or array.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name} has shape {array.shape}; pass one column with a value for each case.")
    if array.ndim == 1:
        return array
    from sklearn.utils import column_or_1d

    column: NDArray[Any] = column_or_1d(array, warn=True)
    return column


def as_weights(sample_weight: ArrayLike | None, n: int, name: str = "sample_weight") -> Floats | None:
    """Return `n` finite weights of 0 or greater with a positive sum; None, for equal weights, stays None."""
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
    if smallest * MAX_WEIGHT_RATIO < greatest * (1 - 1e-9):
        raise ValueError(
            f"{name} has both {smallest:.3g} and {greatest:.3g}; the greatest weight must be at most "
            f"{MAX_WEIGHT_RATIO:.0e} times the least one above 0."
        )
    return weights


def as_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Labels, Labels, Floats | None]:
    """Return true and predicted labels of any classes, and the weights or None."""
    labels, predictions = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    check_lengths(labels, predictions)
    return labels, predictions, as_weights(sample_weight, len(labels))


def check_lengths(*arrays: Sized) -> None:
    """Raise the ValueError of scikit-learn if not all arrays have the same length."""
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def check_magnitude(values: ArrayLike, name: str, least: float = 1e-60, most: float = 1e60) -> None:
    """Raise ValueError if products and sums of values of 0 or greater could leave the range of a float64."""
    values = np.asarray(values)
    if (values > most).any() or ((values > 0) & (values < least)).any():
        raise ValueError(
            f"{name} has values that are too small or too large; each must be 0, or from {least:g} to {most:g}."
        )


def check_choice(value: object, name: str, choices: Collection[str | bool | None]) -> None:
    if not (value is None or isinstance(value, (str, bool, np.bool_))) or value not in choices:
        raise ValueError(f"{name} is {repr_of(value)}; it must be one of {', '.join(map(str, choices))}.")


def check_in_unit_interval(value: float, name: str) -> float:
    """Return a share or level as a float; sums would lose a class with a share nearer to 0 or 1."""
    return _check_number(value, name, 1e-9, 1 - 1e-9, "lie strictly between 0 and 1, at least 1e-09 from both")


def check_beta(beta: float) -> float:
    return _check_number(beta, "beta", 0, math.inf, "be a number of 0 or greater, or infinite")


def _check_number(value: float, name: str, least: float, most: float, needed: str) -> float:
    if isinstance(value, Real) and least <= value <= most:
        return float(value)
    raise ValueError(f"{name} is {repr_of(value)}; it must {needed}.")


def min_resamples(level: float) -> int:
    """Return the least number of draws that leaves a draw beyond each end of an interval."""
    return max(math.ceil(2 / (1 - level) - 1e-9) - 1, 1)


def check_resamples(n_resamples: int, level: float) -> int:
    """Return a number of resamples as an int if the level and the memory allow it."""
    least = min_resamples(level)
    if not isinstance(n_resamples, (int, np.integer)) or not least <= n_resamples <= MAX_RESAMPLES:
        raise ValueError(
            f"n_resamples is {repr_of(n_resamples)}; a level of {level:.9g} needs a whole number of at least {least}, "
            f"and {MAX_RESAMPLES:,} is the most."
        )
    return int(n_resamples)


def repr_of(value: Any) -> str:
    """Return a value as Python writes it; numbers of NumPy, also in lists, are written as plain numbers."""
    with np.printoptions(legacy="1.25"):
        return repr(value)


def repr_of_some(labels: Labels) -> str:
    """Return the first three labels as Python writes them, and how many more there are."""
    shown = ", ".join(map(repr_of, labels[:3]))
    return shown if len(labels) <= 3 else f"{shown} and {len(labels) - 3} more"


# Labels as codes of their classes.


def encode_labels(*arrays: Labels, classes: ArrayLike | None = None) -> tuple[Labels, Sequence[Ints]]:
    """Return the classes, sorted or in the given order, and each array as the codes of its labels: 0, 1, 2..."""
    named_arrays = [] if classes is None else [as_labels(classes, "labels")]
    all_arrays = [*named_arrays, *arrays]
    _check_one_kind(*all_arrays)
    # Without sorting, codes follow the first occurrence of each label, so the given classes come first.
    joined, all_classes = pd.factorize(np.concatenate(all_arrays), sort=not named_arrays)
    codes = np.split(joined, np.cumsum([len(array) for array in all_arrays])[:-1])
    if not named_arrays:
        return all_classes, codes
    (named,), (named_codes, *other_codes) = named_arrays, codes
    if len(np.unique(named_codes)) < len(named_codes):
        raise ValueError("labels names a class twice; every class must appear once.")
    if len(all_classes) > len(named):
        unknown = all_classes[len(named) :].min()
        raise ValueError(f"The label {repr_of(unknown)} is none of the classes {repr_of_some(named)}.")
    return named, other_codes


def check_no_scores(truth: Labels, prediction: Labels, name: str) -> None:
    """Raise ValueError if predictions are fractions, which cannot be classes of integers."""
    is_numeric = prediction.dtype.kind == "f" and truth.dtype.kind in "biuf"
    if is_numeric and (np.setdiff1d(prediction, truth) % 1 != 0).any():
        raise ValueError(f"{name} holds fractions that are not classes of y_true; it needs classes, not scores.")


def _check_one_kind(*arrays: Labels) -> None:
    if len({array.dtype == object for array in arrays}) > 1:
        raise ValueError("Some labels are strings and others are numbers; use one kind.")


# Two classes: which cases are positive, with their predictions or scores.

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class OneClassError(ValueError):
    """All cases are of one class, so measures of two classes are undefined."""


def nan_for_one_class(function: Callable[Parameters, Result]) -> Callable[Parameters, Result | float]:
    """Make a function warn and return NaN if all cases are of one class, as scikit-learn's functions do."""

    @wraps(function)
    def nan_or_result(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result | float:
        try:
            return function(*args, **kwargs)
        except OneClassError as error:
            warn_undefined(f"{error} The result is set to NaN.")
            return math.nan

    return nan_or_result


def warn_undefined_advantage(consequence: str) -> None:
    """Warn that the marginal prediction has no loss, and name the consequence."""
    warn_undefined(
        "The marginal prediction has no loss on y_true, as when all labels are equal, so the Prediction Advantage is "
        f"a division by 0; {consequence}."
    )


class BinaryTruth(NamedTuple):
    """Which cases are positive, and the two labels."""

    is_positive: Mask
    positive: Any
    negative: Any


def binary_truth(
    labels: Labels, *, pos_label: Any = None, sample_weight: Floats | None = None, name: str = "y_true"
) -> BinaryTruth:
    """Return the truth of two classes; cases of weight 0 may have other labels."""
    counted = labels if sample_weight is None else labels[sample_weight > 0]
    low, high = counted.min(), counted.max()
    if low == high:
        raise OneClassError(f"{name} has one class only ({repr_of(low)}); both classes are needed.")
    if ((counted != low) & (counted != high)).any():
        raise ValueError(
            f"{name} has more than two classes; exactly two are needed here. Where average is an option, give "
            'average="macro" with predicted labels, or one column of scores per class; elsewhere, compare one class '
            f"with the rest ({name} == label)."
        )
    positive = find_positive(low, high, pos_label, name)
    return BinaryTruth(np.asarray(labels == positive, dtype=bool), positive, low if positive == high else high)


def find_positive(low: Any, high: Any, pos_label: Any, name: str = "y_true") -> Any:
    """Return the positive one of two labels: `pos_label`, or else the greater number; strings have no default."""
    if pos_label is None:
        if isinstance(low, str):
            raise ValueError(
                f"{name} holds strings; pos_label must say which of {repr_of(low)} and {repr_of(high)} is positive."
            )
        return high
    is_label = pos_label is not pd.NA and np.ndim(pos_label) == 0
    for label in (low, high):
        if is_label and pos_label == label:
            return label
    raise ValueError(
        f"pos_label is {repr_of(pos_label)}; it must be one of the labels {repr_of(low)} and {repr_of(high)}."
    )


def binary_truth_and_scores(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Mask, Scores, Floats | None]:
    """Return which cases are positive, their scores, and the weights or None; `labels` may name the classes."""
    truth, scores = as_labels(y_true, "y_true"), as_scores(y_score)
    check_lengths(truth, scores)
    weights = as_weights(sample_weight, len(truth))
    if labels is not None:
        classes, _ = encode_labels(truth if weights is None else truth[weights > 0], classes=labels)
        if len(classes) != 2:
            raise ValueError(f"labels has {len(classes)} classes; one column of scores needs exactly two.")
    two_classes = binary_truth(truth, pos_label=pos_label, sample_weight=weights)
    return two_classes.is_positive, scores, weights


def binary_truth_and_predictions(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Mask, Mask, Floats | None]:
    """Return which cases are positive, which are predicted positive, and the weights or None."""
    labels, predictions, weights = as_predictions(y_true, y_pred, sample_weight)
    truth = binary_truth(labels, pos_label=pos_label, sample_weight=weights)
    _check_one_kind(labels, predictions)
    is_predicted = np.asarray(predictions == truth.positive, dtype=bool)
    is_valid = is_predicted | (predictions == truth.negative)
    if weights is not None:
        is_valid |= weights == 0
    if not is_valid.all():
        check_no_scores(labels, predictions, "y_pred")
        allowed = f"{repr_of(truth.negative)} and {repr_of(truth.positive)}"
        raise ValueError(f"y_pred has a label that y_true does not have; it may hold {allowed}.")
    return truth.is_positive, is_predicted, weights
