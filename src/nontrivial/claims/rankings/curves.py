"""All pairs of curves of rankings: far fewer than pairs of rankings, since tied or not many have the same curve.

A curve stands for all rankings that have it. It is written as the one of them without two neighbouring groups of the
same slope, so that its integers are the positives and the negatives of each straight piece. A quantity that differs
between rankings with the same curve is refused.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.enumeration import Ints, Rankings, all_rankings
from nontrivial.claims.rankings.pairs import arrivals_and_departures
from nontrivial.claims.rankings.quantities import quantity


def has_straight_pieces(rankings: Rankings) -> NDArray[np.bool_]:
    """Whether no two neighbouring groups have the same slope, for each ranking."""
    gained, added = rankings.gained, rankings.added
    same = gained[:, :-1] * added[:, 1:] == gained[:, 1:] * added[:, :-1]
    real = np.arange(1, rankings.n) < rankings.groups[:, None]
    return np.asarray(~(same & real).any(axis=1))


@functools.cache
def curves(positives: int, negatives: int) -> tuple[Rankings, Ints]:
    """One ranking for each curve, in the order of their integers, and for every ranking the place of its curve."""
    rankings = all_rankings(positives, negatives)
    _, which = np.unique(
        np.concatenate(arrivals_and_departures(rankings), axis=1), axis=0, return_inverse=True
    )
    rows = np.flatnonzero(has_straight_pieces(rankings))
    places = np.empty(len(rows), dtype=np.int64)
    places[which.ravel()[rows]] = np.arange(len(rows))
    tp, fp, groups = (part[rows] for part in (rankings.tp, rankings.fp, rankings.groups))
    return Rankings(positives, negatives, tp, fp, groups), places[which.ravel()]


@functools.cache
def check_of_curve(positives: int, negatives: int, name: str) -> None:
    """Raise ValueError for a quantity that differs between rankings with the same curve."""
    of_curves, places = curves(positives, negatives)
    ours, theirs = (quantity(rankings, name) for rankings in (of_curves, all_rankings(positives, negatives)))
    for mine, its in zip(ours, theirs, strict=True):
        if (mine[places] != its).any():
            raise ValueError(
                f"{name!r} differs between rankings with the same curve; pairs of rankings allow it."
            )
