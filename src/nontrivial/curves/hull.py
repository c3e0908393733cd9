"""The convex hull of the operating points, which ROC, PRG and cost curves share.

The map from false and true positives to gains is projective, so straight lines stay straight, and the hull of a PRG
curve has the vertices of the ROC hull. Two may be missing, because another prediction beats them for every F-beta: the
empty prediction, and the always-positive one if another point has full recall with fewer false positives.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Mask, Scores
from nontrivial._validation import as_array, as_floats, repr_of
from nontrivial.curves.points import OperatingPoints, PositiveSteps, differences, find_positive_steps, weighted_mean
from nontrivial.curves.scoring import Area, ranking_curve, ranking_score


@ranking_curve(find_positive_steps, lambda: (*np.full((2, 1), np.nan), np.array([np.inf])))
def roc_convex_hull(steps: PositiveSteps) -> tuple[Floats, Floats, Scores]:
    """Return the vertices of the convex hull of the ROC curve (PRG paper, Section 1).

    Returns
    -------
    false_positive_rate, true_positive_rate : ndarray of shape (n_vertices,)
        From (0, 0) to (1, 1), in [0, 1]. No vertex lies on the line between two others. Never 0/0 while both classes
        are there; if one is missing, a single vertex is NaN.
    thresholds : ndarray of shape (n_vertices,)
        Decreasing from inf, which predicts nothing positive, to -inf, which predicts everything positive. -inf is left
        out if the least score of a positive does so too. Integers become floats, which round beyond 2**53.

    Examples
    --------
    >>> roc_convex_hull([1, 0, 1, 0], [4, 3, 2, 1])
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([ inf,   4.,   2., -inf]))
    """
    hull = find_roc_hull(steps)
    n_beyond = len(hull.tp) - 1 - len(hull.ends)  # 1 if the last vertex lies below the scores of all positives, else 0
    thresholds = np.concatenate([[np.inf], hull.scores, [-np.inf] * n_beyond])
    return hull.fp / hull.negatives, hull.tp / hull.positives, thresholds


@ranking_score()
def roc_hull_auc_score() -> Area:
    """Return the area under the convex hull of the ROC curve (PRG paper, Section 1).

    Returns
    -------
    In [1/2, 1], and but for rounding never below the area under the ROC curve itself. It is optimistic: the area after
    the best monotone recalibration on these very cases.

    Examples
    --------
    >>> roc_hull_auc_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.875
    """

    def hull_area(steps: PositiveSteps) -> float:
        hull = find_roc_hull(steps)
        below = 1.0 - (hull.fp[:-1] + hull.fp[1:]) / (2 * hull.negatives)
        return weighted_mean([(below, differences(hull.tp))])

    return hull_area


@ranking_curve(find_positive_steps, lambda: (*np.full((2, 1), np.nan), np.array([np.inf]), np.empty(0)))
def prg_convex_hull(steps: PositiveSteps) -> tuple[Floats, Floats, Scores, Floats]:
    """Return the vertices of the convex hull of the Precision-Recall-Gain curve and the slopes between them.

    Each vertex is the best prediction for the F-betas of an interval (PRG paper, Theorem 4 and Section 3.4).

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_vertices,)
        Strictly decreasing and strictly increasing, from the greatest precision of all points to full recall. Recall
        gain can be negative. If a class is missing, a single vertex is NaN.
    thresholds : ndarray of shape (n_vertices,)
        Decreasing, in the type of `y_score`: a score at or above it is predicted positive.
    beta_squared : ndarray of shape (n_vertices - 1,)
        Increasing: the beta squared for which both ends of the segment have the same F-beta. Vertex i is best from
        ``beta_squared[i - 1]`` to ``beta_squared[i]``. The segment's score in `FBetaCalibrator` is
        1 / (1 + beta_squared).

    Examples
    --------
    >>> precision_gain, recall_gain, thresholds, beta_squared = prg_convex_hull([1, 0, 1, 0], [4, 3, 2, 1])
    >>> precision_gain, recall_gain
    (array([1. , 0.5]), array([0., 1.]))
    >>> thresholds, beta_squared
    (array([4, 2]), array([0.5]))
    """
    hull = select_f_vertices(find_roc_hull(steps))
    return hull.gain(hull.fp), hull.gain(hull.fn), hull.scores, beta_squared_between(hull)


@dataclass(eq=False)
class Hull:
    """The strict vertices of the upper ROC hull, from the empty to the always-positive prediction."""

    tp: Floats  # of shape (n_vertices,), like `fn` and `fp`
    fn: Floats
    fp: Floats
    positives: float
    negatives: float
    steps: PositiveSteps
    ends: Ints  # the steps that end in a vertex; the first vertex, and sometimes the last, is the end of no step

    @cached_property
    def scores(self) -> Scores:
        """The scores of the vertices at the ends of steps, decreasing."""
        return self.steps.scores_of(self.ends)

    def gain(self, errors: Floats) -> Floats:
        """Return 1 - (P/N) errors / TP at vertices with true positives."""
        return (self.negatives * self.tp - self.positives * errors) / (self.negatives * self.tp)


def find_roc_hull(steps: PositiveSteps) -> Hull:
    """Return the ROC hull; all vertices but the empty and the always-positive prediction are ends of steps."""
    # An end from which the curve goes straight up cannot be a vertex.
    (ends,) = np.append(steps.fp_end[1:] > steps.fp_end[:-1], True).nonzero()
    tp, fp = np.append(0.0, steps.tp[ends + 1]), np.append(0.0, steps.fp_end[ends])
    vertices = _upper_hull(tp, fp, steps.rounding)
    ends = ends[vertices[1:] - 1]
    tp, fp, fn = tp[vertices], fp[vertices], np.append(steps.positives, steps.fn[ends + 1])
    if fp[-1] < steps.negatives:
        tp, fp, fn = np.append(tp, steps.positives), np.append(fp, steps.negatives), np.append(fn, 0.0)
    return Hull(tp, fn, fp, steps.positives, steps.negatives, steps, ends)


def select_f_vertices(hull: Hull) -> Hull:
    """Return the hull of the vertices that are best for some F-beta; they are ends of steps."""
    best = slice(1, len(hull.ends) + 1)
    return replace(hull, tp=hull.tp[best], fn=hull.fn[best], fp=hull.fp[best])


def beta_squared_between(hull: Hull) -> Floats:
    """Return the beta squared for which both ends of each segment have the same F-beta."""
    tp, fp = hull.tp, hull.fp
    return (fp[:-1] * tp[1:] - fp[1:] * tp[:-1]) / (hull.positives * differences(hull.fn))


def _upper_hull(tp: Floats, fp: Floats, rounding: float) -> Ints:
    """Return the indices of the strict vertices and both ends; `tp` increases strictly."""
    # Isotonic regression of the share of positives gives the hull in linear time. Its means are rounded, so it may keep
    # points on a straight line. Cross products, which are exact for counts, remove these.
    from scipy.optimize import isotonic_regression  # slow to import, and rarely needed

    gained = differences(tp)
    added = gained + differences(fp)
    vertices = isotonic_regression(gained / added, weights=added, increasing=False).blocks
    while not (strict := _is_strict(tp[vertices], fp[vertices], rounding)).all():
        vertices = vertices[strict]
    return vertices


def _is_strict(tp: Floats, fp: Floats, rounding: float) -> Mask:
    """Return which vertices lie outside the line through their neighbours; True for both ends."""
    tp_step, fp_step = differences(tp), differences(fp)
    turn = tp_step[:-1] * fp_step[1:] - tp_step[1:] * fp_step[:-1]
    tolerance = rounding and rounding * (tp[-1] * (fp[2:] - fp[:-2]) + fp[-1] * (tp[2:] - tp[:-2]))
    is_strict = np.ones(len(tp), dtype=bool)
    np.greater(turn, tolerance, out=is_strict[1:-1])
    return is_strict


@ranking_curve(find_positive_steps, lambda: (np.array([0.0, 1.0]), np.array([np.nan, np.nan])))
def cost_curve(steps: PositiveSteps) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope of the cost lines (tutorial, "Cost-sensitive Error Rate & Cost Curve").

    A threshold with false positive rate FPR and false negative rate FNR costs (1 - x) FPR + x FNR at
    probability cost x. The envelope is the least cost of all thresholds, the empty and the always-positive prediction.

    Returns
    -------
    probability_cost : ndarray of shape (n_corners,)
        Increasing from 0 to 1. `probability_cost` computes it from a class balance and two costs.
    normalized_expected_cost : ndarray of shape (n_corners,)
        In [0, 0.5]; 0 at both ends, and straight between corners. NaN if a class is missing.

    Examples
    --------
    >>> cost_curve([0, 1, 0, 1], [1, 1, 1, 1])  # no ranking: the better of the two trivial predictions
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 0. ]))
    """
    return lower_envelope(find_roc_hull(steps))


@ranking_score()
def cost_curve_area_score() -> Area:
    """Return the area under the lower envelope of the cost lines; less is better.

    It is the expected cost if all conditions are equally likely (tutorial, "Cost-sensitive Error Rate & Cost Curve").

    Returns
    -------
    In [0, 1/4]: 0 for a perfect ranking, 1/4 if no threshold is better than trivial.

    Examples
    --------
    >>> cost_curve_area_score([0, 0, 1, 1], [1, 2, 3, 4])
    0.0
    """
    return lambda steps: area_under_cost_curve(find_roc_hull(steps))


def probability_cost(
    positive_share: ArrayLike, *, false_negative_cost: float = 1.0, false_positive_cost: float = 1.0
) -> Floats | float:
    """Return the probability cost, the x of a cost curve, for a class balance and two costs.

    A rule's expected cost is its normalized expected cost times share x false_negative_cost + (1 - share) x
    false_positive_cost (tutorial, "Cost-sensitive Error Rate & Cost Curve").

    Parameters
    ----------
    positive_share : float or array-like
        Share of positives among the cases of the application, in [0, 1]; others are a ValueError.
    false_negative_cost, false_positive_cost : float, default 1
        Cost of each kind of error, finite and greater than 0.

    Returns
    -------
    float or ndarray
        In [0, 1]; equal to `positive_share` if the costs are equal.

    Examples
    --------
    >>> probability_cost(0.1, false_negative_cost=9)
    0.5
    """
    share = as_array(positive_share, "positive_share")
    if share.dtype.kind not in "biuf" or not ((share >= 0) & (share <= 1)).all():
        raise ValueError("positive_share has a value that is not a number from 0 to 1; every value must be a share.")
    costs = {"false_negative_cost": false_negative_cost, "false_positive_cost": false_positive_cost}
    for name, cost in costs.items():
        if not (isinstance(cost, Real) and 0 < cost <= sys.float_info.max):
            raise ValueError(f"{name} is {repr_of(cost)}; it must be a finite number greater than 0.")
    share = share.astype(np.float64)
    missed = share * float(false_negative_cost)
    result = missed / (missed + (1 - share) * float(false_positive_cost))
    return result if result.ndim else float(result)


def lower_envelope(hull: Hull) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope of the cost lines; each edge of the ROC hull is a corner."""
    fp_step = hull.positives * differences(hull.fp)
    x = fp_step / (fp_step + hull.negatives * differences(hull.tp))
    cost = (1 - x) * hull.fp[:-1] / hull.negatives + x * hull.fn[:-1] / hull.positives
    first, last = ([0.0] if x[0] > 0 else []), ([1.0] if x[-1] < 1 else [])
    return np.concatenate([first, x, last]), np.concatenate([first, cost, np.zeros(len(last))])


def area_under_cost_curve(hull: Hull) -> float:
    x, cost = lower_envelope(hull)
    return float(np.add.reduce(differences(x) * (cost[1:] + cost[:-1])) / 2)


def choose_cost_lines(points: OperatingPoints, hull: Hull, n_lines: int) -> Ints:
    """Return the operating points whose cost lines are drawn: all in the envelope, and `n_lines` evenly spaced."""
    # Each operating point has more predicted positives than the last, so their number identifies the hull's vertices.
    envelope_points = np.searchsorted(points.tp + points.fp, hull.tp + hull.fp)
    return np.union1d(envelope_points, np.linspace(0, len(points.tp) - 1, n_lines).astype(np.intp))


@ranking_score()
def h_measure_score(*, shape: tuple[float, float] | None = None) -> Area:
    r"""Return the H-measure: the share of a trivial rule's expected loss that the ranking saves at its best thresholds.

    A false positive costs c and a false negative 1 - c, and c has a beta distribution. For prevalence p, the loss at
    cost c is the least c (1 - p) FPR + (1 - c) p FNR of all thresholds, and min(c (1 - p), (1 - c) p) for a trivial
    rule. H is 1 minus the ratio of their means over c (Hand 2009, "Measuring classifier performance"; Hand and
    Anagnostopoulos 2014, "A better Beta for the H measure").

    Parameters
    ----------
    shape : tuple of two floats, optional
        The parameters of the beta distribution, both from 1e-9 to 1e9. By default (1 + p, 2 - p) for the prevalence p
        (Hand and Anagnostopoulos 2014); Hand 2009 has (2, 2), and the R package `hmeasure` (2, 1 / p).

    Returns
    -------
    In [0, 1]: 1 for a perfect ranking, 0 if no threshold is better than trivial. The result is optimistic, because the
    thresholds are the best ones on these very cases.

    Examples
    --------
    >>> truth, scores = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    >>> round(h_measure_score(truth, scores), 3), round(h_measure_score(truth, scores, shape=(2, 2)), 3)
    (0.587, 0.58)
    """
    shapes = None if shape is None else as_floats(np.atleast_1d(shape), "shape")
    # Beyond these limits, a float64 cannot tell the distribution from one or two points.
    if shapes is not None and (shapes.shape != (2,) or not ((shapes >= 1e-9) & (shapes <= 1e9)).all()):
        raise ValueError(f"shape is {repr_of(shape)}; it must be two numbers from 1e-09 to 1e+09.")
    return lambda steps: _compute_h_measure(steps, shapes)


def _compute_h_measure(steps: PositiveSteps, shape: Floats | None) -> float:
    """Return the H-measure for the parameters `shape` of the beta distribution, or the default ones."""
    from scipy.special import betainc  # slow to import, and rarely needed

    hull = find_roc_hull(steps)
    positives, negatives = hull.positives, hull.negatives
    fp, fn, tp_step, fp_step = hull.fp, hull.fn, differences(hull.tp), differences(hull.fp)
    if positives > negatives:
        # Costs near the prevalence matter most. Floats near 1 have too few digits, so the classes are swapped.
        positives, negatives, shape = negatives, positives, None if shape is None else shape[::-1]
        fp, fn, tp_step, fp_step = fn[::-1], fp[::-1], fp_step[::-1], tp_step[::-1]
    prevalence = positives / (positives + negatives)
    a, b = (1 + prevalence, 2 - prevalence) if shape is None else shape

    def loss(false_positives: Floats, false_negatives: Floats, changes: Floats) -> float:
        """Return the mean loss if rule i is used for costs between `changes[i + 1]` and `changes[i]`."""
        mean_cost = betainc(a + 1, b, changes) * a / (a + b)
        mean_rest = betainc(a, b + 1, changes) * b / (a + b)
        return float(-(false_positives @ differences(mean_cost) + false_negatives @ differences(mean_rest)))

    # The best rule changes at the cost c at which both ends of an edge of the hull cost the same. There, c times the
    # gained FP equals 1 - c times the gained TP.
    changes = np.concatenate([[1.0], tp_step / (tp_step + fp_step), [0.0]])
    trivial = loss(np.array([0.0, negatives]), np.array([positives, 0.0]), np.array([1.0, prevalence, 0.0]))
    return max(1 - loss(fp, fn, changes) / trivial, 0.0)
