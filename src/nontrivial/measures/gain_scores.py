"""Precision gain, recall gain and F-beta gain of predicted labels (PRG paper, Section 3.1).

All take the arguments that `p4_score` documents.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.measures.label_scores import score_labels


def precision_gain_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute precision gain, 1 - (P / N) FP / TP: precision on the harmonic scale from the prevalence to 1.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [-inf, 1]
        0 for always-positive; -inf (x/0) without a true positive, even for always-negative, whose precision is 0/0. Of
        two classes it is never NaN.

    References
    ----------
    PRG paper, section 3.1.

    Examples
    --------
    >>> precision_gain_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return score_labels(
        "precision_gain", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
    )


def recall_gain_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float = np.nan,
) -> float | Floats:
    """Compute recall gain, 1 - (P / N) FN / TP: recall on the harmonic scale from the prevalence to 1.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.

    Returns
    -------
    float in [-inf, 1]
        0 where recall equals the prevalence, 1 for always-positive, -inf (x/0) without a true positive. Of two
        classes it is never 0/0, as `y_true` holds a positive case.

    References
    ----------
    PRG paper, section 3.1.

    Examples
    --------
    >>> recall_gain_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.0
    """
    return score_labels(
        "recall_gain", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
    )


def f_gain_score(
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
    """Compute the F-beta gain: F-beta on the harmonic scale from the prevalence to 1.

    It is the mean of precision gain and recall gain with weights 1 and beta^2.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division
        As in `p4_score`, which also lists errors and warnings.
    beta : float in [0, inf], default=1.0
        How many times as much recall counts as precision.

    Returns
    -------
    float in [-inf, 1]
        beta^2 / (1 + beta^2) for always-positive, -inf (x/0) without a true positive. Of two classes it is never NaN.

    Raises
    ------
    ValueError
        Also if `beta` is negative or NaN.

    References
    ----------
    PRG paper, section 3.1 and theorem 2.

    Examples
    --------
    >>> f_gain_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return score_labels(
        "f_beta_gain", y_true, y_pred, average, prevalence, pos_label, sample_weight, zero_division, beta
    )
