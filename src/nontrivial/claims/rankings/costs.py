"""Cost curves of rankings (tutorial, "Cost-sensitive Error Rate & Cost Curve").

At probability cost x a threshold costs (1 - x) FP/N + x FN/P. The area under the lower boundary of these lines is
found from the corners that the ROC hull gives, and, to check the one against the other, as the sum of what each
threshold costs where it is the cheapest of all.

Two thresholds whose tables differ by a false positives and b true ones cost the same at x = P a/(P a + N b). So with
given class counts there are few places where lines cross, and these are whole multiples of one unit, as are the areas,
in integers without limit.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio
from nontrivial.claims.rankings.shapes import hulls, real_points


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
