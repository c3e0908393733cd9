"""Numbers as documents print them, and exact numbers in arrays."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.measures.catalogue import RATIO_SCALE, ROOT_SCALE, Scale

PRINTED_NUMBER = re.compile(r"-?[0-9]+(?:\.([0-9]+)|/[1-9][0-9]*)?")


@dataclass(frozen=True)
class PrintedNumber:
    """A number as printed, and the ends between which it may lie: 1/4 and 7/20 for 0.3, as rounding rules differ."""

    text: str
    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def parse(cls, text: str) -> PrintedNumber:
        """Parse a decimal, an exact fraction, or ``<= 0.7`` for all shares on that side; else raise ValueError."""
        side, _, digits = text.rpartition(" ")
        match = PRINTED_NUMBER.fullmatch(digits)
        if not match or side not in ("", "<=", ">="):
            raise ValueError(f"{text!r} is not a printed number such as 0.46, -0.02, 7/15 or <= 0.7.")
        value = Fraction(digits)
        half = Fraction(0) if "/" in digits else Fraction(1, 2 * 10 ** len(match[1] or ""))
        if not side:
            return cls(text, value, value - half, value + half)
        if not 0 <= value <= 1:
            raise ValueError(f"{text!r} is not a share; with >= and <= shares from 0 to 1 are allowed.")
        return cls(text, value, *((value, Fraction(1)) if side == ">=" else (Fraction(0), value)))

    def is_cut_from(self, number: Fraction) -> bool:
        """Whether a number prints as these digits if its further digits are cut off, not rounded."""
        has_same_sign = (number < 0) == self.text.startswith("-")
        return has_same_sign and abs(self.value) <= abs(number) < abs(self.value) + (self.high - self.low)


# Exact numbers in arrays: ratios of whole numbers, compared by cross-multiplication.
#
# With the denominator 0, a ratio is infinite with the sign of its numerator, or 0/0. These have no value: 0/0, 0 times
# an infinite number, a ratio of two infinite numbers, and a sum of two with unlike signs. 1/(x - y) has no value if x
# equals y, because the sign could be either. Products too large for 64 bits use Python's integers.
#
# A measure with a square root is kept as the ratio below the root, with a scale of the catalogue. Such a measure can be
# compared exactly with any number. In a sum or product it may only occur squared, and only if it is the root itself.
#
# Logarithms are rounded, and so are all numbers computed from them. Two numbers that differ by less than their errors
# count as equal, but prove and refute nothing.
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne
}  # fmt: skip
_LOG_DIGITS = 40
_MAX_PRODUCT = 2**62  # the sum of two such products still fits into 64 bits


@dataclass(frozen=True)
class TruthValues:
    """The cases in which a condition is true, and the cases in which it is false. In all others it is undefined."""

    true: np.ndarray
    false: np.ndarray
    # The cases in which the condition compares numbers that differ by less than their errors.
    rounded: Any = np.False_

    @property
    def is_defined(self) -> np.ndarray:
        return np.asarray(self.true | self.false)

    def __and__(self, other: TruthValues) -> TruthValues:
        return TruthValues(self.true & other.true, self.false | other.false, self.rounded | other.rounded)

    def __invert__(self) -> TruthValues:
        return TruthValues(self.false, self.true, self.rounded)


@dataclass(frozen=True, eq=False)
class Ratios:
    """Ratios of whole numbers: a number for each case in an array, or the same number for all cases."""

    numerator: Any
    denominator: Any = 1  # never negative; 0 if the number is infinite or has no value
    scale: Scale = RATIO_SCALE  # the scale of a measure, such as a square root, which is applied to the ratio
    is_signed: bool = False  # whether the number can be negative, such as a difference
    error: Ratios | None = None  # the relative error of a logarithm, or of an area computed with logarithms

    @classmethod
    def constant(cls, number: Fraction | int) -> Ratios:
        """Make a number that is the same in all cases."""
        return cls(*number.as_integer_ratio())

    @property
    def is_defined(self) -> Any:
        return np.not_equal(self.denominator, 0) | np.not_equal(self.numerator, 0)

    def repeat_cases(self, repeat: Callable[[Any], Any]) -> Ratios:
        """Repeat the numbers by a function such as `np.tile` of an array."""
        error = None if self.error is None else self.error.repeat_cases(repeat)
        numerator, denominator = repeat(self.numerator), repeat(self.denominator)
        return replace(self, numerator=numerator, denominator=denominator, error=error)

    def fractions(self) -> list[Fraction | None]:
        """List the ratios as fractions, without the scale; None for a number that is infinite or has no value."""
        arrays = np.broadcast_arrays(self.numerator, self.denominator)
        pairs = zip(*(np.ravel(array).tolist() for array in arrays), strict=True)
        return [Fraction(above, below) if below else None for above, below in pairs]

    def first_number(self) -> Fraction | None:
        """Return the first number, on a scale as the nearest float; None if infinite or without a value."""
        if self.scale == RATIO_SCALE:
            return self.fractions()[0]
        above, below = (np.ravel(array)[:1].astype(float) for array in (self.numerator, self.denominator))
        with np.errstate(divide="ignore", invalid="ignore"):
            [number] = self.scale.values(above, below)
        return Fraction(number) if np.isfinite(number) else None

    def __add__(self, other: Ratios) -> Ratios:
        left, right = self._cross_multiply(other)
        if any(isinstance(part, int) and abs(part) >= _MAX_PRODUCT for part in (left, right)):
            left = np.asarray(left).astype(object)
        total = self._combine_with(other, left + right, exact_product(self.denominator, other.denominator))
        if total.error is None:
            return total
        absolute_error = self._absolute_error + other._absolute_error
        error = absolute_error / replace(abs(total), error=None)
        # If both numbers are exact, the relative error is 0, even if the sum is 0.
        denominator = np.where(absolute_error.numerator, error.denominator, 1)
        return replace(total, error=replace(error, denominator=denominator))

    def __sub__(self, other: Ratios) -> Ratios:
        return replace(self + replace(other, numerator=-other.numerator), is_signed=True)

    def __mul__(self, other: Ratios) -> Ratios:
        numerator = exact_product(self.numerator, other.numerator)
        return self._combine_with(other, numerator, exact_product(self.denominator, other.denominator))

    def __rmul__(self, factor: int) -> Ratios:
        return Ratios(factor) * self

    def __truediv__(self, other: Ratios) -> Ratios:
        sign = np.where(np.less(other.numerator, 0), -1, 1)
        numerator = exact_product(exact_product(self.numerator, other.denominator), sign)
        if other.is_signed:
            numerator = exact_product(numerator, np.not_equal(other.numerator, 0))
        return self._combine_with(other, numerator, exact_product(self.denominator, abs(other.numerator)))

    def _combine_with(self, other: Ratios, numerator: Any, denominator: Any) -> Ratios:
        """Return a result of two numbers, with the sum of both relative errors."""
        errors = [ratios.error for ratios in (self, other) if ratios.error is not None]
        error = functools.reduce(operator.add, errors) if errors else None
        return Ratios(numerator, denominator, is_signed=self.is_signed or other.is_signed, error=error)

    @property
    def _absolute_error(self) -> Ratios:
        return Ratios(0) if self.error is None else replace(abs(self), error=None) * self.error

    def log(self) -> Ratios:
        """Return the natural logarithms, to `_LOG_DIGITS` digits, without a value for numbers that are not positive."""
        logarithms = np.array(list(map(_log_ratio, self.fractions())), dtype=object).reshape(-1, 2)
        numerator, denominator = logarithms.T
        error = Ratios(1, 10 ** (_LOG_DIGITS - 2))
        if self.error is not None:
            error += self.error / Ratios(abs(numerator), denominator)
        return Ratios(numerator, denominator, is_signed=True, error=error)

    def __abs__(self) -> Ratios:
        return replace(self, numerator=abs(self.numerator), scale=RATIO_SCALE, is_signed=False)

    def choose(self, symbol: str, other: Ratios) -> Ratios:
        """Choose the smaller (``<=``) or greater (``>=``) of two numbers, without a value if either has none."""
        is_first = COMPARISONS[symbol](*self._cross_multiply(other))
        is_defined = self.is_defined & other.is_defined
        # Numerator and denominator are chosen together, so that denominators do not multiply.
        numerator = np.where(is_first, self.numerator, other.numerator)
        denominator = np.where(is_first, self.denominator, other.denominator)
        numerator, denominator = (exact_product(part, is_defined) for part in (numerator, denominator))
        return self._combine_with(other, numerator, denominator)

    def to_scale(self, scale: Scale) -> Ratios:
        """Return the ratios whose values on an increasing scale are these numbers."""
        if scale == ROOT_SCALE:
            return self * abs(self)
        if self.error is not None:
            raise ValueError("a logarithm can only be compared with a ratio or a square root.")
        above, below = scale.ratio_of(Ratios(self.numerator), Ratios(self.denominator))
        return Ratios(above.numerator, below.numerator)

    def _cross_multiply(self, other: Ratios) -> tuple[Any, Any]:
        """Return two whole numbers that compare and add up as the two ratios do; signs for two infinite ratios."""
        left = exact_product(self.numerator, other.denominator)
        right = exact_product(other.numerator, self.denominator)
        are_infinite = np.equal(self.denominator, 0) & np.equal(other.denominator, 0)
        if are_infinite.any():
            sign, other_sign = np.sign(self.numerator), np.sign(other.numerator)
            left = np.where(are_infinite, sign * abs(other_sign), left)
            right = np.where(are_infinite, other_sign * abs(sign), right)
        return left, right

    @staticmethod
    def compare(symbols: Sequence[str], sides: Sequence[Ratios]) -> TruthValues:
        """Evaluate a chain of comparisons, such as ``0 < x <= 1``, in each case; undefined if a side has no value."""
        is_defined = functools.reduce(np.logical_and, (side.is_defined for side in sides))
        holds: Any = True
        rounded: Any = np.False_
        for symbol, *pair in zip(symbols, sides, sides[1:], strict=False):
            first, second = on_one_scale(*pair)
            left, right = first._cross_multiply(second)
            if first.error is not None or second.error is not None:
                distance = replace(abs(first - second), error=None)
                errors = first._absolute_error + second._absolute_error
                is_within_errors = ~Ratios.compare([">="], [distance, errors]).true
                right, rounded = np.where(is_within_errors, left, right), rounded | is_within_errors
            holds = np.logical_and(holds, COMPARISONS[symbol](left, right))
        return TruthValues(is_defined & holds, is_defined & ~holds, is_defined & rounded)


def on_one_scale(first: Any, second: Any) -> tuple[Any, Any]:
    """Return two ratios that compare as the numbers do; ValueError if both have square roots of different kinds."""
    scales = {number.scale for number in (first, second)} - {RATIO_SCALE}
    if len(scales) > 1:
        raise ValueError("measures with square roots of different kinds cannot be compared.")
    for scale in scales:
        first, second = (
            number.to_scale(scale) if number.scale == RATIO_SCALE else replace(number, scale=RATIO_SCALE)
            for number in (first, second)
        )
    return first, second


@functools.lru_cache(maxsize=2**19)  # many cases share their ratios
def _log_ratio(number: Fraction | None) -> tuple[int, int]:
    """Return a rounded logarithm as a numerator and a denominator; (0, 0) if the number is not positive."""
    if number is None or number <= 0:
        return 0, 0
    with localcontext(prec=_LOG_DIGITS):
        return (Decimal(number.numerator) / number.denominator).ln().as_integer_ratio()


def exact_product(first: Any, second: Any) -> Any:
    """Multiply whole numbers, or arrays of them, in Python's integers if 64 bits might not hold the product."""
    if _largest_magnitude(first) * _largest_magnitude(second) >= _MAX_PRODUCT:
        first = np.asarray(first).astype(object)
    return first * second


def _largest_magnitude(numbers: Any) -> int:
    """Return the largest absolute value, at least 1. Arrays of Python's integers hold any product and give 1."""
    is_exact = isinstance(numbers, np.ndarray) and numbers.dtype == object
    return 1 if is_exact else int(np.max(abs(numbers), initial=1))
