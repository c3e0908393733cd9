"""Formulas: numbers and conditions, parsed by Python's own parser and evaluated for arrays of cases or by the solver.

``==`` between two conditions says that both are true or both are false. A number without a value (0/0) makes a
comparison undefined. A joined condition is then undefined too, unless its other parts settle it: ``x or y`` is true
if y is true.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nontrivial.claims.language.numbers import PRINTED_NUMBER, PrintedNumber, Ratios, TruthValues
from nontrivial.measures.catalogue import RATIO_SCALE, ROOT_SCALE

SYMBOLS: dict[type, str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_COMPARISON_OF_CHOICE = {"min": "<=", "max": ">="}
# A function that takes the cells FP, TP, FN and TN of a confusion table, and returns changed cells in this order.
CellChange = Callable[[Any, Any, Any, Any], tuple[Any, Any, Any, Any]]
_CELL_EXCHANGES: dict[str, CellChange] = {
    "swap": lambda fp, tp, fn, tn: (fn, tn, fp, tp),  # the two classes
    "transpose": lambda fp, tp, fn, tn: (fn, tp, fp, tn),  # truth and prediction
}
_MEASURE_WITH_BETA = re.compile(r"f_beta(_gain)?(_[12])?")
_NAME, _DIGITS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[0-9]+(\.[0-9]+|/[1-9][0-9]*)?")
_MAX_POWER = 4
_MAX_DEGREE_IN_INTEGRAL = 3
_ALLOWED = """lower-case names, numbers, + - * /, ** with powers from 1 to 4, min, max, abs, log, swap, transpose, \
times, f_beta(2), integral of polynomials up to the third power, comparisons with <= < == != > >=, and, or, not \
are allowed"""


class FormulaCases:
    """The cases that a formula is evaluated on: many in arrays of one length, or all in the solver's terms."""

    arithmetic: Any = Ratios  # the class of their numbers

    def value(self, name: str) -> Any:
        """Return the number with this name in each case."""

    def change_cells(self, change: CellChange, template: str) -> FormulaCases:
        """Raise ValueError; only cases with confusion tables override this. `template` is such as ``swap({})``."""
        raise ValueError(f"{template.partition('(')[0]}() is for measures of a confusion table.")

    def compare(self, parts: Sequence[ast.expr], symbols: Sequence[str], sides: Sequence[Any]) -> Any:
        """Evaluate a chain of comparisons of `sides`, which were parsed as `parts`."""
        return sides[0].compare(symbols, sides)


class NamedNumbers(FormulaCases):
    """Cases with a number for each name. A number defined by a formula is computed once."""

    def __init__(self, numbers: Mapping[str, Any], define: Definitions, arithmetic: Any = Ratios) -> None:
        self._numbers, self._undone, self.arithmetic = dict(numbers), dict(define), arithmetic

    def value(self, name: str) -> Any:
        """Return the numbers with this name; raise ValueError, which lists the known names, for an unknown name."""
        if name not in self._numbers:
            if name not in self._undone:  # unknown, or being computed now
                known = ", ".join((*self._numbers, *self._undone))
                raise ValueError(f"{name!r} is unknown, or defined by itself; known: {known}.")
            self._numbers[name] = self._undone.pop(name).evaluate(self)
        return self._numbers[name]


class _AllOnes(FormulaCases):
    """A case in which every name is 1, to check a formula, and to collect its numbers, such as ``swap(f1)``."""

    def __init__(self, template: str = "{}", names_by_text: dict[str, str] | None = None) -> None:
        self._template = template
        self.names_by_text = {} if names_by_text is None else names_by_text

    def value(self, name: str) -> Ratios:
        self.names_by_text[self._template.format(name)] = name
        return Ratios(1)

    def change_cells(self, change: CellChange, template: str) -> FormulaCases:
        return _AllOnes(self._template.format(template), self.names_by_text)


class _WithVariable(FormulaCases):
    """Cases with one more number: the variable of an integral."""

    def __init__(self, cases: FormulaCases, variable: str, number: Any) -> None:
        self._cases, self._variable, self._number = cases, variable, number
        self.arithmetic = cases.arithmetic

    def value(self, name: str) -> Any:
        return self._number if name == self._variable else self._cases.value(name)


class PrintedEquation(NamedTuple):
    """A claim that a number equals a printed one, such as ``x == -0.02``."""

    number: ast.expr
    stated: PrintedNumber


@dataclass(frozen=True, eq=False)
class Formula:
    """A parsed number or condition. ``sometimes(...)`` around a condition claims that some case meets the condition."""

    text: str
    tree: ast.expr  # the part inside sometimes(...)
    sometimes: bool
    # Each number in the formula as written, such as swap(f1), with its name, f1.
    names_by_text: Mapping[str, str]

    @classmethod
    def condition(cls, text: str) -> Formula:
        """Parse a condition; raise ValueError for anything else."""
        return cls._parse_and_check(text, _evaluate_condition)

    @classmethod
    def number(cls, text: str) -> Formula:
        """Parse a number; raise ValueError for anything else."""
        return cls._parse_and_check(text, _evaluate_number)

    @classmethod
    def _parse_and_check(cls, text: str, check: Callable[[ast.expr, FormulaCases], Any]) -> Formula:
        text = " ".join(text.split())
        tree, sometimes, ones = _parse_expression(text), False, _AllOnes()
        match tree:
            case ast.Call(func=ast.Name(id="sometimes"), args=[inner], keywords=[]):
                tree, sometimes = inner, True
        check(tree, ones)
        return cls(text, tree, sometimes, ones.names_by_text)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.names_by_text.values()))

    def evaluate(self, cases: FormulaCases) -> Any:
        """Evaluate the formula in all cases, as numbers or as truth values."""
        return evaluate_node(self.tree, cases)

    def values(self, cases: FormulaCases) -> dict[str, Any]:
        """Evaluate each number in the formula. The keys are texts such as ``f1`` and ``swap(f1)``."""
        return {text: Formula.number(text).evaluate(cases) for text in self.names_by_text}

    @functools.cached_property
    def comparisons(self) -> set[str]:
        """The text of each comparison in the formula."""
        return {ast.unparse(node) for node in ast.walk(self.tree) if isinstance(node, ast.Compare)}

    @functools.cached_property
    def has_logarithm(self) -> bool:
        """Whether the formula contains a logarithm, which the solver cannot decide."""
        return any(isinstance(node, ast.Name) and node.id == "log" for node in ast.walk(self.tree))

    @functools.cached_property
    def printed(self) -> PrintedEquation | None:
        """The two sides of an equation with a printed number; None for any other claim."""
        match self.tree:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if not self.sometimes:
                for number, other in ((left, right), (right, left)):
                    if stated := printed_number_of(other):
                        return PrintedEquation(number, stated)
        return None


Definitions = Mapping[str, Formula]  # numbers by name, each computed from others by a formula


def all_true(conditions: Iterable[Formula], cases: FormulaCases, count: int) -> TruthValues:
    """Evaluate whether all conditions hold in each of so many cases."""
    start = TruthValues(np.ones(count, dtype=bool), np.zeros(count, dtype=bool))
    return functools.reduce(operator.and_, (condition.evaluate(cases) for condition in conditions), start)


def _parse_expression(text: str) -> ast.expr:
    """Parse a formula, and attach its own text to each node."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if re.search("[^=<>!:]=[^=]", text):
            raise ValueError(f"{text!r} has a single =; write == to compare.") from error
        raise ValueError(
            f"{text!r} is not a formula; {_ALLOWED}. In a list, one with commas stands in quotes."
        ) from error
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            vars(node)["written"] = text[node.col_offset : node.end_col_offset].replace(" ", "")
    return tree


def _source_text(node: ast.expr) -> str:
    """Return the text of a node, in which a number has all its digits."""
    return str(vars(node)["written"])


def printed_number_of(node: ast.expr) -> PrintedNumber | None:
    """Parse a node that is a printed number, such as -0.02 or 7/15; None for any other node."""
    text = _source_text(node)
    return PrintedNumber.parse(text) if PRINTED_NUMBER.fullmatch(text) else None


def evaluate_node(node: ast.expr, cases: FormulaCases) -> Any:
    """Evaluate a node in all cases, as numbers or as truth values; raise ValueError if formulas exclude the node."""
    constant = cases.arithmetic.constant
    match node:
        case ast.Name(id=name) if _NAME.fullmatch(name):
            return cases.value(name)
        case ast.Constant(value=int() | float()) if _DIGITS.fullmatch(_source_text(node)):
            return constant(Fraction(_source_text(node)))
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return constant(0) - _evaluate_number(part, cases)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ~_evaluate_condition(part, cases)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power)) as right) if (
            _source_text(right).isdecimal() and 0 < power <= _MAX_POWER
        ):
            return _evaluate_power(left, power, cases)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_evaluate_number(left, cases), _evaluate_number(right, cases))
        case ast.BoolOp(op=ast.And(), values=parts):
            return functools.reduce(operator.and_, [_evaluate_condition(part, cases) for part in parts])
        case ast.BoolOp(values=parts):  # "or" is true unless all parts are false
            return ~functools.reduce(operator.and_, [~_evaluate_condition(part, cases) for part in parts])
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in SYMBOLS for op in ops):
            parts, symbols = [left, *others], [SYMBOLS[type(op)] for op in ops]
            sides = [evaluate_node(part, cases) for part in parts]
            if all(map(_is_number, sides)):
                return cases.compare(parts, symbols, sides)
            if symbols in (["=="], ["!="]) and not any(map(_is_number, sides)):
                first, second = sides
                differ = ~(first & second) & ~(~first & ~second)
                return ~differ if symbols == ["=="] else differ
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            result = _call_function(name, parts, cases)
            if result is not None:
                return result
    raise ValueError(f"{ast.unparse(node)!r} has no place in a formula; {_ALLOWED}.")


def _evaluate_power(base: ast.expr, power: int, cases: FormulaCases) -> Any:
    number = evaluate_node(base, cases)
    if _is_number(number) and number.scale == ROOT_SCALE and power % 2 == 0:
        # The ratio below a root is the signed square of the measure.
        return functools.reduce(operator.mul, [abs(number)] * (power // 2))
    product = functools.reduce(operator.mul, [_evaluate_number(base, cases)] * power)
    return replace(product, is_signed=product.is_signed and power % 2 == 1)


def _call_function(name: str, arguments: Sequence[ast.expr], cases: FormulaCases) -> Any:
    """Evaluate a function such as min(x, y); None if no function takes these arguments."""
    match name, arguments:
        case "min" | "max", [_, _, *_]:
            numbers = [_evaluate_number(part, cases) for part in arguments]
            symbol = _COMPARISON_OF_CHOICE[name]
            return functools.reduce(lambda first, second: first.choose(symbol, second), numbers)
        case "abs", [part]:
            return abs(_evaluate_number(part, cases))
        case "log", [part]:
            return _evaluate_number(part, cases).log()
        case "swap" | "transpose", [part]:
            changed = cases.change_cells(_CELL_EXCHANGES[name], f"{name}({{}})")
        case "times", [part, factor_part]:
            factor = _evaluate_number(factor_part, cases)
            template = f"times({{}}, {ast.unparse(factor_part)})"
            changed = cases.change_cells(lambda fp, tp, fn, tn: (fp * factor, tp, fn, tn * factor), template)
        case "times", [part, factor_part, ast.Name(id="positives")]:
            factor = _evaluate_number(factor_part, cases)
            template = f"times({{}}, {ast.unparse(factor_part)}, positives)"
            changed = cases.change_cells(lambda fp, tp, fn, tn: (fp, tp * factor, fn * factor, tn), template)
        case _, [part] if _MEASURE_WITH_BETA.fullmatch(name):
            beta = _source_text(part)
            if not _DIGITS.fullmatch(beta):
                raise ValueError(f"{name}({beta}) is not allowed; beta is a number such as 2, 0.5 or 1/2.")
            return cases.value(f"{name}({beta})")
        case "integral", [inner, ast.Name(id=variable), low, high] if (
            _polynomial_degree(inner, variable) <= _MAX_DEGREE_IN_INTEGRAL
        ):
            # Simpson's rule, which is exact for polynomials up to the third power.
            constant = cases.arithmetic.constant
            start, end = _evaluate_number(low, cases), _evaluate_number(high, cases)
            at_start, at_middle, at_end = (
                _evaluate_number(inner, _WithVariable(cases, variable, number))
                for number in (start, (start + end) / constant(2), end)
            )
            return (end - start) * (at_start + constant(4) * at_middle + at_end) / constant(6)
        case _:
            return None
    number = evaluate_node(part, changed)
    return number if _is_number(number) else None


def _is_number(result: Any) -> bool:
    """Whether a part of a formula was evaluated to numbers, not to truth values."""
    return hasattr(result, "choose")


def _evaluate_number(node: ast.expr, cases: FormulaCases) -> Any:
    """Evaluate a node as numbers; raise ValueError for a condition, and for a measure on a scale."""
    result = evaluate_node(node, cases)
    if not _is_number(result):
        raise ValueError(f"{ast.unparse(node)!r} is a condition; a number such as tp / (tp + fp) is needed.")
    if result.scale == ROOT_SCALE:
        raise ValueError("a measure with a square root can be compared; arithmetic takes its square, x**2.")
    if result.scale != RATIO_SCALE:
        raise ValueError(f"{ast.unparse(node)} can be compared; in arithmetic it is not allowed.")
    return result


def _evaluate_condition(node: ast.expr, cases: FormulaCases) -> Any:
    result = evaluate_node(node, cases)
    if _is_number(result):
        raise ValueError(f"{ast.unparse(node)!r} is a number; a condition such as f1 <= recall is needed.")
    return result


def _polynomial_degree(node: ast.expr, variable: str) -> float:
    """Return the highest power of a variable in a polynomial; infinite for any other formula."""
    match node:
        case ast.Name(id=name):
            return int(name == variable)
        case ast.Constant():
            return 0
        case ast.UnaryOp(operand=part):
            return _polynomial_degree(part, variable)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return _polynomial_degree(left, variable) * power
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _polynomial_degree(left, variable), _polynomial_degree(right, variable)
            if isinstance(op, ast.Mult):
                return first + second
            return math.inf if isinstance(op, ast.Div) and second else max(first, second)
    return math.inf
