"""Labels in the order of their scores, by one sort of integers."""

from __future__ import annotations

import math

import numpy as np

from nontrivial._arrays import Ints, Mask, Scores
from nontrivial._stretches import IN_CACHE, stretches

_ALL_BUT_SIGN = np.int64(2**63 - 1)


def sort_labels(positive: Mask, scores: Scores) -> tuple[Mask, Scores]:
    """Return labels and scores by decreasing score; of equal scores, the positives come first.

    Taken as an integer, a float keeps its order once the other bits of a negative one are flipped. Below 2 in magnitude
    it leaves a bit free, which takes the label; greater scores are divided by a power of two. Scores that this would
    change are sorted by `numpy.lexsort`.

    Examples
    --------
    >>> sort_labels(np.array([False, True, True]), np.array([3, 1, 3]))
    (array([ True, False,  True]), array([3, 3, 1]))
    """
    largest = max(-float(scores.min()), float(scores.max()))
    power = max(math.frexp(largest)[1] - 1, 0)
    keys = _keys(positive, scores, power) if largest <= _most(scores) else None
    if keys is None:
        order = np.lexsort((positive, scores))[::-1]
        return positive[order], scores[order]
    keys.sort()
    labels, floats = np.empty(len(keys), dtype=bool), keys.view(np.float64)
    for part in stretches(len(keys), length=IN_CACHE):
        np.bitwise_and(keys[part], 1, out=labels[part], casting="unsafe")
        keys[part] >>= 1
        keys[part] ^= (keys[part] >> 63) & _ALL_BUT_SIGN
        floats[part] *= 2.0**power
    return labels[::-1], floats.astype(scores.dtype, copy=False)[::-1]


def _keys(positive: Mask, scores: Scores, power: int) -> Ints | None:
    """Return scores over a power of two, and labels, as integers; None if a score is changed."""
    keys = np.empty(len(scores), dtype=np.int64)
    floats = keys.view(np.float64)
    for part in stretches(len(scores), length=IN_CACHE):
        with np.errstate(under="ignore"):
            np.multiply(scores[part], 2.0**-power, out=floats[part], dtype=np.float64, casting="same_kind")
        if (floats[part] * 2.0**power != scores[part]).any():
            return None
        floats[part] += 0.0  # makes 0.0 of -0.0
        keys[part] ^= (keys[part] >> 63) & _ALL_BUT_SIGN
        keys[part] <<= 1
        keys[part] |= positive[part]
    return keys


def _most(scores: Scores) -> float:
    """Return the magnitude up to which all numbers of a type can be compared as float64."""
    return 2.0**53 - 1 if scores.dtype.kind in "iu" else float(np.finfo(np.float64).max)
