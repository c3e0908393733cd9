"""Integrals in formulas, worked out by Simpson's rule, which is exact for polynomials up to the third power."""

from __future__ import annotations

import ast
import copy

from nontrivial.claims.syntax import is_number

_HIGHEST = 3


def work_out(tree: ast.expr) -> ast.expr:
    """Return a formula with what its integrals come to in their place.

    Raises
    ------
    ValueError
        If an integral is not over a polynomial of at most the third power.

    Examples
    --------
    >>> from nontrivial.claims.formulas import Formula
    >>> ast.unparse(Formula.number("1 + integral(2 * x, x, 0, s)").tree)
    '1 + (s - 0) * (2 * 0 + 4 * (2 * ((0 + s) / 2)) + 2 * s) / 6'
    """
    worked_out: ast.expr = _Integrals().visit(tree)
    return worked_out


class _Integrals(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="integral"), args=[inner, ast.Name(id=variable), low, high]):
                if all(map(is_number, (inner, low, high))):
                    return _integrate(inner, variable, low, high)
        self.generic_visit(node)
        return node


class _Put(ast.NodeTransformer):
    def __init__(self, **values: ast.expr) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def _integrate(inner: ast.expr, variable: str, low: ast.expr, high: ast.expr) -> ast.expr:
    if _power(inner, variable) > _HIGHEST:
        raise ValueError(
            f"the integral of {ast.unparse(inner)!r} over {variable} is of no polynomial up to power {_HIGHEST}."
        )
    middle = _Put(a=low, b=high).visit(_formula("(a + b) / 2"))
    first, half, last = (_Put(**{variable: at}).visit(copy.deepcopy(inner)) for at in (low, middle, high))
    rule = _Put(a=low, b=high, f=first, g=half, h=last)
    worked_out: ast.expr = rule.visit(_formula("(b - a) * (f + 4*g + h) / 6"))
    return worked_out


def _formula(text: str) -> ast.expr:
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = str(node.value)
    return tree


def _power(node: ast.expr, variable: str) -> int:
    """The highest power of a name in a formula; more than any that is allowed where it is no polynomial in it."""
    match node:
        case ast.Name(id=name):
            return int(name == variable)
        case ast.Constant():
            return 0
        case ast.UnaryOp(operand=part):
            return _power(part, variable)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return _power(left, variable) * power
        case ast.BinOp(left=left, op=op, right=right):
            powers = _power(left, variable), _power(right, variable)
            if isinstance(op, ast.Div) and powers[1]:
                return _HIGHEST + 1
            return sum(powers) if isinstance(op, ast.Mult) else max(powers)
    return _HIGHEST + 1
