"""Numbers as people write them in files and on the command line.

Python also takes ``1_0`` and digits of any script for numbers; in a file of predictions they are text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def is_decimal(text: str) -> bool:
    """Tell whether a text is a decimal number in ASCII, with or without an exponent of at most three digits.

    Examples
    --------
    >>> [is_decimal(text) for text in ("0.273", "-.5", "1e-3", "1_0", "0x10", "1d5", "nan", "")]
    [True, True, True, False, False, False, False, False]
    """
    return _DECIMAL.fullmatch(text) is not None


def decimals_of(number: Decimal) -> int:
    """Return how many decimals a finite number is written with, trailing zeros included.

    Examples
    --------
    >>> [decimals_of(Decimal(text)) for text in ("0.30", "3", "3e2")]
    [2, 0, 0]
    """
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # only those of NaN and the infinities are letters
    return max(-exponent, 0)


def as_written(value: Any) -> str:
    """Write a cell as a person would: 1 for 1.0."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)
