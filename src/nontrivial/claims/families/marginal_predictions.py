"""Statements about constants and guesses that know nothing but the distribution of the labels."""

from __future__ import annotations

from nontrivial.audit.found import Search
from nontrivial.audit.marginals import Loss, Marginals
from nontrivial.audit.search import search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import search_test


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


def _domain(loss: Loss, classes: int, count: int, guess: int, cost: int | None = None) -> Marginals:
    return Marginals(loss, classes, count, guess, cost or 0)


TESTS = {"marginal_predictions": search_test(search_marginals, _domain)}
