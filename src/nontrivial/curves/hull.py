"""The convex hull of the operating points, which ROC, PRG and cost curves share.

The map from false and true positives to gains is projective and keeps straight lines straight, so the hull of a
PRG curve has the vertices of the ROC hull, less those that some other prediction beats for every F-beta: the
empty prediction, and the always-positive one where another point has full recall with fewer false positives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from nontrivial.curves.points import Floats, Rises


@dataclass(frozen=True, eq=False)
class Hull:
    """The strict vertices of the upper ROC hull, from the empty to the always-positive prediction.

    Attributes
    ----------
    tp, fp : ndarray of shape (n_vertices,)
    thresholds : ndarray of shape (n_vertices,)
        Decreasing from inf. The last is -inf where the lowest scores belong to negatives alone.
    positives, negatives : float
    """

    tp: Floats
    fp: Floats
    thresholds: NDArray
    positives: float
    negatives: float


def find_hull(rises: Rises) -> Hull:
    """Return the hull. All vertices but the always-positive prediction are ends of rises."""
    tp, fp = rises.tp, np.concatenate([[0.0], rises.fp_end])
    vertices = _upper_hull(tp, fp, rises.rounding)
    beyond = 1 if rises.fp_end[-1] < rises.negatives else 0
    return Hull(
        tp=np.append(tp[vertices], [rises.positives] * beyond),
        fp=np.append(fp[vertices], [rises.negatives] * beyond),
        thresholds=np.concatenate([[np.inf], rises.thresholds[vertices[1:] - 1], [-np.inf] * beyond]),
        positives=rises.positives,
        negatives=rises.negatives,
    )


def hull_area(hull: Hull) -> float:
    """Return the area under the ROC hull."""
    below = 1.0 - (hull.fp[:-1] + hull.fp[1:]) / (2 * hull.negatives)
    return float(np.average(below, weights=np.diff(hull.tp)))


def _upper_hull(tp: Floats, fp: Floats, rounding: float) -> NDArray[np.intp]:
    """Return where the strict vertices are; both ends are among them and `tp` increases strictly.

    Isotonic regression of the share of positives gives the hull in linear time, but its running means round, and
    points on one line can come out as two blocks or one. Cross products of counts are exact: they strike out what
    is no strict vertex and bring in, edge by edge, what lies outside. Nearly always one pass finds nothing to do.
    """
    gained = np.diff(tp)
    added = gained + np.diff(fp)
    vertices = isotonic_regression(gained / added, weights=added, increasing=False).blocks
    while True:
        while not (strict := _is_strict(tp[vertices], fp[vertices], rounding)).all():
            vertices = vertices[strict]
        outside = _farthest_outside(tp, fp, vertices, rounding)
        if not len(outside):
            return vertices
        vertices = np.union1d(vertices, outside)


def _is_strict(tp: Floats, fp: Floats, rounding: float) -> NDArray[np.bool_]:
    """Return which vertices lie outside the line through their neighbours; the two ends do."""
    tp_step, fp_step = np.diff(tp), np.diff(fp)
    turn = tp_step[:-1] * fp_step[1:] - tp_step[1:] * fp_step[:-1]
    slack = rounding * (tp[-1] * (fp[2:] - fp[:-2]) + fp[-1] * (tp[2:] - tp[:-2]))
    return np.concatenate([[True], turn > slack, [True]])


def _farthest_outside(
    tp: Floats, fp: Floats, vertices: NDArray[np.intp], rounding: float
) -> NDArray[np.intp]:
    """Return, for each edge that points lie outside of, the first of the farthest."""
    tp_step, fp_step = np.diff(tp[vertices]), np.diff(fp[vertices])
    points = np.diff(vertices)
    distance = (tp[:-1] - np.repeat(tp[vertices[:-1]], points)) * np.repeat(fp_step, points)
    distance -= (fp[:-1] - np.repeat(fp[vertices[:-1]], points)) * np.repeat(tp_step, points)
    farthest = np.maximum.reduceat(distance, vertices[:-1])
    crossed = farthest > rounding * (tp[-1] * fp_step + fp[-1] * tp_step)
    if not crossed.any():
        return np.empty(0, dtype=np.intp)
    candidates = np.flatnonzero(distance == np.repeat(np.where(crossed, farthest, np.nan), points))
    edge = np.searchsorted(vertices, candidates, side="right")
    return candidates[np.unique(edge, return_index=True)[1]]
