"""Statements about lines of least squares, searched through small samples."""

from __future__ import annotations

from nontrivial.audit.found import Search
from nontrivial.audit.samples import Samples
from nontrivial.audit.search import search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.test import search_test

Where = tuple[Order, ...]


def search_lines(*, stated: Statement, points: int, largest: int, where: Where = ()) -> Search:
    """Search all samples of so many points with whole coordinates up to `largest`."""
    return search(stated, where, Samples(points, largest))


TESTS = {"least_squares_lines": search_test(search_lines, Samples)}
