"""The different cells of a column as numbers: the decimal mark, thousands, percentages, and missing numbers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.numerals import number_in, numbers_in

PERCENTAGES, UNSIGNED = "percentages", "numbers without %"


class NumberCells(NamedTuple):
    """The different cells of a column as numbers; arrays have an element for each cell, NaN if it is not a number.

    A numeral is a text without blanks and the sign %, and percentages are shares. A cell is odd if it is neither
    missing nor a number, or is written unlike most cells, which messages call `usual`: 3 beside 12%. A number may have
    either decimal mark; `decimal` is None if the cells do not tell it.
    """

    numerals: list[str]
    numbers: Floats
    is_missing: Mask
    is_number: Mask
    is_odd: Mask
    usual: str
    decimal: str | None
    has_thousands: bool
    are_percentages: bool


def read_number_cells(cells: Sequence[str], counts: Ints, decimal: str | None = None) -> NumberCells:
    """Read the different cells of a column as numbers; `counts` are the rows with each of them.

    Examples
    --------
    >>> cells = read_number_cells(["0,5", "1.234,5", "?"], np.array([1, 1, 1]))
    >>> cells.numbers, cells.decimal, cells.has_thousands
    (array([5.0000e-01, 1.2345e+03,        nan]), ',', True)
    """
    texts = [cell.strip() for cell in cells]
    numerals = [text.removesuffix("%").rstrip() or text for text in texts]
    values, mark = numbers_in(numerals, decimal)
    numbers: Floats = np.array(values, dtype=np.float64)  # NaN for None
    is_odd = np.array([value is None for value in values], dtype=bool)
    is_missing = np.isnan(numbers) & ~is_odd
    is_number = ~is_missing & ~is_odd
    for index in np.flatnonzero(is_odd):
        is_number[index] = any(number_in(numerals[index], other_mark) is not None for other_mark in ".,")
    has_sign = ~is_missing & np.array([a != b for a, b in zip(texts, numerals, strict=True)], dtype=bool)
    usual = "numbers" if decimal is None else f"numbers with the decimal mark {decimal!r}"
    n_signs, n_cells = counts[has_sign].sum(), counts[~is_missing].sum()
    if not is_odd.any() and 0 < n_signs < n_cells:
        most_have_signs = 2 * n_signs > n_cells
        is_odd = ~is_missing & (has_sign != most_have_signs)
        usual = PERCENTAGES if most_have_signs else UNSIGNED
    numbers[has_sign] /= 100
    plain = set("0123456789eE+-\N{MINUS SIGN}") | {mark}
    has_thousands = any(not plain.issuperset(numerals[index]) for index in np.flatnonzero(is_number))
    return NumberCells(
        numerals, numbers, is_missing, is_number, is_odd, usual, mark, has_thousands, bool(n_signs)
    )
