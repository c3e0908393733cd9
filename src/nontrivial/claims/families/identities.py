"""Equations that are claimed of all numbers, proved by algebra or refuted by some."""

from __future__ import annotations

import ast
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from nontrivial.audit.definitions import Defined, Definition
from nontrivial.audit.expressions import Expression, term_value
from nontrivial.audit.found import Proof, Search
from nontrivial.audit.stated import Statement
from nontrivial.audit.test import Test

if TYPE_CHECKING:
    import sympy

_INTEGRAL = re.compile(r"([a-z][a-z0-9_]*) = (.+) over ([a-z][a-z0-9_]*) from (.+) to (.+)")
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class Integral:
    """A name for an integral, written like ``area = (1 - x)*a + x*b over x from 0 to 1``."""

    name: str
    integrand: Expression
    variable: str
    low: Expression
    high: Expression

    @classmethod
    def parse(cls, text: str) -> Integral:
        """Read an integral; else ValueError."""
        match = _INTEGRAL.fullmatch(text)
        if match is None:
            raise ValueError(f"{text[:60]!r} is not an integral such as 'area = 2*x over x from 0 to 1'.")
        name, integrand, variable, low, high = match.groups()
        return cls(name, Expression.parse(integrand), variable, Expression.parse(low), Expression.parse(high))


Define, Integrals = tuple[Definition, ...], tuple[Integral, ...]


def prove_equation(*, stated: Statement, define: Define = (), integrals: Integrals = ()) -> Proof | Search:
    """Prove that both sides are the same function, or find whole numbers that tell them apart.

    Definitions come first and may build on each other; integrals may use them, and use up their variable. All other
    names are free. The counterexample is the one of the least sum in positive whole numbers at which both sides are
    defined.
    """
    left, right = _sides(stated, define, integrals)
    names = _free_names(stated, define, integrals)
    if _is_zero(left - right):
        return Proof(f"all {', '.join(names)} for which both sides are defined")
    arguments = {"stated": stated, "define": define, "integrals": integrals}
    case = next(case for case in _positive(len(names)) if is_refutation(case, **arguments))
    return Search(
        domain=f"whole numbers {', '.join(names)} from 1 on, in this sequence",
        checked=1,
        undefined=0,
        hits=1,
        smallest=case,
        details={
            "values": dict(zip(("left", "right"), map(str, _values(case, **arguments)), strict=True)),
            "holds_where": _zeros(left - right),
        },
    )


def is_refutation(
    case: Sequence[int], *, stated: Statement, define: Define = (), integrals: Integrals = ()
) -> bool:
    """Tell whether the two sides have different values at these positive whole numbers."""
    if not all(type(number) is int and number > 0 for number in case):
        return False
    left, right = _values(case, stated=stated, define=define, integrals=integrals)
    return None not in (left, right) and left != right


def check_equation(*, stated: Statement, define: Define = (), integrals: Integrals = ()) -> None:
    """Raise ValueError for a statement that is no equation, or definitions that do not fit each other."""
    if stated.order.symbols != ("=",) or stated.conditions or stated.sometimes:
        raise ValueError("an identity is one equation without conditions.")
    names = [definition.name for definition in define] + [integral.name for integral in integrals]
    for place, definition in enumerate(define):
        later = [name for name in definition.expression.names if name in names[place:]]
        if later:
            raise ValueError(f"{definition.name!r} is made from {later[0]!r}, which is not yet defined.")
    if len(set(names)) < len(names):
        raise ValueError("a name is defined twice; once is allowed.")
    terms = [*stated.order.terms, *(definition.expression for definition in define)]
    for term in (*terms, *(integral.integrand for integral in integrals)):
        if isinstance(term, Expression) and any(isinstance(node, ast.Call) for node in ast.walk(term.tree)):
            raise ValueError(
                f"{term.text!r} has a part that algebra cannot treat; only + - * / ** are allowed."
            )


def _symbols(define: Define, integrals: Integrals) -> dict[str, sympy.Expr]:
    """What each defined name stands for."""
    known: dict[str, sympy.Expr] = {}
    for definition in define:
        known[definition.name] = _symbolic(definition.expression, known)
    for integral in integrals:
        import sympy

        low, high = _symbolic(integral.low, known), _symbolic(integral.high, known)
        limits = (sympy.Symbol(integral.variable), low, high)
        known[integral.name] = sympy.integrate(_symbolic(integral.integrand, known), limits)
    return known


def _symbolic(term: Any, known: Mapping[str, sympy.Expr]) -> sympy.Expr:
    """A term of an order, or an expression, in symbols."""
    import sympy  # only what proves an equation waits for it

    def build(node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return known.get(name, sympy.Symbol(name))
            case ast.Constant(value=number):
                return sympy.Rational(str(number))
            case ast.UnaryOp(operand=operand):
                return -build(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
                return build(left) ** power
            case ast.BinOp(left=left, op=sign, right=right):
                return _OPERATORS[type(sign)](build(left), build(right))
        raise AssertionError(ast.dump(node))  # check_equation lets nothing else pass

    if isinstance(term, Fraction):
        return sympy.Rational(term.numerator, term.denominator)
    return build(Expression.parse(term).tree if isinstance(term, str) else term.tree)


def _sides(stated: Statement, define: Define, integrals: Integrals) -> tuple[sympy.Expr, sympy.Expr]:
    """Both sides in terms of the free names."""
    import sympy

    known = _symbols(define, integrals)
    left, right = (_symbolic(term, known) for term in stated.order.terms)
    if any(side.has(sympy.zoo, sympy.nan) for side in (left, right)):
        raise ValueError(f"{stated.order.text!r} has a side that is undefined everywhere.")
    return left, right


def _free_names(stated: Statement, define: Define, integrals: Integrals) -> list[str]:
    """The names that both sides are made of in the end, sorted."""
    made_of = {definition.name: set(definition.expression.names) for definition in define}
    for integral in integrals:
        ends = {*integral.low.names, *integral.high.names}
        made_of[integral.name] = (_replace(integral.integrand.names, made_of) - {integral.variable}) | ends
    return sorted(_replace(stated.order.names, made_of))


def _replace(names: Iterable[str], made_of: Mapping[str, set[str]]) -> set[str]:
    free = (_replace(made_of[name], made_of) if name in made_of else {name} for name in names)
    return set().union(*free)


def _is_zero(expression: sympy.Expr) -> bool:
    import sympy

    return sympy.expand(sympy.fraction(sympy.together(expression))[0]) == 0


def _zeros(difference: sympy.Expr) -> dict[str, Any] | None:
    """Where a difference is 0, if it is defined: where a factor of its numerator is, which has to be a polynomial."""
    import sympy

    numerator = sympy.fraction(sympy.cancel(sympy.together(difference)))[0]
    if not numerator.is_polynomial(*numerator.free_symbols):
        return None
    equations = sorted(_equation(sympy.Poly(factor)) for factor, _ in sympy.factor_list(numerator)[1])
    return {"condition": " or ".join(equations), "exact": True} if equations else None


def _equation(factor: sympy.Poly) -> str:
    """A polynomial set to 0, with no minus on either side."""
    sides: dict[bool, list[str]] = {True: [], False: []}
    for powers, coefficient in factor.terms():
        named = zip(factor.gens, powers, strict=True)
        parts = [f"{name}**{power}" if power > 1 else str(name) for name, power in named if power]
        number = abs(coefficient)
        sides[bool(coefficient > 0)].append(" * ".join([str(number)] * (number != 1 or not parts) + parts))
    return " = ".join(" + ".join(sorted(side)) or "0" for side in sides.values())


def _values(
    case: Sequence[int], *, stated: Statement, define: Define, integrals: Integrals
) -> list[Fraction | None]:
    """The exact values of both sides at a case; None where the numbers do not fit or a side is undefined."""
    names = _free_names(stated, define, integrals)
    if len(case) != len(names):
        return [None, None]
    numbers: dict[str, Any] = dict(zip(names, case, strict=True))
    if integrals:
        symbols = _symbols(define, integrals)
        for integral in integrals:
            value = symbols[integral.name].subs(dict(zip(names, case, strict=True)))
            if not value.is_Rational:
                return [None, None]
            numbers[integral.name] = Fraction(int(value.p), int(value.q))
    cases = Defined(numbers, {definition.name: definition for definition in define})
    return [term_value(term, cases).fraction() for term in stated.order.terms]


def _positive(count: int) -> Iterator[tuple[int, ...]]:
    """All positive whole numbers, by sum and then lexicographically."""
    for total in itertools.count(count):
        yield from (
            case for case in itertools.product(range(1, total + 1), repeat=count) if sum(case) == total
        )


TESTS = {"identity": Test(prove_equation, is_refutation, check_equation)}
