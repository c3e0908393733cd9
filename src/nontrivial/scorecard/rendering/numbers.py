"""Numbers, shares, intervals and p-values written out, for the text and the page alike."""

import math
from typing import Any

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.measures.sign_verdict import MIN_P_PRINTED

INTERVAL_NAME = f"{CONFIDENCE_LEVEL * 100:.0f} % interval"


def number_text(value: float, decimals: int = 4) -> str:
    """Write a number with some decimals: with one decimal from a thousand on, with four digits from ten million on."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.{decimals}f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def count_text(count: float) -> str:
    """Write a count, or a sum of weights: whole from a hundred thousand on, else with six significant digits."""
    return f"{count:,.0f}" if count >= 1e5 else f"{count:,.6g}"


def percent_text(share: float) -> str:
    """Write a share in percent, with two significant digits below ten."""
    amount = 100 * share
    return f"{amount:.2g} %" if 0 < amount < 9.95 else f"{amount:.0f} %"


def interval_text(estimate: Any, trivial: float = math.nan) -> str:
    """Write a value with its interval, if any: 0.71 (0.60 to 0.80); an end is not rounded to the trivial value."""
    value = number_text(estimate.value, 2)
    if not estimate.method or math.isnan(estimate.value):
        return value
    ends = []
    for end in (estimate.low, estimate.high):
        seems_trivial = end != trivial and number_text(end, 2) == number_text(trivial, 2)
        ends.append(number_text(end, 4 if seems_trivial else 2))
    return f"{value} ({ends[0]} to {ends[1]})"


def p_text(p_value: float) -> str:
    """Write a p-value, such as p = 0.0312; below 0.0001 write p < 0.0001."""
    return f"p < {MIN_P_PRINTED}" if p_value < MIN_P_PRINTED else f"p = {p_value:.4f}"
