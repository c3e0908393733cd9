"""The convex hull of the operating points, which ROC, PRG and cost curves share.

The map from false and true positives to gains is projective and keeps straight lines straight. So the hull of
a PRG curve has the vertices of the ROC hull, except those that another prediction beats for every F-beta: the
empty prediction, and the always-positive one if another point has full recall with fewer false positives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask, Scores
from nontrivial.curves.points import PositiveSteps, differences, find_positive_steps, mean
from nontrivial.curves.scoring import Area, ranking_curve, ranking_score


@ranking_curve(find_positive_steps, lambda: (*np.full((2, 1), np.nan), np.array([np.inf])))
def roc_convex_hull(steps: PositiveSteps) -> tuple[Floats, Floats, Scores]:
    """Return the vertices of the convex hull of the ROC curve.

    Returns
    -------
    false_positive_rate, true_positive_rate : ndarray of shape (n_vertices,)
        From (0, 0) to (1, 1), in [0, 1]. No vertex lies on the line between two others. Never 0/0 while both classes
        are there; if one is missing, a single vertex is NaN.
    thresholds : ndarray of shape (n_vertices,)
        Decreasing from inf (nothing predicted positive); -inf at the end (everything) unless the least score that
        a positive has gives that prediction too. Integers become floats, which round beyond 2**53.

    Notes
    -----
    PRG paper, Section 1 (ROCCH).

    Examples
    --------
    >>> roc_convex_hull([1, 0, 1, 0], [4, 3, 2, 1])
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([ inf,   4.,   2., -inf]))
    """
    hull = find_hull(steps)
    n_beyond = len(hull.tp) - 1 - len(hull.ends)  # 1 if no score of a positive gives the last vertex
    thresholds = np.concatenate([[np.inf], hull.scores, [-np.inf] * n_beyond])
    return hull.fp / hull.negatives, hull.tp / hull.positives, thresholds


@ranking_score()
def roc_hull_auc_score() -> Area:
    """Return the area under the convex hull of the ROC curve.

    Returns
    -------
    In [1/2, 1] and, rounding apart, never below the area under the ROC curve itself. It is the area after the best
    monotone recalibration on these very cases, and so it is optimistic.

    Notes
    -----
    PRG paper, Section 1 (ROCCH).

    Examples
    --------
    >>> roc_hull_auc_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.875
    """

    def hull_area(steps: PositiveSteps) -> float:
        hull = find_hull(steps)
        below = 1.0 - (hull.fp[:-1] + hull.fp[1:]) / (2 * hull.negatives)
        return mean([(below, differences(hull.tp))])

    return hull_area


@ranking_curve(find_positive_steps, lambda: (*np.full((2, 1), np.nan), np.array([np.inf]), np.empty(0)))
def prg_convex_hull(steps: PositiveSteps) -> tuple[Floats, Floats, Scores, Floats]:
    """Return the vertices of the convex hull of the Precision-Recall-Gain curve and the slopes between them.

    Each vertex is the single best prediction for the F-betas of an interval.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_vertices,)
        Strictly decreasing and strictly increasing, from the greatest precision of all points to full recall. Recall
        gain can be negative. If a class is missing, a single vertex is NaN.
    thresholds : ndarray of shape (n_vertices,)
        Decreasing, in the type of `y_score`: a score at or above it is predicted positive.
    beta_squared : ndarray of shape (n_vertices - 1,)
        Increasing: the beta squared for which both ends of the segment have the same F-beta. Vertex i is best for
        beta squared from ``beta_squared[i - 1]`` to ``beta_squared[i]``. The calibrated score of the segment, which
        `FBetaCalibrator` gives, is 1 / (1 + beta_squared).

    Notes
    -----
    PRG paper, Theorem 4 and Section 3.4.

    Examples
    --------
    >>> precision_gain, recall_gain, thresholds, beta_squared = prg_convex_hull([1, 0, 1, 0], [4, 3, 2, 1])
    >>> precision_gain, recall_gain
    (array([1. , 0.5]), array([0., 1.]))
    >>> thresholds, beta_squared
    (array([4, 2]), array([0.5]))
    """
    hull = f_hull(find_hull(steps))
    return hull.gain(hull.fp), hull.gain(hull.fn), hull.scores, beta_squared(hull)


@dataclass(eq=False)
class Hull:
    """The strict vertices of the upper ROC hull, from the empty to the always-positive prediction."""

    tp: Floats  # of shape (n_vertices,), like `fn` and `fp`
    fn: Floats
    fp: Floats
    positives: float
    negatives: float
    steps: PositiveSteps
    ends: Ints  # the steps that end in a vertex; none ends in the first, nor in a last that only negatives lead to

    @cached_property
    def scores(self) -> Scores:
        """The scores of the vertices at the ends of steps, decreasing."""
        return self.steps.scores_of(self.ends)

    def gain(self, errors: Floats) -> Floats:
        """Return 1 - (P/N) errors / TP at vertices with true positives."""
        return (self.negatives * self.tp - self.positives * errors) / (self.negatives * self.tp)


def find_hull(steps: PositiveSteps) -> Hull:
    """Return the hull. All vertices but the always-positive prediction are ends of steps."""
    # An end from which the curve goes on straight up is no vertex.
    (ends,) = np.append(steps.fp_end[1:] > steps.fp_end[:-1], True).nonzero()
    tp, fp = np.append(0.0, steps.tp[ends + 1]), np.append(0.0, steps.fp_end[ends])
    vertices = _upper_hull(tp, fp, steps.rounding)
    ends = ends[vertices[1:] - 1]
    tp, fp, fn = tp[vertices], fp[vertices], np.append(steps.positives, steps.fn[ends + 1])
    if fp[-1] < steps.negatives:
        tp, fp, fn = np.append(tp, steps.positives), np.append(fp, steps.negatives), np.append(fn, 0.0)
    return Hull(tp, fn, fp, steps.positives, steps.negatives, steps, ends)


def f_hull(hull: Hull) -> Hull:
    """Return the vertices that are best for some F-beta, each of which has its score."""
    chosen = slice(1, len(hull.ends) + 1)
    return replace(hull, tp=hull.tp[chosen], fn=hull.fn[chosen], fp=hull.fp[chosen])


def beta_squared(hull: Hull) -> Floats:
    """Return the beta squared for which the ends of each segment of an F-hull have the same (FP + beta^2 FN) / TP."""
    tp, fp = hull.tp, hull.fp
    return (fp[:-1] * tp[1:] - fp[1:] * tp[:-1]) / (hull.positives * differences(hull.fn))


def _upper_hull(tp: Floats, fp: Floats, rounding: float) -> Ints:
    """Return the places of the strict vertices, with both ends; `tp` increases strictly."""
    # Isotonic regression of the share of positives gives the hull in linear time, but its running means round, and
    # points on one line can come out as several blocks. Cross products, which are exact for counts, strike these out.
    from scipy.optimize import isotonic_regression  # slow to import, and rarely needed

    gained = differences(tp)
    added = gained + differences(fp)
    vertices = isotonic_regression(gained / added, weights=added, increasing=False).blocks
    while not (strict := _is_strict(tp[vertices], fp[vertices], rounding)).all():
        vertices = vertices[strict]
    return vertices


def _is_strict(tp: Floats, fp: Floats, rounding: float) -> Mask:
    """Return which vertices, and the two ends, lie outside the line through their neighbours."""
    tp_step, fp_step = differences(tp), differences(fp)
    turn = tp_step[:-1] * fp_step[1:] - tp_step[1:] * fp_step[:-1]
    slack = rounding and rounding * (tp[-1] * (fp[2:] - fp[:-2]) + fp[-1] * (tp[2:] - tp[:-2]))
    is_strict = np.ones(len(tp), dtype=bool)
    np.greater(turn, slack, out=is_strict[1:-1])
    return is_strict
