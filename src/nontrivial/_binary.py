"""Two classes: which cases are positive, and what was predicted or scored for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from nontrivial._arrays import Floats, Mask, Scores
from nontrivial._validation import as_labels, as_scores, as_weights, check_lengths, check_no_scores, show
from nontrivial._warnings import warn_undefined

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


def binary_truth(
    y_true: ArrayLike, *, pos_label: Any = None, sample_weight: Floats | None = None, name: str = "y_true"
) -> tuple[Mask, Any, Any]:
    """Return which cases are positive, the positive label and the negative label.

    Takes linear time, without a sort. Cases of weight 0 count as absent, whatever their labels; a third label
    among them may be on either side.

    Raises
    ------
    ValueError
        Unless `y_true` has exactly two labels and `pos_label` is one of them, or None for the greater of two numbers
        or booleans.
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
    if pos_label is None:
        return is_high, high, low
    if np.ndim(pos_label) != 0:
        raise ValueError(f"pos_label is {show(pos_label)}; it must be one label.")
    known = pos_label is not pd.NA  # comparing with it gives neither True nor False
    if known and pos_label == high:
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
    labels, predictions = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    check_lengths(y_true=labels, y_pred=predictions)
    weights = as_weights(sample_weight, len(labels))
    positive, positive_label, negative_label = binary_truth(
        labels, pos_label=pos_label, sample_weight=weights
    )
    if (predictions.dtype == object) != (labels.dtype == object):
        raise ValueError("One of y_true and y_pred holds strings, the other numbers; use one kind of labels.")
    predicted = np.asarray(predictions == positive_label, dtype=bool)
    if not _counted(predicted | (predictions == negative_label), weights).all():
        check_no_scores(_counted(labels, weights), _counted(predictions, weights), "y_pred")
        raise ValueError(
            "y_pred has a label that y_true does not have; "
            f"it may hold {show(negative_label)} and {show(positive_label)}."
        )
    return positive, predicted, weights


def _counted(values: NDArray[Any], weights: Floats | None) -> NDArray[Any]:
    """Return the values of the cases with a weight above 0."""
    return values if weights is None else values[weights > 0]
