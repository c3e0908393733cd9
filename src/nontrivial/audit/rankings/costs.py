"""Cost curves of rankings (tutorial, "Cost-sensitive Error Rate & Cost Curve").

At probability cost x a threshold costs (1 - x) FP/N + x FN/P. The area under the lower boundary of these lines is
found in fractions: from the corners that the ROC hull gives, and, to check the one against the other, as the sum of
what the cheapest threshold costs between the crossings of all lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from nontrivial.audit.rankings.enumeration import Ints, Rankings, Ratio
from nontrivial.audit.rankings.shapes import hulls

Line = tuple[Fraction, Fraction]


def cost_curve_area(rankings: Rankings) -> Ratio:
    """Area under the lower boundary, from the hull's vertices and edges."""
    hull = hulls(rankings)
    return _by_shape(hull.tp, hull.fp, rankings, _area_from_corners)


def mean_least_cost(rankings: Rankings) -> Ratio:
    """Mean, over x uniform in [0, 1], of the cost of the cheapest threshold."""
    return _by_shape(rankings.tp, rankings.fp, rankings, _mean_of_least)


def _by_shape(tp: Ints, fp: Ints, rankings: Rankings, compute: Callable[[list[Line]], Fraction]) -> Ratio:
    """Compute one fraction for each different list of points."""
    shapes, which = np.unique(np.concatenate([tp, fp], axis=1), axis=0, return_inverse=True)
    width = tp.shape[1]
    areas = []
    for shape in shapes:
        points = dict.fromkeys(zip(shape[:width].tolist(), shape[width:].tolist(), strict=True))
        areas.append(
            compute(
                [
                    (Fraction(f, rankings.negatives), Fraction(rankings.positives - t, rankings.positives))
                    for t, f in points
                ]
            )
        )
    numerators = np.array([area.numerator for area in areas], dtype=object)
    denominators = np.array([area.denominator for area in areas], dtype=object)
    return numerators[which.ravel()], denominators[which.ravel()]


def _cost(line: Line, x: Fraction) -> Fraction:
    return (1 - x) * line[0] + x * line[1]


def _crossing(one: Line, other: Line) -> Fraction | None:
    """Where two lines cross, if they do."""
    fall, rise = one[1] - other[1], other[0] - one[0]
    return rise / (rise + fall) if rise + fall else None


def _area_from_corners(vertices: list[Line]) -> Fraction:
    """Neighbouring vertices of the hull are neighbours on the boundary, from x = 0 on."""
    corners = [Fraction(0), *(_crossing(*pair) for pair in itertools.pairwise(vertices)), Fraction(1)]
    return sum(
        (right - left) * (_cost(line, left) + _cost(line, right)) / 2
        for line, (left, right) in zip(vertices, itertools.pairwise(corners), strict=True)
    )


def _mean_of_least(lines: list[Line]) -> Fraction:
    """Between crossings the cheapest line stays the same, so that its middle tells the mean."""
    crossings = {_crossing(one, other) for one, other in itertools.combinations(lines, 2)} - {None}
    places = sorted({Fraction(0), Fraction(1), *(x for x in crossings if 0 < x < 1)})
    return sum(
        (right - left) * min(_cost(line, (left + right) / 2) for line in lines)
        for left, right in itertools.pairwise(places)
    )
