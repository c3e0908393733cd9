"""Arithmetic on named numbers, such as ``2 * precision * recall / (precision + recall)``.

Terms are names, whole and decimal numbers, sums, differences, products, quotients and whole powers, and

``min(x, y, ...)``, ``max(x, y, ...)``, ``abs(x)``
    the smallest, the greatest, the magnitude;
``swap(x)``
    x of the same cases with the two classes exchanged (TP with TN, FP with FN);
``transpose(x)``
    x of the same cases with truth and prediction exchanged (FP with FN).
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from nontrivial.audit.values import Value, greatest, least

_ARITHMETIC: dict[type, Callable[[Value, Value], Value]] = {
    ast.Add: Value.__add__,
    ast.Sub: Value.__sub__,
    ast.Mult: Value.__mul__,
    ast.Div: Value.__truediv__,
}
_DIGITS = re.compile(r"[0-9]+(\.[0-9]+)?")  # Python would read 1_0 as 10
_CHOICES = {"min": least, "max": greatest}
_EXCHANGES = ("swap", "transpose")
NAME = re.compile(r"[a-z][a-z0-9_]*")
LARGEST_POWER = 4
LONGEST = 300


class Cases(Protocol):
    """What an expression is evaluated on: one case, or an array of them."""

    def value(self, name: str) -> Value:
        """The number of that name; ValueError, naming what is known, for an unknown one."""

    def exchanged(self, how: str) -> Cases:
        """The same cases with classes ("swap") or with truth and prediction ("transpose") exchanged."""


@dataclass(frozen=True)
class Named:
    """One case of numbers by name."""

    numbers: Mapping[str, Fraction]

    def value(self, name: str) -> Value:
        """The number of that name; ValueError for an unknown one."""
        if name not in self.numbers:
            raise ValueError(f"{name!r} is not among the numbers found: {', '.join(self.numbers)}.")
        return Value(self.numbers[name].numerator, self.numbers[name].denominator)

    def exchanged(self, how: str) -> Cases:
        """ValueError: these are no tables."""
        raise ValueError(f"{how}() is for measures of a confusion table.")


@dataclass(frozen=True)
class Expression:
    """An arithmetic expression.

    Examples
    --------
    >>> Expression.parse("(recall + specificity) / 2").names
    ('recall', 'specificity')
    """

    text: str

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Read an expression; ValueError where it is none."""
        expression = cls(text.strip())
        if len(expression.text) > LONGEST:
            raise ValueError(f"an expression has {len(expression.text)} characters; {LONGEST} are allowed.")
        _check(expression.tree, text.strip())
        return expression

    @functools.cached_property
    def tree(self) -> ast.expr:
        """The parsed expression."""
        try:
            return ast.parse(self.text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"{self.text!r} is not an expression such as 2 * tp / (2 * tp + fp).") from error

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, in order of their first place."""
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        nodes = [
            node for node in ast.walk(self.tree) if isinstance(node, ast.Name) and id(node) not in called
        ]
        nodes.sort(key=lambda node: node.col_offset)
        return tuple(dict.fromkeys(node.id for node in nodes))

    def value(self, cases: Cases) -> Value:
        """Evaluate it on cases."""
        return _evaluate(self.tree, cases)


def _check(node: ast.expr, text: str) -> None:
    """Raise ValueError unless every part of an expression is one of those listed above."""
    match node:
        case ast.Name(id=name) if NAME.fullmatch(name):
            return None
        case ast.Constant() if _DIGITS.fullmatch(ast.get_source_segment(text, node) or ""):
            return None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _check(operand, text)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))) if (
            0 < power <= LARGEST_POWER
        ):
            return _check(left, text)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            _check(left, text)
            return _check(right, text)
        case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=[]) if (
            name in _CHOICES and rest
        ) or (name in (*_EXCHANGES, "abs") and not rest):
            for part in (first, *rest):
                _check(part, text)
            return None
    raise ValueError(
        f"{text!r} has a part {ast.unparse(node)!r}; lower-case names, numbers, + - * / **, min, max, abs, swap and"
        " transpose are allowed."
    )


def _evaluate(node: ast.expr, cases: Cases) -> Value:
    match node:
        case ast.Name(id=name):
            return cases.value(name)
        case ast.Constant(value=number):
            exact = Fraction(str(number))
            return Value(exact.numerator, exact.denominator)
        case ast.UnaryOp(operand=operand):
            return Value(0) - _evaluate(operand, cases)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
            base = _evaluate(left, cases)
            return functools.reduce(Value.__mul__, [base] * power)
        case ast.BinOp(left=left, op=sign, right=right):
            return _ARITHMETIC[type(sign)](_evaluate(left, cases), _evaluate(right, cases))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _CHOICES:
            return functools.reduce(_CHOICES[name], [_evaluate(part, cases) for part in parts])
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            inner = _evaluate(part, cases)
            return greatest(inner, Value(0) - inner)
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return _evaluate(part, cases.exchanged(name))
    raise AssertionError(ast.dump(node))  # _check lets nothing else pass


Term = str | Fraction | Expression


def term_value(term: Term, cases: Cases) -> Value:
    """The number that a term of an order stands for."""
    if isinstance(term, Expression):
        return term.value(cases)
    return cases.value(term) if isinstance(term, str) else Value(term.numerator, term.denominator)


def term_names(term: Any) -> tuple[str, ...]:
    """The names in a term."""
    if isinstance(term, Expression):
        return term.names
    return (term,) if isinstance(term, str) else ()
