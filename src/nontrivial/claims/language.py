"""The language of claims: numbers as printed, formulas of them, and exact arithmetic in arrays."""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

# Numbers as they are printed, whose digits say how far they are rounded.


PRINTED = re.compile(r"-?[0-9]+(?:\.([0-9]+)|(/[1-9][0-9]*))?")
_BOUND = re.compile(r"(>=|<=) (\S+)")


@dataclass(frozen=True)
class Printed:
    """A number as printed.

    Attributes
    ----------
    text : str
        Its digits, or a fraction.
    value : Fraction
        The number they spell.
    unit : Fraction
        Place value of the last digit, 0.01 for ``0.46``; 0 for a fraction, which is exact.

    Examples
    --------
    >>> number = Printed.parse("0.3")
    >>> number.low, number.high
    (Fraction(1, 4), Fraction(7, 20))
    """

    text: str
    value: Fraction
    unit: Fraction

    @classmethod
    def parse(cls, text: str) -> Printed:
        """Read a decimal or a fraction; else ValueError."""
        match = PRINTED.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is not a printed number such as 0.46, -0.02 or 7/15.")
        decimals, is_fraction = len(match[1] or ""), bool(match[2])
        return cls(text, Fraction(text), Fraction(0 if is_fraction else 1, 10**decimals))

    @property
    def low(self) -> Fraction:
        """The least number that rounds to these digits, ends included: rounding rules differ at a half."""
        return self.value - self.unit / 2

    @property
    def high(self) -> Fraction:
        """The greatest number that rounds to these digits, ends included."""
        return self.value + self.unit / 2

    def is_cut_from(self, number: Fraction) -> bool:
        """Tell whether leaving out the further digits of a number, without rounding, prints these digits."""
        if (number < 0) != self.text.startswith("-"):
            return False
        return abs(self.value) <= abs(number) < abs(self.value) + self.unit


def fixed_number(text: str | int) -> tuple[Fraction, tuple[Fraction, Fraction]]:
    """Read a number of the registry that is fixed, and between which ends it may lie.

    A whole number or a fraction is exact, quoted digits stand for all that round to them, and ``>= 0.3`` or
    ``<= 0.7`` for all shares on that side.

    Examples
    --------
    >>> fixed_number("<= 0.7")
    (Fraction(7, 10), (Fraction(0, 1), Fraction(7, 10)))
    """
    if isinstance(text, int):
        return Fraction(text), (Fraction(text), Fraction(text))
    if match := _BOUND.fullmatch(text):
        bound = Printed.parse(match[2]).value
        return bound, (bound, Fraction(1)) if match[1] == ">=" else (Fraction(0), bound)
    number = Printed.parse(text)
    return number.value, (number.low, number.high)


# The language of claims: arithmetic and conditions on named numbers, read by Python's own parser.
#
# Numbers are names, whole and decimal numbers, sums, differences, products, quotients and whole powers, and
#
# ``min(x, y, ...)``, ``max(x, y, ...)``, ``abs(x)``
#     the smallest, the greatest, the magnitude;
# ``swap(x)``
#     x of the same cases with the two classes exchanged (TP with TN, FP with FN);
# ``transpose(x)``
#     x of the same cases with truth and prediction exchanged (FP with FN);
# ``integral(x, t, low, high)``
#     the integral over t of x, which is a polynomial in t up to the third power;
# ``log(x)``
#     the natural logarithm, to forty digits: two numbers with logarithms that agree to thirty are taken as equal;
# ``f_beta(2)``, ``f_beta_gain(0.5)``
#     F and its gain for any beta, of a table (``f_beta_1(2)`` of the first of a pair).
#
# A measure with a square root compares with other numbers; in arithmetic stands its square, ``x**2``.
#
# Conditions are comparisons such as ``0 < x <= y``, joined by ``and``, ``or`` and ``not``; ``==`` between two
# conditions says that both are true or both false, and ``!=`` that just one is. ``sometimes(condition)``, around a
# whole claim, says that there is such a case.
#
# A number without a value (0/0, x/0) makes a comparison neither true nor false, and so is what is joined from it,
# unless the rest settles it: ``x or y`` is true where y is, whatever x is.


LARGEST_POWER = 4
_LARGEST_IN_INTEGRAL = 3
LONGEST = 600  # characters of a formula
DEEPEST = 100  # parts inside one another
SYMBOLS: dict[type, str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
CHOICES = ("min", "max")
_ONE = ("abs", "log", "swap", "transpose")  # functions of one number
_OF_BETA = re.compile(r"f_beta(_gain)?(_[12])?")
_NAME, _DIGITS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"[0-9]+(\.[0-9]+)?")
_ALLOWED = """lower-case names, numbers, + - * / **, min, max, abs, log, swap, transpose, f_beta(2), integral of \
polynomials up to the third power, comparisons, and, or, not are allowed"""


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
        cut = (
            "; quote a formula with commas in a list"
            if text.count("(") != text.count(")")
            else f"; {_ALLOWED}"
        )
        raise ValueError(f"{text!r} is no formula{cut}.") from error
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
    return (name for name, _ in _terms_in(node))


def _terms_in(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names in a formula, each with the part that stands for its number: of F with a beta, the whole call."""
    parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.Name(id=name):
            yield name, node
        case ast.Call(func=ast.Name(id="integral"), args=[inner, ast.Name(id=variable), *parts]):
            yield from (term for term in _terms_in(inner) if term[0] != variable)
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant()]) if _OF_BETA.fullmatch(name):
            yield name, node
            parts = ()
        case ast.Call(args=[*parts]):
            pass  # its name is that of a function
    for part in parts:
        yield from _terms_in(part)


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
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant() as beta], keywords=[]) if (
            _OF_BETA.fullmatch(name)
        ):
            if is_number(beta):
                return True
        case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=[]):
            if name in (CHOICES if rest else _ONE) and all(map(is_number, (first, *rest))):
                return True
        case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
            raise ValueError(f"{ast.unparse(node)!r} joins a number; conditions such as x == 1 are needed.")
        case ast.Name(id=name):
            raise ValueError(f"{name!r} is no name; lower-case names such as f1 are allowed.")
    if isinstance(node, ast.Call) and node.keywords:
        raise ValueError(
            f"{ast.unparse(node)!r} has a single =, which is not allowed; equality is written ==."
        )
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


# Exact numbers in arrays: ratios of whole numbers, with arithmetic and comparison, and where conditions are true.
#
# A ratio keeps numerator and denominator apart, so that nothing is rounded; two compare by cross-multiplication.
# Where a denominator is 0 the ratio is 0/0 or infinite: it has no value there, nor has what is computed from it.
# Products that 64 bits might not hold are computed with Python's integers, which hold any.
#
# A measure with a square root is kept as its signed square, the number x |x|: squaring with the sign kept preserves
# order, so that it compares with other numbers exactly. In sums and products only its square can stand.
#
# Logarithms are not exact. What is computed from them is rounded, and compares with a tolerance.


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne
}  # fmt: skip
_DIGITS_OF_LOG = 40
_CLOSE = 10**30
_LARGEST = 2**62  # the sum of two such products still fits into 64 bits


@dataclass(frozen=True)
class Truth:
    """Where a condition is true and where it is false; elsewhere it is undefined."""

    true: np.ndarray
    false: np.ndarray

    @property
    def defined(self) -> np.ndarray:
        """Where it is one of the two."""
        defined: np.ndarray = self.true | self.false
        return defined

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.true & other.true, self.false | other.false)

    def __invert__(self) -> Truth:
        return Truth(self.false, self.true)


@dataclass(frozen=True, eq=False)
class Value:
    """An array of ratios.

    Numerators and denominators are whole numbers or arrays of them.
    """

    numerator: Any
    denominator: Any = 1  # positive wherever the ratio has a value
    is_root: bool = False  # whether the number meant is the signed square root of the ratio
    is_rounded: bool = False  # whether it comes from a logarithm
    made: Any = True  # where everything that the ratio was computed from has a value

    @classmethod
    def of(cls, exact: Fraction | int) -> Value:
        """A number that is the same in all cases."""
        return cls(*exact.as_integer_ratio())

    @property
    def defined(self) -> Any:
        """Where the ratio has a value."""
        return np.logical_and(np.not_equal(self.denominator, 0), self.made)

    def fractions(self) -> list[Fraction | None]:
        """The numbers one by one, None where there is no value; of roots, the signed squares."""
        parts = np.broadcast_arrays(self.numerator, self.denominator, self.defined)
        rows = zip(*(np.ravel(part).tolist() for part in parts), strict=True)
        return [Fraction(above, below) if defined else None for above, below, defined in rows]

    def __add__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return self._with(other, _plus(times(a, d), times(c, b)), times(b, d), made)

    def __sub__(self, other: Value) -> Value:
        return self + replace(other, numerator=-other.numerator)

    def __mul__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return self._with(other, times(a, c), times(b, d), made)

    def __truediv__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return self._with(other, times(times(a, d), np.where(np.less(c, 0), -1, 1)), times(b, abs(c)), made)

    def _with(self, other: Value, above: Any, below: Any, made: Any) -> Value:
        return Value(above, below, is_rounded=self.is_rounded or other.is_rounded, made=made)

    def log(self) -> Value:
        """The natural logarithms, to `_DIGITS_OF_LOG` digits; without value where a number is not above 0."""
        with localcontext() as context:
            context.prec = _DIGITS_OF_LOG
            found = [
                (Decimal(x.numerator) / Decimal(x.denominator)).ln().as_integer_ratio()
                if x and x > 0
                else (0, 0)
                for x in self.fractions()
            ]
        above, below = np.array(found, dtype=object).reshape(-1, 2).T
        return Value(above, below, is_rounded=True, made=self.made)

    def choose(self, symbol: str, other: Value) -> Value:
        """The smaller (``<=``) or greater (``>=``) of two numbers; without value where either is."""
        a, b, c, d, made = _parts(self, other)
        first = COMPARISONS[symbol](times(a, d), times(c, b))
        # Chosen as a whole, so that denominators do not multiply.
        return self._with(other, np.where(first, a, c), np.where(first, b, d), made)

    @staticmethod
    def compare(symbols: Sequence[str], values: Sequence[Value]) -> Truth:
        """Where a chain of comparisons holds, and where it does not; undefined where a number has no value.

        Examples
        --------
        >>> bool(Value.compare(["<"], [Value(1, 2), Value(1, 2, is_root=True)]).true)
        True
        """
        defined = functools.reduce(np.logical_and, (value.defined for value in values))
        if any(value.is_root for value in values):
            values = [value if value.is_root else _signed_square(value) for value in values]
        holds = np.True_
        for symbol, one, other in zip(symbols, values, values[1:], strict=False):
            left, right = times(one.numerator, other.denominator), times(other.numerator, one.denominator)
            if one.is_rounded or other.is_rounded:
                right = np.where(abs(left - right) * _CLOSE <= abs(left) + abs(right), left, right)
            holds = np.logical_and(holds, COMPARISONS[symbol](left, right))
        return Truth(defined & holds, defined & ~holds)


def times(one: Any, other: Any) -> Any:
    """The exact product of whole numbers, or of arrays of them."""
    if _largest(one) * _largest(other) >= _LARGEST:
        one = np.asarray(one).astype(object)
    return one * other


def _plus(one: Any, other: Any) -> Any:
    if any(isinstance(part, int) and abs(part) >= _LARGEST for part in (one, other)):
        one = np.asarray(one).astype(object)
    return one + other


def _largest(number: Any) -> int:
    """The greatest magnitude, at least 1; 1 of Python's integers in arrays, which hold any product."""
    is_exact = isinstance(number, np.ndarray) and number.dtype == object
    return 1 if is_exact else int(np.max(abs(number), initial=1))


def _parts(one: Value, other: Value) -> tuple[Any, Any, Any, Any, Any]:
    made = np.logical_and(one.defined, other.defined)
    return one.numerator, one.denominator, other.numerator, other.denominator, made


def _signed_square(value: Value) -> Value:
    above, below = value.numerator, value.denominator
    return replace(value, numerator=times(above, abs(above)), denominator=times(below, below))


# Formulas of claims, as `nontrivial.claims.language` describes them, and the one way through their parts.
#
# The numbers that cases give for names define the operations. They are exact numbers of many cases at once
# (`nontrivial.claims.language`), or the solver's terms, which stand for all cases (`nontrivial.claims.solver`).


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Cases:
    """What a formula is evaluated on: many cases in arrays of one length, or all cases in the solver's terms."""

    arithmetic: Any = Value  # the kind of its numbers

    def value(self, name: str) -> Any:
        """The numbers of that name."""

    def of_beta(self, name: str, beta: Fraction) -> Any:
        """F or its gain for a beta."""
        raise ValueError(f"{name}() is for measures of a confusion table.")

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

    def values(self, cases: Cases) -> dict[str, Any]:
        """The numbers that it is made of, by their names; F with its beta."""
        return {ast.unparse(term): evaluate(term, cases) for _, term in _terms_in(self.tree)}

    @property
    def has_logarithm(self) -> bool:
        """Whether it has a logarithm, so that the solver cannot decide it."""
        return any(
            isinstance(node, ast.Call) and ast.unparse(node.func) == "log" for node in ast.walk(self.tree)
        )

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
            base = evaluate(left, cases)
            if base.is_root and power % 2 == 0:  # the magnitude of the signed square
                square = replace(base, is_root=False)
                base, power = square.choose(">=", exact(0) - square), power // 2
            return functools.reduce(operator.mul, [_arithmetic(base)] * power)
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
        case ast.Call(func=ast.Name(id="log"), args=[part]):
            return _operand(part, cases).log()
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(kind=str(digits))]) if _OF_BETA.fullmatch(
            name
        ):
            return cases.of_beta(name, Fraction(digits))
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
    return _arithmetic(evaluate(node, cases))


def _arithmetic(number: Any) -> Any:
    if number.is_root:
        raise ValueError("a measure with a square root can be compared; arithmetic takes its square, x**2.")
    return number
