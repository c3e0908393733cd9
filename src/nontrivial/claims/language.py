"""The language of claims: numbers as printed, exact arithmetic in arrays, and formulas."""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.measures.catalogue import RATIO, ROOT, Scale

_PRINTED = re.compile(r"-?[0-9]+(?:\.([0-9]+)|/[1-9][0-9]*)?")


@dataclass(frozen=True)
class Printed:
    """A number as printed, and the ends between which it may lie: 1/4 and 7/20 for 0.3, as rules differ at a half."""

    text: str
    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def parse(cls, text: str) -> Printed:
        """Read a decimal, a fraction, which is exact, or ``<= 0.7`` for all shares on that side; else ValueError."""
        side, _, digits = text.rpartition(" ")
        match = _PRINTED.fullmatch(digits)
        if not match or side not in ("", "<=", ">="):
            raise ValueError(f"{text!r} is not a printed number such as 0.46, -0.02, 7/15 or <= 0.7.")
        value = Fraction(digits)
        half = Fraction(0) if "/" in digits else Fraction(1, 2 * 10 ** len(match[1] or ""))
        if not side:
            return cls(text, value, value - half, value + half)
        if not 0 <= value <= 1:
            raise ValueError(f"{text!r} is not a share; with >= and <= shares from 0 to 1 are allowed.")
        return cls(text, value, *((value, Fraction(1)) if side == ">=" else (Fraction(0), value)))

    @classmethod
    def of(cls, node: ast.expr) -> Printed | None:
        """Read a part of a formula; None if it is something else."""
        text = vars(node)["kind"]
        return cls.parse(text) if _PRINTED.fullmatch(text) else None

    def is_cut_from(self, number: Fraction) -> bool:
        """Tell whether leaving out the further digits of a number, without rounding, prints these digits."""
        has_its_sign = (number < 0) == self.text.startswith("-")
        return has_its_sign and abs(self.value) <= abs(number) < abs(self.value) + (self.high - self.low)


# Exact numbers in arrays: ratios of whole numbers, which compare by cross-multiplication.
#
# With the denominator 0 a ratio is infinite, with the sign of its numerator, or 0/0, which has no value. Nor has 0
# times an infinite number, a ratio of two infinite ones, or a sum of two with unlike signs. Nor has 1/(x - y) if x is
# y, as it is infinite with either sign nearby. Products that 64 bits might not hold use Python's integers.
#
# A measure with a square root is kept as the ratio that it is a function of, on the scale that the catalogue names. It
# compares exactly with other numbers. In sums and products only the square of a plain root can stand.
#
# Logarithms are rounded, and so is what is computed from them. Two numbers nearer than their errors are taken as equal,
# but settle nothing.
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne
}  # fmt: skip
_DIGITS_OF_LOG = 40
_LARGEST = 2**62  # the sum of two such products still fits into 64 bits


@dataclass(frozen=True)
class Truth:
    """Where a condition is true and where it is false; elsewhere it is undefined."""

    true: np.ndarray
    false: np.ndarray
    near: Any = np.False_  # where it rests on numbers that are nearer to each other than their errors

    @property
    def defined(self) -> np.ndarray:
        return np.asarray(self.true | self.false)

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.true & other.true, self.false | other.false, self.near | other.near)

    def __invert__(self) -> Truth:
        return Truth(self.false, self.true, self.near)


@dataclass(frozen=True, eq=False)
class Value:
    """An array of ratios, whose numerators and denominators are whole numbers or arrays of them."""

    numerator: Any
    denominator: Any = 1  # 0 where the number is infinite or has no value, else positive
    scale: Scale = RATIO  # of a measure: what the number meant is of the ratio
    is_signed: bool = False  # whether it may be below 0, as differences may
    error: Value | None = None  # relative, of a logarithm or of an area with logarithms

    @classmethod
    def of(cls, exact: Fraction | int) -> Value:
        """A number that is the same in all cases."""
        return cls(*exact.as_integer_ratio())

    @property
    def defined(self) -> Any:
        return np.not_equal(self.denominator, 0) | np.not_equal(self.numerator, 0)

    def spread(self, repeat: Callable[[Any], Any]) -> Value:
        """The numbers of other cases, each of which has the number of one of these."""
        above, below = repeat(self.numerator), repeat(self.denominator)
        error = None if self.error is None else self.error.spread(repeat)
        return replace(self, numerator=above, denominator=below, error=error)

    def fractions(self) -> list[Fraction | None]:
        """The numbers one by one, None where there is no finite value; on other scales, the ratios."""
        parts = np.broadcast_arrays(self.numerator, self.denominator)
        rows = zip(*(np.ravel(part).tolist() for part in parts), strict=True)
        return [Fraction(above, below) if below else None for above, below in rows]

    def first(self) -> Fraction | None:
        """The first number, as the nearest float if it is on a scale; None if it has no finite value."""
        if self.scale == RATIO:
            return self.fractions()[0]
        above, below = (np.ravel(part)[:1].astype(float) for part in (self.numerator, self.denominator))
        with np.errstate(divide="ignore", invalid="ignore"):
            [number] = self.scale.values(above, below)
        return Fraction(number) if np.isfinite(number) else None

    def __add__(self, other: Value) -> Value:
        left, right = self._cross_multiplied(other)
        if any(isinstance(part, int) and abs(part) >= _LARGEST for part in (left, right)):
            left = np.asarray(left).astype(object)
        total = self._with(other, left + right, times(self.denominator, other.denominator))
        if total.error is None:
            return total
        off = self._off + other._off
        error = off / replace(abs(total), error=None)
        return replace(total, error=replace(error, denominator=np.where(off.numerator, error.denominator, 1)))

    def __sub__(self, other: Value) -> Value:
        return replace(self + replace(other, numerator=-other.numerator), is_signed=True)

    def __mul__(self, other: Value) -> Value:
        above, below = times(self.numerator, other.numerator), times(self.denominator, other.denominator)
        return self._with(other, above, below)

    def __rmul__(self, factor: int) -> Value:
        return Value(factor) * self

    def __truediv__(self, other: Value) -> Value:
        sign = np.where(np.less(other.numerator, 0), -1, 1)
        above = times(times(self.numerator, other.denominator), sign)
        if other.is_signed:
            above = times(above, np.not_equal(other.numerator, 0))
        below = times(self.denominator, abs(other.numerator))
        return self._with(other, above, below)

    def _with(self, other: Value, above: Any, below: Any) -> Value:
        errors = [number.error for number in (self, other) if number.error is not None]
        error = functools.reduce(operator.add, errors) if errors else None
        return Value(above, below, is_signed=self.is_signed or other.is_signed, error=error)

    @property
    def _off(self) -> Value:
        return Value(0) if self.error is None else replace(abs(self), error=None) * self.error

    def log(self) -> Value:
        """The natural logarithms, to `_DIGITS_OF_LOG` digits; without value where a number is not above 0."""
        above, below = np.array(list(map(_log, self.fractions())), dtype=object).reshape(-1, 2).T
        error = Value(1, 10 ** (_DIGITS_OF_LOG - 2))
        if self.error is not None:
            error += self.error / Value(abs(above), below)
        return Value(above, below, is_signed=True, error=error)

    def __abs__(self) -> Value:
        return replace(self, numerator=abs(self.numerator), scale=RATIO, is_signed=False)

    def choose(self, symbol: str, other: Value) -> Value:
        """The smaller (``<=``) or greater (``>=``) of two numbers; without value where either is."""
        first, defined = COMPARISONS[symbol](*self._cross_multiplied(other)), self.defined & other.defined
        # Chosen as a whole, so that denominators do not multiply.
        above = np.where(first, self.numerator, other.numerator)
        below = np.where(first, self.denominator, other.denominator)
        return self._with(other, times(above, defined), times(below, defined))

    def on(self, scale: Scale) -> Value:
        """The ratio whose value on a scale that rises is this number."""
        if scale == ROOT:
            return self * abs(self)
        if self.error is not None:
            raise ValueError("a logarithm can only be compared with a ratio or a square root.")
        ratio = scale.ratio_of(Value(self.numerator), Value(self.denominator))
        return Value(*(part.numerator for part in ratio))

    def _cross_multiplied(self, other: Value) -> tuple[Any, Any]:
        """Two whole numbers that compare and add up as the two numbers do; of infinite ones, their signs."""
        left, right = times(self.numerator, other.denominator), times(other.numerator, self.denominator)
        both = np.equal(self.denominator, 0) & np.equal(other.denominator, 0)
        if both.any():
            sign, other_sign = np.sign(self.numerator), np.sign(other.numerator)
            left, right = (
                np.where(both, sign * abs(other_sign), left),
                np.where(both, other_sign * abs(sign), right),
            )
        return left, right

    @staticmethod
    def compare(symbols: Sequence[str], values: Sequence[Value]) -> Truth:
        """Where a chain of comparisons holds, and where it does not; undefined where a number has no value."""
        defined = functools.reduce(np.logical_and, (value.defined for value in values))
        holds: Any = True
        near: Any = np.False_
        for symbol, *pair in zip(symbols, values, values[1:], strict=False):
            first, second = as_ratios(*pair)
            left, right = first._cross_multiplied(second)
            if first.error is not None or second.error is not None:
                apart = replace(abs(first - second), error=None)
                meets = ~Value.compare([">="], [apart, first._off + second._off]).true
                right, near = np.where(meets, left, right), near | meets
            holds = np.logical_and(holds, COMPARISONS[symbol](left, right))
        return Truth(defined & holds, defined & ~holds, defined & near)


def as_ratios(first: Any, second: Any) -> tuple[Any, Any]:
    """Two ratios that compare as two numbers do; ValueError if these are on two scales."""
    scales = {number.scale for number in (first, second)} - {RATIO}
    if len(scales) > 1:
        raise ValueError("measures with square roots of different kinds cannot be compared.")
    for scale in scales:
        first, second = (
            number.on(scale) if number.scale == RATIO else replace(number, scale=RATIO)
            for number in (first, second)
        )
    return first, second


@functools.lru_cache(maxsize=2**19)  # many cases share their ratios
def _log(number: Fraction | None) -> tuple[int, int]:
    if number is None or number <= 0:
        return 0, 0
    with localcontext(prec=_DIGITS_OF_LOG):
        return (Decimal(number.numerator) / number.denominator).ln().as_integer_ratio()


def times(first: Any, second: Any) -> Any:
    """The exact product of whole numbers, or of arrays of them."""
    if _largest(first) * _largest(second) >= _LARGEST:
        first = np.asarray(first).astype(object)
    return first * second


def _largest(number: Any) -> int:
    """The greatest magnitude, at least 1; 1 of Python's integers in arrays, which hold any product."""
    is_exact = isinstance(number, np.ndarray) and number.dtype == object
    return 1 if is_exact else int(np.max(abs(number), initial=1))


# Conditions on named numbers, read by Python's own parser; evaluated for arrays of cases or in the solver's terms.
#
# ``==`` between two conditions says that both are true or both false. A number without a value (0/0) makes a comparison
# neither true nor false, and so what is joined from it, unless the rest settles it: ``x or y`` is true if y is.
SYMBOLS: dict[type, str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_CHOICES = {"min": "<=", "max": ">="}
_OF_BETA = re.compile(r"f_beta(_gain)?(_[12])?")
_NAME, _DIGITS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[0-9]+(\.[0-9]+|/[1-9][0-9]*)?")
_LARGEST_POWER = 4
_LARGEST_IN_INTEGRAL = 3
_ALLOWED = """lower-case names, numbers, + - * /, ** with powers from 1 to 4, min, max, abs, log, swap, transpose, \
times, f_beta(2), integral of polynomials up to the third power, comparisons with <= < == != > >=, and, or, not \
are allowed"""


class Cases:
    """What a formula is evaluated on: many cases in arrays of one length, or all cases in the solver's terms."""

    arithmetic: Any = Value  # the kind of its numbers

    def value(self, name: str) -> Any:
        """The numbers of that name."""

    def exchanged(self, how: str) -> Cases:
        """With the classes ("swap"), or truth and prediction ("transpose"), exchanged."""
        raise ValueError(f"{how}() is for measures of a confusion table.")

    def multiplied(self, label: str, factor: Any, words: str) -> Cases:
        """With so many times the positives or negatives at the same rates; `words` say it of a name ``{}``."""
        raise ValueError("times() is for measures of a confusion table.")

    def compare(self, parts: Sequence[ast.expr], symbols: Sequence[str], sides: Sequence[Any]) -> Any:
        """Where a chain of comparisons holds; `parts` are its sides as written."""
        return sides[0].compare(symbols, sides)


class NamedNumbers(Cases):
    """Numbers by name, and what is defined from them, computed once."""

    def __init__(
        self, numbers: Mapping[str, Any], define: Mapping[str, Formula], arithmetic: Any = Value
    ) -> None:
        self._known, self._define, self.arithmetic = dict(numbers), dict(define), arithmetic

    def value(self, name: str) -> Any:
        """The numbers of that name; ValueError, naming what is known, for an unknown one."""
        if name not in self._known:
            if name not in self._define:  # or no longer, while it is being defined
                known = ", ".join((*self._known, *self._define))
                raise ValueError(f"{name!r} is unknown, or defined by itself; known: {known}.")
            self._known[name] = self._define.pop(name).value(self)
        return self._known[name]


class _AnyCase(Cases):
    """What stands for cases while a formula is read: each name is 1. It keeps what is asked, in which words."""

    def __init__(self, words: str = "{}", asked: dict[str, str] | None = None) -> None:
        self._words, self.asked = words, {} if asked is None else asked

    def value(self, name: str) -> Value:
        self.asked[self._words.format(name)] = name
        return Value(1)

    def exchanged(self, how: str) -> Cases:
        return _AnyCase(self._words.format(f"{how}({{}})"), self.asked)

    def multiplied(self, label: str, factor: Any, words: str) -> Cases:
        return _AnyCase(self._words.format(words), self.asked)


class _With(Cases):
    """Cases with one more number, over which an integral runs."""

    def __init__(self, cases: Cases, name: str, number: Any) -> None:
        self._cases, self._name, self._number, self.arithmetic = cases, name, number, cases.arithmetic

    def value(self, name: str) -> Any:
        return self._number if name == self._name else self._cases.value(name)


class Formula:
    """A number or a condition: its text in one line, the names in it, and whether it is true "sometimes"."""

    def __init__(self, text: str, read: Callable[[ast.expr, Cases], Any] | None = None) -> None:
        self.text = " ".join(text.split())
        self.tree, self.sometimes = _parse(self.text), False
        any_case = _AnyCase()
        match self.tree:
            case ast.Call(func=ast.Name(id="sometimes"), args=[inner], keywords=[]):
                self.tree, self.sometimes = inner, True
                _condition(inner, any_case)
        (read or evaluate)(self.tree, any_case)
        self._asked = any_case.asked
        self.names = tuple(dict.fromkeys(self._asked.values()))

    @classmethod
    def condition(cls, text: str) -> Formula:
        """Read a condition; ValueError where it is none."""
        return cls(text, _condition)

    @classmethod
    def number(cls, text: str) -> Formula:
        """Read a number; ValueError where it is none."""
        return cls(text, _number)

    def value(self, cases: Cases) -> Any:
        return evaluate(self.tree, cases)

    truth = value  # of a condition: where it holds, and where it does not

    def values(self, cases: Cases) -> dict[str, Any]:
        """The numbers that it is made of, by their names; those of exchanged tables as ``swap(f1)``."""
        return {words: Formula(words).value(cases) for words in self._asked}

    @functools.cached_property
    def comparisons(self) -> set[str]:
        return {ast.unparse(node) for node in ast.walk(self.tree) if isinstance(node, ast.Compare)}

    @functools.cached_property
    def has_logarithm(self) -> bool:
        """Whether it has a logarithm, so that the solver cannot decide it."""
        return any(isinstance(node, ast.Name) and node.id == "log" for node in ast.walk(self.tree))

    @functools.cached_property
    def printed(self) -> tuple[ast.expr, str] | None:
        """Of a claim that a number equals a printed one, such as ``x == -0.02``, the number and the digits."""
        match self.tree:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if not self.sometimes:
                for number, printed in ((left, right), (right, left)):
                    if (digits := Printed.of(printed)) is not None:
                        return number, digits.text
        return None


def all_true(formulas: Iterable[Formula], cases: Cases, count: int) -> Truth:
    every = Truth(np.ones(count, dtype=bool), np.zeros(count, dtype=bool))
    return functools.reduce(operator.and_, (formula.truth(cases) for formula in formulas), every)


def _parse(text: str) -> ast.expr:
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if re.search("[^=<>!:]=[^=]", text):
            raise ValueError(f"{text!r} has a single =; write == to compare.") from error
        raise ValueError(
            f"{text!r} is no formula; {_ALLOWED}. In a list, one with commas stands in quotes."
        ) from error
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            vars(node)["kind"] = text[node.col_offset : node.end_col_offset].replace(" ", "")
    return tree


def evaluate(node: ast.expr, cases: Cases) -> Any:
    """What a part of a formula gives for cases: numbers, or of a condition where it holds; else ValueError."""
    exact = cases.arithmetic.of
    match node:
        case ast.Name(id=name) if _NAME.fullmatch(name):
            return cases.value(name)
        case ast.Constant(value=int() | float(), kind=str(digits)) if _DIGITS.fullmatch(digits):
            return exact(Fraction(digits))
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return exact(0) - _number(part, cases)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ~_condition(part, cases)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power), kind=str(digits))) if (
            digits.isdecimal() and 0 < power <= _LARGEST_POWER
        ):
            base = evaluate(left, cases)
            if _is_number(base) and base.scale == ROOT and power % 2 == 0:
                # The magnitude of its signed square.
                return functools.reduce(operator.mul, [abs(base)] * (power // 2))
            product = functools.reduce(operator.mul, [_number(left, cases)] * power)
            return replace(product, is_signed=product.is_signed and power % 2 == 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_number(left, cases), _number(right, cases))
        case ast.BoolOp(op=ast.And(), values=parts):
            return functools.reduce(operator.and_, [_condition(part, cases) for part in parts])
        case ast.BoolOp(values=parts):  # or: not all are false
            return ~functools.reduce(operator.and_, [~_condition(part, cases) for part in parts])
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in SYMBOLS for op in ops):
            parts, symbols = [left, *others], [SYMBOLS[type(op)] for op in ops]
            sides = [evaluate(part, cases) for part in parts]
            if all(map(_is_number, sides)):
                return cases.compare(parts, symbols, sides)
            if symbols in (["=="], ["!="]) and not any(map(_is_number, sides)):
                first, second = sides
                unlike = ~(first & second) & ~(~first & ~second)
                return ~unlike if symbols == ["=="] else unlike
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            result = _call(name, parts, cases)
            if result is not None:
                return result
    raise ValueError(f"{ast.unparse(node)!r} has no place in a formula; {_ALLOWED}.")


def _call(name: str, parts: Sequence[ast.expr], cases: Cases) -> Any:
    """What a function gives for cases; None if it is none, or takes something else."""
    match name, parts:
        case "min" | "max", [_, _, *_]:
            numbers = [_number(part, cases) for part in parts]
            return functools.reduce(lambda first, second: first.choose(_CHOICES[name], second), numbers)
        case "abs", [part]:
            return abs(_number(part, cases))
        case "log", [part]:
            return _number(part, cases).log()
        case "swap" | "transpose", [part]:
            number = evaluate(part, cases.exchanged(name))
            return number if _is_number(number) else None
        case "times", [part, *how] if len(how) == 1 or (len(how) == 2 and ast.unparse(how[1]) == "positives"):
            words = f"times({{}}, {', '.join(map(ast.unparse, how))})"
            label = "negatives" if len(how) == 1 else "positives"
            number = evaluate(part, cases.multiplied(label, _number(how[0], cases), words))
            return number if _is_number(number) else None
        case _, [part] if _OF_BETA.fullmatch(name):
            if not _DIGITS.fullmatch(beta := vars(part)["kind"]):
                raise ValueError(f"{name}({beta}) is not allowed; beta is a number such as 2, 0.5 or 1/2.")
            return cases.value(f"{name}({beta})")
        case "integral", [inner, ast.Name(id=variable), low, high] if (
            _degree(inner, variable) <= _LARGEST_IN_INTEGRAL
        ):
            # Simpson's rule, which is exact for polynomials up to the third power.
            exact, first, last = cases.arithmetic.of, _number(low, cases), _number(high, cases)
            places = first, (first + last) / exact(2), last
            f, g, h = (_number(inner, _With(cases, variable, at)) for at in places)
            return (last - first) * (f + exact(4) * g + h) / exact(6)
    return None


def _is_number(result: Any) -> bool:
    """Whether a part of a formula came to numbers, not to where a condition holds."""
    return hasattr(result, "choose")


def _number(node: ast.expr, cases: Cases) -> Any:
    """What stands in arithmetic."""
    result = evaluate(node, cases)
    if not _is_number(result):
        raise ValueError(f"{ast.unparse(node)!r} is a condition; a number such as tp / (tp + fp) is needed.")
    if result.scale == ROOT:
        raise ValueError("a measure with a square root can be compared; arithmetic takes its square, x**2.")
    if result.scale != RATIO:
        raise ValueError(f"{ast.unparse(node)} can be compared; in arithmetic it is not allowed.")
    return result


def _condition(node: ast.expr, cases: Cases) -> Any:
    result = evaluate(node, cases)
    if _is_number(result):
        raise ValueError(f"{ast.unparse(node)!r} is a number; a condition such as f1 <= recall is needed.")
    return result


def _degree(node: ast.expr, variable: str) -> float:
    """The highest power of a name in a formula; infinite where it is no polynomial in it."""
    match node:
        case ast.Name(id=name):
            return int(name == variable)
        case ast.Constant():
            return 0
        case ast.UnaryOp(operand=part):
            return _degree(part, variable)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return _degree(left, variable) * power
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _degree(left, variable), _degree(right, variable)
            if isinstance(op, ast.Mult):
                return first + second
            return math.inf if isinstance(op, ast.Div) and second else max(first, second)
    return math.inf
