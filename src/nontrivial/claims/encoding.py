"""The language of claims in the terms of the solver z3.

A ratio is kept as numerator, denominator (positive where there is a value, if an order needs it) and "defined"; a
measure with a square root as its signed square.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from typing import Any, Protocol

import z3

from nontrivial.claims.formulas import Formula
from nontrivial.claims.syntax import SYMBOLS, is_number, literal


@dataclass(frozen=True)
class Ratio:
    """A number in the solver's terms; `root` if the number meant is the signed square root."""

    above: Any
    below: Any
    defined: Any
    root: bool = False


class Symbols(Protocol):
    """Names in the solver's terms.

    Attributes
    ----------
    free : tuple
        The variables.
    bounds : list
        What holds of them.
    signed : bool
        Whether denominators are made positive, as an order needs; an equation is simpler without.
    """

    free: tuple[Any, ...]
    bounds: list[Any]
    signed: bool

    def value(self, name: str) -> Ratio:
        """What a name stands for."""

    def exchanged(self, how: str) -> Symbols:
        """The same with classes, or truth and prediction, exchanged."""

    def with_signs(self, signed: bool) -> Symbols:
        """The same with denominators made positive, or left as they are."""


def truth_of(formula: Formula, symbols: Symbols) -> tuple[Any, Any]:
    """Where a condition is true, and where it is false, in the solver's terms."""
    return _truth(formula.tree, symbols)


def negated(condition: Any) -> Any:
    """What is true where a condition in the solver's terms is not."""
    return z3.Not(condition)


def whole(number: Any) -> Ratio:
    """A number that is not divided by anything."""
    return Ratio(number, z3.RealVal(1, number.ctx), z3.BoolVal(True, number.ctx))


def ratio_of(node: ast.expr, symbols: Symbols) -> Ratio:
    """A number of the language."""
    match node:
        case ast.Name(id=name):
            return symbols.value(name)
        case ast.Constant():
            return whole(z3.RealVal(str(literal(node)), symbols.free[0].ctx))
        case ast.UnaryOp(operand=operand):
            part = ratio_of(operand, symbols)
            return Ratio(-part.above, part.below, part.defined)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
            return functools.reduce(_times, [ratio_of(left, symbols)] * power)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = ratio_of(left, symbols), ratio_of(right, symbols)
            if isinstance(op, ast.Div):
                return _over(one, other, symbols.signed)
            return {ast.Add: _plus, ast.Sub: _minus, ast.Mult: _times}[type(op)](one, other)
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            inner = ratio_of(part, symbols.with_signs(True))
            return Ratio(z3.If(inner.above >= 0, inner.above, -inner.above), inner.below, inner.defined)
        case ast.Call(func=ast.Name(id=name), args=parts) if name in ("min", "max"):
            choose = functools.partial(_choose, "<=" if name == "min" else ">=")
            signed = symbols.with_signs(True)
            return functools.reduce(choose, [ratio_of(part, signed) for part in parts])
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return ratio_of(part, symbols.exchanged(name))
    raise AssertionError(ast.dump(node))


def _truth(node: ast.expr, symbols: Symbols) -> tuple[Any, Any]:
    match node:
        case ast.UnaryOp(operand=operand):
            true, false = _truth(operand, symbols)
            return false, true
        case ast.BoolOp(op=op, values=parts):
            truths, falses = zip(*(_truth(part, symbols) for part in parts), strict=True)
            if isinstance(op, ast.And):
                return z3.And(truths), z3.Or(falses)
            return z3.Or(truths), z3.And(falses)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not is_number(left):
            (yes, no), (also, nor) = _truth(left, symbols), _truth(right, symbols)
            alike, unlike = (
                z3.Or(z3.And(yes, also), z3.And(no, nor)),
                z3.Or(z3.And(yes, nor), z3.And(no, also)),
            )
            return (alike, unlike) if isinstance(op, ast.Eq) else (unlike, alike)
        case ast.Compare(left=left, ops=ops, comparators=others):
            if all(isinstance(op, ast.Eq | ast.NotEq) for op in ops):
                symbols = symbols.with_signs(False)
            terms = [left, *others]
            links = [
                link
                for op, one, other in zip(ops, terms, others, strict=False)
                for link in _links(SYMBOLS[type(op)], one, other)
            ]
            members = {id(part): part for one, _, other in links for part in (one, other)}
            ratios = {key: ratio_of(part, symbols) for key, part in members.items()}
            defined = z3.And([ratio.defined for ratio in ratios.values()])
            held = [_holds(symbol, ratios[id(one)], ratios[id(other)]) for one, symbol, other in links]
            return z3.And(defined, *held), z3.Or([z3.And(defined, z3.Not(one)) for one in held])
    raise AssertionError(ast.dump(node))


def _links(symbol: str, one: ast.expr, other: ast.expr) -> list[tuple[ast.expr, str, ast.expr]]:
    """A comparison with a minimum on its greater side, or a maximum on its smaller one, as one for each member."""
    if symbol in (">=", ">"):
        return [(b, symbol, a) for a, _, b in _links({">=": "<=", ">": "<"}[symbol], other, one)]
    if symbol in ("<=", "<"):
        return [(a, symbol, b) for a in _members(one, "max") for b in _members(other, "min")]
    return [(one, symbol, other)]


def _members(node: ast.expr, choice: str) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=members) if name == choice:
            return members
    return [node]


def _holds(symbol: str, one: Ratio, other: Ratio) -> Any:
    if one.root or other.root:
        signed = symbol not in ("==", "!=")
        one, other = _signed_square(one, signed), _signed_square(other, signed)
    left, right = _product(one.above, other.below), _product(other.above, one.below)
    return {
        "<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right,
        "==": left == right, "!=": left != right,
    }[symbol]  # fmt: skip


def _signed_square(part: Ratio, signed: bool) -> Ratio:
    if part.root:
        return part
    square = part.above * part.above
    sign = part.above if signed else _product(part.above, part.below)
    return Ratio(z3.If(sign >= 0, square, -square), _product(part.below, part.below), part.defined)


def _plus(one: Ratio, other: Ratio) -> Ratio:
    if one.below.eq(other.below):
        return Ratio(one.above + other.above, one.below, z3.And(one.defined, other.defined))
    above = _product(one.above, other.below) + _product(other.above, one.below)
    return Ratio(above, _product(one.below, other.below), z3.And(one.defined, other.defined))


def _minus(one: Ratio, other: Ratio) -> Ratio:
    return _plus(one, Ratio(-other.above, other.below, other.defined))


def _times(one: Ratio, other: Ratio) -> Ratio:
    below = _product(one.below, other.below)
    return Ratio(_product(one.above, other.above), below, z3.And(one.defined, other.defined))


def _over(one: Ratio, other: Ratio, signed: bool) -> Ratio:
    """(sign of b) a / |b|, so that the denominator is positive where that matters."""
    above, below = _product(one.above, other.below), _product(one.below, other.above)
    defined = z3.And(one.defined, other.defined, other.above != 0)
    if not signed or _is_plainly_positive(other.above):
        return Ratio(above, below, defined)
    positive = other.above > 0
    return Ratio(z3.If(positive, above, -above), z3.If(positive, below, -below), defined)


def _choose(symbol: str, one: Ratio, other: Ratio) -> Ratio:
    first = _holds(symbol, one, other)
    below = one.below if one.below.eq(other.below) else z3.If(first, one.below, other.below)
    return Ratio(z3.If(first, one.above, other.above), below, z3.And(one.defined, other.defined))


def _product(one: Any, other: Any) -> Any:
    if _is_one(one):
        return other
    return one if _is_one(other) else one * other


def _is_one(term: Any) -> bool:
    return z3.is_rational_value(term) and term.as_fraction() == 1


def _is_plainly_positive(term: Any) -> bool:
    """Tell that a term is made of variables from 0 on without a minus."""
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        return all(_is_plainly_positive(part) for part in term.children()[1:])
    if z3.is_app_of(term, z3.Z3_OP_SUB) or z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return False
    if z3.is_rational_value(term):
        return term.as_fraction() >= 0
    return all(_is_plainly_positive(part) for part in term.children())
