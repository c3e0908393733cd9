"""Numbers as people write them in files and on the command line.

Python also takes ``1_0`` and digits of any script for numbers; in a file of predictions they are text.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

DECIMAL_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
# How files write a missing number, in small letters.
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
    """Tell whether a text is a decimal number in ASCII, with or without an exponent of at most three digits."""
    return DECIMAL_NUMBER.fullmatch(text) is not None


def normalize_number(text: str, decimal: str = ".") -> str | None:
    """Return the number in a cell as Python writes it, without separators of thousands; None if there is none."""
    match = _NUMBER_PATTERNS[decimal].fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if match is None:
        return None
    plain = match[0] if match[1] is None else match[0].replace(match[1], "")
    return plain.replace(decimal, ".")


def parse_number(text: str, decimal: str = ".") -> float | None:
    """Return the number in a cell, NaN if the cell stands for a missing one, and None if it holds anything else."""
    text = text.strip()
    plain = normalize_number(text, decimal)
    if plain is None:
        return math.nan if text.lower() in ("", *MISSING_NUMBERS) else None
    number = float(plain)
    return number if math.isfinite(number) else None


def parse_numbers(texts: Sequence[str], decimal: str | None = None) -> tuple[list[float | None], str | None]:
    """Return what `parse_number` returns of the different cells of a column, and their decimal mark."""
    # Unless it is given, it is the mark under which more cells are numbers. It is None if the cells cannot tell, as
    # 1,234 cannot; the numbers are then those with decimal commas. Without commas the mark is a point.
    points = [parse_number(text, decimal or ".") for text in texts]
    if decimal or not (None in points or any("," in text for text in texts)):
        return points, decimal or "."
    commas = [parse_number(text, ",") for text in texts]
    if commas.count(None) != points.count(None):
        return (commas, ",") if commas.count(None) < points.count(None) else (points, ".")
    cells = zip(texts, points, commas, strict=True)
    unsure = any("," in text and None not in numbers for text, *numbers in cells)
    return (commas, None) if unsure else (points, ".")


def cell_text(value: Any) -> str:
    """Write a cell as a person would: 1 for 1.0."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)
