"""From labels and predicted labels to one measure: of two classes, or averaged over several against the rest."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels, Mask
from nontrivial._binary import binary_truth_and_predictions, undefined_for_one_class
from nontrivial._encoding import encode_labels
from nontrivial._warnings import warn_undefined
from nontrivial.measures.confusion import as_tables, evaluate

AVERAGES = ("binary", "macro", "weighted", "micro", None)


@undefined_for_one_class(lambda: float("nan"))
def score_labels(
    name: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    average: str | None,
    prevalence: float | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    zero_division: float,
    beta: float = 1.0,
) -> float | Floats:
    """Return the named measure; the parameters are those of `p4_score`."""
    validation.check_choice(average, "average", AVERAGES)
    if not (isinstance(zero_division, Real) and (zero_division in (0, 1) or math.isnan(zero_division))):
        raise ValueError(f"zero_division is {validation.show(zero_division)}; it must be 0, 1 or NaN.")
    beta = validation.check_beta(beta)
    prevalence = None if prevalence is None else validation.check_prevalence(prevalence)
    if average == "binary":
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        cells, classes = _cells(positive, predicted, weights)[:, None], None
    elif pos_label is not None or prevalence is not None:
        raise ValueError(f'pos_label and prevalence are for average="binary"; average is {average!r}.')
    else:
        cells, classes = _cells_of_classes(y_true, y_pred, sample_weight)
    support = cells[0] + cells[2]
    is_one_class = bool((cells[1] + cells[3] == 0).any())
    if average == "micro":
        cells = cells.sum(axis=1, keepdims=True)
    values = evaluate(as_tables(*cells, beta=beta, prevalence=prevalence), [name]).to_numpy()[:, 0]
    values = np.where(np.isnan(values) | is_one_class, np.nan if is_one_class else zero_division, values)
    result = values if average is None else _averaged(values, support if average == "weighted" else None)
    if np.isnan(result).any():
        of = "these labels and predictions"
        if classes is not None and average != "micro":
            of = f"the classes {validation.show_some(classes[np.isnan(values)])} against the rest"
        warn_undefined(f"{name} is undefined for {of}; it is set to NaN.")
    return result


def _cells(positive: Mask, predicted: Mask, weights: Floats | None) -> Floats:
    """Return TP, FP, FN and TN."""
    return np.bincount(2 * positive + predicted, weights=weights, minlength=4)[[3, 1, 2, 0]].astype(
        np.float64
    )


def _cells_of_classes(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Floats, Labels]:
    """Return an array of shape (4, k) with the table of each class that occurs against the rest, and the classes."""
    labels, predictions = validation.as_labels(y_true, "y_true"), validation.as_labels(y_pred, "y_pred")
    validation.check_lengths(y_true=labels, y_pred=predictions)
    weights = validation.as_weights(sample_weight, len(labels))
    if weights is not None:
        counted = weights > 0
        labels, predictions, weights = labels[counted], predictions[counted], weights[counted]
    validation.check_no_scores(labels, predictions, "y_pred")
    classes, (truth, predicted) = encode_labels(labels, predictions, names=["y_true", "y_pred"])
    tables = [_cells(truth == code, predicted == code, weights) for code in range(len(classes))]
    return np.array(tables).T, classes


def _averaged(values: Floats, support: Floats | None) -> float:
    """Return the mean, or that weighted by the cases of each class, which leaves out a class without cases."""
    if support is None:
        return float(values.mean())
    return float(np.average(values[support > 0], weights=support[support > 0]))
