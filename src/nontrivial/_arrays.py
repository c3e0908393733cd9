"""Types of the arrays that functions take and return, and long arrays in chunks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Counts = NDArray[np.floating | np.integer]  # numbers of cases, or sums of their weights
Scores = NDArray[np.floating | np.integer]  # in the user's own type
Labels = NDArray[Any]  # all booleans, all numbers, or all Python strings

CHUNK_LENGTH = 2**20  # computing with long arrays a chunk at a time saves memory
CACHED_LENGTH = 2**15  # so short a chunk stays in the processor's cache


def chunk_slices(n: int, start: int = 0, length: int | None = None) -> Iterator[slice]:
    """Yield slices that divide the range from `start` to `n` into chunks."""
    length = length or CHUNK_LENGTH
    while start < n:
        yield slice(start, min(start + length, n))
        start += length


def count_codes(codes: Ints | Mask, n_codes: int, weights: Floats | None = None) -> Floats:
    """Return the number of cases, or their summed weight, for each code; `np.bincount` alone would take more memory."""
    counts = np.zeros(n_codes)
    for chunk in chunk_slices(len(codes)):
        chunk_weights = None if weights is None else weights[chunk]
        counts += np.bincount(codes[chunk], weights=chunk_weights, minlength=n_codes)
    return counts
