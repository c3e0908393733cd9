"""Statements about every ranking of a few cases, and about every pair of rankings of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from nontrivial.audit.domains import Domain
from nontrivial.audit.found import Quantity, Search
from nontrivial.audit.rankings.domains import AllRankings, RankingPairs
from nontrivial.audit.rankings.enumeration import all_rankings
from nontrivial.audit.rankings.quantities import quantity
from nontrivial.audit.search import check, is_hit, search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.test import Test

MOST_CASES = 10
MOST_CASES_OF_PAIRS = 7
Where = tuple[Order, ...]


def search_rankings(*, stated: Statement, cases: int, where: Where = ()) -> Search:
    """Search all rankings of up to so many cases, ties included."""
    return search(stated, where, AllRankings(cases))


def search_pairs(*, stated: Statement, cases: int, where: Where = ()) -> Search:
    """Search all pairs of rankings with the same class counts; names end in ``_a`` and ``_b``."""
    return search(stated, where, RankingPairs(cases))


def _test(run: Callable[..., Search], domain_of: Callable[[int], Domain], most: int) -> Test:
    def is_case(case: Sequence[int], *, stated: Statement, cases: int, where: Where = ()) -> bool:
        return is_hit(stated, where, domain_of(cases), case)

    def check_cases(*, stated: Statement, cases: int, where: Where = ()) -> None:
        if not 2 <= cases <= most:
            raise ValueError(f"parameter 'cases' is {cases}; 2 to {most} is allowed.")
        check(stated, where, domain_of(cases))

    return Test(run, is_case, check_cases)


def mean_over_rankings(*, quantity_name: str, positives: int, negatives: int) -> Quantity:
    """Mean of a quantity over all rankings of so many positives and negatives without ties: what chance gives."""
    rankings = all_rankings(positives, negatives)
    values = quantity(rankings, quantity_name)
    untied = (rankings.groups == rankings.n).nonzero()[0]
    numbers = [Fraction(*(int(part[row]) for part in values)) for row in untied]
    return Quantity.exactly(sum(numbers) / len(numbers), rankings=len(numbers))


def check_mean(*, quantity_name: str, positives: int, negatives: int, **_: object) -> None:
    """Raise ValueError for an unknown quantity, or too many cases."""
    AllRankings(MOST_CASES).check_names([quantity_name])
    if positives + negatives > MOST_CASES:
        raise ValueError(
            f"positives and negatives are {positives + negatives}; at most {MOST_CASES} are allowed."
        )


TESTS = {
    "rankings": _test(search_rankings, AllRankings, MOST_CASES),
    "ranking_pairs": _test(search_pairs, RankingPairs, MOST_CASES_OF_PAIRS),
    "mean_over_rankings": Test(mean_over_rankings, check=check_mean),
}
