"""Exact numbers as ratios of integers, one at a time or millions in arrays, with arithmetic and comparison.

A ratio keeps numerator and denominator apart, so that nothing is rounded; two compare by cross-multiplication.
Where a denominator is 0 the ratio is 0/0 or infinite: it has no value there, nor has what is computed from it.

A measure with a square root is kept as its signed square, the number x |x|: squaring with the sign kept preserves
order, so that it compares with other numbers exactly. In sums and products it cannot stand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, eq=False)
class Value:
    """A ratio, or an array of them.

    Attributes
    ----------
    numerator, denominator : int, Fraction, Magnitude or ndarray
        The denominator is positive wherever the ratio has a value.
    is_root : bool
        Whether the number meant is the signed square root of the ratio.
    made : bool or ndarray of bool
        Where everything that the ratio was computed from has a value.
    """

    numerator: Any
    denominator: Any = 1
    is_root: bool = False
    made: Any = True

    @property
    def defined(self) -> Any:
        """Where the ratio has a value."""
        return (self.denominator != 0) & self.made

    def fraction(self) -> Fraction | None:
        """The one number, None where it has no value; of a root, the signed square."""
        return Fraction(self.numerator) / Fraction(self.denominator) if self.defined else None

    def text(self) -> str:
        """The one number for a reader.

        Examples
        --------
        >>> Value(-1, 2, is_root=True).text(), Value(1, 0).text()
        ('-sqrt(1/2)', 'undefined')
        """
        number = self.fraction()
        if number is None:
            return "undefined"
        if not self.is_root:
            return str(number)
        return f"{'-' if number < 0 else ''}sqrt({abs(number)})"

    def __add__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(a * d + c * b, b * d, made=made)

    def __sub__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(a * d - c * b, b * d, made=made)

    def __mul__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(a * c, b * d, made=made)

    def __truediv__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(_with_sign(a * d, c), abs(b * c), made=made)


def least(one: Value, other: Value) -> Value:
    """The smaller of two numbers; without value where either is."""
    a, b, c, d, made = _parts(one, other)
    return _choose(a * d <= c * b, one, other, made)


def greatest(one: Value, other: Value) -> Value:
    """The greater of two numbers; without value where either is."""
    a, b, c, d, made = _parts(one, other)
    return _choose(a * d >= c * b, one, other, made)


def compare(symbol: str, one: Value, other: Value) -> Any:
    """Tell where a comparison holds; what it gives where a side has no value means nothing.

    Examples
    --------
    >>> compare("<", Value(1, 2), Value(1, 2, is_root=True))
    True
    """
    if one.is_root or other.is_root:
        one, other = _signed_square(one), _signed_square(other)
    return COMPARISONS[symbol](one.numerator * other.denominator, other.numerator * one.denominator)


def smaller(x: Any, y: Any) -> Any:
    """The smaller of two numbers, or of two arrays element by element."""
    if _any_is(Magnitude, x, y):
        return _larger_magnitude(x, y)
    return np.minimum(x, y) if _any_is(np.ndarray, x, y) else min(x, y)


def larger(x: Any, y: Any) -> Any:
    """The greater of two numbers, or of two arrays element by element."""
    if _any_is(Magnitude, x, y):
        return _larger_magnitude(x, y)
    return np.maximum(x, y) if _any_is(np.ndarray, x, y) else max(x, y)


class Magnitude:
    """How large a number can get, for finding out whether a computation fits into 64 bits.

    Sums and differences add their magnitudes, products multiply them; every magnitude met is noted in `met`.

    Examples
    --------
    >>> met = []
    >>> cell = Magnitude(40, met)
    >>> product = (cell - cell) * cell
    >>> max(met)
    3200
    """

    def __init__(self, size: int, met: list[int]) -> None:
        self.size, self.met = int(size), met
        met.append(self.size)

    def _size_of(self, other: Any) -> int:
        return other.size if isinstance(other, Magnitude) else abs(int(other))

    def __add__(self, other: Any) -> Magnitude:
        return Magnitude(self.size + self._size_of(other), self.met)

    def __mul__(self, other: Any) -> Magnitude:
        return Magnitude(self.size * self._size_of(other), self.met)

    def __pow__(self, exponent: Any) -> Magnitude:
        return Magnitude(self.size ** self._size_of(exponent), self.met)

    def __lt__(self, other: Any) -> bool:
        return True  # what a comparison gives is of no interest, only the numbers it needs

    def __abs__(self) -> Magnitude:
        return self

    def __neg__(self) -> Magnitude:
        return self

    __radd__ = __sub__ = __rsub__ = __add__
    __rmul__ = __mul__
    __gt__ = __le__ = __ge__ = __lt__


def _parts(one: Value, other: Value) -> tuple[Any, Any, Any, Any, Any]:
    if one.is_root or other.is_root:
        raise ValueError("a measure with a square root can be compared, but cannot stand in arithmetic.")
    made = one.defined & other.defined
    return one.numerator, one.denominator, other.numerator, other.denominator, made


def _choose(first: Any, one: Value, other: Value, made: Any) -> Value:
    """One of two ratios where `first` is true, elsewhere the other; so that denominators do not multiply."""
    parts = [(one.numerator, other.numerator), (one.denominator, other.denominator)]
    if _any_is(Magnitude, *(number for pair in parts for number in pair)):
        return Value(*(_larger_magnitude(x, y) for x, y in parts), made=made)
    if _any_is(np.ndarray, first):
        return Value(*(np.where(first, x, y) for x, y in parts), made=made)
    return Value(*(x if first else y for x, y in parts), made=made)


def _signed_square(value: Value) -> Value:
    if value.is_root:
        return value
    return Value(
        value.numerator * abs(value.numerator), value.denominator * value.denominator, made=value.made
    )


def _with_sign(number: Any, of: Any) -> Any:
    """`number`, turned negative where `of` is."""
    if isinstance(of, Magnitude):
        return number
    return number * (1 - 2 * (of < 0))


def _larger_magnitude(x: Any, y: Any) -> Any:
    return max(x, y, key=lambda number: number.size if isinstance(number, Magnitude) else abs(number))


def _any_is(kind: type, *numbers: Any) -> bool:
    return any(isinstance(number, kind) for number in numbers)
