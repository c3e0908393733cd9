"""Parse the numbers that papers print; each stands for all numbers that round to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from nontrivial.numerals import DECIMAL_NUMBER
from nontrivial.terminal import shorten

Printed = float | str | Decimal
ExactOrInfinite = Fraction | float  # a float is an infinity
Bounds = tuple[ExactOrInfinite, ExactOrInfinite]
SHARE_BOUNDS: Bounds = (Fraction(0), Fraction(1))
MAX_NUMBER_LENGTH = 50  # characters
FOOTNOTE_MARKS = " *\u2020\u2021\u00a7#"
# Journals print decimal points, minus signs and limits with these characters.
_PLAIN_SIGNS = str.maketrans("\u00b7\u2212\u2264\u2265", ".-<>")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
SPREAD_PATTERN = re.compile(r"(?:\u00b1|\+/-|\+-)\s*[0-9.]+")
_NUMBER_PATTERN = re.compile(
    rf"(?P<limit>[<>]?)=?\s*(?P<number>{DECIMAL_NUMBER.pattern})"
    rf"(?P<beside>\s*%?\s*(?:{SPREAD_PATTERN.pattern}\s*%?)?\s*(?:(?:{_BRACKETS.pattern})\s*%?)?)\s*"
)


class ImpossibleNumber(ValueError):
    """A printed number outside the range of its score, or counts that no table has."""


@dataclass(frozen=True)
class RoundingInterval:
    """The numbers from `low` to `high` that round to the printed `value`. A tie may be rounded up or down."""

    low: ExactOrInfinite
    high: ExactOrInfinite
    value: Fraction
    name: str  # the score, as errors call it
    is_limit: bool = False  # printed after < or >
    unit: Fraction = Fraction(0)  # the value of 1 in the last digit: 1/100 for two decimals

    def complement(self) -> RoundingInterval:
        """Return the interval of 1 - score."""
        return replace(self, low=1 - self.high, high=1 - self.low, value=1 - self.value)

    def as_cut_off(self) -> RoundingInterval:
        """Return the interval of numbers that are printed as `value` if digits are cut off: 0.866 for 0.8666."""
        # The interval ends just before the next printed number. No table of up to 10^9 cases has a value in this gap,
        # because the denominators of values, and of their squares, are below 10^40.
        reach = self.unit - self.unit**2 / 10**60
        may_be_negative = self.value < 0 or (self.value == 0 and self.low < 0)
        return replace(
            self,
            low=self.value - reach if may_be_negative else self.value,
            high=self.value if self.value < 0 else self.value + reach,
        )


def parse_printed(
    printed: Printed, name: str, bounds: Bounds = SHARE_BOUNDS, *, may_be_limit: bool = True
) -> RoundingInterval:
    """Parse a printed number, such as 0.91, 91%, <0.1, 0.91 +- 0.02 or 0.91 (0.88-0.94).

    Raise ImpossibleNumber if the number lies outside the bounds of the score, and ValueError if the text has no number.
    """
    text = str(printed)  # for a float: the shortest decimal, as its author wrote it
    match = _NUMBER_PATTERN.fullmatch(text.strip(FOOTNOTE_MARKS).translate(_PLAIN_SIGNS))
    if match is None or len(match["number"]) > MAX_NUMBER_LENGTH:
        raise ValueError(
            f"{name} is {shorten(text, 60)!r}; it must be a number with a decimal point, such as 0.91 or 91%."
        )
    limit, number = match["limit"], Decimal(match["number"])
    if limit and not may_be_limit:
        raise ValueError(f"{name} is {text!r}; it must be a number, not a limit.")
    scale = 100 if "%" in _BRACKETS.sub("", match["beside"]) else 1
    value = Fraction(number) / scale
    unit = Fraction(1, scale * 10 ** max(0, -int(number.as_tuple().exponent)))
    least, greatest = bounds
    if not least <= value <= greatest:
        rule = f"a number from {float(least):g} to {float(greatest):g}"
        if least >= 0 and greatest <= 1:
            percentages = f"a percentage with its sign, from {float(least):.0%} to {float(greatest):.0%}"
            rule = f"a share from {float(least):g} to {float(greatest):g}, or {percentages}"
        raise ImpossibleNumber(f"{name} is {shorten(text, 60)!r}; it must be {rule}.")
    low: ExactOrInfinite = max(least, value - unit / 2)
    high: ExactOrInfinite = min(greatest, value + unit / 2)
    if limit == "<":
        low, high = least, value
    elif limit == ">":
        low, high = value, greatest
    return RoundingInterval(low, high, value, name, is_limit=bool(limit), unit=unit)
