"""The break-even point of a Precision-Recall curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.curves.rises import Rises
from nontrivial.curves.scoring import score_classes


def break_even_point_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Return the height at which precision equals recall.

    Precision equals recall where as many cases are predicted positive as are positive. Between two operating points
    the contingency table is interpolated, so that there is always exactly one such point.

    Parameters
    ----------
    y_true, y_score, average, labels, pos_label, sample_weight
        As in `prg_auc_score`.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        In [0, 1]; F-beta has the same value there for every beta. 1 for a perfect ranking, the prevalence for a
        constant score.

    Raises
    ------
    ValueError
        As in `prg_auc_score`.

    Warns
    -----
    UndefinedMetricWarning
        As in `prg_auc_score`.

    Notes
    -----
    Tutorial, "The P-R curve"; PA paper, Section 3 (break-even point).

    Examples
    --------
    >>> break_even_point_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """
    return score_classes(_break_even_point, y_true, y_score, average, labels, pos_label, sample_weight)


def _break_even_point(rises: Rises) -> float:
    wanted = rises.positives
    rise = int(np.searchsorted(rises.tp[1:] + rises.fp_end, wanted))
    start = rises.tp[rise] + rises.fp_start[rise]
    added = rises.tp[rise + 1] + rises.fp_end[rise] - start
    share = max(0.0, (wanted - start) / added)  # the drop before a rise has the rise's TP at its start
    recall, next_recall = rises.tp[rise] / wanted, rises.tp[rise + 1] / wanted
    return float(recall + share * (next_recall - recall))
