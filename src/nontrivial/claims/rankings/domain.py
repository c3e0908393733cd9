"""The rankings that a search goes through, one by one or in pairs, and the relations between two rankings."""

import functools
import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.claims.domains.domain import CaseBatch, Domain, LargerCases
from nontrivial.claims.language.formulas import FormulaCases
from nontrivial.claims.language.numbers import Ratios
from nontrivial.claims.rankings import quantities
from nontrivial.claims.rankings.quantities import RankingCases, all_rankings, ranking_class_counts
from nontrivial.claims.verdict import Case

MAX_CASES_IN_ALL_RANKINGS = 8  # more cases changed no verdict, smallest counterexample or condition
# Families of larger rankings, as people argue with them: one or two cases of a class among many, and blocks of cases.
_MAX_CASES_IN_FAMILIES = 200  # for quantities whose exact numbers stay small
_MAX_CASES_FOR_AREAS = 20  # for all other quantities
_MAX_CASES_IN_PAIRS = 12  # in each ranking of a pair
_COMMON_COUNTS = (5, 10, 20, 60, 198)  # cases of the common class
_ABOVE_COUNTS = (0, 1, 2, 3, 5, 8, 10, 15, 30)  # common cases ranked above a rare case
_TIED_COUNTS = (0, 1, 3)  # common cases tied with a rare case
_CLASS_SIZES_OF_BLOCKS = ((5, 5), (10, 10), (4, 16), (16, 4))  # positives and negatives
# The positives and negatives of each group of tied cases, the best group first.
Groups = tuple[tuple[int, int], ...]


# Relations between each ranking of one array and each ranking of another, all with the same class counts.
#
# A curve goes up in steps of one true positive. Over each step, the curve is straight from its start to its end.
def _true_positives_on_curve(rankings: RankingCases) -> Ints:
    """Return the true positives at the start of each step of one, 0..P - 1, then at the end of each step, 1..P."""
    counts = np.arange(rankings.positives + 1)
    return np.concatenate([counts[:-1], counts[1:]])


@functools.lru_cache(maxsize=2)
def _false_positives_on_curve(rankings: RankingCases) -> Ints:
    """Return the false positives of each curve at `_true_positives_on_curve`, times a common multiple."""
    common, reached = quantities.multiple_up_to(rankings.positives), np.arange(1, rankings.positives + 1)
    group = (rankings.tp[:, 1:, None] >= reached).argmax(axis=1)  # the group that reaches the number
    tp, fp, gained, added = (
        np.take_along_axis(part, group, axis=1) for part in (rankings.tp, rankings.fp, rankings.gained, rankings.added)
    )
    slope = added * (common // gained)
    start = fp * common + (reached - 1 - tp) * slope
    return np.concatenate([start, start + slope], axis=1)


def roc_covered(first: RankingCases, second: RankingCases) -> Mask:
    """Whether the first ROC curve is nowhere above the second ROC curve."""
    first_fp, second_fp = _false_positives_on_curve(first)[:, None], _false_positives_on_curve(second)
    return np.asarray((second_fp <= first_fp).all(axis=2))


def pr_covered(first: RankingCases, second: RankingCases) -> Mask:
    """Whether the first Precision-Recall curve is nowhere above the second, both with hyperbolas between points."""
    first_fp, second_fp = _false_positives_on_curve(first)[:, None], _false_positives_on_curve(second)
    # Precision is TP / (TP + FP). With TP at least 1, precision just above recall 0 compares by FP, too.
    tp = np.maximum(_true_positives_on_curve(first) * quantities.multiple_up_to(first.positives), 1)
    return np.asarray((tp * (tp + second_fp) <= tp * (tp + first_fp)).all(axis=2))


def same_from_zero(first: RankingCases, second: RankingCases) -> Mask:
    """Whether the two Precision-Recall-Gain curves are the same from recall gain 0 on."""
    first_gain, second_gain = (rankings.value("precision_gain_at_zero") for rankings in (first, second))
    same_start = np.equal.outer(first_gain.numerator, second_gain.numerator)
    same_start &= np.equal.outer(first_gain.denominator, second_gain.denominator)
    is_beyond = first.n * _true_positives_on_curve(first) >= first.positives**2
    first_fp = _false_positives_on_curve(first)[:, None, is_beyond]
    second_fp = _false_positives_on_curve(second)[:, is_beyond]
    return np.asarray(same_start & (first_fp == second_fp).all(axis=2))


RANKING_RELATIONS = {"roc_covered": roc_covered, "pr_covered": pr_covered, "same_from_zero": same_from_zero}


@dataclass(frozen=True, eq=False)
class _RankingPairs(FormulaCases):
    """All pairs of a ranking a and a ranking b with the same class counts, ordered by a and then by b."""

    a: RankingCases
    b: RankingCases

    def value(self, name: str) -> Ratios:
        """Return a relation in each pair, or, for names such as ``roc_auc_a``, a quantity of ranking a or b."""
        if name in RANKING_RELATIONS:
            return Ratios(RANKING_RELATIONS[name](self.a, self.b).astype(int).ravel())
        quantity, _, which = name.rpartition("_")
        if which == "a":
            return self.a.value(quantity).repeat_cases(lambda part: np.repeat(part, len(self.b)))
        return self.b.value(quantity).repeat_cases(lambda part: np.tile(part, len(self.a)))

    def case_at(self, position: int) -> Case:
        row_a, row_b = divmod(position, len(self.b))
        return self.a.case_at(row_a) + self.b.case_at(row_b)


@dataclass(frozen=True)
class RankingDomain(Domain):
    """Every ranking of up to so many cases, or every ordered pair of rankings with the same class counts."""

    cases: int  # the most cases of a ranking with ties
    untied: int = 0  # the most cases of a ranking without ties, if more
    pairs: bool = False
    larger_are_all = False

    def __post_init__(self) -> None:
        for n in (self.cases, self._max_cases):
            if not 2 <= n <= MAX_CASES_IN_ALL_RANKINGS:
                allowed = f"from 2, one of each class, to {MAX_CASES_IN_ALL_RANKINGS} are allowed"
                raise ValueError(f"rankings of {n} cases; {allowed}.")

    @property
    def kind(self) -> str:  # type: ignore[override]
        return "pairs of rankings" if self.pairs else "rankings"

    @property
    def names(self) -> Sequence[str]:
        if not self.pairs:
            return tuple(quantities.QUANTITIES)
        return (*RANKING_RELATIONS, *(f"{name}_{which}" for name in quantities.QUANTITIES for which in "ab"))

    def search_fields(self) -> dict[str, Any]:
        untied = {"untied": self.untied} if self.untied > self.cases else {}
        return {"over": self.kind, "cases": self.cases, **untied}

    @property
    def _max_cases(self) -> int:
        return max(self.cases, self.untied)

    def small_batches(self) -> Iterator[CaseBatch]:
        """Return a batch for each pair of class counts, few cases first."""
        for counts in ranking_class_counts(self._max_cases):
            rankings = all_rankings(*counts)
            yield self.make_batch(rankings if sum(counts) <= self.cases else _without_ties(rankings))

    def larger_cases(self, names: Collection[str]) -> LargerCases:
        """Return families of rankings of more cases."""
        max_cases = self._max_cases_in_families(names)
        fields = {"families": max_cases} if max_cases else {}
        return LargerCases(fields, map(self.make_batch, ranking_families(max_cases)))

    def _max_cases_in_families(self, names: Collection[str]) -> int:
        """Return up to how many cases all these quantities can be computed in families, 0 for none."""
        without_ends = {name[:-2] for name in names}  # names about pairs end in _a and _b
        if quantities.FEW_CASES_QUANTITIES & {*names, *without_ends}:
            return 0
        if self.pairs:
            return _MAX_CASES_IN_PAIRS
        is_small = quantities.MANY_CASES_QUANTITIES.issuperset(names)
        return _MAX_CASES_IN_FAMILIES if is_small else _MAX_CASES_FOR_AREAS

    def natural_batches(self) -> Iterator[CaseBatch]:
        for counts in ranking_class_counts(self._max_cases):
            yield self.make_batch(_without_ties(all_rankings(*counts)))

    def make_batch(self, rankings: RankingCases) -> CaseBatch:
        if not self.pairs:
            return CaseBatch(rankings, len(rankings), rankings.case_at)
        pairs = _RankingPairs(rankings, rankings)
        return CaseBatch(pairs, len(rankings) ** 2, pairs.case_at)

    def as_cases(self, case: Sequence[int | Fraction]) -> FormulaCases | None:
        parts = [tuple(case)]
        if self.pairs:  # both rankings have the same number of cases: the first ends at half of all cases
            half = next((end for end in range(0, len(case), 2) if 2 * sum(case[:end]) >= sum(case)), 0)
            parts = [tuple(case[:half]), tuple(case[half:])]
        if not all(map(_is_ranking, parts)) or len({_class_counts_of(part) for part in parts}) > 1:
            return None
        a, *b = (RankingCases(np.array([part[0::2]]), np.array([part[1::2]])) for part in parts)
        return _RankingPairs(a, *b) if self.pairs else a


def _without_ties(rankings: RankingCases) -> RankingCases:
    return rankings.part(rankings.groups == rankings.n)


def _class_counts_of(case: Case) -> tuple[int, int]:
    return int(sum(case[0::2])), int(sum(case[1::2]))


def _is_ranking(case: Case) -> bool:
    """Whether a case lists the positives and negatives of each group, without an empty group, and with both classes."""
    if len(case) % 2 or not all(type(count) is int and count >= 0 for count in case):
        return False
    has_empty_group = not all(map(any, zip(case[0::2], case[1::2], strict=True)))
    return not has_empty_group and all(_class_counts_of(case)) and sum(case) <= _MAX_CASES_IN_FAMILIES


@functools.cache
def ranking_families(max_cases: int) -> tuple[RankingCases, ...]:
    """Return all families with up to `max_cases` cases: an item for each pair of class counts, few cases first."""
    by_counts: dict[tuple[int, int], dict[Groups, None]] = {}
    for groups in itertools.chain(_rankings_with_rare_cases(), _rankings_of_blocks()):
        # A ranking that is reversed, with its classes exchanged, has the same ROC area.
        exchanged = tuple((negatives, positives) for positives, negatives in groups[::-1])
        for ranking in (groups, exchanged):
            positives, negatives = map(sum, zip(*ranking, strict=True))
            if positives + negatives <= max_cases:
                by_counts.setdefault((positives, negatives), {})[ranking] = None
    ordered = sorted(by_counts, key=lambda counts: (sum(counts), counts))
    return tuple(_stack_rankings(list(by_counts[counts])) for counts in ordered)


def _rankings_with_rare_cases() -> Iterator[Groups]:
    """Yield rankings of one or two positives among many negatives, with and without ties between the classes."""
    for common, above, tied in itertools.product(_COMMON_COUNTS, _ABOVE_COUNTS, _TIED_COUNTS):
        if above + tied <= common:
            below = common - above - tied
            yield _without_empty((0, above), (1, tied), (0, below))
            yield _without_empty((0, above), (2, tied), (0, below))
            yield from (
                _without_empty((0, above), (1, tied), (0, between), (1, 0), (0, below - between))
                for between in (*_ABOVE_COUNTS, below)
                if 0 < between <= below
            )


def _rankings_of_blocks() -> Iterator[Groups]:
    """Yield rankings of two blocks of each class in turn, tied within each block, and without ties."""
    for positives, negatives in _CLASS_SIZES_OF_BLOCKS:
        for first, second in itertools.product(range(positives + 1), range(negatives + 1)):
            blocks = _without_empty((first, 0), (0, second), (positives - first, 0), (0, negatives - second))
            yield blocks
            yield blocks[::-1]
            yield tuple((int(p > 0), int(n > 0)) for p, n in blocks for _ in range(p + n))


def _without_empty(*groups: tuple[int, int]) -> Groups:
    return tuple(group for group in groups if any(group))


def _stack_rankings(rankings: list[Groups]) -> RankingCases:
    """Stack rankings with the same class counts as rows, and fill short rows with empty groups."""
    counts = np.zeros((len(rankings), max(map(len, rankings)), 2), dtype=int)
    for row, groups in enumerate(rankings):
        counts[row, : len(groups)] = groups
    return RankingCases(counts[:, :, 0], counts[:, :, 1])
