"""The shape of a ranking's curves: operating points, convex hull, and Pareto fronts."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.areas import multiple_up_to, predicted
from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio

# The shape of a ranking's curves: convex hull, Pareto fronts, and which operating points are best for something.
#
# What makes a point best is found from all pairs of points, and not from the hull, so that statements which relate the
# two are really tested.


Mask = NDArray[np.bool_]

# Greater than every finite slope of a path, and than every bound on beta squared, in the units used here.
_STEEPEST = np.int32(2**29)
_UNBOUNDED = 2**40


def real_points(rankings: Rankings) -> Mask:
    """Which columns of the operating points are points, not padding."""
    return np.arange(rankings.n + 1) <= rankings.groups[:, None]


@dataclass(frozen=True, eq=False)
class Hulls:
    """The strict vertices of the upper ROC hulls from (0, 0) on, the last repeated, and the steps between them.

    Counts are few, so that they are kept in bytes; sums and products of them are not.
    """

    small_tp: NDArray[np.int8]
    small_fp: NDArray[np.int8]

    @property
    def tp(self) -> Ints:
        """True positives at the vertices."""
        return self.small_tp.astype(np.int64)

    @property
    def fp(self) -> Ints:
        """False positives at the vertices."""
        return self.small_fp.astype(np.int64)

    @property
    def gained(self) -> Ints:
        """True positives gained on each edge."""
        return np.diff(self.tp)

    @property
    def added(self) -> Ints:
        """False positives added on each edge."""
        return np.diff(self.fp)

    @property
    def edges(self) -> Mask:
        """Which of the steps are edges."""
        return self.gained + self.added > 0


@functools.cache
def hulls(rankings: Rankings) -> Hulls:
    """The hulls of a block, found once: a point is a vertex if the path is steeper before it than behind it."""
    before, after = _steepness(rankings)
    # The ends are vertices: nothing lies before the one, nothing behind the other.
    strict = (before.min(axis=1) > after.max(axis=2)) & real_points(rankings)
    tp, fp = _only(rankings, strict)
    return Hulls(tp.astype(np.int8), fp.astype(np.int8))


def _only(rankings: Rankings, chosen: Mask) -> tuple[Ints, Ints]:
    """Some of the operating points, the last repeated behind them."""
    order = np.argsort(~chosen, axis=1, kind="stable")
    last = chosen.sum(axis=1, keepdims=True) - 1
    order = np.take_along_axis(order, np.minimum(np.arange(rankings.n + 1), last), axis=1)
    tp, fp = (np.take_along_axis(part, order, axis=1) for part in (rankings.tp, rankings.fp))
    return tp, fp


def _steepness(rankings: Rankings) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Slopes dTP/dFP from point i to point k: for i before k, and for k behind i; harmless values elsewhere."""
    # There is one for every pair of points, so that half the width counts.
    common = multiple_up_to(rankings.negatives)
    tp, fp = rankings.tp.astype(np.int32), rankings.fp.astype(np.int32)
    gained, added = tp[:, None, :] - tp[:, :, None], fp[:, None, :] - fp[:, :, None]
    slope = np.where(added > 0, gained * (common // np.maximum(added, 1)), _STEEPEST)
    forward = (gained + added > 0) & (np.arange(rankings.n + 1)[:, None] < np.arange(rankings.n + 1))
    return np.where(forward, slope, 2 * _STEEPEST), np.where(forward, slope, -1)


def roc_hull_auc(rankings: Rankings) -> Ratio:
    """Area under the convex hull of the ROC curve."""
    hull = hulls(rankings)
    doubled = (hull.added * (hull.tp[:, 1:] + hull.tp[:, :-1])).sum(axis=1)
    return doubled, 2 * rankings.positives * rankings.negatives


def roc_front(rankings: Rankings) -> Mask:
    """Which operating points no other one dominates in false and true positives."""
    return real_points(rankings) & ~_dominated(rankings.tp, -rankings.fp, real_points(rankings))


def _dominated(one: Ints, other: Ints, points: Mask) -> Mask:
    """Which points have another one that is no less in both coordinates and greater in one."""
    dominated = np.zeros(points.shape, dtype=bool)
    for rival in range(points.shape[1]):
        x, y = one[:, [rival]], other[:, [rival]]
        dominated |= points[:, [rival]] & (x >= one) & (y >= other) & ((x > one) | (y > other))
    return dominated


def best_for_accuracy(rankings: Rankings, *, one_class_too: bool = False) -> Mask:
    """Which operating points maximise c' TP + (1 - c') TN for some 0 < c' < 1; `one_class_too` allows c' = 0 and 1.

    Point k is no worse than point j for c' >= dFP/(dTP + dFP) if j lies before it, for c' <= the same if behind.
    """
    low, high, unit = _weights(rankings)
    some = (low <= high) & (one_class_too | ((low < unit) & (high > 0)))
    return np.asarray(real_points(rankings) & some)


def _weights(rankings: Rankings) -> tuple[Ints, Ints, int]:
    common = multiple_up_to(rankings.n)
    low = np.zeros(rankings.tp.shape, dtype=np.int64)
    high = np.full(rankings.tp.shape, common)
    points = real_points(rankings)
    for rival in range(rankings.n + 1):
        gained = rankings.tp - rankings.tp[:, [rival]]
        added = rankings.fp - rankings.fp[:, [rival]]
        size = np.abs(gained + added)
        weight = np.abs(added) * (common // np.maximum(size, 1))
        here = points[:, [rival]]
        low = np.where(here & (gained + added > 0), np.maximum(low, weight), low)
        high = np.where(here & (gained + added < 0), np.minimum(high, weight), high)
    return low, high, common


def best_for_f(rankings: Rankings) -> Mask:
    """Which operating points maximise F-beta for some 0 <= beta < inf.

    Point k with TP > 0 is no worse than point j where (FP + b FN)/TP is no greater there, b being beta squared:
    b P (TPk - TPj) >= FPk TPj - FPj TPk.
    """
    common = multiple_up_to(rankings.positives)
    points = real_points(rankings)
    low = np.zeros(rankings.tp.shape, dtype=np.int64)
    high = np.full(rankings.tp.shape, _UNBOUNDED)
    beaten = rankings.tp == 0
    for rival in range(rankings.n + 1):
        tp, fp, here = rankings.tp[:, [rival]], rankings.fp[:, [rival]], points[:, [rival]]
        gained = rankings.tp - tp
        excess = rankings.fp * tp - fp * rankings.tp
        bound = excess * (common // np.maximum(np.abs(gained), 1))
        low = np.where(here & (gained > 0), np.maximum(low, bound), low)
        high = np.where(here & (gained < 0) & (tp > 0), np.minimum(high, -bound), high)
        beaten |= here & (gained == 0) & (excess > 0)
    return np.asarray(points & ~beaten & (low <= high) & (high >= 0))


def off_the_line(one: Ints, other: Ints, points: Mask) -> Ints:
    """Count the points that lie strictly below some line between two others on either side of it.

    The points run from small to great `one`; coordinates are whole numbers.
    """
    off = np.zeros(points.shape, dtype=bool)
    count = points.shape[1]
    for left in range(count):
        for right in range(left + 2, count):
            ends = points[:, left] & points[:, right]
            along, rise = one[:, right] - one[:, left], other[:, right] - other[:, left]
            for middle in range(left + 1, right):
                height = (other[:, middle] - other[:, left]) * along - rise * (one[:, middle] - one[:, left])
                off[:, middle] |= ends & points[:, middle] & (height < 0)
    return np.asarray(off.sum(axis=1))


def pr_front_dents(rankings: Rankings) -> Ratio:
    """Non-dominated points of the Precision-Recall plot below the line between two others."""
    common = multiple_up_to(rankings.n)
    precision = rankings.tp * (common // np.maximum(predicted(rankings), 1))
    found = real_points(rankings) & (rankings.tp > 0)
    front = found & ~_dominated(rankings.tp, precision, found)
    return off_the_line(rankings.tp, precision, front), 1


def above_hull(rankings: Rankings) -> Ratio:
    """Operating points strictly above an edge of the convex hull of the ROC curve."""
    hull, above = hulls(rankings), np.zeros(rankings.tp.shape, dtype=bool)
    for edge in range(rankings.n):
        tp, fp = rankings.tp - hull.tp[:, [edge]], rankings.fp - hull.fp[:, [edge]]
        above |= tp * hull.added[:, [edge]] > fp * hull.gained[:, [edge]]
    return above.sum(axis=1), 1


def front_vertices_not_best(rankings: Rankings) -> Ratio:
    """Non-dominated vertices of the ROC hull that are best for no weighting of the two classes."""
    hull, best = hulls(rankings), best_for_accuracy(rankings)
    at_vertex = np.zeros(best.shape, dtype=bool)
    for vertex in range(best.shape[1]):
        at_vertex |= (rankings.tp == hull.tp[:, [vertex]]) & (rankings.fp == hull.fp[:, [vertex]])
    return (roc_front(rankings) & at_vertex & ~best).sum(axis=1), 1


def best_for_f_only(rankings: Rankings) -> Ratio:
    """Operating points that are best for some F-beta, 0 included, but for no weighting, of one class included."""
    only = best_for_f(rankings) & ~best_for_accuracy(rankings, one_class_too=True)
    return only.sum(axis=1), 1


def best_for_accuracy_only_above_baseline(rankings: Rankings) -> Ratio:
    """Operating points not below the baseline that are best for some weighting, but for no F-beta, 0 included."""
    only = best_for_accuracy(rankings) & ~best_for_f(rankings)
    return (only & ~_below_baseline(rankings)).sum(axis=1), 1


def _below_baseline(rankings: Rankings) -> Mask:
    """Where precision or recall is less than the prevalence."""
    n, positives = rankings.n, rankings.positives
    return (rankings.tp * n < positives**2) | (rankings.tp * n < positives * predicted(rankings))


# What the operating points of rankings are like: counts of points and steps, and the two extreme rankings.


def ties(rankings: Rankings) -> Ratio:
    """Cases less distinct scores: 0 without ties."""
    return rankings.n - rankings.groups, 1


def is_perfect(rankings: Rankings) -> Ratio:
    """1 where every positive comes before every negative, else 0."""
    return _passes(rankings, rankings.positives, 0), 1


def is_reversed(rankings: Rankings) -> Ratio:
    """1 where every negative comes before every positive, else 0."""
    return _passes(rankings, 0, rankings.negatives), 1


def _passes(rankings: Rankings, tp: int, fp: int) -> Ints:
    return np.asarray(((rankings.tp == tp) & (rankings.fp == fp)).any(axis=1), dtype=np.int64)
