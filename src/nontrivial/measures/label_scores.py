"""Measures of predicted labels, computed from their confusion tables."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels, Mask
from nontrivial._warnings import warn_undefined
from nontrivial.measures.catalogue import CATALOGUE, Measure
from nontrivial.measures.confusion import as_tables

LABEL_AVERAGES = ("binary", "macro", "weighted", "micro", None)


@validation.nan_for_one_class
def score_labels(
    name: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Return the named measure of labels; the other parameters are the parameters of the public functions."""
    validation.check_choice(average, "average", LABEL_AVERAGES)
    if not (isinstance(zero_division, Real) and (zero_division in (0, 1) or math.isnan(zero_division))):
        raise ValueError(f"zero_division is {validation.repr_of(zero_division)}; it must be 0, 1 or NaN.")
    beta = validation.check_beta(beta)
    prevalence = None if prevalence is None else validation.check_in_unit_interval(prevalence, "prevalence")
    classes = None
    if average == "binary":
        positive, predicted, weights = validation.binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        cells = _count_cells(positive, predicted, weights)[:, None]
    elif pos_label is not None or prevalence is not None:
        raise ValueError(f'pos_label and prevalence are for average="binary"; average is {average!r}.')
    else:
        cells, classes = _count_cells_of_classes(y_true, y_pred, sample_weight)
    support = cells[0] + cells[2]
    is_one_class = bool((cells[1] + cells[3] == 0).any())
    if average == "micro":
        cells = cells.sum(axis=1, keepdims=True)
    values = CATALOGUE[name].values(as_tables(*cells, beta=beta, prevalence=prevalence))
    values = np.full(len(values), np.nan) if is_one_class else np.where(np.isnan(values), zero_division, values)
    result: float | Floats = values
    if average == "weighted":
        result = float(np.average(values[support > 0], weights=support[support > 0]))
    elif average is not None:
        result = float(values.mean())
    if np.isnan(result).any():
        data = "these labels and predictions"
        if classes is not None and average != "micro":
            data = f"the classes {validation.repr_of_some(classes[np.isnan(values)])} against the rest"
        warn_undefined(f"{name} is undefined for {data}; it is set to NaN.")
    return result


def _count_cells(positive: Mask, predicted: Mask, weights: Floats | None) -> Floats:
    """Return the array of TP, FP, FN and TN, or of their weights."""
    tn, fp, fn, tp = np.bincount(2 * positive + predicted, weights=weights, minlength=4)
    return np.array([tp, fp, fn, tn], dtype=np.float64)


def _count_cells_of_classes(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Floats, Labels]:
    """Return the cells of each class that occurs against the rest, of shape (4, k), and the classes."""
    labels, predictions, weights = validation.as_predictions(y_true, y_pred, sample_weight)
    if weights is not None:
        counted = weights > 0
        labels, predictions, weights = labels[counted], predictions[counted], weights[counted]
    validation.check_no_scores(labels, predictions, "y_pred")
    classes, (truth, predicted) = validation.encode_labels(labels, predictions)
    tables = [_count_cells(truth == code, predicted == code, weights) for code in range(len(classes))]
    return np.array(tables).T, classes


# Each measure of the catalogue with `values_of_labels` gets a public function, with this docstring.

_SCORE_DOCSTRING = """Compute {label}: {meaning}

    {source}.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels: numbers, booleans or strings. `y_true` holds two classes or more.
    {beta}average : {{"binary", "macro", "weighted", "micro"}} or None, default="binary"
        "binary" is for two classes. Otherwise each class is measured against the rest: the mean, the mean weighted by
        the true cases of each class, the measure of the summed tables, or an array of all values, sorted by class.
    prevalence : float in (0, 1), optional
        Share of positives at which to measure, as in `confusion_measures`.
    pos_label : label, default=None
        The positive label of two; by default the greater one. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`.
    zero_division : {{0, 1, nan}}, default=nan
        The value of 0/0, also of a class that enters a mean; for one class only, the result is NaN in any case. NaN
        comes with an UndefinedMetricWarning.

    Returns
    -------
    float in {range}, or ndarray of shape (n_classes,) for ``average=None``
        {definition}. {values_of_labels}

    Raises
    ------
    ValueError
        If a label is unknown, or lengths, weights or an option are wrong.

    Examples
    --------
    >>> round({function}([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    {result}
    """
_BETA_TEXT = """beta : float in [0, inf], default=1.0
        How many times as much recall counts as precision.
    """


def _build_score(measure: Measure) -> Callable[..., Any]:
    """Return the public function of a measure, with a signature and docstring from its record."""
    has_beta = "beta" in measure.name
    signature = inspect.signature(score_labels)
    _, *parameters = signature.parameters.values()
    own = [parameter for parameter in parameters if parameter.name != "beta" or has_beta]
    signature = signature.replace(parameters=own)

    def score(*arguments: Any, **options: Any) -> Any:
        signature.bind(*arguments, **options)  # raises a TypeError if the measure has no `beta`
        return score_labels(measure.name, *arguments, **options)

    score.__name__ = score.__qualname__ = measure.function or f"{measure.name}_score"
    score.__signature__ = signature  # type: ignore[attr-defined]
    texts = {
        "function": score.__name__,
        "beta": _BETA_TEXT if has_beta else "",
        "result": round(float(measure.values(as_tables(2, 1, 0, 1))[0]), 3),
    }
    score.__doc__ = inspect.cleandoc(_SCORE_DOCSTRING.format(**vars(measure) | texts))
    return score


LABEL_SCORES = {name: _build_score(measure) for name, measure in CATALOGUE.items() if measure.values_of_labels}
_FUNCTIONS = {score.__name__: score for score in LABEL_SCORES.values()}


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in _FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _FUNCTIONS[name]


@validation.nan_for_one_class
def net_benefit_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    threshold: float,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the net benefit of acting on cases whose probability is at least a threshold (Vickers and Elkin 2006).

    It is (TP - FP t / (1 - t)) / n: a false positive is t / (1 - t) times as bad as a true positive is good.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Probabilities of the positive class, or predicted labels as 0 and 1; other numbers are a ValueError.
    threshold : float in (0, 1)
        The threshold probability t; other numbers are a ValueError.
    prevalence, pos_label, sample_weight
        As in `p4_score`, as are the errors.

    Returns
    -------
    float
        At most the prevalence p. Acting on nobody has 0, and acting on all has (p - t) / (1 - t); a useful model
        exceeds both. NaN (0/0), with an UndefinedMetricWarning, for one class only.

    Examples
    --------
    >>> net_benefit_score([0, 0, 1, 1], [0.1, 0.6, 0.7, 0.9], threshold=0.5)
    0.25
    """
    threshold = validation.check_in_unit_interval(threshold, "threshold")
    scores = validation.as_probabilities(y_score, "net benefit")
    positive, scores, weights = validation.binary_truth_and_scores(
        y_true, scores, pos_label=pos_label, sample_weight=sample_weight
    )
    table = as_tables(*_count_cells(positive, scores >= threshold, weights), prevalence=prevalence)
    return float((table.tp[0] - table.fp[0] * (threshold / (1 - threshold))) / table.n[0])
