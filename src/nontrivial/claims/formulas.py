"""Formulas of claims, as `nontrivial.claims.syntax` describes them, and the one way through their parts.

The numbers that cases give for names define the operations. They are exact numbers of many cases at once
(`nontrivial.claims.values`), or the solver's terms, which stand for all cases (`nontrivial.claims.solver`).
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.printed import PRINTED
from nontrivial.claims.syntax import CHOICES, SYMBOLS, is_number, names_in, parse
from nontrivial.claims.values import Value

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Cases:
    """What a formula is evaluated on: many cases in arrays of one length, or all cases in the solver's terms."""

    arithmetic: Any = Value  # the kind of its numbers

    def value(self, name: str) -> Any:
        """The numbers of that name."""

    def exchanged(self, how: str) -> Cases:
        """The same cases with classes ("swap") or with truth and prediction ("transpose") exchanged."""
        raise ValueError(f"{how}() is for measures of a confusion table.")


class NamedNumbers(Cases):
    """Numbers by name, and what is defined from them, computed once."""

    def __init__(
        self, numbers: Mapping[str, Any], define: Mapping[str, Formula], arithmetic: Any = Value
    ) -> None:
        self._known, self._define, self.arithmetic = dict(numbers), define, arithmetic

    def value(self, name: str) -> Any:
        """The numbers of that name; ValueError, naming what is known, for an unknown one."""
        if name not in self._known:
            if name not in self._define:
                raise ValueError(f"{name!r} is unknown; known: {', '.join((*self._known, *self._define))}.")
            self._known[name] = self._define[name].value(self)
        return self._known[name]


class Formula:
    """A number or a condition, as it was written, in one line.

    Attributes
    ----------
    text : str
    tree : ast.expr
        The parsed formula, without `sometimes`.
    sometimes : bool
        Whether the claim is about some case, and not about every case.

    Examples
    --------
    >>> Formula.condition("0 <= precision < (recall + specificity) / 2").names
    ('precision', 'recall', 'specificity')
    >>> Formula.condition("precision")
    Traceback (most recent call last):
    ...
    ValueError: 'precision' is a number; a condition such as f1 <= recall is needed.
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        self.tree, self.sometimes = parse(self.text), False
        match self.tree:
            case ast.Call(func=ast.Name(id="sometimes"), args=[inner], keywords=[]):
                self.tree, self.sometimes = inner, True

    @classmethod
    def condition(cls, text: str) -> Formula:
        """Read a condition; ValueError where it is none."""
        formula = cls(text)
        if is_number(formula.tree):
            raise ValueError(f"{formula.text!r} is a number; a condition such as f1 <= recall is needed.")
        return formula

    @classmethod
    def number(cls, text: str) -> Formula:
        """Read a number; ValueError where it is none."""
        formula = cls(text)
        if not is_number(formula.tree) or formula.sometimes:
            raise ValueError(f"{formula.text!r} is a condition; a number such as tp / (tp + fp) is needed.")
        return formula

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names in it, in order of their first place."""
        return tuple(dict.fromkeys(names_in(self.tree)))

    @functools.cached_property
    def printed(self) -> tuple[ast.expr, str] | None:
        """Of a claim that a number equals a printed one, such as ``x == -0.02``, its left side and the digits."""
        match self.tree:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if not self.sometimes:
                digits = (ast.get_source_segment(self.text, right) or "").replace(" ", "")
                if PRINTED.fullmatch(digits):
                    return left, digits
        return None

    def value(self, cases: Cases) -> Any:
        """The numbers that it gives for cases."""
        return evaluate(self.tree, cases)

    truth = value  # of a condition: where it holds, and where it does not


def all_true(formulas: Iterable[Formula], cases: Cases, count: int) -> np.ndarray:
    """Where all conditions are true."""
    masks = (formula.truth(cases).true for formula in formulas)
    return functools.reduce(np.logical_and, masks, np.ones(count, dtype=bool))


def evaluate(node: ast.expr, cases: Cases) -> Any:
    """What a part of a formula gives for cases: numbers, or for a condition where it holds."""
    exact = cases.arithmetic.of
    match node:
        case ast.Name(id=name):
            return cases.value(name)
        case ast.Constant(kind=str(digits)):
            return exact(Fraction(digits))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ~evaluate(operand, cases)
        case ast.UnaryOp(operand=operand):
            return exact(0) - _operand(operand, cases)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return functools.reduce(operator.mul, [_operand(left, cases)] * power)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_operand(left, cases), _operand(right, cases))
        case ast.BoolOp(op=ast.And(), values=parts):
            return functools.reduce(operator.and_, [evaluate(part, cases) for part in parts])
        case ast.BoolOp(values=parts):  # or: not all are false
            return ~functools.reduce(operator.and_, [~evaluate(part, cases) for part in parts])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not is_number(left):
            one, other = evaluate(left, cases), evaluate(right, cases)
            unlike = ~(one & other) & ~(~one & ~other)
            return ~unlike if isinstance(op, ast.Eq) else unlike
        case ast.Compare(left=left, ops=ops, comparators=others):
            numbers = [evaluate(part, cases) for part in (left, *others)]
            return numbers[0].compare([SYMBOLS[type(op)] for op in ops], numbers)
        case ast.Call(func=ast.Name(id="abs"), args=[part]):
            inner = _operand(part, cases)
            return inner.choose(">=", exact(0) - inner)
        case ast.Call(func=ast.Name(id=name), args=parts) if name in CHOICES:
            numbers = [_operand(part, cases) for part in parts]
            return functools.reduce(lambda a, b: a.choose("<=" if name == "min" else ">=", b), numbers)
        case ast.Call(func=ast.Name(id="integral"), args=[inner, ast.Name(id=variable), low, high]):
            # Simpson's rule, which is exact for polynomials up to the third power.
            first, last = _operand(low, cases), _operand(high, cases)
            known = {name: cases.value(name) for name in names_in(node)}
            f, g, h = (
                evaluate(inner, NamedNumbers(known | {variable: at}, {}, cases.arithmetic))
                for at in (first, (first + last) / exact(2), last)
            )
            return (last - first) * (f + exact(4) * g + h) / exact(6)
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return evaluate(part, cases.exchanged(name))
    raise AssertionError(ast.dump(node))  # is_number lets nothing else pass


def _operand(node: ast.expr, cases: Cases) -> Any:
    number = evaluate(node, cases)
    if number.is_root:
        raise ValueError("a measure with a square root can be compared, but cannot stand in arithmetic.")
    return number
