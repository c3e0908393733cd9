"""Exhaustive search through confusion tables, in exact integer arithmetic.

All tables whose cells FP, TP, FN, TN each run from 0 to a limit are gone through, one value of FP at a time, so
that memory stays at some arrays of (limit + 1)^3 integers. A statement about measures holds in a table, fails in
it, or has no meaning there because a term is 0/0 or infinite; such tables are counted apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.audit.found import Search
from nontrivial.audit.ratios import RATIOS, Ratio, Table
from nontrivial.audit.stated import SYMBOLS, Order, Statement

# A cross product is at most 16 n^4 in magnitude (two polynomials of degree two, coefficients up to four), which
# with four cells up to this limit stays below 2^62.
LARGEST_CELL = 5_000


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError, naming what is known, if one of `names` is no measure or cell."""
    for name in names:
        if name not in RATIOS:
            raise ValueError(
                f"{name!r} is not a known measure of a confusion table; known: {', '.join(RATIOS)}."
            )


def value_of(name: str, table: Sequence[Any]) -> Fraction | None:
    """The exact value of a measure at (FP, TP, FN, TN), or None where it is 0/0 or infinite.

    The cells may be fractions: a table of rates or of expected counts.

    Examples
    --------
    >>> value_of("f1", (1, 1, 0, 0)), value_of("precision", (0, 0, 1, 2))
    (Fraction(2, 3), None)
    """
    check_names([name])
    numerator, denominator = Table(*table).ratio(name)
    return Fraction(numerator) / Fraction(denominator) if denominator else None


def truth(statement: Statement, where: Sequence[Order], table: Table) -> tuple[Any, Any, Any]:
    """Tell where a statement applies, where it has a meaning, and where it is true.

    Works on one table of numbers (gives three booleans) and on a table of arrays (gives three boolean arrays).
    A condition with a term that is 0/0 or infinite is not met.
    """
    applies: Any = True
    for condition in where:
        holds, defined = _order_truth(condition, table)
        applies = applies & holds & defined
    holds, defined = _order_truth(statement.order, table)
    if statement.connective:
        met, meant = _join_conditions(statement, table)
        if statement.connective == "if":
            applies = applies & met & meant
        else:
            holds, defined = holds == met, defined & meant
    return applies, defined, holds


def search(statement: Statement, where: Sequence[Order], cells: int) -> Search:
    """Search every table with cells 0..`cells` for cases that settle a statement.

    Parameters
    ----------
    statement : Statement
        What is claimed of every table (or, with ``sometimes``, of at least one).
    where : sequence of Order
        What the document takes for granted of a table, such as ``1 <= positives <= negatives``.
    cells : int in [1, 5000]
        The largest cell.

    Returns
    -------
    Search
        With the smallest counterexample (or example) by total count, then lexicographically in (FP, TP, FN, TN).

    Examples
    --------
    >>> minority = [Order.parse("1 <= positives <= negatives")]
    >>> search(Statement.parse("f1 <= balanced_accuracy"), minority, cells=3).smallest
    (1, 1, 0, 0)
    """
    if not 1 <= cells <= LARGEST_CELL:
        raise ValueError(f"the largest cell is {cells}; 1 to {LARGEST_CELL} is allowed.")
    check_names([*statement.names, *(name for order in where for name in order.names)])
    axis = np.arange(cells + 1, dtype=np.int64)
    tp, fn, tn = axis[:, None, None], axis[None, :, None], axis[None, None, :]
    shape = (cells + 1,) * 3
    checked = undefined = hits = 0
    smallest: tuple[int, ...] | None = None
    for fp in range(cells + 1):
        block = Table(np.full((1, 1, 1), fp, dtype=np.int64), tp, fn, tn)
        applies, defined, holds = (np.broadcast_to(mask, shape) for mask in truth(statement, where, block))
        meant = applies & defined
        hit = meant & (holds if statement.sometimes else ~holds)
        n_meant, n_hits = int(np.count_nonzero(meant)), int(np.count_nonzero(hit))
        checked += n_meant
        undefined += int(np.count_nonzero(applies)) - n_meant
        hits += n_hits
        if n_hits:
            rest = np.argwhere(hit)
            # argwhere is lexicographic and argmin takes the first, so ties go to the least (TP, FN, TN).
            candidate = (fp, *(int(cell) for cell in rest[np.argmin(rest.sum(axis=1))]))
            # FP ascends, so of equal totals the earlier one is lexicographically less and stays.
            if smallest is None or sum(candidate) < sum(smallest):
                smallest = candidate
    return Search(
        domain=_domain_text(statement, where, cells),
        checked=checked,
        undefined=undefined,
        hits=hits,
        smallest=smallest,
        seeks="example" if statement.sometimes else "counterexample",
        details={} if smallest is None else {"values": _values_at(statement, smallest)},
    )


def is_hit(statement: Statement, where: Sequence[Order], cells: int, table: Sequence[int]) -> bool:
    """Tell whether one table of the domain settles the statement, without repeating the search."""
    if len(table) != 4 or not all(type(cell) is int and 0 <= cell <= cells for cell in table):
        return False
    applies, defined, holds = truth(statement, where, Table(*table))
    return bool(applies and defined and bool(holds) == statement.sometimes)


def _order_truth(order: Order, table: Table) -> tuple[Any, Any]:
    holds: Any = True
    defined: Any = True
    ratios = [_ratio(term, table) for term in order.terms]
    for _, denominator in ratios:
        defined = defined & (denominator != 0)
    for (n1, d1), symbol, (n2, d2) in zip(ratios, order.symbols, ratios[1:], strict=False):
        holds = holds & SYMBOLS[symbol](n1 * d2, n2 * d1)
    return holds, defined


def _ratio(term: str | Fraction, table: Table) -> Ratio:
    return table.ratio(term) if isinstance(term, str) else (term.numerator, term.denominator)


def _join_conditions(statement: Statement, table: Table) -> tuple[Any, Any]:
    pairs = [_order_truth(condition, table) for condition in statement.conditions]
    met, meant = pairs[0]
    for holds, defined in pairs[1:]:
        met = met & holds if statement.junction == "and" else met | holds
        meant = meant & defined
    return met, meant


def _values_at(statement: Statement, table: tuple[int, ...]) -> dict[str, str]:
    names = dict.fromkeys(statement.names)
    return {name: str(value_of(name, table)) for name in names}


def _domain_text(statement: Statement, where: Sequence[Order], cells: int) -> str:
    conditions = [order.text for order in where]
    if statement.connective == "if":
        conditions.append(f" {statement.junction} ".join(order.text for order in statement.conditions))
    text = f"every confusion table with cells FP, TP, FN, TN in 0..{cells}"
    return f"{text} where {' and '.join(conditions)}" if conditions else text
