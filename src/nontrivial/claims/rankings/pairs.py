"""Relations between two rankings of the same cases: whether one curve covers the other, or is like it from a point on.

The curve of a ranking is known from the false positives where it arrives at, and where it goes on from, each whole
number of true positives; in between it is straight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.rankings.areas import multiple_up_to
from nontrivial.claims.rankings.enumeration import Ints, Rankings
from nontrivial.claims.rankings.gains import gain_curve


def arrivals_and_departures(rankings: Rankings) -> tuple[Ints, Ints]:
    """False positives on arrival at 1..P true positives, and on going on from 0..P - 1, times a common multiple."""
    common = multiple_up_to(rankings.positives)
    rows = np.arange(len(rankings))
    arrivals, departures = [], []
    for wanted in range(1, rankings.positives + 1):
        group = (rankings.tp[:, 1:] >= wanted).argmax(axis=1)  # the one that reaches it
        tp, fp = rankings.tp[rows, group], rankings.fp[rows, group]
        slope = rankings.added[rows, group] * (common // rankings.gained[rows, group])
        arrivals.append(fp * common + (wanted - tp) * slope)
        departures.append(fp * common + (wanted - 1 - tp) * slope)
    return np.stack(arrivals, axis=1), np.stack(departures, axis=1)


def covered(one: Rankings, other: Rankings) -> NDArray[np.bool_]:
    """True where the curve of `one` is nowhere above that of `other`, in every pair of the two blocks.

    At the same recall fewer false positives are a lower false positive rate and a greater precision, so that this holds
    for ROC curves and for Precision-Recall curves alike.
    """
    below = np.ones((len(one), len(other)), dtype=bool)
    for ours, theirs in zip(arrivals_and_departures(one), arrivals_and_departures(other), strict=True):
        for mine, its in zip(ours.T.astype(np.int32), theirs.T.astype(np.int32), strict=True):
            below &= its[None, :] <= mine[:, None]
    return below


def same_from_zero(one: Rankings, other: Rankings) -> NDArray[np.bool_]:
    """True where both curves are the same from recall gain 0 on, in every pair of the two blocks."""
    zero, n = one.positives**2, one.n
    same: NDArray[np.bool_] = gain_curve(one).top[:, None] == gain_curve(other).top[None, :]
    arrive, depart = (range(first, first + one.positives) for first in (1, 0))
    for columns, ours, theirs in zip(
        (arrive, depart), arrivals_and_departures(one), arrivals_and_departures(other), strict=True
    ):
        behind = [place for place, tp in enumerate(columns) if n * tp >= zero]
        for place in behind:
            same &= ours[:, None, place] == theirs[None, :, place]
    return same


RELATIONS = {"covered": covered, "same_from_zero": same_from_zero}
