"""Long arrays, a stretch at a time, so that computing with them takes little more memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask

STRETCH = 2**20
IN_CACHE = 2**15  # for many passes over one stretch


def stretches(n: int, start: int = 0, length: int | None = None) -> Iterator[slice]:
    """Divide the places from `start` to `n`.

    Examples
    --------
    >>> [(part.start, part.stop) for part in stretches(2**20 + 5)]
    [(0, 1048576), (1048576, 1048581)]
    """
    length = length or STRETCH
    while start < n:
        yield slice(start, min(start + length, n))
        start += length


def masses(places: Ints | Mask, n_places: int, weights: Floats | None = None) -> Floats:
    """Return how many cases are at each place, or their summed weights; `np.bincount` would copy all places.

    Examples
    --------
    >>> masses(np.array([True, False, True]), 3)
    array([1., 2., 0.])
    """
    found = np.zeros(n_places)
    for part in stretches(len(places)):
        found += np.bincount(
            places[part], weights=None if weights is None else weights[part], minlength=n_places
        )
    return found
