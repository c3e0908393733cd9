"""The language of claims: arithmetic and conditions on named numbers, read by Python's own parser.

Numbers are names, whole and decimal numbers, sums, differences, products, quotients and whole powers, and

``min(x, y, ...)``, ``max(x, y, ...)``, ``abs(x)``
    the smallest, the greatest, the magnitude;
``swap(x)``
    x of the same cases with the two classes exchanged (TP with TN, FP with FN);
``transpose(x)``
    x of the same cases with truth and prediction exchanged (FP with FN);
``integral(x, t, low, high)``
    the integral of x over t, worked out when the formula is read.

Conditions are comparisons such as ``0 < x <= y``, joined by ``and``, ``or`` and ``not``; ``==`` between two conditions
says that both are true or both false, and ``!=`` that just one is. ``sometimes(condition)``, around a whole claim, says
that there is such a case.

A number without a value (0/0, x/0) makes a comparison neither true nor false, and so is what is joined from it, unless
the rest settles it: ``x or y`` is true where y is, whatever x is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction

LARGEST_POWER = 4
LONGEST = 600  # characters of a formula
DEEPEST = 100  # parts inside one another
SYMBOLS: dict[type, str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
CHOICES = ("min", "max")
_ONE = ("abs", "swap", "transpose")  # functions of one number
_NAME, _DIGITS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[0-9]+(\.[0-9]+)?")
_ALLOWED = """lower-case names, numbers, + - * / **, min, max, abs, swap, transpose, integral, comparisons, \
and, or, not are allowed"""


def parse(text: str) -> ast.expr:
    """Read a text of one line; ValueError if it is no Python expression, or nested too deeply."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"{text!r} is no formula; {_ALLOWED}.") from error
    if "#" in text:  # Python would leave out the rest
        raise ValueError(f"{text!r} has a comment; {_ALLOWED}.")
    depth = 0
    level: list[ast.AST] = [tree]
    while level := [part for node in level for part in ast.iter_child_nodes(node)]:
        depth += 1
    if depth > DEEPEST:
        raise ValueError(f"a formula has {depth} parts inside one another; {DEEPEST} are allowed.")
    return tree


def names_in(node: ast.AST) -> Iterator[str]:
    """The names in a formula, except those of functions, from left to right."""
    if isinstance(node, ast.Name):
        yield node.id
    for part in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
        yield from names_in(part)


def literal(node: ast.Constant) -> Fraction:
    """The exact number that was written."""
    return Fraction(node.kind or str(node.value))


def is_number(node: ast.expr) -> bool:
    """Tell a number from a condition; ValueError where a part is neither, or is not where it may be."""
    match node:
        case ast.Name(id=name) if _NAME.fullmatch(name):
            return True
        case ast.Constant(value=int() | float(), kind=str(digits)) if _DIGITS.fullmatch(digits):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=part) if is_number(part):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=part) if not is_number(part):
            return False
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power)) as right):
            if 0 < power <= LARGEST_POWER and is_number(left) and is_number(right):
                return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            if is_number(left) and is_number(right):
                return True
        case ast.BoolOp(values=parts) if not any(map(is_number, parts)):
            return False
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in SYMBOLS for op in ops):
            kinds = {is_number(part) for part in (left, *others)}
            if kinds == {True} or (kinds == {False} and [type(op) for op in ops] in ([ast.Eq], [ast.NotEq])):
                return False
        case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=[]):
            if name in (CHOICES if rest else _ONE) and all(map(is_number, (first, *rest))):
                return True
    raise ValueError(f"{ast.unparse(node)!r} has no place in a formula; {_ALLOWED}.")
