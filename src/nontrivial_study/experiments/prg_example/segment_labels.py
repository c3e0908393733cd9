"""Values beside the segments of a hull, each where it covers neither a line nor a dot."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from nontrivial._arrays import Floats

SIDE = 215.0  # points, about, of square axes of which two share a page's width
SIZE = 7.5  # of the letters, in points
_GAP = 3.5  # points between a segment and its value
_ROOM = 1.5  # points around a value that stay free
# Along a segment, its middle first.
_PLACES = sorted(np.linspace(0.1, 0.9, 33), key=lambda place: abs(place - 0.5))


def label_segments(axes: Axes, hull: Floats, values: Floats, dots: Floats, color: str) -> None:
    """Write each segment's value beside it, as near its middle as there is room.

    Parameters
    ----------
    axes : matplotlib axes
        A square from 0 to 1.
    hull : ndarray of shape (n, 2)
    values : ndarray of shape (n - 1,)
    dots : ndarray of shape (m, 2)
        What else is to be seen.
    color : str
    """
    ends = _from_zero(hull) * SIDE
    taken = [dots * SIDE, *(np.linspace(one, other, 100) for one, other in pairwise(ends))]
    for one, other, value in zip(ends[:-1], ends[1:], values, strict=True):
        text = f"{value:.2g}"
        half = SIZE * np.array([0.32 * len(text), 0.4])
        places = [place for share in _PLACES for place in _beside(one, other, share, half)]
        covered = [_covered(place, half + _ROOM, np.vstack(taken)) for place in places]
        middle = places[int(np.argmin(covered))]
        taken.append(middle + half * (np.indices((9, 9)).reshape(2, -1).T / 4 - 1))
        look: dict[str, Any] = {
            "color": color,
            "fontsize": SIZE,
            "path_effects": [withStroke(linewidth=2, foreground="white")],
        }
        x, y = middle / SIDE
        axes.text(x, y, text, ha="center", va="center", zorder=5, **look)


def _from_zero(hull: Floats) -> Floats:
    """Cut off what of a hull that runs to the right is left of 0."""
    first = np.interp(0, *hull.T)
    return np.vstack([[[0, first]], hull[hull[:, 0] > 0]]) if hull[0, 0] < 0 else hull


def _beside(one: Floats, other: Floats, share: float, half: Floats) -> list[Floats]:
    """Return the middles of two boxes that stand at the two sides of a segment, the right one first."""
    along = (other - one) / np.hypot(*(other - one))
    across = np.array([abs(along[1]), -along[0] * np.sign(along[1] or 1)])
    place = one + share * (other - one)
    return [place + side * (_GAP + np.abs(across) @ half) * across for side in (1, -1)]


def _covered(middle: Floats, half: Floats, taken: Floats) -> int:
    """Count what a box covers; left of the axes and below them nothing may stand."""
    return int((np.abs(taken - middle) < half).all(axis=1).sum()) + 1000 * int((middle < half).any())
