"""Measures of binary predictions, from labels through the one table of confusion measures.

All take the same arguments, which `p4_score` documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial.measures.confusion import as_tables, evaluate


def p4_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Compute P4, the harmonic mean of precision, recall, specificity and negative predictive value.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels: numbers, booleans or strings. `y_true` holds both classes.
    pos_label : label, default=None
        The positive label; by default the greater one.
    sample_weight : array-like of shape (n,), optional
        Weights of the cases; an integer weight equals repetition.

    Returns
    -------
    float in [0, 1]
        The same whichever class is positive. NaN (0/0) where no case is predicted rightly.

    Raises
    ------
    ValueError
        If `y_true` has one class only, a label is unknown, or lengths or weights are wrong.

    References
    ----------
    P4 article, definition.

    Examples
    --------
    >>> round(p4_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    0.727
    """
    return _score("p4", y_true, y_pred, pos_label, sample_weight)


def informedness_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Compute informedness, recall + specificity - 1 (Youden's J).

    It is balanced accuracy adjusted for chance, scikit-learn's ``balanced_accuracy_score(adjusted=True)``.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight
        As in `p4_score`.

    Returns
    -------
    float in [-1, 1]
        0 for a constant prediction; the same whichever class is positive. Never 0/0, as `y_true` holds both
        classes.

    Raises
    ------
    ValueError
        As in `p4_score`.

    References
    ----------
    P4 article, table of measures; Powers 2011.

    Examples
    --------
    >>> informedness_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return _score("informedness", y_true, y_pred, pos_label, sample_weight)


def markedness_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Compute markedness, precision + negative predictive value - 1.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight
        As in `p4_score`.

    Returns
    -------
    float in [-1, 1]
        The same whichever class is positive. NaN (0/0) for a constant prediction.

    Raises
    ------
    ValueError
        As in `p4_score`.

    References
    ----------
    P4 article, table of measures; Powers 2011.

    Examples
    --------
    >>> round(markedness_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    0.667
    """
    return _score("markedness", y_true, y_pred, pos_label, sample_weight)


def precision_gain_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Compute precision gain, 1 - (P / N) FP / TP: precision on the harmonic scale from the prevalence to 1.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight
        As in `p4_score`.

    Returns
    -------
    float in [-inf, 1]
        0 for always-positive, -inf without a true positive, always-negative included, where precision itself is
        0/0. Never NaN.

    Raises
    ------
    ValueError
        As in `p4_score`.

    References
    ----------
    PRG paper, section 3.1.

    Examples
    --------
    >>> precision_gain_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return _score("precision_gain", y_true, y_pred, pos_label, sample_weight)


def recall_gain_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Compute recall gain, 1 - (P / N) FN / TP: recall on the harmonic scale from the prevalence to 1.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight
        As in `p4_score`.

    Returns
    -------
    float in [-inf, 1]
        0 where recall equals the prevalence, 1 for always-positive, -inf (x/0) without a true positive. Never 0/0,
        as `y_true` holds a positive case.

    Raises
    ------
    ValueError
        As in `p4_score`.

    References
    ----------
    PRG paper, section 3.1.

    Examples
    --------
    >>> recall_gain_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.0
    """
    return _score("recall_gain", y_true, y_pred, pos_label, sample_weight)


def f_gain_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the F-beta gain: F-beta on the harmonic scale from the prevalence to 1.

    It is the mean of precision gain and recall gain with weights 1 and beta^2.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight
        As in `p4_score`.
    beta : float in [0, inf], default=1.0
        How many times as much recall counts as precision.

    Returns
    -------
    float in [-inf, 1]
        beta^2 / (1 + beta^2) for always-positive, -inf (x/0) without a true positive. Never NaN.

    Raises
    ------
    ValueError
        As in `p4_score`, and if `beta` is negative or NaN.

    References
    ----------
    PRG paper, section 3.1 and theorem 2.

    Examples
    --------
    >>> f_gain_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return _score("f_beta_gain", y_true, y_pred, pos_label, sample_weight, beta=beta)


def _score(
    name: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    beta: float = 1.0,
) -> float:
    positive, predicted, weights = validation.binary_truth_and_predictions(
        y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
    tn, fp, fn, tp = np.bincount(2 * positive + predicted, weights=weights, minlength=4)
    return float(evaluate(as_tables(tp, fp, fn, tn, beta=beta), [name]).to_numpy()[0, 0])
