"""The rankings that a search goes through, one by one or in pairs."""

import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.language import Cases, Value
from nontrivial.claims.rankings import families
from nontrivial.claims.rankings.quantities import (
    OF_FEW_CASES,
    OF_MANY_CASES,
    QUANTITIES,
    Rankings,
    all_rankings,
    classes,
    multiple_up_to,
)
from nontrivial.claims.verdict import Case


# Relations between two rankings of the same cases, for all pairs of a row and a row. A curve is straight between the
# false positives with which it leaves, and reaches, each whole number of true positives.
def _true_positives(rankings: Rankings) -> Ints:
    """0..P - 1, which a curve leaves, and 1..P, which it reaches."""
    counts = np.arange(rankings.positives + 1)
    return np.concatenate([counts[:-1], counts[1:]])


@functools.lru_cache(maxsize=2)
def _false_positives(rankings: Rankings) -> Ints:
    """The false positives there, times a common multiple."""
    common, wanted = multiple_up_to(rankings.positives), np.arange(1, rankings.positives + 1)
    group = (rankings.tp[:, 1:, None] >= wanted).argmax(axis=1)  # the one that reaches it
    tp, fp, gained, added = (
        np.take_along_axis(part, group, axis=1)
        for part in (rankings.tp, rankings.fp, rankings.gained, rankings.added)
    )
    slope = added * (common // gained)
    start = fp * common + (wanted - 1 - tp) * slope
    return np.concatenate([start, start + slope], axis=1)


def roc_covered(first: Rankings, second: Rankings) -> Mask:
    """Whether the ROC curve of the first is nowhere above the second's: its false positives are never fewer."""
    ours, theirs = _false_positives(first)[:, None], _false_positives(second)
    return np.asarray((theirs <= ours).all(axis=2))


def pr_covered(first: Rankings, second: Rankings) -> Mask:
    """Whether the Precision-Recall curve of the first is nowhere above the second's, with hyperbolas between."""
    ours, theirs = _false_positives(first)[:, None], _false_positives(second)
    # Precision is tp / (tp + FP); just above recall 0 it falls with FP.
    tp = np.maximum(_true_positives(first) * multiple_up_to(first.positives), 1)
    return np.asarray((tp * (tp + theirs) <= tp * (tp + ours)).all(axis=2))


def same_from_zero(first: Rankings, second: Rankings) -> Mask:
    """Whether both curves are the same from recall gain 0 on."""
    top, its = (rankings.value("precision_gain_at_zero") for rankings in (first, second))
    same = np.equal.outer(top.numerator, its.numerator) & np.equal.outer(top.denominator, its.denominator)
    beyond = first.n * _true_positives(first) >= first.positives**2
    ours, theirs = _false_positives(first)[:, None, beyond], _false_positives(second)[:, beyond]
    return np.asarray(same & (ours == theirs).all(axis=2))


RELATIONS = {"roc_covered": roc_covered, "pr_covered": pr_covered, "same_from_zero": same_from_zero}
MOST = 8  # cases: beyond it no claim's verdict, smallest counterexample or condition changed


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
        if which == "a":
            return self.a.value(quantity).spread(lambda part: np.repeat(part, len(self.b)))
        return self.b.value(quantity).spread(lambda part: np.tile(part, len(self.a)))

    def case(self, place: int) -> tuple[int, ...]:
        a, b = divmod(place, len(self.b))
        return self.a.integers(a) + self.b.integers(b)


@dataclass(frozen=True)
class AllRankings(Domain):
    """Every ranking of up to so many cases, or every ordered pair of rankings with the same class counts."""

    cases: int  # with ties
    untied: int = 0  # without ties; of no effect unless it is more
    pairs: bool = False
    gapless = False

    def __post_init__(self) -> None:
        for n in (self.cases, self._most):
            if not 2 <= n <= MOST:
                raise ValueError(f"rankings of {n} cases; from 2, one of each class, to {MOST} are allowed.")

    @property
    def kind(self) -> str:  # type: ignore[override]
        return "pairs of rankings" if self.pairs else "rankings"

    @property
    def names(self) -> Sequence[str]:
        if not self.pairs:
            return tuple(QUANTITIES)
        return (*RELATIONS, *(f"{name}_{which}" for name in QUANTITIES for which in "ab"))

    def fields(self) -> dict[str, Any]:
        more = {"untied": self.untied} if self.untied > self.cases else {}
        return {"over": self.kind, "cases": self.cases, **more}

    @property
    def _most(self) -> int:
        return max(self.cases, self.untied)

    def small(self) -> Iterator[Part]:
        """Those with the same class counts at a time, of few cases first."""
        return (self._part(self._rankings(*counts)) for counts in classes(self._most))

    def larger(self, names: Collection[str]) -> Iterator[Part]:
        """Families of more cases."""
        return map(self._part, families.families(self._most_in_families(names)))

    def larger_fields(self, names: Collection[str]) -> dict[str, Any]:
        most = self._most_in_families(names)
        return {"families": most} if most else {}

    def _most_in_families(self, names: Collection[str]) -> int:
        """The most cases in a family; none if a name is of a quantity for few cases only."""
        if any(name in OF_FEW_CASES or name[:-2] in OF_FEW_CASES for name in names):
            return 0
        if self.pairs:
            return families.MOST_IN_PAIRS
        return families.MOST if OF_MANY_CASES.issuperset(names) else families.MOST_OF_AREAS

    def natural(self) -> Iterator[Part]:
        return (self._part(self._rankings(*counts, untied=True)) for counts in classes(self._most))

    def _part(self, rankings: Rankings) -> Part:
        if not self.pairs:
            return Part(rankings, len(rankings), rankings.integers)
        pairs = _Pairs(rankings, rankings)
        return Part(pairs, len(rankings) ** 2, pairs.case)

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        parts = [tuple(case)]
        if self.pairs:  # it is cut where half of all cases have come: both rankings have as many
            half = next((end for end in range(0, len(case), 2) if 2 * sum(case[:end]) >= sum(case)), 0)
            parts = [tuple(case[:half]), tuple(case[half:])]
        if not all(map(_is_ranking, parts)) or len({_classes_of(part) for part in parts}) > 1:
            return None
        a, *b = (Rankings(np.array([part[0::2]]), np.array([part[1::2]])) for part in parts)
        return _Pairs(a, *b) if self.pairs else a

    def _rankings(self, positives: int, negatives: int, *, untied: bool = False) -> Rankings:
        rankings = all_rankings(positives, negatives)
        is_all = rankings.n <= self.cases and not untied
        return rankings if is_all else rankings.part(rankings.groups == rankings.n)


def _classes_of(case: Case) -> tuple[int, int]:
    return int(sum(case[0::2])), int(sum(case[1::2]))


def _is_ranking(case: Case) -> bool:
    """Tell whether numbers count the positives and negatives of groups, none empty, with both classes."""
    if len(case) % 2 or not all(type(count) is int and count >= 0 for count in case):
        return False
    is_full = all(map(any, zip(case[0::2], case[1::2], strict=True)))
    return is_full and all(_classes_of(case)) and sum(case) <= families.MOST
