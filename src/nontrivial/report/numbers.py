"""Numbers as people read them: few digits, and never so few that they say something else."""

from __future__ import annotations

import math
import re

DIGITS = 4  # significant digits on the page
_SPARED = 3  # digits that are worth cutting off; fewer cost less room than the ellipsis that stands for them
_LONG_FRACTION = 12  # characters of an exact fraction that a reader still takes in
_DECIMAL = re.compile(r"(?<![\w.,/])(-?)(\d+)\.(\d+)(?!\.?\w)(?: \((-?\d+/\d+)\))?")


def round_number(text: str) -> tuple[str, bool]:
    """Round a number's text to four significant digits, or to as many more as it needs not to look whole.

    Returns
    -------
    (str, bool)
        The text to show, and whether it says less than the one given.

    Examples
    --------
    >>> round_number("0.0380000001"), round_number("25980")
    (('0.038', True), ('25980', False))
    >>> round_number("0.999973671739")[0], round_number("4997.5")[0]
    ('0.99997', '4997.5')
    """
    if not text or not math.isfinite(float(text)) or float(text).is_integer():
        return text, False
    short = next(
        short for digits in range(DIGITS, 18) if not float(short := f"{float(text):.{digits}g}").is_integer()
    )
    return short, short != text


def cut_numbers(text: str, beside: str = "") -> str:
    """Cut long decimals in a text off after their first digits, with an ellipsis.

    Cutting off keeps a number on its side of every shorter one, which rounding does not: 0.49999999 is less than
    1/2, and 0.4999… still looks it.

    Parameters
    ----------
    text : str
    beside : str
        Text that it is read against: one digit more is kept than the longest number there has.

    Examples
    --------
    >>> cut_numbers("0.466666666667 (7/15)"), cut_numbers("0.95"), cut_numbers("0.03875964822 (1333200/34396597)")
    ('0.4666… (7/15)', '0.95', '0.03875…')
    >>> cut_numbers("0.466666666667", beside="0.46667")
    '0.466666…'
    """
    wanted = max([DIGITS, *(_significant(*match.group(2, 3)) + 1 for match in _DECIMAL.finditer(beside))])

    def cut(match: re.Match[str]) -> str:
        sign, whole, decimals, fraction = match.groups()
        if _significant(whole, decimals) < wanted + _SPARED:
            return match[0]
        leading = len(decimals) - len(decimals.lstrip("0")) if whole.strip("0") == "" else -len(whole)
        kept = decimals[: max(leading + wanted, 1)]
        exact = f" ({fraction})" if fraction and len(fraction) <= _LONG_FRACTION else ""
        return f"{sign}{whole}.{kept}…{exact}"

    return _DECIMAL.sub(cut, text)


def percent(share: float) -> str:
    """Write a share as a percentage of at most three significant digits.

    Examples
    --------
    >>> percent(0.2192).split(), percent(0).split()  # joined by a space that does not break
    (['21.9', '%'], ['0', '%'])
    """
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def _significant(whole: str, decimals: str) -> int:
    return len((whole + decimals).lstrip("0"))
