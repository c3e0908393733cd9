"""Whether a printed area under the ROC curve shows a ranking better than chance."""

import math
from typing import Any

from nontrivial.measures.published.printed import Interval, Sizes

CHANCE = 0.5
NORMAL = 1.959963984540054  # 97.5 % of a normal distribution


def judge_ranking(area: Interval, ends: tuple[Interval, Interval] | None, sizes: Sizes) -> dict[str, Any]:
    """Return the verdict of an area's 95 % interval on the ranking, by the printed interval if there is one."""
    method, low, high = "", 0.0, 1.0
    least, greatest = low, high
    if ends is not None:
        method = "the printed 95 % interval"
        low, high, least, greatest = map(float, (ends[0].value, ends[1].value, ends[0].low, ends[1].high))
    elif not area.is_limit and sizes and len(sizes[0]) == 2:
        method = "an approximate 95 % interval (standard error of Hanley and McNeil 1982)"
        # At an area of 1 the error is 0, also of one pair of cases. So chance must lie outside its own interval, too.
        reach, *others = (
            NORMAL * max(standard_error(float(value), *counts) for counts in sizes)
            for value in (area.value, area.low, area.high, CHANCE)
        )
        low, high = max(float(area.value) - reach, 0.0), min(float(area.value) + reach, 1.0)
        least, greatest = float(area.low) - max(others), float(area.high) + max(others)
    verdict = "better" if least > CHANCE else "worse" if greatest < CHANCE else "inconclusive"
    return {"verdict": verdict, "low": low, "high": high, "method": method}


def standard_error(area: float, positives: int, negatives: int) -> float:
    """Return the standard error of an area by Hanley and McNeil (1982), of exponential scores.

    Examples
    --------
    >>> round(standard_error(0.75, 51, 58), 4)
    0.0474
    """
    both_positive, both_negative = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area)
    variance += (positives - 1) * (both_positive - area**2) + (negatives - 1) * (both_negative - area**2)
    return math.sqrt(max(variance, 0.0) / (positives * negatives))
