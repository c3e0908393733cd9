"""The different cells of a column as numbers: the decimal mark, thousands, percentages, and missing numbers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.numerals import number_in, numbers_in

PERCENTAGES, UNSIGNED = "percentages", "numbers without %"


class NumberCells(NamedTuple):
    """What the different cells of a column are as numbers; the arrays have a place for each of them."""

    numerals: list[str]  # without blanks around them, and without the sign of percent
    numbers: Floats  # percentages as shares; NaN if a cell is missing or not a number
    is_missing: Mask
    is_number: Mask  # under either decimal mark
    is_odd: Mask  # neither missing nor a number, or written unlike most cells, such as 3 beside 12%
    usual: str  # what most cells are
    decimal: str | None  # None if the cells do not tell it
    has_thousands: bool
    are_percentages: bool


def read_number_cells(cells: Sequence[str], counts: Ints, decimal: str | None = None) -> NumberCells:
    """Read the different cells of a column as numbers; `counts` are how often each of them occurs.

    Examples
    --------
    >>> cells = read_number_cells(["0,5", "1.234,5", "?"], np.array([1, 1, 1]))
    >>> cells.numbers, cells.decimal, cells.has_thousands
    (array([5.0000e-01, 1.2345e+03,        nan]), ',', True)
    """
    texts = [cell.strip() for cell in cells]
    numerals = [text.removesuffix("%").rstrip() or text for text in texts]
    read, mark = numbers_in(numerals, decimal)
    numbers: Floats = np.array(read, dtype=np.float64)  # NaN for None
    is_odd = np.array([number is None for number in read], dtype=bool)
    is_missing = np.isnan(numbers) & ~is_odd
    is_number = ~is_missing & ~is_odd
    for place in np.flatnonzero(is_odd):
        is_number[place] = any(number_in(numerals[place], mark) is not None for mark in ".,")
    has_sign = ~is_missing & np.array([a != b for a, b in zip(texts, numerals, strict=True)], dtype=bool)
    usual = "numbers" if decimal is None else f"numbers with the decimal mark {decimal!r}"
    n_signs, n_cells = counts[has_sign].sum(), counts[~is_missing].sum()
    if not is_odd.any() and 0 < n_signs < n_cells:
        most_have_signs = 2 * n_signs > n_cells
        is_odd = ~is_missing & (has_sign != most_have_signs)
        usual = PERCENTAGES if most_have_signs else UNSIGNED
    numbers[has_sign] /= 100
    plain = set("0123456789eE+-\N{MINUS SIGN}") | {mark}
    has_thousands = any(not plain.issuperset(numerals[place]) for place in np.flatnonzero(is_number))
    return NumberCells(
        numerals, numbers, is_missing, is_number, is_odd, usual, mark, has_thousands, bool(n_signs)
    )


def both_readings(numeral: str) -> str:
    """Return what a numeral is with a decimal point or with a decimal comma, such as 1234 or 1.234."""
    return " or ".join(f"{number_in(numeral, mark):.15g}" for mark in ".,")
