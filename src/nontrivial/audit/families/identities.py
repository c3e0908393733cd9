"""Equations between formulas, proved by algebra or refuted by numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from nontrivial.audit.cases import Case
from nontrivial.audit.formulas import PLAIN, Definition, Formula
from nontrivial.audit.found import Proof, Search
from nontrivial.audit.stated import Equation
from nontrivial.audit.test import Test

if TYPE_CHECKING:
    import sympy

_INTEGRAL = re.compile(r"([a-z][a-z0-9_]*) = (.+) over ([a-z][a-z0-9_]*) from (.+) to (.+)")


@dataclass(frozen=True)
class Integral:
    """A name for an integral, written like ``area = (1 - x)*a + x*b over x from 0 to 1``."""

    name: str
    integrand: Formula
    variable: str
    low: Formula
    high: Formula

    @classmethod
    def parse(cls, text: str) -> Integral:
        """Read an integral; else ValueError."""
        match = _INTEGRAL.fullmatch(text)
        if match is None:
            raise ValueError(f"{text[:60]!r} is not an integral such as 'area = 2*x over x from 0 to 1'.")
        name, integrand, variable, low, high = match.groups()
        return cls(name, Formula.parse(integrand), variable, Formula.parse(low), Formula.parse(high))


def prove_equation(
    *, stated: Equation, define: tuple[Definition, ...] = (), integrals: tuple[Integral, ...] = ()
) -> Proof | Search:
    """Prove that both sides are the same function, or find whole numbers that tell them apart.

    Integrals come after definitions and may use them; all other names are free. The counterexample is the one of
    the least sum in positive whole numbers at which both sides are defined.
    """
    left, right, names = _simplify(stated, define, integrals)
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
        details={"values": {text: str(value) for text, value in _sides(case, **arguments).items()}},
    )


def is_refutation(
    case: Sequence[int],
    *,
    stated: Equation,
    define: tuple[Definition, ...] = (),
    integrals: tuple[Integral, ...] = (),
) -> bool:
    """Tell whether the two sides have different values at these positive whole numbers."""
    if not all(type(number) is int and number > 0 for number in case):
        return False
    sides = _sides(case, stated=stated, define=define, integrals=integrals)
    return sides is not None and len(set(sides.values())) == 2


def check_equation(
    *, stated: Equation, define: tuple[Definition, ...] = (), integrals: tuple[Integral, ...] = ()
) -> None:
    """Raise ValueError where a name is defined twice, or stands for what comes after it."""
    names = [definition.name for definition in define] + [integral.name for integral in integrals]
    for place, definition in enumerate(define):
        later = set(names[place:]) & set(definition.formula.names)
        if later:
            raise ValueError(f"{definition.name!r} is made from {later.pop()!r}, which is not yet defined.")
    if len(set(names)) < len(names):
        raise ValueError("a name is defined twice; once is allowed.")


def _simplify(
    stated: Equation, define: Sequence[Definition], integrals: Sequence[Integral]
) -> tuple[sympy.Expr, sympy.Expr, list[str]]:
    """Both sides in terms of the free names, and these, sorted."""
    known = _symbols(define, integrals)
    left, right = _as_symbols(stated.left, known), _as_symbols(stated.right, known)
    if not (left.is_finite is not False and right.is_finite is not False):
        raise ValueError(f"{stated.left.text} = {stated.right.text} is undefined everywhere.")
    return left, right, sorted(symbol.name for symbol in left.free_symbols | right.free_symbols)


def _symbols(define: Sequence[Definition], integrals: Sequence[Integral]) -> dict[str, sympy.Expr]:
    """What each defined name stands for."""
    import sympy  # only what proves an equation waits for it

    known: dict[str, sympy.Expr] = {}
    for definition in define:
        known[definition.name] = _as_symbols(definition.formula, known)
    for integral in integrals:
        low, high = _as_symbols(integral.low, known), _as_symbols(integral.high, known)
        limits = (sympy.Symbol(integral.variable), low, high)
        known[integral.name] = sympy.integrate(_as_symbols(integral.integrand, known), limits)
    return known


def _as_symbols(formula: Formula, known: Mapping[str, sympy.Expr]) -> sympy.Expr:
    import sympy

    return formula.fold(
        lambda leaf: known.get(leaf, sympy.Symbol(leaf)) if isinstance(leaf, str) else sympy.Integer(leaf),
        PLAIN,
    )


def _is_zero(expression: sympy.Expr) -> bool:
    import sympy

    return sympy.expand(sympy.fraction(sympy.together(expression))[0]) == 0


def _sides(
    case: Sequence[int], *, stated: Equation, define: Sequence[Definition], integrals: Sequence[Integral]
) -> dict[str, Fraction] | None:
    """The values of both sides at a case, by their texts; None where the numbers do not fit or one is undefined."""
    *_, names = _simplify(stated, define, integrals)
    if len(case) != len(names):
        return None
    values = {name: Fraction(number) for name, number in zip(names, case, strict=True)}

    def value(formula: Formula) -> Fraction:
        return formula.fold(lambda leaf: values[leaf] if isinstance(leaf, str) else Fraction(leaf), PLAIN)

    try:
        for definition in define:
            if set(definition.formula.names) <= values.keys():
                values[definition.name] = value(definition.formula)
        symbols = _symbols(define, integrals)
        for integral in integrals:
            number = symbols[integral.name].subs(dict(zip(names, case, strict=True)))
            values[integral.name] = Fraction(int(number.p), int(number.q))
        return {side.text: value(side) for side in (stated.left, stated.right)}
    except (ZeroDivisionError, AttributeError):  # a number without p and q is infinite
        return None


def _positive(count: int) -> Iterator[Case]:
    """All positive whole numbers, by sum and then lexicographically."""
    for total in itertools.count(count):
        yield from (
            case for case in itertools.product(range(1, total + 1), repeat=count) if sum(case) == total
        )


TESTS = {"identity": Test(prove_equation, is_refutation, check_equation)}
