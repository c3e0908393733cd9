"""Numbers as documents print them, with the ends between which they may lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_PRINTED_NUMBER = re.compile(r"-?[0-9]+(?:\.([0-9]+)|/[1-9][0-9]*)?")


@dataclass(frozen=True)
class PrintedNumber:
    """A number as printed, and the ends between which it may lie: 1/4 and 7/20 for 0.3, as rules differ at a half."""

    text: str
    value: Fraction
    low: Fraction
    high: Fraction

    @classmethod
    def parse(cls, text: str) -> PrintedNumber:
        """Parse a decimal, an exact fraction, or ``<= 0.7`` for all shares on that side; else raise ValueError."""
        side, _, digits = text.rpartition(" ")
        match = _PRINTED_NUMBER.fullmatch(digits)
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


def is_printed_number(text: str) -> bool:
    """Whether a text is a decimal or a fraction, such as -0.02 or 7/15."""
    return _PRINTED_NUMBER.fullmatch(text) is not None
