"""Integrals in formulas, worked out by computer algebra."""

from __future__ import annotations

import ast

import sympy

from nontrivial.claims.syntax import is_number


def work_out(tree: ast.expr) -> ast.expr:
    """Return a formula with what its integrals come to in their place."""
    return _Integrals().visit(tree)


def integrate(inner: ast.expr, variable: str, low: ast.expr, high: ast.expr) -> ast.expr:
    """Return a formula for the integral of a formula over a variable.

    Raises
    ------
    ValueError
        If it is no ratio of polynomials with whole powers.

    Examples
    --------
    >>> parts = (ast.parse(text, mode="eval").body for text in ("2 * x", "0", "s"))
    >>> inner, low, high = parts
    >>> ast.unparse(integrate(inner, "x", low, high))
    's ** 2 / 1'
    """
    texts = [ast.unparse(part) for part in (inner, low, high)]
    nodes = [node for part in (inner, low, high) for node in ast.walk(part)]
    if any(isinstance(node, ast.Call) for node in nodes):
        raise ValueError(f"the integral of {texts[0]!r} has more in it than + - * / and **.")
    # Names of the formula only: none means one of sympy's functions or numbers.
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    symbols = {name: sympy.Symbol(name) for name in names | {variable}}
    function, start, end = (sympy.sympify(text, locals=symbols, rational=True) for text in texts)
    result = sympy.together(sympy.integrate(function, (symbols[variable], start, end)))
    if not result.is_rational_function(*result.free_symbols):
        raise ValueError(f"the integral of {texts[0]!r} over {variable} is no ratio of polynomials.")
    above, below = (ast.unparse(ast.parse(str(part))) for part in sympy.fraction(sympy.cancel(result)))
    tree = ast.parse(f"({above}) / ({below})", mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = str(node.value)
    return tree


class _Integrals(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="integral"), args=[inner, ast.Name(id=variable), low, high]):
                if all(map(is_number, (inner, low, high))):
                    return integrate(inner, variable, low, high)
        self.generic_visit(node)
        return node
