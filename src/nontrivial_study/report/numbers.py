"""Numbers as people read them: few digits, and never so few that they say something else."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction

from nontrivial.claims.sentences import number_text

DIGITS = 4  # significant digits on the page
# Of what stands above or below the line of a fraction that a reader still takes in.
_LARGEST_PART = 10**DIGITS
_WRITTEN = 12  # significant digits from which a number is cut


def round_number(text: str) -> tuple[str, bool]:
    """Round a number's text to four significant digits; a whole number stays whole.

    Returns
    -------
    (str, bool)
        The text to show, and whether it says less than the one given.

    Examples
    --------
    >>> round_number("0.0380000001"), round_number("25980")
    (('0.038', True), ('25980', False))
    >>> round_number("0.999973671739")[0], round_number("4997.5")[0]  # 1.000 says that it is rounded
    ('1.000', '4998')
    """
    if not text or not math.isfinite(float(text)) or float(text).is_integer():
        return text, False
    value = float(text)
    short = f"{value:.{DIGITS}g}"
    if float(short).is_integer():
        short = f"{value:.{max(0, DIGITS - len(str(abs(int(float(short))))))}f}"
    return short, short != text


def cut_number(number: Fraction) -> str:
    """Write a number, cutting what follows its first four digits off, with an ellipsis; a whole part stays whole.

    Cutting off keeps a number on its side of every shorter one, which rounding does not: 0.49999999 is less than
    1/2, and 0.4999… still looks it.

    Examples
    --------
    >>> cut_number(Fraction(7, 15)), cut_number(Fraction(19, 20)), cut_number(Fraction(1333200, 34396597))
    ('0.4666… (7/15)', '0.95', '0.03875…')
    """
    with localcontext(prec=_WRITTEN):
        value = (Decimal(number.numerator) / Decimal(number.denominator)).normalize()
    kept = max(DIGITS, value.adjusted() + 1)
    if number.denominator == 1 or len(value.as_tuple().digits) <= kept:
        return number_text(number)
    with localcontext(prec=kept, rounding=ROUND_DOWN):
        exact = f" ({number})" if _is_short(number) else ""
        return f"{+value:f}…{exact}"


def cut_digits(text: str) -> str:
    """Write a number as it is written, but for decimals after its first four digits.

    Examples
    --------
    >>> cut_digits("0.2742"), cut_digits("0.27425"), cut_digits("25980")
    ('0.2742', '0.2742…', '25980')
    """
    is_long = "." in text and len(text.replace(".", "").lstrip("0")) > DIGITS
    return cut_number(Fraction(text)).partition(" ")[0] if is_long else text


def cut_value(text: str) -> str:
    """Write a measure's value likewise, but keep a short fraction as it is, and what is no number, too.

    Examples
    --------
    >>> cut_value("1/3"), cut_value("1333200/34396597"), cut_value("sqrt(2)")
    ('1/3', '0.03875…', 'sqrt(2)')
    """
    try:
        number = Fraction(text)
    except ValueError:
        return text
    return text if _is_short(number) else cut_number(number)


def percent(share: float) -> str:
    """Write a share as a percentage of at most three significant digits.

    Examples
    --------
    >>> percent(0.2192).split(), percent(0).split()  # joined by a space that does not break
    (['21.9', '%'], ['0', '%'])
    """
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def _is_short(number: Fraction) -> bool:
    return bool(max(abs(number.numerator), number.denominator) < _LARGEST_PART)
