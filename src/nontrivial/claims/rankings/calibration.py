"""Calibrated scores of rankings, and their cost curves, from the edges of convex hulls."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.areas import best_f, multiple_up_to, predicted
from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio
from nontrivial.claims.rankings.shapes import Mask, hulls, real_points

# Calibrated scores of rankings: for accuracy from the ROC hull, for F-beta from the same edges in gain space.
#
# On an edge that gains t true and f false positives, the share of positives is c = t/(t + f). In gain space the edge
# has slope -beta^2, and d = 1/(1 + beta^2) (PRG paper, Sections 1 and 3.4).


def isotonic_mismatches(rankings: Rankings) -> Ratio:
    """Groups whose isotonic regression is not the share of positives on the hull edge over them.

    The regression is the greatest of the least means (min-max formula), which knows of no hull.
    """
    common = multiple_up_to(rankings.n)
    mismatches = np.zeros(len(rankings), dtype=np.int64)
    hull, sizes = hulls(rankings), predicted(rankings)

    def mean(first: int, last: int) -> Ints:
        size = np.maximum(sizes[:, last] - sizes[:, first], 1)
        return np.asarray((rankings.tp[:, last] - rankings.tp[:, first]) * (common // size))

    greatest = {}  # of the means from one place to all that end behind a group
    for first in range(rankings.n):
        running = np.full(len(rankings), -1)
        for last in range(rankings.n, first, -1):
            running = greatest[first, last] = np.maximum(running, mean(first, last))
    for group in range(rankings.n):
        best = np.minimum.reduce([greatest[first, group + 1] for first in range(group + 1)])
        # The edge that covers the group: the last one that starts at or before it.
        starts = hull.tp + hull.fp <= sizes[:, [group]]
        edge = (starts[:, :-1] & hull.edges).sum(axis=1) - 1
        rows = np.arange(len(rankings))
        gained, added = hull.gained[rows, edge], hull.added[rows, edge]
        share = gained * (common // np.maximum(gained + added, 1))
        mismatches += (rankings.groups > group) & (share != best)
    return mismatches, 1


def unequal_edge_ends_exchanged(rankings: Rankings) -> Ratio:
    """Hull edges with different acc_c at their ends, c being the edge's calibrated score; c and 1 - c as meant."""
    hull, unequal = hulls(rankings), np.zeros(len(rankings), dtype=np.int64)
    for edge in range(rankings.n):
        values = _accuracy(rankings, edge, hull.tp[:, edge : edge + 2], hull.fp[:, edge : edge + 2])
        unequal += hull.edges[:, edge] & (values[:, 0] != values[:, 1])
    return unequal, 1


def vertices_not_best_exchanged(rankings: Rankings) -> Ratio:
    """Inner hull vertices that are not best for acc_c at some c between the edges beside them; c and 1 - c as meant.

    acc_c is linear in c, so that a vertex is best between two values of it if it is at both.
    """
    hull, failing = hulls(rankings), np.zeros((len(rankings), rankings.n + 1), dtype=bool)
    for edge in range(rankings.n):
        greatest = _accuracy(rankings, edge, rankings.tp, rankings.fp).max(axis=1)
        ends = _accuracy(rankings, edge, hull.tp, hull.fp)
        for vertex in (edge, edge + 1):
            failing[:, vertex] |= hull.edges[:, edge] & (ends[:, vertex] < greatest)
    inner = failing[:, 1:-1] & hull.edges[:, 1:]
    return inner.sum(axis=1), 1


def _accuracy(rankings: Rankings, edge: int, tp: Ints, fp: Ints) -> Ints:
    """acc_c in proportion to (1 - c) TP + c TN, at the c of an edge."""
    hull = hulls(rankings)
    c, rest = hull.gained[:, [edge]], hull.added[:, [edge]]
    return rest * tp + c * (rankings.negatives - fp)


def f_vertices_not_best(rankings: Rankings) -> Ratio:
    """Vertices with a true positive that are not best for F-beta at the beta of an edge beside them.

    (FP + beta^2 FN)/TP is linear in beta^2, so that a point is best between two values if it is at both.
    """
    hull = hulls(rankings)
    failing = np.zeros((len(rankings), rankings.n + 1), dtype=bool)
    for edge in range(rankings.n):
        b, unit, real = _beta_squared(rankings, edge)
        for vertex in (edge, edge + 1):
            tp, fp = hull.tp[:, [vertex]], hull.fp[:, [vertex]]
            cost = unit[:, None] * fp + b[:, None] * (rankings.positives - tp)
            rivals = unit[:, None] * rankings.fp + b[:, None] * (rankings.positives - rankings.tp)
            better = (rankings.tp > 0) & (rivals * tp < cost * rankings.tp)
            failing[:, vertex] |= real & better.any(axis=1)
    return failing.sum(axis=1), 1


def _beta_squared(rankings: Rankings, edge: int) -> tuple[Ints, Ints, Mask]:
    """Beta squared of an edge as a ratio, by Theorem 4, and whether it is an edge between points that have gains."""
    hull = hulls(rankings)
    tp, fp = hull.tp[:, edge], hull.fp[:, edge]
    numerator = hull.fp[:, edge + 1] * tp - fp * hull.tp[:, edge + 1]
    return numerator, rankings.positives * hull.gained[:, edge], (tp > 0) & (hull.gained[:, edge] > 0)


def first_edge_c(rankings: Rankings) -> Ratio:
    """c of the first hull edge between points that have gains; undefined where there is none."""
    edge = _first_edge(rankings)
    hull, rows = hulls(rankings), np.arange(len(rankings))
    gained, added = hull.gained[rows, edge], hull.added[rows, edge]
    return gained, (gained + added) * (hull.tp[rows, edge] > 0) * (gained > 0)


def first_edge_d(rankings: Rankings) -> Ratio:
    """d of that edge."""
    first, d = _first_edge(rankings), np.zeros(len(rankings), np.int64)
    whole = d
    for edge in range(rankings.n):
        b, unit, real = _beta_squared(rankings, edge)
        here = real & (first == edge)
        d, whole = np.where(here, unit, d), np.where(here, unit + b, whole)
    return d, whole


def _first_edge(rankings: Rankings) -> Ints:
    hull = hulls(rankings)
    return np.asarray(((hull.tp[:, :-1] > 0) & (hull.gained > 0)).argmax(axis=1))


def is_calibrated(rankings: Rankings) -> Ratio:
    """1 where the share of positives falls from group to group, so that it can serve as the score itself, else 0."""
    common = multiple_up_to(rankings.n)
    size = rankings.gained + rankings.added
    share = rankings.gained * (common // np.maximum(size, 1))
    return ((np.diff(share) < 0) | (size[:, 1:] == 0)).all(axis=1).astype(np.int64), 1


def f_threshold(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """The greatest F-beta over 1 + beta^2: half of it for F1."""
    b, unit = beta_squared
    best, whole = best_f(rankings, beta_squared)
    return best * unit, whole * (unit + b)


def f_threshold_misses(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """1 where predicting positive the groups whose share of positives is above `f_threshold` misses the best F-beta."""
    b, unit = beta_squared
    best, whole = best_f(rankings, beta_squared)
    limit, one = f_threshold(rankings, beta_squared)
    size = rankings.gained + rankings.added
    taken = rankings.gained * one[:, None] > limit[:, None] * size
    tp, fp = ((part * taken).sum(axis=1) for part in (rankings.gained, rankings.added))
    reached = (unit + b) * tp * whole >= best * (unit * (tp + fp) + b * rankings.positives)
    return (~reached).astype(np.int64), 1


def better_subsets(rankings: Rankings, beta_squared: tuple[int, int]) -> Ratio:
    """Choices of groups to predict positive that have a greater F-beta than every threshold."""
    b, unit = beta_squared
    best, whole = (part[:, None, None] for part in best_f(rankings, beta_squared))
    tp, fp = _counts(rankings)
    better = (unit + b) * tp * whole > best * (unit * (tp + fp) + b * rankings.positives)
    return (better * _ways(rankings)).sum(axis=(1, 2)), 1


@functools.lru_cache(maxsize=1)
def _ways(rankings: Rankings) -> Ints:
    """How many choices of groups hold so many positives and so many negatives, for each pair of counts."""
    tp, fp = _counts(rankings)
    rows = np.arange(len(rankings))[:, None, None]
    ways = np.zeros((len(rankings), tp.size, fp.size), dtype=np.int64)
    ways[:, 0, 0] = 1
    for group in range(rankings.n):
        tp_without, fp_without = (
            counts - steps[:, group, None, None]
            for counts, steps in ((tp, rankings.gained), (fp, rankings.added))
        )
        possible = (tp_without >= 0) & (fp_without >= 0) & (rankings.groups > group)[:, None, None]
        ways = ways + ways[rows, np.maximum(tp_without, 0), np.maximum(fp_without, 0)] * possible
    return ways


def _counts(rankings: Rankings) -> tuple[Ints, Ints]:
    """0..P along one axis, and 0..N along the next."""
    return np.arange(rankings.positives + 1)[:, None], np.arange(rankings.negatives + 1)[None, :]


# Cost curves of rankings (tutorial, "Cost-sensitive Error Rate & Cost Curve").
#
# At probability cost x a threshold costs (1 - x) FP/N + x FN/P. The area under the lower boundary of these lines is
# found from the corners that the ROC hull gives, and, to check the one against the other, as the sum of what each
# threshold costs where it is the cheapest of all.
#
# Two thresholds whose tables differ by a false positives and b true ones cost the same at x = P a/(P a + N b). So
# with given class counts there are few places where lines cross, and these are whole multiples of one unit, as are
# the areas, in integers without limit.


@functools.cache
def _crossings(positives: int, negatives: int) -> tuple[Ints, NDArray[np.object_], int]:
    """Where lines cross: each place's rank by a and b, each place by its rank in units of one over the last number."""
    steps = {(a, b) for a in range(negatives + 1) for b in range(positives + 1)} - {(0, 0)}
    places = {(a, b): Fraction(positives * a, positives * a + negatives * b) for a, b in steps}
    ordered = sorted(set(places.values()))  # from 0, where a is 0, to 1, where b is
    unit = math.lcm(*(place.denominator for place in ordered))
    ranks = np.zeros((negatives + 1, positives + 1), dtype=np.int64)
    for step, place in places.items():
        ranks[step] = ordered.index(place)
    return ranks, np.array([int(place * unit) for place in ordered], dtype=object), unit


def cost_curve_area(rankings: Rankings) -> Ratio:
    """Area under the lower boundary, from the hull's vertices and edges.

    Neighbouring vertices are neighbours on the boundary, from x = 0 on.
    """
    hull = hulls(rankings)
    ranks, _, _ = _crossings(rankings.positives, rankings.negatives)
    ends = np.where(hull.edges, ranks[hull.added, hull.gained], ranks.max())
    starts = np.concatenate([np.zeros((len(rankings), 1), dtype=np.int64), ends], axis=1)
    ends = np.concatenate([ends, np.full((len(rankings), 1), ranks.max())], axis=1)
    return _costs_between(rankings, hull.tp, hull.fp, starts, ends)


def mean_least_cost(rankings: Rankings) -> Ratio:
    """Mean, over x uniform in [0, 1], of the cost of the cheapest threshold, found among all."""
    ranks, _, _ = _crossings(rankings.positives, rankings.negatives)
    real = real_points(rankings)
    starts, ends = np.zeros_like(rankings.tp), np.full_like(rankings.tp, ranks.max())
    for rival in range(rankings.n + 1):
        added, gained = (part - part[:, [rival]] for part in (rankings.fp, rankings.tp))
        crossing = ranks[np.abs(added), np.abs(gained)]
        here = real[:, [rival]]
        # It is cheaper than a threshold before it beyond the crossing, and than one behind it up to the crossing.
        starts = np.where(here & (added + gained > 0), np.maximum(starts, crossing), starts)
        ends = np.where(here & (added + gained < 0), np.minimum(ends, crossing), ends)
    return _costs_between(rankings, rankings.tp, rankings.fp, starts, np.where(real, ends, starts))


def _costs_between(rankings: Rankings, tp: Ints, fp: Ints, starts: Ints, ends: Ints) -> Ratio:
    """The sum of what thresholds cost, each from its start to its end, and nothing if that lies before its start."""
    positives, negatives = rankings.positives, rankings.negatives
    _, places, unit = _crossings(positives, negatives)
    total = np.zeros(len(rankings), dtype=object)
    for column in range(tp.shape[1]):
        last, first = ends[:, column], starts[:, column]
        rows = np.flatnonzero(last > first)
        low, high = places[first[rows]], places[last[rows]]
        of_negatives = positives * fp[rows, column].astype(object)
        of_positives = negatives * (positives - tp[rows, column]).astype(object)
        linear = 2 * unit * of_negatives * (high - low)
        total[rows] += linear + (of_positives - of_negatives) * (high * high - low * low)
    return total, 2 * positives * negatives * unit**2
