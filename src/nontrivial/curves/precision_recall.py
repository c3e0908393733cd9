"""Precision and recall along a whole ranking, close enough to be joined by straight lines."""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.curves.points import OperatingPoints

_RESOLUTION = 1 / 400  # of recall: finer than a printed line is wide


def interpolated_points(points: OperatingPoints) -> tuple[Floats, Floats]:
    """Return precision and recall along straight lines between contingency tables, from recall 0 on.

    Such a line is a hyperbola in the precision-recall plot. The first point is the limit along the first line with
    true positives: its precision from the empty prediction, 0 from one with false positives alone.
    """
    parts = np.maximum(np.ceil(np.diff(points.tp) / (points.positives * _RESOLUTION)), 1).astype(int)
    ends = np.cumsum(parts)
    number = np.arange(len(points.tp))
    place = np.interp(np.arange(ends[-1] + 1), [0, *ends], number)
    tp, fp = (np.interp(place, number, each) for each in (points.tp, points.fp))
    precision = np.divide(tp, tp + fp, out=np.zeros_like(tp), where=tp > 0)
    if points.tp[1] > 0:
        precision[0] = precision[1]
    return precision, tp / points.positives
