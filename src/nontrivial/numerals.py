"""Numbers as people write them in files and on the command line.

Python also takes ``1_0`` and digits of any script for numbers; in a file of predictions they are text.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

DECIMAL_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
# Texts for a missing number, in small letters.
MISSING_NUMBERS = (
    *("?", "-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}", ".", "..", "..."),
    *("na", "n/a", "n.a.", "<na>", "#n/a", "#na", "nan", "-nan", "1.#qnan", "1.#ind", "-1.#ind"),
    *("none", "null", "missing"),
)
_BLANKS = " '\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}"
_NUMBER_PATTERNS = {
    mark: re.compile(
        rf"[+-]?(?:(?:[0-9]+|[1-9][0-9]{{0,2}}([{other}{_BLANKS}])[0-9]{{3}}(?:\1[0-9]{{3}})*)(?:[{mark}][0-9]*)?"
        rf"|[{mark}][0-9]+)(?:[eE][+-]?[0-9]{{1,3}})?"
    )
    for mark, other in (".,", ",.")
}


def is_decimal(text: str) -> bool:
    """Return whether a text is a decimal number in ASCII, maybe with an exponent of up to three digits."""
    return DECIMAL_NUMBER.fullmatch(text) is not None


def normalize_number(text: str, decimal: str = ".") -> str | None:
    """Return the number in a cell as Python writes it, such as 1234.5 for 1,234.5; None for other texts."""
    match = _NUMBER_PATTERNS[decimal].fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if match is None:
        return None
    plain = match[0] if match[1] is None else match[0].replace(match[1], "")
    return plain.replace(decimal, ".")


def parse_number(text: str, decimal: str = ".") -> float | None:
    """Return the number in a cell, NaN for a missing number, and None for any other text."""
    text = text.strip()
    plain = normalize_number(text, decimal)
    if plain is None:
        return math.nan if text.lower() in ("", *MISSING_NUMBERS) else None
    number = float(plain)
    return number if math.isfinite(number) else None


def parse_numbers(texts: Sequence[str], decimal: str | None = None) -> tuple[list[float | None], str | None]:
    """Return the numbers of the different cells of a column, as `parse_number` does, and their decimal mark."""
    # By default, choose the mark under which more cells are numbers, or a point if no cell has a comma. For ambiguous
    # cells, such as 1,234, the mark is None, and commas are read as decimal ones.
    points = [parse_number(text, decimal or ".") for text in texts]
    if decimal or not (None in points or any("," in text for text in texts)):
        return points, decimal or "."
    commas = [parse_number(text, ",") for text in texts]
    if commas.count(None) != points.count(None):
        return (commas, ",") if commas.count(None) < points.count(None) else (points, ".")
    cells = zip(texts, points, commas, strict=True)
    is_ambiguous = any("," in text and None not in numbers for text, *numbers in cells)
    return (commas, None) if is_ambiguous else (points, ".")


def cell_text(value: Any) -> str:
    """Return a cell as a person would write it: 1 for 1.0."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)
