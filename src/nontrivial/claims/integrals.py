"""Integrals in formulas, worked out by computer algebra."""

from __future__ import annotations

import ast

import sympy


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
    # Names of the formula only: none means one of sympy's functions or numbers.
    texts = [ast.unparse(part) for part in (inner, low, high)]
    names = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
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
