"""Proofs that a relation between measures holds in every confusion table, whatever its size.

That one ratio is at most another means that a polynomial in the four cells is nowhere negative. It is not if it has no
negative coefficient, or if it is the sum of such a polynomial and of others like it, each times something that the
document takes not to be negative, say the negatives less the positives. Linear programming proposes the summands;
what proves is that they add up to the polynomial exactly. Where a sign is open, on which a minimum or a magnitude
depends, both cases are proved.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from nontrivial.audit.expressions import Expression, Term, term_value
from nontrivial.audit.polynomials import CELLS, Exponents, Polynomial, UndecidedError, cells
from nontrivial.audit.ratios import Table
from nontrivial.audit.stated import Order, Statement

SPLITS = 3  # open signs that are taken both ways
_LARGEST_DENOMINATOR = 12  # of a coefficient that is proposed


def prove(statement: Statement, where: Sequence[Order]) -> list[str] | None:
    """Prove a relation between measures for every confusion table.

    Parameters
    ----------
    statement : Statement
        A chain of <=, >= and =, unconditional or on conditions that hold together.
    where : sequence of Order
        What is taken for granted.

    Returns
    -------
    list of str or None
        For each link of the chain, and each case that had to be told apart, a polynomial that has the sign of the
        greater side less the smaller one wherever both have a value, as a sum that cannot be negative; None if the
        relation is of another kind or no such sum was found.

    Examples
    --------
    >>> prove(Statement.parse("prediction_advantage <= specificity"), [Order.parse("positives <= negatives")])
    ['fn*tn + fp*fn + (tn + fp - fn - tp) * (fp)']
    """
    is_of_that_kind = not statement.sometimes and set(statement.order.symbols) <= {"<=", ">=", "="}
    if not is_of_that_kind or statement.connective == "iff" or statement.junction == "or":
        return None
    granted = _granted([*where, *statement.conditions])
    links = [part for link in statement.order.links for part in _parted(*link)]
    try:
        return [text for link in links for text in _prove_cases(link, granted, SPLITS)]
    except UndecidedError:
        return None


def _parted(one: Term, symbol: str, other: Term) -> list[tuple[Term, str, Term]]:
    """A link with a minimum on its greater side, or a maximum on its smaller one, as a link for each member."""
    if symbol == ">=":
        return _parted(other, "<=", one)
    if symbol == "=":
        return [(one, symbol, other)]
    return [(less, symbol, more) for less in _members(one, "max") for more in _members(other, "min")]


def _members(term: Term, choice: str) -> list[Term]:
    match term:
        case Expression(tree=ast.Call(func=ast.Name(id=name), args=members)) if name == choice:
            return [Expression(ast.unparse(member)) for member in members]
    return [term]


def _prove_cases(link: tuple[Term, str, Term], granted: list[Polynomial], splits: int) -> list[str]:
    """Prove a link, each sign that is open taken both ways."""
    try:
        return [_prove_link(*link, granted)]
    except UndecidedError as open_question:
        if open_question.polynomial is None or not splits:
            raise
        texts = []
        for case in (open_question.polynomial, -open_question.polynomial):
            proofs = _prove_cases(link, [*granted, Polynomial(case.terms)], splits - 1)
            texts += [f"where {case.text()} >= 0: {proof}" for proof in proofs]
        return texts


def _granted(orders: Sequence[Order]) -> list[Polynomial]:
    """What orders say is not negative: the one side less the other, times their denominators."""
    known: list[Polynomial] = []
    for one, symbol, other in (link for order in orders for link in order.links):
        try:
            difference = _difference(one, other, known)
        except UndecidedError:
            continue  # less is granted then, so that less can be proved
        known += [difference] * (symbol in "<=") + [-difference] * (symbol in ">=")
    return known


def _prove_link(one: Term, symbol: str, other: Term, granted: Sequence[Polynomial]) -> str:
    difference = _difference(one, other, granted)
    if symbol == "=":
        return " and ".join(dict.fromkeys(_as_sum(side, granted) for side in (difference, -difference)))
    return _as_sum(difference, granted)


def _difference(one: Term, other: Term, granted: Sequence[Polynomial]) -> Polynomial:
    """The second number less the first, times their denominators, which must not be negative."""
    table = Table(*cells(tuple(granted)))
    left, right = term_value(one, table), term_value(other, table)
    if left.is_root or right.is_root:
        raise UndecidedError
    nothing = table.fp * 0
    if not all((nothing + value.denominator).is_plainly_positive for value in (left, right)):
        raise UndecidedError
    return nothing + right.numerator * left.denominator - left.numerator * right.denominator


def _as_sum(polynomial: Polynomial, granted: Sequence[Polynomial]) -> str:
    """Write a polynomial as a sum that cannot be negative."""
    if polynomial.is_plainly_positive:
        return polynomial.text()
    degree = polynomial.degree
    named = {f"({known.text()})": known for known in granted}
    for (one, a), (two, b) in itertools.combinations_with_replacement(list(named.items()), 2):
        named[f"{one} * {two}"] = a * b
    usable = {
        name: [(known, Polynomial({powers: Fraction(1)})) for powers in _monomials(degree - known.degree)]
        for name, known in named.items()
        if degree is not None and known.degree is not None and known.degree <= degree
    }
    summands = [known * power for pairs in usable.values() for known, power in pairs]
    if not summands:
        raise UndecidedError
    weights = iter(_propose(polynomial, summands, _monomials(degree)))
    rest, parts = polynomial, []
    for name, pairs in usable.items():
        factor = sum((power * next(weights) for _, power in pairs), start=Polynomial({}))
        rest = rest - named[name] * factor
        if factor.terms:
            parts.append(name if factor == 1 else f"{name} * ({factor.text()})")
    if not rest.is_plainly_positive:  # the weights are not negative, so that this is all there is to prove
        raise UndecidedError
    return " + ".join([*([rest.text()] if rest.terms else []), *parts])


def _propose(
    polynomial: Polynomial, summands: Sequence[Polynomial], monomials: Sequence[Exponents]
) -> list[Fraction]:
    """Weights of the summands, none negative, that leave no negative coefficient; in floating point, so a proposal."""
    from scipy.optimize import linprog

    matrix = np.array([[float(summand.terms.get(key, 0)) for summand in summands] for key in monomials])
    bounds = np.array([float(polynomial.terms.get(key, 0)) for key in monomials])
    found = linprog(np.ones(len(summands)), A_ub=matrix, b_ub=bounds, method="highs")
    if not found.success:
        raise UndecidedError
    return [max(Fraction(float(x)).limit_denominator(_LARGEST_DENOMINATOR), Fraction(0)) for x in found.x]


def _monomials(degree: int) -> list[Exponents]:
    return [
        powers for powers in itertools.product(range(degree + 1), repeat=len(CELLS)) if sum(powers) == degree
    ]
