"""Numbers as they are printed, whose digits say how far they are rounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

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
