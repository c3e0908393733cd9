"""How many cases of each class score at or above each score, by one sort of integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import IN_CACHE, Floats, Ints, Mask, Scores, chunks

_FEW = 2**20


def count_scores(positive: Mask, scores: Scores) -> tuple[Scores, Floats, Floats]:
    """Return the distinct scores, decreasing; 0, then the positives at or above each; and the same of the negatives.

    Below 2 in magnitude, a float leaves the highest bit of its exponent free. Its bits, moved up by one so that the
    sign drops out, and flipped if it was negative, are an integer of the same order, whose lowest bit takes the label.
    Greater scores are divided by a power of two; scores that this would change are sorted by `numpy.argsort`.

    Examples
    --------
    >>> count_scores(np.array([False, True, True]), np.array([3, 1, 3]))
    (array([3, 1]), array([0., 1., 2.]), array([0., 1., 1.]))
    """
    largest = max(-float(scores.min()), float(scores.max()))
    power = max(math.frexp(largest)[1] - 1, 0)
    keys = _keys(positive, scores, power) if largest <= _most(scores) else None
    if keys is None:
        order = np.argsort(scores)[::-1]
        scores = scores[order]
        tp, fp = (np.concatenate([[0.0], side[order].cumsum()]) for side in (positive, ~positive))
    else:
        keys.sort()
        scores, tp, fp = _count_keys(keys, scores.dtype, power)
    last = is_last(scores)
    if not last.all():
        scores, with_start = scores[last], np.concatenate([[True], last])
        tp, fp = tp[with_start], fp[with_start]
    return scores, tp, fp


def _keys(positive: Mask, scores: Scores, power: int) -> Ints | None:
    """Return negated scores over a power of two, and labels, as integers; None if a score is too small for that."""
    keys = np.empty(len(scores), dtype=np.int64)
    floats = keys.view(np.float64)
    with np.errstate(under="raise"):  # a product that is not exact underflows
        try:
            for part in chunks(len(scores), length=IN_CACHE):
                np.multiply(scores[part], -(2.0**-power), out=floats[part], dtype=np.float64)
                key = keys[part]
                signs = key >> 63
                key <<= 1
                key ^= signs
                key ^= positive[part]
        except FloatingPointError:
            return None
    return keys


def _count_keys(keys: Ints, dtype: np.dtype[Any], power: int) -> tuple[Scores, Floats, Floats]:
    """Return the score of each distinct key, and the counts as `count_scores` does; keys may be overwritten."""
    last, ends = run_ends(keys), None
    if last is not None:
        keys, ends = keys.take(last), last + 1
        lengths = ends.copy()
        lengths[1:] -= ends[:-1]
    tp, fp = np.empty(len(keys) + 1), np.empty(len(keys) + 1)
    tp[0] = fp[0] = 0.0
    floats = keys.view(np.float64)
    ranks = np.arange(1.0, min(len(keys), IN_CACHE) + 1)
    for part in chunks(len(keys), length=IN_CACHE):
        signs = keys[part] >> 63
        keys[part] ^= signs
        of_positives = keys[part] & 1
        cases = ranks[: part.stop - part.start] + part.start if ends is None else ends[part]
        if ends is not None:
            of_positives *= lengths[part]
        np.add(of_positives.cumsum(), tp[part.start], out=tp[1:][part])
        np.subtract(cases, tp[1:][part], out=fp[1:][part])
        keys[part] >>= 1
        signs <<= 63
        keys[part] |= signs
        floats[part] *= -(2.0**power)
        floats[part] += 0.0  # makes 0.0 of -0.0, whose keys are neighbours
    return floats.astype(dtype, copy=False), tp, fp


def _most(scores: Scores) -> float:
    """Return the magnitude up to which all numbers of a type are those of float64; 0 for longer floats."""
    if scores.dtype.kind in "iu":
        return 2.0**53 - 1
    return float(np.finfo(np.float64).max) if scores.dtype.itemsize <= 8 else 0.0


def run_ends(values: NDArray[Any]) -> Ints | None:
    """Return the places of the values that are the last of their kind in a sorted array; None for all places."""
    last = is_last(values)
    return None if last.all() else last.nonzero()[0]


def is_last(values: NDArray[Any]) -> Mask:
    """Return whether each value is the last of its kind in a sorted array."""
    last = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    return last


def counting_type(n: int) -> np.dtype[Any]:
    """Return the type in which up to n cases are counted: floats up to 2**20, beyond that the shortest integers.

    Examples
    --------
    >>> counting_type(2**20), counting_type(2**20 + 1)
    (dtype('float64'), dtype('int32'))
    """
    return np.dtype(np.float64) if n <= _FEW else np.min_scalar_type(-n - 1)
