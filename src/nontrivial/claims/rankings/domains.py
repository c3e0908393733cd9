"""The rankings that a search goes through, one by one or in pairs."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.language import Cases, Value
from nontrivial.claims.rankings.areas import gain_curve, multiple_up_to
from nontrivial.claims.rankings.enumeration import (
    Ints,
    Rankings,
    all_rankings,
    classes,
    ranking_of,
    untied_rankings,
)
from nontrivial.claims.rankings.quantities import QUANTITIES, quantity

# Relations between two rankings of the same cases: whether one curve covers the other, or is like it from a point on.
#
# The curve of a ranking is known from the false positives where it arrives at, and where it goes on from, each whole
# number of true positives; in between it is straight.


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
    """Whether the curve of the first is nowhere above that of the other, of ROC and Precision-Recall curves alike."""
    return roc_covered(one, other)


def roc_covered(one: Rankings, other: Rankings) -> NDArray[np.bool_]:
    """Whether the ROC curve of the first is nowhere above that of the other: its false positives are never fewer."""
    below = np.ones((len(one), len(other)), dtype=bool)
    for ours, theirs in zip(arrivals_and_departures(one), arrivals_and_departures(other), strict=True):
        for mine, its in zip(ours.T.astype(np.int32), theirs.T.astype(np.int32), strict=True):
            below &= its[None, :] <= mine[:, None]
    return below


def pr_covered(one: Rankings, other: Rankings) -> NDArray[np.bool_]:
    """Whether the Precision-Recall curve of the first is nowhere above that of the other, with hyperbolas between."""
    common = multiple_up_to(one.positives)
    below = np.ones((len(one), len(other)), dtype=bool)
    for start, (ours, theirs) in enumerate(
        zip(reversed(arrivals_and_departures(one)), reversed(arrivals_and_departures(other)), strict=True)
    ):
        for place, (mine, its) in enumerate(zip(ours.T, theirs.T, strict=True)):
            tp = (place + start) * common  # from 0 on departure, from 1 on arrival
            if tp == 0:  # just above recall 0 the curve with fewer false positives is higher
                below &= its[None, :] <= mine[:, None]
            else:
                below &= tp * (tp + its[None, :]) <= tp * (tp + mine[:, None])
    return below


def same_from_zero(one: Rankings, other: Rankings) -> NDArray[np.bool_]:
    """Whether both curves are the same from recall gain 0 on."""
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


RELATIONS = {
    "covered": covered,
    "roc_covered": roc_covered,
    "pr_covered": pr_covered,
    "same_from_zero": same_from_zero,
}


# All pairs of curves of rankings: far fewer than pairs of rankings, since tied or not many have the same curve.
#
# A curve stands for all rankings that have it. It is written as the one of them without two neighbouring groups of the
# same slope, so that its integers are the positives and the negatives of each straight piece. A quantity that differs
# between rankings with the same curve is refused.


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


# The rankings that a search goes through: all of them, all pairs of those with the same counts, pairs of curves.


MOST = 8  # cases: beyond it no claim's verdict, smallest counterexample or condition changed
_LARGEST_BLOCK = 2**20  # pairs that are compared at once


@dataclass(frozen=True, eq=False)
class _Block(Cases):
    """Rankings with the same class counts."""

    rankings: Rankings

    def value(self, name: str) -> Value:
        """A quantity of all rankings."""
        above, below = quantity(self.rankings, name)
        return Value(_wide(above), _wide(below))


@dataclass(frozen=True, eq=False)
class _Pairs(Cases):
    """All pairs of a ranking a, row by row, and a ranking b, with the same class counts.

    Of a, only the rankings from `first` up to `last` take part.
    """

    a: Rankings
    b: Rankings
    of_curves: bool
    first: int
    last: int

    @property
    def count(self) -> int:
        """The number of pairs."""
        return (self.last - self.first) * len(self.b)

    def value(self, name: str) -> Value:
        """A relation of all pairs, or a quantity of the one that the name's end tells."""
        if name in RELATIONS:
            return Value(_wide(RELATIONS[name](self.a.between(self.first, self.last), self.b)).ravel())
        if self.of_curves:
            check_of_curve(self.a.positives, self.a.negatives, name[:-2])
        shape = self.last - self.first, len(self.b)
        if name.endswith("_a"):
            above, below = (part[self.first : self.last, None] for part in quantity(self.a, name[:-2]))
        else:
            above, below = (part[None, :] for part in quantity(self.b, name[:-2]))
        above, below = (np.broadcast_to(_wide(part), shape).ravel() for part in (above, below))
        return Value(above, below)

    def case(self, place: int) -> tuple[int, ...]:
        """The integers of a pair."""
        a, b = divmod(place, len(self.b))
        return self.a.integers(self.first + a) + self.b.integers(b)


def _wide(part: np.ndarray) -> np.ndarray:
    return part if part.dtype == object else part.astype(np.int64)


@dataclass(frozen=True)
class AllRankings(Domain):
    """Every ranking of up to so many cases."""

    cases: int
    kind = "rankings"
    names = tuple(QUANTITIES)

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": self.cases}

    def __post_init__(self) -> None:
        _check_size(self.cases)

    def small(self) -> Iterator[Part]:
        """The rankings with the same class counts at a time, those of few cases first."""
        for counts in classes(self.cases):
            rankings = all_rankings(*counts)
            yield Part(_Block(rankings), len(rankings), rankings.integers)

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One ranking from its integers."""
        ranking = ranking_of(case, self.cases)
        return None if ranking is None else _Block(ranking)


@dataclass(frozen=True)
class RankingPairs(Domain):
    """Every ordered pair of rankings with the same class counts, each of up to so many cases.

    Attributes
    ----------
    cases : int
        With ties.
    untied : int
        Without ties; of no effect unless it is more.
    of_curves : bool
        Whether one ranking stands for all that have the same curve.
    """

    cases: int
    untied: int = 0
    of_curves: bool = False
    names = (*RELATIONS, *(f"{name}_{which}" for name in QUANTITIES for which in "ab"))

    @property
    def kind(self) -> str:
        return "pairs of curves" if self.of_curves else "pairs of rankings"

    def fields(self) -> dict[str, Any]:
        more = {"untied": self.untied} if self.untied > self.cases else {}
        return {"over": self.kind, "cases": self.cases, **more}

    def __post_init__(self) -> None:
        _check_size(max(self.cases, self.untied))

    def small(self) -> Iterator[Part]:
        """The pairs with the same class counts at a time, those of few cases first."""
        for counts in classes(max(self.cases, self.untied)):
            rankings = self._rankings(*counts)
            rows = max(_LARGEST_BLOCK // len(rankings), 1)
            for first in range(0, len(rankings), rows):
                last = min(first + rows, len(rankings))
                block = _Pairs(rankings, rankings, self.of_curves, first, last)
                yield Part(block, block.count, block.case)

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One pair from its integers, cut where half of all cases have come: both rankings have as many."""
        most = max(self.cases, self.untied)
        if len(case) > 4 * most:
            return None
        half = next((end for end in range(0, len(case), 2) if 2 * sum(case[:end]) >= sum(case)), 0)
        a, b = ranking_of(case[:half], most), ranking_of(case[half:], most)
        if a is None or b is None or (a.positives, a.negatives) != (b.positives, b.negatives):
            return None
        return _Pairs(a, b, False, 0, 1) if self._has(a) and self._has(b) else None

    def _rankings(self, positives: int, negatives: int) -> Rankings:
        if self.of_curves:
            return curves(positives, negatives)[0]
        some = all_rankings if positives + negatives <= self.cases else untied_rankings
        return some(positives, negatives)

    def _has(self, ranking: Rankings) -> bool:
        if self.of_curves:
            return bool(has_straight_pieces(ranking).all())
        return ranking.n <= self.cases or bool((ranking.groups == ranking.n).all())


def _check_size(cases: int) -> None:
    if cases > MOST:
        raise ValueError(f"the rankings have up to {cases} cases; {MOST} are allowed.")
