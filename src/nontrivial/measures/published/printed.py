"""Numbers as they are printed, and what a printed error rate is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral

from nontrivial._validation import show
from nontrivial.numerals import decimals_of, is_decimal

# Numbers as they are printed: a value, and all the values that round to it.


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


# What a printed error rate is worth: its Prediction Advantage, and what the printed digits leave open.


@dataclass(frozen=True)
class PublishedAdvantage:
    """What follows from a printed error rate.

    Attributes
    ----------
    error : float in [0, 1]
        The error rate as printed, or 1 - the accuracy as printed.
    error_low, error_high : float in [0, 1]
        The ends of the rates that are printed so; both ends belong to them.
    trivial_error : float in (0, 1/2]
        The share of the minority class, which is the error of always predicting the other.
    advantage, low, high : float in (-inf, 1]
        Prediction Advantage at the printed rate, and its least and greatest value over the rounding interval.
    sign_certain : bool
        Whether the Prediction Advantage has one sign (positive, negative) throughout that interval.
    possible : bool
        Whether some whole number of errors among the n cases gives a rate that is printed so.
    errors : (int, int) or None
        The least and the greatest such number of errors; None if there is none.
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

    A printed rate stands for all rates that round to it: "0.3" for 0.25 to 0.35, "0.30" for 0.295 to 0.305.
    Both ends belong to the interval, since a tie may have been rounded either way. The arithmetic is exact.

    Parameters
    ----------
    error, accuracy : str, float or decimal.Decimal in [0, 1]
        Exactly one of them, as a share, not in percent. A string keeps its trailing zeros.
    digits : int, optional
        The number of printed decimals; by default those of the number as written, so that the float 0.30 has
        one.
    positives : int
        Cases of either of the two classes; at least 1.
    n : int
        All cases; greater than `positives`.

    Returns
    -------
    PublishedAdvantage
        A record with `advantage`, `low`, `high`, `sign_certain`, `possible` and the rates and counts behind
        them.

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
    An error of 0.273 on 306 cases, 81 of them in the minority, which is 0.265:

    >>> record = published_advantage(error="0.273", positives=81, n=306)
    >>> round(record.advantage, 4), record.sign_certain
    (-0.0313, True)

    No number of errors among 306 cases is printed as 0.273:

    >>> record.possible
    False
    """
    rates = {"error": error, "accuracy": accuracy}
    given = [(name, rate) for name, rate in rates.items() if rate is not None]
    if len(given) != 1:
        raise ValueError("Give exactly one of error and accuracy.")
    positives, n = check_counts(positives, n)
    minority = Fraction(min(positives, n - positives), n)
    [(name, printed)] = given
    rate, half_unit = read_printed(printed, digits, name)
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} is {show(printed)}; it must lie in [0, 1] (a share, not a percentage).")
    if name == "accuracy":
        rate = 1 - rate
    low, high = max(rate - half_unit, Fraction(0)), min(rate + half_unit, Fraction(1))
    fewest, most = math.ceil(low * n), math.floor(high * n)
    advantage, advantage_low, advantage_high = (1 - each / minority for each in (rate, high, low))
    return PublishedAdvantage(
        error=float(rate),
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
