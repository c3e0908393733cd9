"""The G-mean."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.measures.label_scores import score_labels


def geometric_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Compute the G-mean, the geometric mean of recall and specificity.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight
        As in `p4_score`, which says what is raised and warned of.

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
        "geometric_mean",
        y_true,
        y_pred,
        average=average,
        prevalence=prevalence,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
