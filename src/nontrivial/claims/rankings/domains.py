"""The rankings that a search goes through, one by one or in pairs."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.language import Cases, Value
from nontrivial.claims.rankings.quantities import (
    QUANTITIES,
    Ints,
    Mask,
    Rankings,
    all_rankings,
    classes,
    multiple_up_to,
)

# Relations between two rankings of the same cases, for all pairs of a row and a row.
#
# A curve is known from the false positives with which it goes on from, and arrives at, each whole number of true
# positives; in between it is straight.


@functools.lru_cache(maxsize=2)
def _false_positives(rankings: Rankings) -> Ints:
    """On going on from 0..P - 1 true positives, then on arrival at 1..P, times a common multiple."""
    common, wanted = multiple_up_to(rankings.positives), np.arange(1, rankings.positives + 1)
    group = (rankings.tp[:, 1:, None] >= wanted).argmax(axis=1)  # the one that arrives there
    tp, fp, gained, added = (
        np.take_along_axis(part, group, axis=1)
        for part in (rankings.tp, rankings.fp, rankings.gained, rankings.added)
    )
    slope = added * (common // gained)
    start = fp * common + (wanted - 1 - tp) * slope
    return np.concatenate([start, start + slope], axis=1)


def _true_positives(rankings: Rankings) -> list[int]:
    """Those at which `_false_positives` are known."""
    return [*range(rankings.positives), *range(1, rankings.positives + 1)]


def covered(one: Rankings, other: Rankings) -> Mask:
    """Whether the curve of the first is nowhere above that of the other, of ROC and Precision-Recall curves alike."""
    return roc_covered(one, other)


def roc_covered(one: Rankings, other: Rankings) -> Mask:
    """Whether the ROC curve of the first is nowhere above that of the other: its false positives are never fewer."""
    below = np.ones((len(one), len(other)), dtype=bool)
    for ours, theirs in zip(_false_positives(one).T, _false_positives(other).T, strict=True):
        below &= theirs <= ours[:, None]
    return below


def pr_covered(one: Rankings, other: Rankings) -> Mask:
    """Whether the Precision-Recall curve of the first is nowhere above that of the other, with hyperbolas between."""
    common, below = multiple_up_to(one.positives), np.ones((len(one), len(other)), dtype=bool)
    for count, ours, theirs in zip(
        _true_positives(one), _false_positives(one).T, _false_positives(other).T, strict=True
    ):
        # The share tp / (tp + FP); just above recall 0 it falls with FP.
        tp = count * common or 1
        below &= tp * (tp + theirs) <= tp * (tp + ours[:, None])
    return below


def same_from_zero(one: Rankings, other: Rankings) -> Mask:
    """Whether both curves are the same from recall gain 0 on."""
    top, its = one.value("precision_gain_at_zero"), other.value("precision_gain_at_zero")
    same: Mask = np.equal.outer(top.numerator, its.numerator) & np.equal.outer(
        top.denominator, its.denominator
    )
    for count, ours, theirs in zip(
        _true_positives(one), _false_positives(one).T, _false_positives(other).T, strict=True
    ):
        if one.n * count >= one.positives**2:
            same &= ours[:, None] == theirs
    return same


RELATIONS = {
    "covered": covered,
    "roc_covered": roc_covered,
    "pr_covered": pr_covered,
    "same_from_zero": same_from_zero,
}


# What a search goes through: all rankings, or all pairs of those with the same counts.


MOST = 8  # cases: beyond it no claim's verdict, smallest counterexample or condition changed
_LARGEST_BLOCK = 2**20  # pairs that are compared at once


@dataclass(frozen=True, eq=False)
class _Pairs(Cases):
    """All pairs of a ranking a, row by row, and a ranking b, with the same class counts."""

    a: Rankings
    b: Rankings

    def value(self, name: str) -> Value:
        """A relation of all pairs, or a quantity of the one that the name's end tells."""
        if name in RELATIONS:
            return Value(RELATIONS[name](self.a, self.b).astype(int).ravel())
        quantity, _, which = name.rpartition("_")
        found = (self.a if which == "a" else self.b).value(quantity)
        a, b, parts = len(self.a), len(self.b), (found.numerator, found.denominator)
        above, below = (np.repeat(part, b) if which == "a" else np.tile(part, a) for part in parts)
        return Value(above, below)

    def case(self, place: int) -> tuple[int, ...]:
        """The integers of a pair."""
        a, b = divmod(place, len(self.b))
        return self.a.integers(a) + self.b.integers(b)


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
            yield Part(rankings, len(rankings), rankings.integers)

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One ranking from its integers."""
        counts = int(sum(case[0::2])), int(sum(case[1::2]))
        return _among(case, all_rankings(*counts)) if counts in classes(self.cases) else None


@dataclass(frozen=True)
class RankingPairs(Domain):
    """Every ordered pair of rankings with the same class counts, each of up to so many cases.

    Attributes
    ----------
    cases : int
        With ties.
    untied : int
        Without ties; of no effect unless it is more.
    """

    cases: int
    untied: int = 0
    kind = "pairs of rankings"
    names = (*RELATIONS, *(f"{name}_{which}" for name in QUANTITIES for which in "ab"))

    def fields(self) -> dict[str, Any]:
        more = {"untied": self.untied} if self.untied > self.cases else {}
        return {"over": self.kind, "cases": self.cases, **more}

    def __post_init__(self) -> None:
        _check_size(self.cases)
        _check_size(self._most)

    @property
    def _most(self) -> int:
        return max(self.cases, self.untied)

    def _rankings(self, positives: int, negatives: int) -> Rankings:
        rankings = all_rankings(positives, negatives)
        return rankings if rankings.n <= self.cases else rankings.part(rankings.groups == rankings.n)

    def small(self) -> Iterator[Part]:
        """The pairs with the same class counts at a time, those of few cases first."""
        for counts in classes(self._most):
            rankings = self._rankings(*counts)
            rows = max(_LARGEST_BLOCK // len(rankings), 1)
            for first in range(0, len(rankings), rows):
                some = rankings if rows >= len(rankings) else rankings.part(slice(first, first + rows))
                pairs = _Pairs(some, rankings)
                yield Part(pairs, len(some) * len(rankings), pairs.case)

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One pair from its integers, cut where half of all cases have come: both rankings have as many."""
        counts = int(sum(case[0::2])) // 2, int(sum(case[1::2])) // 2
        if counts not in classes(self._most):
            return None
        half = next((end for end in range(0, len(case), 2) if 2 * sum(case[:end]) >= sum(case)), 0)
        rankings = self._rankings(*counts)
        a, b = (_among(part, rankings) for part in (case[:half], case[half:]))
        return None if a is None or b is None else _Pairs(a, b)


def _among(case: Sequence[int | Fraction], rankings: Rankings) -> Rankings | None:
    """One ranking by its integers, if it is among some."""
    same = np.array([rankings.integers(row) == tuple(case) for row in range(len(rankings))])
    return rankings.part(same) if same.any() else None


def _check_size(cases: int) -> None:
    if not 2 <= cases <= MOST:
        raise ValueError(
            f"the rankings have up to {cases} cases; from 2, one of each class, to {MOST} are allowed."
        )
