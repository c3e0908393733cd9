"""What the operating points of rankings are like: counts of points and steps, and the two extreme rankings."""

from __future__ import annotations

import numpy as np

from nontrivial.claims.rankings.areas import predicted
from nontrivial.claims.rankings.enumeration import Ints, Rankings, Ratio
from nontrivial.claims.rankings.shapes import real_points


def ties(rankings: Rankings) -> Ratio:
    """Cases less distinct scores: 0 without ties."""
    return rankings.n - rankings.groups, 1


def last_positives(rankings: Rankings) -> Ratio:
    """Positives of the last group of ties."""
    return _of_last_group(rankings, rankings.gained), 1


def last_negatives(rankings: Rankings) -> Ratio:
    """Negatives of the last group of ties."""
    return _of_last_group(rankings, rankings.added), 1


def _of_last_group(rankings: Rankings, counts: Ints) -> Ints:
    return counts[np.arange(len(rankings)), rankings.groups - 1]


def repeated_sizes(rankings: Rankings) -> Ratio:
    """Operating points with as many predicted positives as another one."""
    sizes = np.where(real_points(rankings), predicted(rankings), -1 - np.arange(rankings.n + 1))
    same = sizes[:, :, None] == sizes[:, None, :]
    return same.sum(axis=(1, 2)) - rankings.n - 1, 1


def is_perfect(rankings: Rankings) -> Ratio:
    """1 where every positive comes before every negative, else 0."""
    return _passes(rankings, rankings.positives, 0), 1


def is_reversed(rankings: Rankings) -> Ratio:
    """1 where every negative comes before every positive, else 0."""
    return _passes(rankings, 0, rankings.negatives), 1


def _passes(rankings: Rankings, tp: int, fp: int) -> Ints:
    return np.asarray(((rankings.tp == tp) & (rankings.fp == fp)).any(axis=1), dtype=np.int64)


def break_even_points(rankings: Rankings) -> Ratio:
    """Operating points at which precision equals recall; the empty prediction does not count."""
    size = predicted(rankings)
    equal = (rankings.tp * rankings.positives == rankings.tp * size) & (size > 0)
    return (equal & real_points(rankings)).sum(axis=1), 1
