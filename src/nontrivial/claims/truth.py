"""Where a statement applies, where it has a meaning, and where it is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nontrivial.audit.expressions import Cases, term_value
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.values import compare


def order_truth(order: Order, cases: Cases) -> tuple[Any, Any]:
    """Tell where an order holds, and where all of its terms have a value."""
    values = [term_value(term, cases) for term in order.terms]
    holds: Any = True
    defined: Any = True
    for value in values:
        defined = defined & value.defined
    for one, symbol, other in zip(values, order.symbols, values[1:], strict=False):
        holds = holds & compare(symbol, one, other)
    return holds, defined


def condition_met(condition: Condition, cases: Cases) -> Any:
    """Tell where a condition is met; a term without value meets no comparison."""
    met: Any = False
    for group in condition.groups:
        all_met: Any = True
        for order in group:
            holds, defined = order_truth(order, cases)
            all_met = all_met & holds & defined
        met = met | all_met
    return met


def truth(statement: Statement, where: Sequence[Order], cases: Cases) -> tuple[Any, Any, Any]:
    """Tell where a statement applies, where it has a meaning, and where it is true.

    Works on one case (gives three booleans) and on arrays of cases (gives three boolean arrays). A condition with a
    term that has no value is not met.
    """
    applies: Any = True
    for condition in where:
        holds, defined = order_truth(condition, cases)
        applies = applies & holds & defined
    holds, defined = order_truth(statement.order, cases)
    if statement.connective:
        met, meant = join_conditions(statement, cases)
        if statement.connective == "if":
            applies = applies & met & meant
        else:
            holds, defined = holds == met, defined & meant
    return applies, defined, holds


def join_conditions(statement: Statement, cases: Cases) -> tuple[Any, Any]:
    """Tell where the conditions of a statement are met, and where all of their terms have a value."""
    pairs = [order_truth(condition, cases) for condition in statement.conditions]
    met, meant = pairs[0]
    for holds, defined in pairs[1:]:
        met = met & holds if statement.junction == "and" else met | holds
        meant = meant & defined
    return met, meant
