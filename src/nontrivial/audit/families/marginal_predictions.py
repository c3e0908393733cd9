"""Statements about constants and guesses that know nothing but the distribution of the labels."""

from __future__ import annotations

from collections.abc import Sequence

from nontrivial.audit.found import Search
from nontrivial.audit.marginals import Loss, Marginals
from nontrivial.audit.search import check, is_hit, search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import Test


def search_marginals(
    *,
    stated: Statement,
    loss: Loss,
    classes: int,
    count: int,
    guess: int,
    cost: int | None = None,
    where: tuple[Order, ...] = (),
    holds_where: Condition | None = None,
) -> Search:
    """Search all distributions of labels with counts up to `count`, and all guesses with counts up to `guess`."""
    return search(stated, where, _domain(loss, classes, count, guess, cost), holds_where)


def is_marginal_hit(
    case: Sequence[int],
    *,
    stated: Statement,
    where: tuple[Order, ...] = (),
    holds_where: Condition | None = None,
    **domain: int | str | None,
) -> bool:
    """Tell whether one distribution with its guess settles the statement."""
    return is_hit(stated, where, _domain(**domain), case)


def check_marginals(
    *,
    stated: Statement,
    where: tuple[Order, ...] = (),
    holds_where: Condition | None = None,
    **domain: int | str | None,
) -> None:
    """Raise ValueError for a name that the loss does not have, or a domain that is too large."""
    check(stated, where, _domain(**domain), holds_where)


def _domain(loss: Loss, classes: int, count: int, guess: int, cost: int | None = None) -> Marginals:
    return Marginals(loss, classes, count, guess, cost or 0)


TESTS = {"marginal_predictions": Test(search_marginals, is_marginal_hit, check_marginals)}
