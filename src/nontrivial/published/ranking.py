"""Whether a printed area under the ROC curve shows a ranking better than chance."""

import math
from typing import Any

from nontrivial.measures.published.printed import Interval, Sizes

CHANCE = 0.5
NORMAL = 1.959963984540054  # 97.5 % of a normal distribution
PRINTED = "the printed 95 % interval"
APPROXIMATE = "an approximate 95 % interval (standard error of Hanley and McNeil 1982)"


def judge_ranking(area: Interval, ends: tuple[Interval, Interval] | None, sizes: Sizes) -> dict[str, Any]:
    """Return the verdict of an area's 95 % interval on the ranking, by the printed interval if there is one."""
    if ends is not None:
        low, high = ends
        return _fields(float(low.value), float(high.value), float(low.low), float(high.high), PRINTED)
    if area.is_limit or not sizes or len(sizes[0]) != 2:
        return _fields(0.0, 1.0, 0.0, 1.0, "")
    least, greatest = float(area.low), float(area.high)
    reach = [NORMAL * standard_error(float(area.value), *counts) for counts in sizes]
    # At an area of 1 the error is 0, also of one pair of cases. So chance must lie outside of its own interval, too.
    widths = [
        NORMAL * max(standard_error(end, *counts), standard_error(CHANCE, *counts))
        for counts in sizes
        for end in (least, greatest)
    ]
    value = float(area.value)
    shown = max(value - max(reach), 0.0), min(value + max(reach), 1.0)
    return _fields(*shown, least - max(widths), greatest + max(widths), APPROXIMATE)


def _fields(low: float, high: float, least: float, greatest: float, method: str) -> dict[str, Any]:
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
