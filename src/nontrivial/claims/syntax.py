"""The language of claims: arithmetic and conditions on named numbers, read by Python's own parser.

Numbers are names, whole and decimal numbers, sums, differences, products, quotients and whole powers, and

``min(x, y, ...)``, ``max(x, y, ...)``, ``abs(x)``
    the smallest, the greatest, the magnitude;
``swap(x)``
    x of the same cases with the two classes exchanged (TP with TN, FP with FN);
``transpose(x)``
    x of the same cases with truth and prediction exchanged (FP with FN);
``integral(x, t, low, high)``
    the integral over t of x, which is a polynomial in t up to the third power.

Conditions are comparisons such as ``0 < x <= y``, joined by ``and``, ``or`` and ``not``; ``==`` between two conditions
says that both are true or both false, and ``!=`` that just one is. ``sometimes(condition)``, around a whole claim, says
that there is such a case.

A number without a value (0/0, x/0) makes a comparison neither true nor false, and so is what is joined from it, unless
the rest settles it: ``x or y`` is true where y is, whatever x is.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Iterable, Iterator

LARGEST_POWER = 4
_LARGEST_IN_INTEGRAL = 3
LONGEST = 600  # characters of a formula
DEEPEST = 100  # parts inside one another
SYMBOLS: dict[type, str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
CHOICES = ("min", "max")
_ONE = ("abs", "swap", "transpose")  # functions of one number
_NAME, _DIGITS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[0-9]+(\.[0-9]+)?")
_ALLOWED = """lower-case names, numbers, + - * / **, min, max, abs, swap, transpose, integral of polynomials up to the \
third power, comparisons, and, or, not are allowed"""


@functools.lru_cache(maxsize=1024)  # entries share conditions; nobody changes the trees
def parse(text: str) -> ast.expr:
    """Read a text of one line, in which the digits of numbers stay as written: a printed 0.30 is not 0.3.

    Raises
    ------
    ValueError
        If it is no Python expression, too long, or nested too deeply.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a formula has {len(text)} characters; {LONGEST} are allowed.")
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
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = ast.get_source_segment(text, node)
    return tree


def names_in(node: ast.AST) -> Iterator[str]:
    """The names whose numbers a formula needs, from left to right."""
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Call(func=ast.Name(id="integral"), args=[inner, ast.Name(id=variable), *parts]):
            yield from (name for name in names_in(inner) if name != variable)
        case ast.Call(args=[*parts]):
            pass  # its name is that of a function
    for part in parts:
        yield from names_in(part)


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
        case ast.Call(
            func=ast.Name(id="integral"), args=[inner, ast.Name(id=over), _, _] as parts, keywords=[]
        ):
            if all(map(is_number, parts)) and _power(inner, over) <= _LARGEST_IN_INTEGRAL:
                return True
        case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=[]):
            if name in (CHOICES if rest else _ONE) and all(map(is_number, (first, *rest))):
                return True
    raise ValueError(f"{ast.unparse(node)!r} has no place in a formula; {_ALLOWED}.")


def _power(node: ast.expr, variable: str) -> float:
    """The highest power of a name in a formula; infinite where it is no polynomial in it."""
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
            one, other = _power(left, variable), _power(right, variable)
            if isinstance(op, ast.Div):
                return math.inf if other else one
            return one + other if isinstance(op, ast.Mult) else max(one, other)
    return math.inf
