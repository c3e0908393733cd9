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
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import Test

MOST_CASES = 10
MOST_CASES_OF_PAIRS = 8
Where = tuple[Order, ...]


def search_rankings(
    *, stated: Statement, cases: int, where: Where = (), holds_where: Condition | None = None
) -> Search:
    """Search all rankings of up to so many cases, ties included."""
    return search(stated, where, AllRankings(cases), holds_where)


def search_pairs(
    *,
    stated: Statement,
    cases: int,
    untied_cases: int | None = None,
    where: Where = (),
    holds_where: Condition | None = None,
) -> Search:
    """Search all pairs of rankings with the same class counts; names end in ``_a`` and ``_b``.

    All of up to so many `cases` with ties, and beyond that those without ties of up to `untied_cases`.
    """
    return search(stated, where, _pairs(cases, untied_cases), holds_where)


def _pairs(cases: int, untied_cases: int | None = None) -> RankingPairs:
    return RankingPairs(cases, untied_cases or 0)


def _test(run: Callable[..., Search], domain_of: Callable[..., Domain], most: int) -> Test:
    def is_case(
        case: Sequence[int],
        *,
        stated: Statement,
        where: Where = (),
        holds_where: Condition | None = None,
        **domain: int | None,
    ) -> bool:
        return is_hit(stated, where, domain_of(**domain), case)

    def check_cases(
        *, stated: Statement, where: Where = (), holds_where: Condition | None = None, **domain: int | None
    ) -> None:
        for name, allowed in (("cases", most), ("untied_cases", MOST_CASES)):
            if domain.get(name) is not None and not 2 <= domain[name] <= allowed:
                raise ValueError(f"parameter {name!r} is {domain[name]}; 2 to {allowed} is allowed.")
        check(stated, where, domain_of(**domain), holds_where)

    return Test(run, is_case, check_cases)


def _all(cases: int) -> AllRankings:
    return AllRankings(cases)


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
    "rankings": _test(search_rankings, _all, MOST_CASES),
    "ranking_pairs": _test(search_pairs, _pairs, MOST_CASES_OF_PAIRS),
    "mean_over_rankings": Test(mean_over_rankings, check=check_mean),
}
