"""The domains of rankings that a search goes through: all of them, and all pairs of those with the same counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nontrivial.audit.domains import Part
from nontrivial.audit.expressions import Cases
from nontrivial.audit.rankings.enumeration import (
    Rankings,
    all_rankings,
    classes,
    count_rankings,
    ranking_of,
    untied_rankings,
)
from nontrivial.audit.rankings.pairs import RELATIONS
from nontrivial.audit.rankings.quantities import LARGEST_PART, QUANTITIES, quantity
from nontrivial.audit.stated import Order
from nontrivial.audit.values import Magnitude, Value

LARGEST_BLOCK = 2**20  # pairs that are compared at once
SMALL = 5  # cases of the rankings that candidates for a condition are tried on first
_FORM = "as integers the positives and the negatives of each group of ties, the best group first"
_ATOMS = tuple(
    Order.parse(text)
    for text in (
        *(
            f"{count} {symbol} 0"
            for count in ("ties", "mixed_groups", "precision_rises", "precision_falls")
            for symbol in "=>"
        ),
        *(
            f"{which} = {truth}"
            for which in ("is_perfect", "is_reversed", "is_calibrated")
            for truth in (0, 1)
        ),
        *(f"{count} {symbol} 1" for count in ("positives", "negatives", "groups") for symbol in "=>"),
        *(f"positives {symbol} negatives" for symbol in ("=", "<=", ">=", "<", ">")),
        *(f"roc_auc {symbol} 1/2" for symbol in ("=", "<=", ">=", "<", ">")),
        *(f"roc_auc {symbol} roc_hull_auc" for symbol in "=<"),
        *(f"least_precision_gain {symbol} 0" for symbol in (">=", "<")),
    )
)


class _Numbers:
    """Base of cases that are no confusion tables."""

    def exchanged(self, how: str) -> Cases:
        """ValueError: a ranking has no classes to exchange."""
        raise ValueError(f"{how}() is for measures of a confusion table.")


class _Largest(_Numbers):
    """A case whose numbers are as great as those of any ranking that 64 bits hold."""

    def __init__(self, met: list[int]) -> None:
        self.met = met

    def value(self, name: str) -> Value:
        """Numerator and denominator just below the limit."""
        return Value(Magnitude(LARGEST_PART - 1, self.met), Magnitude(LARGEST_PART - 1, self.met))


@dataclass(frozen=True, eq=False)
class _Block(_Numbers):
    """Rankings with the same class counts, and the kind of integers that their numbers are wanted in."""

    rankings: Rankings
    kind: type

    def value(self, name: str) -> Value:
        """A quantity of all rankings."""
        return Value(*(_as_kind(part, self.kind) for part in quantity(self.rankings, name)))

    def smallest(self, mask: np.ndarray) -> tuple[int, ...]:
        """The first, because rankings are in the order of their integers."""
        return self.rankings.integers(int(np.argmax(mask)))


@dataclass(frozen=True, eq=False)
class PairBlock(_Numbers):
    """All pairs of a ranking a, along the rows, and a ranking b, with the same class counts.

    Of a, only the rankings from `first` up to `last` take part.
    """

    a: Rankings
    b: Rankings
    kind: type
    first: int = 0
    last: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rankings a and rankings b."""
        return len(range(len(self.a))[self.first : self.last]), len(self.b)

    def value(self, name: str) -> Value:
        """A relation of all pairs, or a quantity of the one that the name's end tells."""
        if name in RELATIONS:
            some = self.a.between(self.first, self.last or len(self.a))
            return Value(_as_kind(RELATIONS[name](some, self.b), self.kind))
        if name.endswith("_a"):
            parts = (part[self.first : self.last, None] for part in quantity(self.a, name[:-2]))
        else:
            parts = (part[None, :] for part in quantity(self.b, name[:-2]))
        return Value(*(_as_kind(part, self.kind) for part in parts))

    def smallest(self, mask: np.ndarray) -> tuple[int, ...]:
        """By a, then by b."""
        a, b = np.unravel_index(int(np.argmax(mask)), mask.shape)
        return self.a.integers(self.first + int(a)) + self.b.integers(int(b))


@dataclass(frozen=True, eq=False)
class _One(_Numbers):
    """The one case of a block, in Python's integers."""

    block: _Block | PairBlock

    def value(self, name: str) -> Value:
        """A quantity of the case."""
        value = self.block.value(name)
        return Value(int(value.numerator.item()), int(np.asarray(value.denominator).item()))


def _as_kind(part: np.ndarray, kind: type) -> np.ndarray:
    return part if part.dtype == object else part.astype(kind)


@dataclass(frozen=True)
class AllRankings:
    """Every ranking of up to so many cases."""

    most: int
    atoms = _ATOMS

    @property
    def text(self) -> str:
        """The domain in words."""
        return f"every ranking of 2..{self.most} cases of both classes, ties included ({_FORM})"

    @property
    def size(self) -> int:
        """The number of rankings."""
        return sum(count_rankings(*counts) for counts in classes(self.most))

    def small(self) -> AllRankings:
        """The rankings of few cases."""
        return AllRankings(min(SMALL, self.most))

    def parts(self, kind: type) -> Iterator[Part]:
        """The rankings with the same class counts at a time, those of few cases first."""
        for counts in classes(self.most):
            block = _Block(all_rankings(*counts), kind)
            yield Part((len(block.rankings),), block, block.smallest)

    def magnitudes(self, met: list[int]) -> Cases:
        """As great as numbers that 64 bits hold get."""
        return _Largest(met)

    def cases(self, case: Sequence[int]) -> Cases:
        """One ranking from its integers."""
        return _One(_Block(ranking_of(case, self.most), object))

    def holds(self, case: Sequence[int]) -> bool:
        """Tell whether the integers are a ranking of the domain."""
        return ranking_of(case, self.most) is not None

    def check_names(self, names: Sequence[str]) -> None:
        """Every quantity is known."""
        _check(names, list(QUANTITIES))


@dataclass(frozen=True)
class RankingPairs:
    """Every ordered pair of rankings with the same class counts, each of up to so many cases.

    Attributes
    ----------
    most : int
        Cases, ties included.
    untied : int
        Cases, without ties; of no effect unless it is more.
    """

    most: int
    untied: int = 0
    atoms: tuple[Order, ...] = ()
    block: ClassVar[type[PairBlock]] = PairBlock

    @property
    def text(self) -> str:
        """The domain in words."""
        tied = f"every pair of rankings of the same 2..{self.most} cases of both classes, ties included"
        more = (
            f", and of {self.most + 1}..{self.untied} cases without ties" if self.untied > self.most else ""
        )
        return f"{tied}{more} ({_FORM}; those of a, then those of b)"

    @property
    def size(self) -> int:
        """The number of pairs."""
        tied = sum(count_rankings(*counts) ** 2 for counts in classes(self.most))
        rest = (counts for counts in classes(self.untied) if sum(counts) > self.most)
        return tied + sum(math.comb(sum(counts), counts[0]) ** 2 for counts in rest)

    def rankings(self, positives: int, negatives: int) -> Rankings:
        """The rankings with these class counts that take part."""
        some = all_rankings if positives + negatives <= self.most else untied_rankings
        return some(positives, negatives)

    def has(self, ranking: Rankings) -> bool:
        """Tell whether a ranking takes part."""
        return ranking.n <= self.most or bool((ranking.groups == ranking.n).all())

    def small(self) -> RankingPairs:
        """The whole of it."""
        return self

    def parts(self, kind: type) -> Iterator[Part]:
        """The pairs with the same class counts at a time, those of few cases first."""
        for counts in classes(max(self.most, self.untied)):
            rankings = self.rankings(*counts)
            rows = max(LARGEST_BLOCK // len(rankings), 1)
            for first in range(0, len(rankings), rows):
                block = self.block(rankings, rankings, kind, first, first + rows)
                yield Part(block.shape, block, block.smallest)

    def magnitudes(self, met: list[int]) -> Cases:
        """As great as numbers that 64 bits hold get."""
        return _Largest(met)

    def cases(self, case: Sequence[int]) -> Cases:
        """One pair from its integers."""
        return _One(PairBlock(*self._split(case), object))

    def holds(self, case: Sequence[int]) -> bool:
        """Tell whether the integers are a pair of rankings of the domain."""
        a, b = self._split(case)
        if a is None or b is None or (a.positives, a.negatives) != (b.positives, b.negatives):
            return False
        return self.has(a) and self.has(b)

    def _split(self, case: Sequence[int]) -> tuple[Rankings | None, Rankings | None]:
        """Cut where half of all cases have come: both rankings have as many, and every group has one."""
        half = next((end for end in range(0, len(case), 2) if 2 * sum(case[:end]) >= sum(case)), 0)
        most = max(self.most, self.untied)
        return ranking_of(case[:half], most), ranking_of(case[half:], most)

    def check_names(self, names: Sequence[str]) -> None:
        """Every relation is known, and every quantity that ends in ``_a`` or ``_b``."""
        _check(names, [*RELATIONS, *(f"{name}_{which}" for name in QUANTITIES for which in "ab")])


def _check(names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is not a known quantity of rankings; known: {', '.join(known)}.")
