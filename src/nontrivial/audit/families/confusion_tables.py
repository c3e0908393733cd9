"""Statements about every confusion table of a domain, searched for a counterexample."""

from __future__ import annotations

from collections.abc import Sequence

from nontrivial.audit import tables
from nontrivial.audit.found import Search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.test import Test


def search_tables(*, stated: Statement, where: tuple[Order, ...], cells: int) -> Search:
    """Search all tables with cells up to `cells` that are as `where` says."""
    return tables.search(stated, where, cells)


def is_table_hit(case: Sequence[int], *, stated: Statement, where: tuple[Order, ...], cells: int) -> bool:
    """Tell whether a table of that domain settles the statement."""
    return tables.is_hit(stated, where, cells, case)


def check_tables(*, stated: Statement, where: tuple[Order, ...], cells: int) -> None:
    """Raise ValueError for an unknown measure, or a domain that is too large."""
    tables.check_names([*stated.names, *(name for order in where for name in order.names)])
    if not 1 <= cells <= tables.LARGEST_CELL:
        raise ValueError(f"parameter 'cells' is {cells}; 1 to {tables.LARGEST_CELL} is allowed.")


TESTS = {"confusion_tables": Test(search_tables, is_table_hit, check_tables)}
