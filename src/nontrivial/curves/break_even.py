"""The break-even point of a Precision-Recall curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial.curves.rises import Rises
from nontrivial.curves.scoring import score_ranking


def break_even_point_score(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the height at which precision equals recall.

    Precision equals recall where as many cases are predicted positive as are positive. Between two operating points
    the contingency table is interpolated, so that there is always exactly one such point.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float
        In [0, 1]; F-beta has the same value there for every beta. 1 for a perfect ranking, the prevalence for a
        constant score.

    Raises
    ------
    ValueError
        If the lengths differ or a score is not finite.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

    Notes
    -----
    Tutorial, "The P-R curve"; PA paper, Section 3 (break-even point).

    Examples
    --------
    >>> break_even_point_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """
    return score_ranking(_break_even_point, y_true, y_score, pos_label, sample_weight)


def _break_even_point(rises: Rises) -> float:
    wanted = rises.positives
    rise = int(np.searchsorted(rises.tp[1:] + rises.fp_end, wanted))
    start = rises.tp[rise] + rises.fp_start[rise]
    added = rises.tp[rise + 1] + rises.fp_end[rise] - start
    share = max(0.0, (wanted - start) / added)  # the drop before a rise has the rise's TP at its start
    recall, next_recall = rises.tp[rise] / wanted, rises.tp[rise + 1] / wanted
    return float(recall + share * (next_recall - recall))
