"""Formulas of claims, as `nontrivial.claims.syntax` describes them, evaluated exactly on many cases at once."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nontrivial.claims.syntax import CHOICES, LONGEST, SYMBOLS, is_number, literal, names_in, parse
from nontrivial.claims.values import COMPARISONS, Value, compare, greatest, least

_FRACTION = re.compile(r"-?[0-9]+ / [1-9][0-9]*")
_CHOOSE: dict[str, Callable[[Value, Value], Value]] = {"min": least, "max": greatest}
_ARITHMETIC: dict[type, Callable[[Value, Value], Value]] = {
    ast.Add: Value.__add__,
    ast.Sub: Value.__sub__,
    ast.Mult: Value.__mul__,
    ast.Div: Value.__truediv__,
}


class Cases(Protocol):
    """What a formula is evaluated on: many cases at once, as arrays of one length."""

    def value(self, name: str) -> Value:
        """The numbers of that name; ValueError, naming what is known, for an unknown one."""

    def exchanged(self, how: str) -> Cases:
        """The same cases with classes ("swap") or with truth and prediction ("transpose") exchanged."""


class NotTables:
    """Base of cases that have no classes to exchange."""

    def exchanged(self, how: str) -> Cases:
        """ValueError: these are no tables."""
        raise ValueError(f"{how}() is for measures of a confusion table.")


@dataclass(frozen=True)
class Truth:
    """Where a condition is true and where it is false; elsewhere it is undefined."""

    true: np.ndarray
    false: np.ndarray

    @property
    def defined(self) -> np.ndarray:
        """Where it is one of the two."""
        return self.true | self.false

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.true & other.true, self.false | other.false)

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.true | other.true, self.false & other.false)

    def __invert__(self) -> Truth:
        return Truth(self.false, self.true)


@dataclass(frozen=True)
class Formula:
    """A number or a condition.

    Attributes
    ----------
    text : str
        As it was written, in one line.
    sometimes : bool
        Whether a case is claimed to exist, rather than every case to be so.

    Examples
    --------
    >>> Formula.condition("0 <= precision < (recall + specificity) / 2").names
    ('precision', 'recall', 'specificity')
    >>> Formula.condition("precision")
    Traceback (most recent call last):
    ...
    ValueError: 'precision' is a number; a condition such as precision <= recall is needed.
    """

    text: str
    sometimes: bool = False

    @classmethod
    def condition(cls, text: str) -> Formula:
        """Read a condition; ValueError where it is none."""
        formula = cls._read(text)
        if is_number(formula.tree):
            raise ValueError(
                f"{formula.text!r} is a number; a condition such as precision <= recall is needed."
            )
        return formula

    @classmethod
    def number(cls, text: str) -> Formula:
        """Read a number; ValueError where it is none."""
        formula = cls._read(text)
        if formula.sometimes or not is_number(formula.tree):
            raise ValueError(f"{formula.text!r} is a condition; a number such as tp / (tp + fp) is needed.")
        return formula

    @classmethod
    def _read(cls, text: str) -> Formula:
        line = " ".join(text.split())
        if len(line) > LONGEST:
            raise ValueError(f"a formula has {len(line)} characters; {LONGEST} are allowed.")
        match parse(line):
            case ast.Call(func=ast.Name(id="sometimes"), args=[_], keywords=[]):
                return cls(line, sometimes=True)
        return cls(line)

    @functools.cached_property
    def tree(self) -> ast.expr:
        """The parsed formula, without `sometimes`."""
        tree = parse(self.text)
        for node in ast.walk(tree):  # digits as written: a printed 0.30 is not 0.3
            if isinstance(node, ast.Constant):
                node.kind = ast.get_source_segment(self.text, node)
        if "integral" in self.text:
            from nontrivial.claims.integrals import work_out

            tree = work_out(tree)
        return tree.args[0] if self.sometimes else tree

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, in order of their first place."""
        return tuple(dict.fromkeys(names_in(self.tree)))

    @property
    def choices(self) -> int:
        """How many minima, maxima and magnitudes there are in it."""
        calls = (node.func.id for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        return sum(name in (*CHOICES, "abs") for name in calls)

    @functools.cached_property
    def printed(self) -> tuple[ast.expr, str] | None:
        """Of a claim that a number equals a printed one, such as ``x == -0.02``, its left side and the digits."""
        match self.tree:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if not self.sometimes:
                match right:
                    case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(kind=digits)):
                        return left, f"-{digits}"
                    case ast.Constant(kind=digits):
                        return left, digits
                    case ast.BinOp(op=ast.Div()) if _FRACTION.fullmatch(text := ast.unparse(right)):
                        return left, text.replace(" ", "")
        return None

    def value(self, cases: Cases) -> Value:
        """The numbers that it gives for cases."""
        return value_of(self.tree, cases)

    def truth(self, cases: Cases) -> Truth:
        """Where it holds."""
        return _truth(self.tree, cases)


def all_true(formulas: Iterable[Formula], cases: Cases, count: int) -> np.ndarray:
    """Where all of some conditions are true."""
    masks = (formula.truth(cases).true for formula in formulas)
    return functools.reduce(np.logical_and, masks, np.ones(count, dtype=bool))


def value_of(node: ast.expr, cases: Cases) -> Value:
    """The numbers that a part of a formula gives for cases."""
    match node:
        case ast.Name(id=name):
            return cases.value(name)
        case ast.Constant():
            return Value(*literal(node).as_integer_ratio())
        case ast.UnaryOp(operand=operand):
            return Value(0) - value_of(operand, cases)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
            return functools.reduce(Value.__mul__, [value_of(left, cases)] * power)
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](value_of(left, cases), value_of(right, cases))
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            inner = value_of(part, cases)
            return greatest(inner, Value(0) - inner)
        case ast.Call(func=ast.Name(id=name), args=parts) if name in CHOICES:
            return functools.reduce(_CHOOSE[name], [value_of(part, cases) for part in parts])
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return value_of(part, cases.exchanged(name))
    raise AssertionError(ast.dump(node))  # is_number lets nothing else pass


def _truth(node: ast.expr, cases: Cases) -> Truth:
    match node:
        case ast.UnaryOp(operand=operand):
            return ~_truth(operand, cases)
        case ast.BoolOp(op=ast.And(), values=parts):
            return functools.reduce(Truth.__and__, [_truth(part, cases) for part in parts])
        case ast.BoolOp(values=parts):
            return functools.reduce(Truth.__or__, [_truth(part, cases) for part in parts])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not is_number(left):
            one, other = _truth(left, cases), _truth(right, cases)
            both = (one & other) | (~one & ~other)
            return both if isinstance(op, ast.Eq) else ~both
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [value_of(part, cases) for part in (left, *others)]
            links = [
                compare(COMPARISONS[SYMBOLS[type(op)]], one, other)
                for op, one, other in zip(ops, values, values[1:], strict=False)
            ]
            defined = functools.reduce(np.logical_and, [value.defined for value in values])
            holds = functools.reduce(np.logical_and, links)
            return Truth(defined & holds, defined & ~holds)
    raise AssertionError(ast.dump(node))
