"""Measures of predicted labels, through the one table of confusion measures.

All take the same arguments, which `p4_score` documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.measures.label_scores import score_labels


def p4_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute P4, the harmonic mean of precision, recall, specificity and negative predictive value.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels: numbers, booleans or strings. `y_true` holds two classes or more.
    average : {"binary", "macro", "weighted", "micro"} or None, default="binary"
        "binary" is for two classes, one of which is positive. Otherwise each class is measured against the rest: the
        mean, the mean weighted by the true cases of each class, the measure of the summed tables, or an array with the
        value of each class, sorted.
    prevalence : float, optional
        Share of positives, strictly between 0 and 1, at which to measure, as in `confusion_measures`.
    pos_label : label, default=None
        The positive label of two; by default the greater one. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
    zero_division : {0, 1, nan}, default=nan
        The value of 0/0, also of a class that enters a mean. NaN comes with a warning. If all cases are of one class,
        the result is NaN in any case.

    Returns
    -------
    float in [0, 1], or ndarray of shape (n_classes,) for ``average=None``
        The same whichever class is positive. NaN (0/0) where no case is predicted rightly.

    Raises
    ------
    ValueError
        If a label is unknown, or lengths, weights or an option are wrong.

    Warns
    -----
    UndefinedMetricWarning
        If the result is NaN or holds NaN: if the measure is 0/0, as most measures of a class that is only predicted
        are, and `zero_division` is NaN, or if all cases are of one class.

    References
    ----------
    P4 article, definition.

    Examples
    --------
    >>> round(p4_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    0.727
    >>> p4_score([0, 0, 1, 2], [0, 1, 1, 2], average=None).round(3)
    array([0.727, 0.727, 1.   ])
    """
    return score_labels("p4", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division)


def informedness_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute informedness, recall + specificity - 1 (Youden's J).

    It is balanced accuracy adjusted for chance, scikit-learn's ``balanced_accuracy_score(adjusted=True)``.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [-1, 1]
        0 for a constant prediction; the same whichever class is positive. Of two classes it is never 0/0, as `y_true`
        holds both; a class that is only predicted has NaN.

    References
    ----------
    P4 article, table of measures; Powers 2011.

    Examples
    --------
    >>> informedness_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return score_labels(
        "informedness", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
    )


def markedness_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute markedness, precision + negative predictive value - 1.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [-1, 1]
        The same whichever class is positive. NaN (0/0) for a constant prediction.

    References
    ----------
    P4 article, table of measures; Powers 2011.

    Examples
    --------
    >>> round(markedness_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    0.667
    """
    return score_labels(
        "markedness", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
    )


def geometric_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute the G-mean, the geometric mean of recall and specificity.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [0, 1]
        0 for a constant prediction; the same whichever class is positive and whatever the prevalence. Of two classes
        it is never 0/0; a class that is only predicted has NaN.

    References
    ----------
    Kubat and Matwin 1997.

    Examples
    --------
    >>> round(geometric_mean_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    0.707
    """
    return score_labels(
        "geometric_mean", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
    )


def lift_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute the lift: precision over prevalence.

    A lift of 2 says that predicted positives are positive twice as often as all cases are.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [0, 1 / prevalence]
        1 for always-positive; NaN (0/0) where nothing is predicted positive.

    References
    ----------
    Brin, Motwani, Ullman and Tsur 1997 (as "interest").

    Examples
    --------
    >>> round(lift_score([0, 0, 1, 1], [0, 1, 1, 1]), 3)
    1.333
    """
    return score_labels("lift", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division)
