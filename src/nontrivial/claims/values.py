"""Exact numbers in arrays: ratios of whole numbers, with arithmetic and comparison.

A ratio keeps numerator and denominator apart, so that nothing is rounded; two compare by cross-multiplication.
Where a denominator is 0 the ratio is 0/0 or infinite: it has no value there, nor has what is computed from it.
Products that 64 bits might not hold are computed with Python's integers, which hold any.

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
    "==": operator.eq,
    "!=": operator.ne,
}
_LARGEST = 2**62  # of a product: the sum of two fits into 64 bits


@dataclass(frozen=True, eq=False)
class Value:
    """An array of ratios.

    Attributes
    ----------
    numerator, denominator : int or ndarray of int
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
        return np.logical_and(np.not_equal(self.denominator, 0), self.made)

    def fractions(self) -> list[Fraction | None]:
        """The numbers one by one, None where there is no value; of roots, the signed squares."""
        parts = np.broadcast_arrays(self.numerator, self.denominator, self.defined)
        rows = zip(*(np.ravel(part).tolist() for part in parts), strict=True)
        return [Fraction(above) / Fraction(below) if defined else None for above, below, defined in rows]

    def __add__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(plus(times(a, d), times(c, b)), times(b, d), made=made)

    def __sub__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(plus(times(a, d), -times(c, b)), times(b, d), made=made)

    def __mul__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(times(a, c), times(b, d), made=made)

    def __truediv__(self, other: Value) -> Value:
        a, b, c, d, made = _parts(self, other)
        return Value(times(times(a, d), np.where(np.less(c, 0), -1, 1)), times(b, abs(c)), made=made)


def times(one: Any, other: Any) -> Any:
    """The exact product of whole numbers, or of arrays of them."""
    has_arrays = isinstance(one, np.ndarray | np.integer) or isinstance(other, np.ndarray | np.integer)
    if has_arrays and max(_largest(one), 1) * max(_largest(other), 1) >= _LARGEST:
        one = np.asarray(one).astype(object)
    return one * other


def plus(one: Any, other: Any) -> Any:
    """The exact sum of two products."""
    if any(isinstance(part, int) and abs(part) >= _LARGEST for part in (one, other)):
        one = np.asarray(one).astype(object)
    return one + other


def least(one: Value, other: Value) -> Value:
    """The smaller of two numbers; without value where either is."""
    return _choose(operator.le, one, other)


def greatest(one: Value, other: Value) -> Value:
    """The greater of two numbers; without value where either is."""
    return _choose(operator.ge, one, other)


def compare(holds: Callable[[Any, Any], Any], one: Value, other: Value) -> np.ndarray:
    """Tell where a comparison holds; what it gives where a side has no value means nothing.

    Examples
    --------
    >>> compare(operator.lt, Value(1, 2), Value(1, 2, is_root=True))
    array(True)
    """
    if one.is_root or other.is_root:
        one, other = _signed_square(one), _signed_square(other)
    left, right = times(one.numerator, other.denominator), times(other.numerator, one.denominator)
    return np.asarray(holds(left, right), dtype=bool)


def _largest(number: Any) -> int:
    if isinstance(number, np.ndarray) and number.dtype == object:
        return 0  # Python's integers already
    return int(np.abs(number).max(initial=0)) if isinstance(number, np.ndarray) else abs(int(number))


def _parts(one: Value, other: Value) -> tuple[Any, Any, Any, Any, Any]:
    if one.is_root or other.is_root:
        raise ValueError("a measure with a square root can be compared, but cannot stand in arithmetic.")
    made = np.logical_and(one.defined, other.defined)
    return one.numerator, one.denominator, other.numerator, other.denominator, made


def _choose(prefers: Callable[[Any, Any], Any], one: Value, other: Value) -> Value:
    a, b, c, d, made = _parts(one, other)
    first = np.asarray(prefers(times(a, d), times(c, b)), dtype=bool)
    # Chosen as a whole, so that denominators do not multiply.
    return Value(np.where(first, a, c), np.where(first, b, d), made=made)


def _signed_square(value: Value) -> Value:
    if value.is_root:
        return value
    above, below = value.numerator, value.denominator
    return Value(times(above, abs(above)), times(below, below), made=value.made)
