"""How far a ranking separates two classes: the Kolmogorov-Smirnov statistic and the H-measure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from nontrivial._arrays import Floats
from nontrivial._validation import as_real, show
from nontrivial.curves.hull import find_hull
from nontrivial.curves.rises import Rises, steps
from nontrivial.curves.scoring import score_classes


def kolmogorov_smirnov_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Return the greatest distance between the distribution functions of the scores of the two classes.

    It is the greatest abs(TPR - FPR) of all thresholds.

    Parameters
    ----------
    y_true, y_score, average, labels, pos_label, sample_weight
        As in `prg_auc_score`.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        In [0, 1]: 1 for a perfect ranking, 0 for a constant score. A ranking and its reverse have the same value.

    Raises
    ------
    ValueError
        As in `prg_auc_score`.

    Warns
    -----
    UndefinedMetricWarning
        As in `prg_auc_score`.

    References
    ----------
    Smirnov 1939, the distance of two empirical distribution functions.

    Examples
    --------
    >>> kolmogorov_smirnov_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """
    return score_classes(_greatest_distance, y_true, y_score, average, labels, pos_label, sample_weight)


def h_measure_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    shape: tuple[float, float] | None = None,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    r"""Return the H-measure: the share of a trivial rule's expected loss that the ranking saves at its best thresholds.

    A false positive costs c and a false negative 1 - c, where c is drawn from a beta distribution.

    Parameters
    ----------
    y_true, y_score, average, labels, pos_label, sample_weight
        As in `prg_auc_score`.
    shape : tuple of two floats, optional
        Of the beta distribution of c, both from 1e-9 to 1e9. By default (1 + p, 2 - p) for the prevalence p, which Hand
        and Anagnostopoulos proposed in 2014; (2, 2) is the proposal of Hand 2009. Their R package `hmeasure` takes
        (2, 1 / p) by default.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        In [0, 1]: 1 for a perfect ranking, 0 for one that no threshold makes better than trivial. Thresholds are the
        best on these very cases, so the value is optimistic.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or `shape` is not two such numbers.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

    Notes
    -----
    With p the prevalence, the loss at cost c is min over thresholds of c (1 - p) FPR + (1 - c) p FNR, and a trivial
    rule's is min(c (1 - p), (1 - c) p). H is one minus the ratio of their means over c.

    References
    ----------
    Hand 2009, "Measuring classifier performance: a coherent alternative to the area under the ROC curve"; Hand and
    Anagnostopoulos 2014, "A better Beta for the H measure of classification performance".

    Examples
    --------
    >>> truth, scores = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    >>> round(h_measure_score(truth, scores), 3), round(h_measure_score(truth, scores, shape=(2, 2)), 3)
    (0.587, 0.58)
    """
    if shape is not None:
        shape = _as_shape(shape)
    return score_classes(
        lambda rises: _h_measure(rises, shape), y_true, y_score, average, labels, pos_label, sample_weight
    )


def _as_shape(shape: tuple[float, float]) -> tuple[float, float]:
    """Return the two parameters of a beta distribution."""
    given = as_real(np.atleast_1d(shape), "shape")
    # Beyond these limits, a float64 cannot tell the distribution from one or two points.
    if given.shape != (2,) or not ((given >= 1e-9) & (given <= 1e9)).all():
        raise ValueError(f"shape is {show(shape)}; it must be two numbers from 1e-09 to 1e+09.")
    return float(given[0]), float(given[1])


def _greatest_distance(rises: Rises) -> float:
    """Return the greatest distance, which lies at an end of a rise or at a start."""
    tpr = rises.tp / rises.positives
    start, end = rises.fp_start / rises.negatives, rises.fp_end / rises.negatives
    return float(max((tpr[1:] - end).max(), (start - tpr[:-1]).max()))


def _h_measure(rises: Rises, shape: tuple[float, float] | None) -> float:
    hull = find_hull(rises)
    positives, negatives = hull.positives, hull.negatives
    fp, fn, tp_step, fp_step = hull.fp, hull.fn, steps(hull.tp), steps(hull.fp)
    if positives > negatives:
        # Costs near the prevalence matter most. Near 1, floats lie too far apart, so the classes are swapped.
        positives, negatives, shape = negatives, positives, shape and shape[::-1]
        fp, fn, tp_step, fp_step = fn[::-1], fp[::-1], fp_step[::-1], tp_step[::-1]
    prevalence = positives / (positives + negatives)
    a, b = shape or (1 + prevalence, 2 - prevalence)

    def loss(false_positives: Floats, false_negatives: Floats, changes: Floats) -> float:
        """Return the mean loss of the rules that are best from each cost c of `changes` down to the next."""
        of_costs = betainc(a + 1, b, changes) * a / (a + b)
        of_rest = betainc(a, b + 1, changes) * b / (a + b)
        return float(-(false_positives @ steps(of_costs) + false_negatives @ steps(of_rest)))

    # Along an edge of the hull both ends cost the same: c FP = (1 - c) TP for what is gained.
    changes = np.concatenate([[1.0], tp_step / (tp_step + fp_step), [0.0]])
    trivial = loss(np.array([0.0, negatives]), np.array([positives, 0.0]), np.array([1.0, prevalence, 0.0]))
    return max(1 - loss(fp, fn, changes) / trivial, 0.0)
