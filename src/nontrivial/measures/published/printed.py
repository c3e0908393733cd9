"""Numbers as they are printed: a value, and all the values that round to it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral

from nontrivial._validation import show
from nontrivial.numerals import decimals_of, is_decimal

Printed = float | str | Decimal
MOST_CHARACTERS = 50  # of a printed number
MOST_CASES = 10**15  # up to here, every count is exact as a float


def read_printed(printed: Printed, digits: int | None, name: str) -> tuple[Fraction, Fraction]:
    """Return a printed number, exactly, and half a unit of its last decimal.

    Parameters
    ----------
    printed : str, float or decimal.Decimal
        The number. A float is taken as the shortest decimal that means it, which is what someone wrote.
    digits : int or None
        The number of decimals, trailing zeros included; None takes those that are written.
    name : str
        What to call the number in an error.
    """
    text = str(printed).strip()
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


def read_range(printed: Printed, name: str) -> tuple[Fraction | None, Fraction | None]:
    """Return the least and the greatest number that is printed so; None where there is no limit.

    Both ends belong to the range, since a tie may have been rounded either way. A text that begins with ``<`` or ``>``,
    or ``<=`` or ``>=``, gives a limit.

    Examples
    --------
    >>> read_range("0.3", "error"), read_range(">0.3", "error")
    ((Fraction(1, 4), Fraction(7, 20)), (Fraction(3, 10), None))
    """
    text = str(printed).strip()
    number = text[1:].removeprefix("=") if text[:1] in ("<", ">") else printed
    value, half_unit = read_printed(number, None, name)
    if text.startswith("<"):
        return None, value
    return (value, None) if text.startswith(">") else (value - half_unit, value + half_unit)


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
