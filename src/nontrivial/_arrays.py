"""Types of the arrays that functions take and return, and long arrays in chunks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Counts = NDArray[np.floating | np.integer]  # numbers of cases, or sums of their weights
Scores = NDArray[np.floating | np.integer]  # in the type that the user gave
Labels = NDArray[Any]  # all of one kind: booleans, numbers, or Python strings

# Long arrays, a chunk at a time, so that computing with them takes little more memory.

CHUNK = 2**20
IN_CACHE = 2**15  # for many passes over one chunk


def chunks(n: int, start: int = 0, length: int | None = None) -> Iterator[slice]:
    """Divide the places from `start` to `n`."""
    length = length or CHUNK
    while start < n:
        yield slice(start, min(start + length, n))
        start += length


def weight_counts(places: Ints | Mask, n_places: int, weights: Floats | None = None) -> Floats:
    """Return how many cases are at each place, or their summed weights; `np.bincount` would copy all places."""
    counts = np.zeros(n_places)
    for part in chunks(len(places)):
        part_weights = None if weights is None else weights[part]
        counts += np.bincount(places[part], weights=part_weights, minlength=n_places)
    return counts
