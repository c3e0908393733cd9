"""The lift."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.measures.label_scores import score_labels


def lift_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    average: str | None = "binary",
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Compute the lift: precision over prevalence.

    A lift of 2 says that predicted positives are positive twice as often as all cases are.

    Parameters
    ----------
    y_true, y_pred, average, prevalence, pos_label, sample_weight
        As in `p4_score`, which says what is raised and warned of.

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
    return score_labels(
        "lift",
        y_true,
        y_pred,
        average=average,
        prevalence=prevalence,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
