"""Formulas as text, read safely: for exact fractions, for integer arrays of many cases, and for algebra.

A formula is made of names, whole numbers, ``+ - * /``, ``**`` with a whole exponent, and parentheses. Every value is
a ratio (numerator, denominator) of integers with a denominator that is never negative; where it is 0 the value is
undefined, and so is everything made from it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Ratio = tuple[Any, Any]
Fold = Mapping[type, Callable[[Any, Any], Any]]

LONGEST = 400
LARGEST_EXPONENT = 8
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


@dataclass(frozen=True)
class Formula:
    """A formula that has been read.

    Attributes
    ----------
    text : str
        As written.

    Examples
    --------
    >>> formula = Formula.parse("tp / (tp + fp)")
    >>> formula.names
    ('fp', 'tp')
    >>> formula.ratio({"tp": (3, 1), "fp": (1, 1)})
    (3, 4)
    """

    text: str
    _tree: ast.expr

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Read a formula; ValueError where it is none."""
        wrong = ValueError(
            f"{text[:60]!r} is not a formula; allowed are names, whole numbers, + - * / ** and parentheses."
        )
        if len(text) > LONGEST:
            raise wrong
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise wrong from None
        if not _is_allowed(tree):
            raise wrong
        return cls(text.strip(), tree)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, sorted."""
        return tuple(sorted({node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)}))

    def fold(self, leaf: Callable[[str | int], Any], operations: Fold) -> Any:
        """Put a formula together again from what `leaf` makes of names and numbers, by other operations."""
        return _fold(self._tree, leaf, operations)

    def ratio(self, values: Mapping[str, Ratio]) -> Ratio:
        """Its exact value, for one case or for arrays of them."""
        return self.fold(lambda leaf: values[leaf] if isinstance(leaf, str) else (leaf, 1), _RATIOS)

    def bound(self, bounds: Mapping[str, Ratio]) -> Ratio:
        """How large numerator and denominator can get, from the same of the names in it."""
        return self.fold(lambda leaf: bounds[leaf] if isinstance(leaf, str) else (leaf, 1), _BOUNDS)


@dataclass(frozen=True)
class Definition:
    """A name and the formula that it stands for, as in ``precision = tp / (tp + fp)``."""

    name: str
    formula: Formula

    @classmethod
    def parse(cls, text: str) -> Definition:
        """Read a definition; else ValueError."""
        name, _, formula = (part.strip() for part in text.partition("="))
        if not name.isidentifier():
            raise ValueError(f"{text[:60]!r} is not a definition such as 'precision = tp / (tp + fp)'.")
        return cls(name, Formula.parse(formula))


def check_definitions(definitions: Sequence[Definition], given: Sequence[str]) -> list[str]:
    """Return all names that are known after a list of definitions; ValueError for an unknown or repeated one."""
    known = list(given)
    for definition in definitions:
        for name in definition.formula.names:
            if name not in known:
                raise ValueError(
                    f"{name!r} in {definition.formula.text!r} is not known; known: {', '.join(known)}."
                )
        if definition.name in known:
            raise ValueError(f"{definition.name!r} is defined twice; once is allowed.")
        known.append(definition.name)
    return known


def _is_allowed(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Constant(value=value):
            return type(value) is int
        case ast.UnaryOp(op=ast.USub()):
            return _is_allowed(node.operand)
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=exponent)):
            return type(exponent) is int and exponent <= LARGEST_EXPONENT and _is_allowed(node.left)
        case ast.BinOp(op=op) if isinstance(op, _OPERATORS):
            return _is_allowed(node.left) and _is_allowed(node.right)
    return False


def _fold(node: ast.expr, leaf: Callable[[str | int], Any], operations: Fold) -> Any:
    match node:
        case ast.Name(id=name):
            return leaf(name)
        case ast.Constant(value=value):
            return leaf(value)
        case ast.UnaryOp():
            return operations[ast.Sub](leaf(0), _fold(node.operand, leaf, operations))
        case ast.BinOp(op=ast.Pow()):
            base, power = _fold(node.left, leaf, operations), leaf(1)
            for _ in range(node.right.value):
                power = operations[ast.Mult](power, base)
            return power
    return operations[type(node.op)](_fold(node.left, leaf, operations), _fold(node.right, leaf, operations))


def _quotient(one: Ratio, other: Ratio) -> Ratio:
    (a, b), (c, d) = one, other
    # Undefined divisors (d = 0) leave it undefined; signs go to the numerator.
    sign = np.where(c < 0, -1, 1) if isinstance(c, np.ndarray) else (-1 if c < 0 else 1)
    return a * d * sign, b * c * sign * (d != 0)


_RATIOS: Fold = {
    ast.Add: lambda x, y: (x[0] * y[1] + y[0] * x[1], x[1] * y[1]),
    ast.Sub: lambda x, y: (x[0] * y[1] - y[0] * x[1], x[1] * y[1]),
    ast.Mult: lambda x, y: (x[0] * y[0], x[1] * y[1]),
    ast.Div: _quotient,
}
_BOUNDS: Fold = {
    ast.Add: _RATIOS[ast.Add],
    ast.Sub: _RATIOS[ast.Add],
    ast.Mult: _RATIOS[ast.Mult],
    ast.Div: lambda x, y: (x[0] * y[1], x[1] * y[0]),
}
PLAIN: Fold = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
