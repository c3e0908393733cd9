"""Exhaustive search through a domain of cases, in exact integer arithmetic.

A statement holds in a case, fails in it, or has no meaning there because a term is 0/0 or infinite; such cases are
counted apart. Numbers that could outgrow 64 bits are computed as Python integers, which cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nontrivial.audit.conditions import condition_under_which, try_condition
from nontrivial.audit.domains import MOST_CASES, Domain, largest_magnitude
from nontrivial.audit.expressions import Cases
from nontrivial.audit.found import Search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.truth import condition_met, join_conditions, truth

_LARGEST_INT = 2**63 - 1


def search(
    statement: Statement, where: Sequence[Order], domain: Domain, holds_where: Condition | None = None
) -> Search:
    """Search every case of a domain for those that settle a statement.

    Parameters
    ----------
    statement : Statement
        What is claimed of every case (or, with ``sometimes``, of at least one).
    where : sequence of Order
        What the document takes for granted of a case, such as ``1 <= positives <= negatives``.
    domain : Domain
    holds_where : Condition, optional
        The condition under which a statement that fails is proposed to hold; tried, like the statement, in every case.

    Returns
    -------
    Search
        With the smallest counterexample (or example) by total, then lexicographically.

    Examples
    --------
    >>> from nontrivial.audit.domains import Cells
    >>> minority = [Order.parse("1 <= positives <= negatives")]
    >>> search(Statement.parse("f1 <= balanced_accuracy"), minority, Cells(3)).smallest
    (1, 1, 0, 0)
    """
    check(statement, where, domain)
    kind = number_kind(statement, where, domain)
    checked = undefined = hits = both_true = 0
    smallest: tuple[int, ...] | None = None
    for part in domain.parts(kind):
        applies, defined, holds = (
            np.broadcast_to(np.asarray(mask, dtype=bool), part.shape)
            for mask in truth(statement, where, part.cases)
        )
        meant = applies & defined
        hit = meant & (holds if statement.sometimes else ~holds)
        n_meant, n_hits = int(np.count_nonzero(meant)), int(np.count_nonzero(hit))
        checked += n_meant
        undefined += int(np.count_nonzero(applies)) - n_meant
        hits += n_hits
        if statement.connective == "iff":
            met = np.broadcast_to(join_conditions(statement, part.cases)[0], part.shape)
            both_true += int(np.count_nonzero(meant & holds & met))
        if n_hits:
            candidates = [part.smallest(hit), *([] if smallest is None else [smallest])]
            smallest = min(candidates, key=lambda case: (sum(case), case))
    details: dict[str, Any] = {}
    if statement.connective == "iff" and hits < checked and not both_true:
        details["vacuous"] = True
    if hits and not statement.sometimes:
        details |= _condition(statement, where, domain, holds_where)
    if smallest is not None:
        cases = domain.cases(smallest)
        details["values"] = {name: cases.value(name).text() for name in dict.fromkeys(statement.names)}
    return Search(
        domain=_domain_text(statement, where, domain),
        checked=checked,
        undefined=undefined,
        hits=hits,
        smallest=smallest,
        seeks="example" if statement.sometimes else "counterexample",
        details=details,
    )


def _condition(
    statement: Statement, where: Sequence[Order], domain: Domain, proposed: Condition | None
) -> dict[str, Any]:
    """The condition under which a failing statement holds, and the proposed one if it turns out not to be it."""
    details: dict[str, Any] = {}
    if proposed is not None:
        tried = try_condition(
            proposed, statement, where, domain, number_kind(statement, where, domain, proposed)
        )
        if tried["exact"]:
            return {"holds_where": tried}
        details["not_exactly_where"] = tried
    if domain.atoms:
        kind = number_kind(statement, where, domain)
        details["holds_where"] = condition_under_which(statement, where, domain, kind)
    return details


def is_hit(statement: Statement, where: Sequence[Order], domain: Domain, case: Sequence[int]) -> bool:
    """Tell whether one case of the domain settles the statement, without repeating the search."""
    if not domain.holds(case):
        return False
    applies, defined, holds = truth(statement, where, domain.cases(case))
    return bool(applies and defined and bool(holds) == statement.sometimes)


def check(
    statement: Statement, where: Sequence[Order], domain: Domain, holds_where: Condition | None = None
) -> None:
    """Raise ValueError for a name that the domain's cases do not have, or a domain that is too large."""
    proposed = () if holds_where is None else holds_where.names
    domain.check_names([*statement.names, *(name for order in where for name in order.names), *proposed])
    if domain.size > MOST_CASES:
        raise ValueError(f"the domain has {domain.size:,} cases; at most {MOST_CASES:,} are allowed.")


def number_kind(
    statement: Statement, where: Sequence[Order], domain: Domain, condition: Condition | None = None
) -> type:
    """64-bit integers where they suffice for every number of the computation, otherwise Python's own."""

    def evaluate(cases: Cases) -> None:
        truth(statement, where, cases)
        if condition is not None:
            condition_met(condition, cases)

    largest = largest_magnitude(domain, evaluate)
    return np.int64 if largest <= _LARGEST_INT else object


def _domain_text(statement: Statement, where: Sequence[Order], domain: Domain) -> str:
    conditions = [order.text for order in where]
    if statement.connective == "if":
        conditions.append(f" {statement.junction} ".join(order.text for order in statement.conditions))
    return f"{domain.text} where {' and '.join(conditions)}" if conditions else domain.text
