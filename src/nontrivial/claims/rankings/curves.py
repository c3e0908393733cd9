"""All pairs of curves of rankings: far fewer than pairs of rankings, since tied or not many have the same curve.

A curve stands for all rankings that have it. It is written as the one of them without two neighbouring groups of the
same slope, so that its integers are the positives and the negatives of each straight piece. A quantity that differs
between rankings with the same curve is refused.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nontrivial.audit.rankings.domains import PairBlock, RankingPairs
from nontrivial.audit.rankings.enumeration import Ints, Rankings, all_rankings, classes
from nontrivial.audit.rankings.pairs import RELATIONS, arrivals_and_departures
from nontrivial.audit.rankings.quantities import quantity
from nontrivial.audit.values import Value


def has_straight_pieces(rankings: Rankings) -> NDArray[np.bool_]:
    """Whether no two neighbouring groups have the same slope, for each ranking."""
    gained, added = rankings.gained, rankings.added
    same = gained[:, :-1] * added[:, 1:] == gained[:, 1:] * added[:, :-1]
    real = np.arange(1, rankings.n) < rankings.groups[:, None]
    return ~(same & real).any(axis=1)


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
                f"{name!r} differs between rankings with the same curve; test ranking_pairs allows it."
            )


@dataclass(frozen=True, eq=False)
class _Curves(PairBlock):
    """All pairs of a curve a, along the rows, and a curve b, with the same class counts."""

    def value(self, name: str) -> Value:
        """A relation of all pairs, or a quantity of the curve that the name's end tells."""
        if name not in RELATIONS:
            check_of_curve(self.a.positives, self.a.negatives, name[:-2])
        return super().value(name)


@dataclass(frozen=True)
class CurvePairs(RankingPairs):
    """Every ordered pair of curves of rankings with the same class counts, each of up to so many cases."""

    block: ClassVar[type[PairBlock]] = _Curves

    @property
    def text(self) -> str:
        """The domain in words."""
        return (
            f"every pair of curves of rankings of the same 2..{self.most} cases of both classes, ties included (as"
            " integers the positives and the negatives of each straight piece, the first one first; those of a, then"
            " those of b)"
        )

    @property
    def size(self) -> int:
        """The number of pairs."""
        return sum(count_curves(*counts) ** 2 for counts in classes(self.most))

    def rankings(self, positives: int, negatives: int) -> Rankings:
        """One ranking for each curve."""
        return curves(positives, negatives)[0]

    def has(self, ranking: Rankings) -> bool:
        """Tell whether a ranking is the one that stands for its curve."""
        return bool(has_straight_pieces(ranking).all())


def count_curves(positives: int, negatives: int) -> int:
    """How many curves the rankings of so many positives and negatives have.

    Examples
    --------
    >>> count_curves(1, 1), count_curves(2, 1)
    (3, 6)
    """
    steps = [
        step for step in itertools.product(range(positives + 1), range(negatives + 1)) if math.gcd(*step) == 1
    ]

    @functools.cache
    def ending(tp: int, fp: int, step: tuple[int, int]) -> int:
        """Those from the origin to a point with a last piece of one slope."""
        ends = itertools.takewhile(
            lambda end: min(end) >= 0, ((tp - k * step[0], fp - k * step[1]) for k in itertools.count(1))
        )
        return sum(up_to(*end) - ending(*end, step) for end in ends)

    @functools.cache
    def up_to(tp: int, fp: int) -> int:
        return sum(ending(tp, fp, step) for step in steps) if tp or fp else 1

    return up_to(positives, negatives)
