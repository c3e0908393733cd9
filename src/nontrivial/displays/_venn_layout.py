"""The geometry of a Venn diagram of two sets whose every area is to scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_MARGIN = 1.06


@dataclass(frozen=True)
class Venn:
    """The two sets of a confusion table as shapes of true size in a rectangle of area 1.

    Attributes
    ----------
    width, height : float
        Of the rectangle.
    shape : str
        ``"circle"``, or ``"bar"`` where circles of this size do not fit into their own share of a rectangle.
    called, positive : tuple of float
        Centre x, centre y and radius; or left end, bottom and width, all as high as the rectangle.
    """

    width: float
    height: float
    shape: str
    called: tuple[float, float, float]
    positive: tuple[float, float, float]


def lens_area(first: float, second: float, distance: float) -> float:
    """Return the area that two circles have in common.

    Parameters
    ----------
    first, second : float
        Radii.
    distance : float
        Of the centres.

    Examples
    --------
    >>> lens_area(1.0, 1.0, 0.0) == np.pi, lens_area(1.0, 0.5, 2.0)
    (True, 0.0)
    """
    if distance >= first + second:
        return 0.0
    if distance <= abs(first - second):
        return float(np.pi * min(first, second) ** 2)
    to_chord = (distance**2 + first**2 - second**2) / (2 * distance)
    return float(_segment(first, to_chord) + _segment(second, distance - to_chord))


def _segment(radius: float, to_chord: float) -> float:
    """Return the area that a chord cuts off a circle; the centre may lie on either side."""
    cosine = np.clip(to_chord / radius, -1, 1)
    return float(radius**2 * (np.arccos(cosine) - cosine * np.sqrt(1 - cosine**2)))


def lay_out(tp: float, fp: float, fn: float, tn: float) -> Venn:
    """Find shapes whose areas are the shares of a confusion table.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Counts or shares; only their proportions matter.

    Returns
    -------
    Venn

    Raises
    ------
    ValueError
        If a count is negative or not finite, or all are 0.

    Examples
    --------
    >>> lay_out(30, 10, 10, 50).shape, lay_out(0, 50, 50, 0).shape
    ('circle', 'bar')
    """
    cells = np.array([tp, fp, fn, tn], dtype=np.float64)
    if not (np.isfinite(cells).all() and (cells >= 0).all() and cells.sum() > 0):
        raise ValueError("A Venn diagram needs four counts that are finite, 0 or greater, and not all 0.")
    tp, fp, fn, tn = cells / cells.sum()
    called, positive = np.sqrt((tp + fp) / np.pi), np.sqrt((tp + fn) / np.pi)
    apart, inside = called + positive, abs(called - positive)
    if tp == 0:
        distance = apart
    elif min(fp, fn) == 0 or lens_area(called, positive, inside) <= tp:  # inside, but for rounding
        distance = inside
    else:
        from scipy.optimize import brentq  # slow to import

        distance = brentq(
            lambda d: lens_area(called, positive, d) - tp, inside, apart, xtol=1e-14, maxiter=1000
        )
    # The circles' common bounding box; one may lie inside the other.
    left, right = min(-called, distance - positive), max(called, distance + positive)
    across, high = right - left, 2 * max(called, positive)
    if across * high * _MARGIN**2 > 1:
        return Venn(1.25, 0.8, "bar", (0.0, 0.0, 1.25 * (tp + fp)), (1.25 * fp, 0.0, 1.25 * (tp + fn)))
    height = max(0.8, high * _MARGIN)
    if across > 0:  # not if both sets are empty
        height = min(height, 1 / (across * _MARGIN))
    width = 1 / height
    start = (width - across) / 2 - left
    return Venn(
        width, height, "circle", (start, height / 2, called), (start + distance, height / 2, positive)
    )
