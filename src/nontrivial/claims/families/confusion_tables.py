"""Statements about every confusion table of a domain, searched for a counterexample."""

from __future__ import annotations

from dataclasses import replace

from nontrivial.audit.certificates import prove
from nontrivial.audit.domains import Cells, Pairs, Problem
from nontrivial.audit.found import Search
from nontrivial.audit.search import search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import search_test

Where = tuple[Order, ...]


def search_tables(
    *, stated: Statement, where: Where, cells: int, holds_where: Condition | None = None
) -> Search:
    """Search all tables with cells up to `cells` that are as `where` says, and prove what none of them refutes."""
    found = search(stated, where, Cells(cells), holds_where)
    proof = None if found.hits else prove(stated, where)
    return found if proof is None else replace(found, details={**found.details, "proof": proof})


def search_problem(
    *,
    stated: Statement,
    positives: int,
    negatives: int,
    where: Where = (),
    holds_where: Condition | None = None,
) -> Search:
    """Search all tables of one problem."""
    return search(stated, where, Problem(positives, negatives), holds_where)


def search_pairs(
    *, stated: Statement, where: Where, cells: int, holds_where: Condition | None = None
) -> Search:
    """Search all pairs of tables; names end in ``_1`` for the first and in ``_2`` for the second."""
    return search(stated, where, Pairs(cells), holds_where)


TESTS = {
    "confusion_tables": search_test(search_tables, Cells),
    "one_problem": search_test(search_problem, Problem),
    "pairs_of_tables": search_test(search_pairs, Pairs),
}
