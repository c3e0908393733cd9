"""How a scorecard writes numbers, for the text and the page alike."""

import math
from typing import Any

from nontrivial._draws import CONFIDENCE_LEVEL

INTERVAL = f"{CONFIDENCE_LEVEL * 100:.0f} % interval"
LEAST_P = 0.0001  # as it is printed


def number(value: float, decimals: int = 4) -> str:
    """Write some decimals; one from a thousand on, four digits from ten million on; NaN as "undefined"."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.{decimals}f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def count_text(count: float) -> str:
    """Write a count, or a sum of weights: whole from a hundred thousand on, else with six significant digits."""
    return f"{count:,.0f}" if count >= 1e5 else f"{count:,.6g}"


def percent(share: float) -> str:
    """Write a share in percent, with two significant digits below ten."""
    amount = 100 * share
    return f"{amount:.2g} %" if 0 < amount < 9.95 else f"{amount:.0f} %"


def ends(estimate: Any, trivial: float = math.nan) -> str:
    """Write a value with its interval, if any; an end near the trivial value is not rounded to it."""
    value = number(estimate.value, 2)
    if not estimate.method or math.isnan(estimate.value):
        return value
    low, high = (
        number(end, 4 if end != trivial and number(end, 2) == number(trivial, 2) else 2)
        for end in (estimate.low, estimate.high)
    )
    return f"{value} ({low} to {high})"


def p_text(p_value: float) -> str:
    """Write a p-value, or that it is less than the least that is printed."""
    return f"p < {LEAST_P}" if p_value < LEAST_P else f"p = {p_value:.4f}"
