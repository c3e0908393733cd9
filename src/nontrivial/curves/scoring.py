"""From labels and scores to one number: of two classes, or of several, each against the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import (
    as_array,
    as_labels,
    as_scores,
    as_weights,
    check_choice,
    check_lengths,
    check_prevalence,
    check_two_classes,
    encode_labels,
    show_some,
    undefined_for_one_class,
)
from nontrivial._warnings import warn_undefined
from nontrivial.curves.points import find_rises
from nontrivial.curves.rises import Rises

Area = Callable[[Rises], float]
AVERAGES = ("macro", "weighted", "micro", None)


@undefined_for_one_class(lambda: float("nan"))
def score_classes(
    area: Area,
    y_true: ArrayLike,
    y_score: ArrayLike,
    average: str | None,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    prevalence: float | None = None,
) -> float | Floats:
    """Return a number of the ranking of two classes; for several columns of scores, the average over the classes.

    NaN, with scikit-learn's warning, for one class only.

    Raises
    ------
    ValueError
        If there is not a column for each class, or an option does not fit.
    """
    check_choice(average, "average", AVERAGES)
    scores = as_array(y_score, "y_score")
    if scores.ndim == 2 and scores.shape[1] == 2:
        raise ValueError(
            f"y_score has shape {scores.shape}; pass one column, that of the positive class of two, or one for each of "
            "three or more classes."
        )
    if scores.ndim != 2 or scores.shape[1] < 3:
        if labels is not None:
            check_two_classes(y_true, labels, sample_weight)
        prevalence = None if prevalence is None else check_prevalence(prevalence)
        rises = find_rises(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return area(rises.at_prevalence(prevalence))
    if pos_label is not None or prevalence is not None:
        raise ValueError(
            "pos_label and prevalence are for two classes; y_score has a column for each of several."
        )
    truth = as_labels(y_true, "y_true")
    check_lengths(y_true=truth, y_score=scores)
    weights = as_weights(sample_weight, len(truth))
    if weights is not None:
        for column in scores.T:
            as_scores(column)  # also those of cases that do not count are numbers
        truth, scores, weights = truth[weights > 0], scores[weights > 0], weights[weights > 0]
    classes, (codes,) = encode_labels(truth, names=["y_true"], classes=labels)
    if len(classes) != scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns for {len(classes)} classes; it must have one for each "
            "(name the classes in labels if some do not occur)."
        )
    one_hot = codes == np.arange(len(classes))[:, None]
    mass = np.bincount(codes, weights=weights, minlength=len(classes))
    if average == "micro" and np.count_nonzero(mass) == 1:
        warn_undefined("y_true has one class only; the result is set to NaN.")
        return float("nan")
    if average == "micro":
        pooled = None if weights is None else np.tile(weights, len(classes))
        return area(find_rises(one_hot.ravel(), scores.T.ravel(), sample_weight=pooled))
    values = np.full(len(classes), np.nan)
    for place, (positive, column) in enumerate(zip(one_hot, scores.T, strict=True)):
        if 0 < mass[place] < mass.sum():
            values[place] = area(find_rises(positive, column, sample_weight=weights))
    if np.isnan(values).any():
        absent = show_some(classes[np.isnan(values)])
        warn_undefined(f"The score is undefined for the classes {absent} against the rest.")
    if average is None:
        return values
    return float(
        np.average(values[mass > 0], weights=mass[mass > 0]) if average == "weighted" else values.mean()
    )
