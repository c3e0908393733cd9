"""Statements about every ranking of a few cases, and about every pair of rankings, or of their curves, of the same."""

from __future__ import annotations

from fractions import Fraction

from nontrivial.audit.found import Quantity, Search
from nontrivial.audit.rankings.curves import CurvePairs
from nontrivial.audit.rankings.domains import AllRankings, RankingPairs
from nontrivial.audit.rankings.enumeration import all_rankings
from nontrivial.audit.rankings.quantities import quantity
from nontrivial.audit.search import search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import Test, search_test

MOST_CASES = 10
MOST_CASES_OF_PAIRS = 8
Where = tuple[Order, ...]


def search_rankings(
    *, stated: Statement, cases: int, where: Where = (), holds_where: Condition | None = None
) -> Search:
    """Search all rankings of up to so many cases, ties included."""
    return search(stated, where, _all(cases), holds_where)


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


def _all(cases: int) -> AllRankings:
    return AllRankings(cases)


def search_curves(
    *, stated: Statement, cases: int, where: Where = (), holds_where: Condition | None = None
) -> Search:
    """Search all pairs of curves of rankings, ties included, with the same class counts; names as of `search_pairs`."""
    return search(stated, where, _curves(cases), holds_where)


def _curves(cases: int) -> CurvePairs:
    return CurvePairs(cases)


def _pairs(cases: int, untied_cases: int | None = None) -> RankingPairs:
    return RankingPairs(cases, untied_cases or 0)


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
    "curve_pairs": search_test(search_curves, _curves, {"cases": range(2, MOST_CASES + 1)}),
    "rankings": search_test(search_rankings, _all, {"cases": range(2, MOST_CASES + 1)}),
    "ranking_pairs": search_test(
        search_pairs,
        _pairs,
        {"cases": range(2, MOST_CASES_OF_PAIRS + 1), "untied_cases": range(2, MOST_CASES + 1)},
    ),
    "mean_over_rankings": Test(mean_over_rankings, check=check_mean),
}
