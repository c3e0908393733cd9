"""Numbers as they are printed, and what a printed error rate is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Ints
from nontrivial._validation import show
from nontrivial.numerals import decimals_of, is_decimal

Printed = float | str | Decimal
Limit = Fraction | None  # None is no limit
MOST_CHARACTERS = 50  # of a printed number
MOST_CASES = 10**15  # up to here, every count is exact as a float


class Interval(NamedTuple):
    """The least and the greatest number that is printed so; both belong to it, as a tie may be rounded either way."""

    low: Limit
    high: Limit

    @property
    def middle(self) -> Fraction:
        """The printed number itself, which may be a limit."""
        ends = [end for end in self if end is not None]
        return sum(ends, Fraction(0)) / len(ends)

    def complement(self) -> Interval:
        """Return the interval of one minus the number."""
        return Interval(*(None if end is None else 1 - end for end in (self.high, self.low)))

    def cut(self, least: Fraction | float, greatest: Fraction | float) -> tuple[Fraction, Fraction]:
        """Return both ends within the range of a score."""
        low = least if self.low is None else max(self.low, least)
        high = greatest if self.high is None else min(self.high, greatest)
        return low, high  # type: ignore[return-value]  # unless a score has no end


def read_interval(printed: Printed, name: str, *, unit: int = 1) -> Interval:
    """Return what a printed number stands for, or a limit such as ``<0.3``; a percentage has a `unit` of 100.

    Examples
    --------
    >>> read_interval("0.3", "error"), read_interval(">0.3", "error")
    (Interval(low=Fraction(1, 4), high=Fraction(7, 20)), Interval(low=Fraction(3, 10), high=None))
    """
    text = str(printed).strip()
    sign = text[:1] if text[:1] in ("<", ">") else ""
    number = text[1:].removeprefix("=") if sign else printed
    value, half_unit = (each / unit for each in _read_number(number, name))
    if sign:
        return Interval(None, value) if sign == "<" else Interval(value, None)
    return Interval(value - half_unit, value + half_unit)


def _read_number(printed: Printed, name: str, digits: int | None = None) -> tuple[Fraction, Fraction]:
    """Return a printed number and half a unit of its last decimal, which is that of `digits`, if they are given."""
    text = str(printed).strip()  # of a float, the shortest decimal that means it, which is what someone wrote
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"{name} has {len(text):,} characters; at most {MOST_CHARACTERS} are allowed.")
    if not is_decimal(text):
        hint = " with a decimal point" if is_decimal(text.replace(",", ".")) else ""
        raise ValueError(f"{name} is {show(printed)}; it must be a number{hint}.")
    value = Decimal(text)
    if digits is None:
        digits = decimals_of(value)
    elif not isinstance(digits, Integral) or isinstance(digits, bool) or digits < 0:
        raise ValueError(f"digits is {show(digits)}; it must be a whole number of 0 or greater.")
    elif Fraction(value) * 10 ** int(digits) % 1:
        raise ValueError(
            f"{name} is {show(printed)}, which has more than the {digits} decimals that digits states."
        )
    return Fraction(value), Fraction(1, 2 * 10 ** int(digits))


def check_counts(positives: int, n: int) -> tuple[int, int]:
    """Return the numbers of positives and of all cases; both classes must have cases."""
    for name, count in {"positives": positives, "n": n}.items():
        if not isinstance(count, Integral) or isinstance(count, bool):
            raise ValueError(f"{name} is {show(count)}; it must be a whole number.")
    if abs(positives) > MOST_CASES or abs(n) > MOST_CASES:
        raise ValueError(f"positives and n must be at most {MOST_CASES:,}; one of them is greater.")
    if not 0 < positives < n:
        raise ValueError(f"positives is {positives} of n = {n} cases; both classes must have at least one.")
    return int(positives), int(n)


def whole_numbers(values: Any, dimensions: int) -> Ints | None:
    """Return an array of whole numbers of at least 0; None if it is none, or has other dimensions."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        return None
    is_one = array.ndim == dimensions and array.dtype.kind in "iu" and array.size
    return array if is_one and array.min() >= 0 else None


@dataclass(frozen=True)
class PublishedAdvantage:
    """What follows from a printed error rate.

    Attributes
    ----------
    error, error_low, error_high : float in [0, 1]
        The error rate as printed, or one minus the accuracy, and the ends of the rates that are printed so.
    trivial_error : float in (0, 1/2]
        The share of the minority class, which is the error of always predicting the other.
    advantage, low, high : float in (-inf, 1]
        Prediction Advantage at the printed rate, and its least and greatest value over the rounding interval.
    sign_certain : bool
        Whether it is positive, or negative, throughout that interval.
    possible : bool
        Whether some whole number of errors among the n cases is printed so.
    errors : (int, int) or None
        The least and the greatest such number; None if there is none.
    """

    error: float
    error_low: float
    error_high: float
    trivial_error: float
    advantage: float
    low: float
    high: float
    sign_certain: bool
    possible: bool
    errors: tuple[int, int] | None


def published_advantage(
    *,
    error: Printed | None = None,
    accuracy: Printed | None = None,
    digits: int | None = None,
    positives: int,
    n: int,
) -> PublishedAdvantage:
    """Compute the Prediction Advantage of a published 0/1 error, with what its printed digits leave open.

    "0.3" stands for 0.25 to 0.35, and "0.30" for 0.295 to 0.305, both ends included. The arithmetic is exact.

    Parameters
    ----------
    error, accuracy : str, float or decimal.Decimal in [0, 1]
        Exactly one of them. A string keeps its trailing zeros.
    digits : int, optional
        The number of printed decimals; by default those of the number as written, so that the float 0.30 has one.
    positives, n : int
        Cases of either of the two classes, and all cases.

    Returns
    -------
    PublishedAdvantage

    Raises
    ------
    ValueError
        If not exactly one of `error` and `accuracy` is given, it is not a number in [0, 1] or has more decimals
        than `digits`, or the counts leave a class empty.

    References
    ----------
    PA paper, sections 2.4 and appendix A.

    Examples
    --------
    An error of 0.273 on 306 cases, 81 of them in the minority, which is 0.265; no number of errors is printed so:

    >>> record = published_advantage(error="0.273", positives=81, n=306)
    >>> round(record.advantage, 4), record.sign_certain, record.possible
    (-0.0313, True, False)
    """
    if (error is None) == (accuracy is None):
        raise ValueError("Give exactly one of error and accuracy.")
    positives, n = check_counts(positives, n)
    name = "error" if accuracy is None else "accuracy"
    printed: Any = error if accuracy is None else accuracy
    rate, half_unit = _read_number(printed, name, digits)
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} is {show(printed)}; it must lie in [0, 1] (a share, not a percentage).")
    interval = Interval(rate - half_unit, rate + half_unit)
    return advantage_of_error(interval.complement() if name == "accuracy" else interval, positives, n)


def advantage_of_error(error: Interval, positives: int, n: int) -> PublishedAdvantage:
    """Return what `published_advantage` does, from the rounding interval of an error rate."""
    minority = Fraction(min(positives, n - positives), n)
    low, high = error.cut(Fraction(0), Fraction(1))
    fewest, most = math.ceil(low * n), math.floor(high * n)
    advantage, advantage_low, advantage_high = (1 - each / minority for each in (error.middle, high, low))
    return PublishedAdvantage(
        error=float(error.middle),
        error_low=float(low),
        error_high=float(high),
        trivial_error=float(minority),
        advantage=float(advantage),
        low=float(advantage_low),
        high=float(advantage_high),
        sign_certain=advantage_low > 0 or advantage_high < 0,
        possible=fewest <= most,
        errors=(fewest, most) if fewest <= most else None,
    )
