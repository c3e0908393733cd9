"""Statements about lines of least squares, searched through small samples."""

from __future__ import annotations

from collections.abc import Sequence

from nontrivial.audit.found import Search
from nontrivial.audit.samples import Samples
from nontrivial.audit.search import check, is_hit, search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.test import Test

Where = tuple[Order, ...]


def search_lines(*, stated: Statement, points: int, largest: int, where: Where = ()) -> Search:
    """Search all samples of so many points with whole coordinates up to `largest`."""
    return search(stated, where, Samples(points, largest))


def is_line_hit(
    case: Sequence[int], *, stated: Statement, points: int, largest: int, where: Where = ()
) -> bool:
    """Tell whether one sample settles the statement."""
    return is_hit(stated, where, Samples(points, largest), case)


def check_lines(*, stated: Statement, points: int, largest: int, where: Where = ()) -> None:
    """Raise ValueError for an unknown name, or a domain that is too large."""
    check(stated, where, Samples(points, largest))


TESTS = {"least_squares_lines": Test(search_lines, is_line_hit, check_lines)}
