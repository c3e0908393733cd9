"""Exact numbers in arrays: ratios of whole numbers, with arithmetic and comparison, and where conditions are true.

A ratio keeps numerator and denominator apart, so that nothing is rounded; two compare by cross-multiplication.
Where a denominator is 0 the ratio is 0/0 or infinite: it has no value there, nor has what is computed from it.
Products that 64 bits might not hold are computed with Python's integers, which hold any.

A measure with a square root is kept as its signed square, the number x |x|: squaring with the sign kept preserves
order, so that it compares with other numbers exactly. In sums and products it cannot stand.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne
}  # fmt: skip
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
        return Value(_plus(times(a, d), times(c, b)), times(b, d), made=made)

    def __sub__(self, other: Value) -> Value:
        return self + replace(other, numerator=-other.numerator)

    def __mul__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(times(a, c), times(b, d), made=made)

    def __truediv__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(times(times(a, d), np.where(np.less(c, 0), -1, 1)), times(b, abs(c)), made=made)

    def choose(self, symbol: str, other: Value) -> Value:
        """The smaller (``<=``) or greater (``>=``) of two numbers; without value where either is."""
        a, b, c, d, made = _parts(self, other)
        first = COMPARISONS[symbol](times(a, d), times(c, b))
        # Chosen as a whole, so that denominators do not multiply.
        return Value(np.where(first, a, c), np.where(first, b, d), made=made)

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
    return Value(times(above, abs(above)), times(below, below), made=value.made)
