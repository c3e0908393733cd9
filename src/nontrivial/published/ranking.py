"""Judge by a printed area under the ROC curve whether a ranking is better than chance."""

import math
from collections.abc import Sequence
from typing import Any

from nontrivial.measures.published.numbers import RoundingInterval
from nontrivial.measures.published.sizes import ClassSizes
from nontrivial.published.cells import IntervalEnds

AREA_BY_CHANCE = 0.5
NORMAL_QUANTILE_975 = 1.959963984540054


def judge_ranking_by_area(
    area: RoundingInterval, ends: IntervalEnds | None, class_sizes: Sequence[ClassSizes]
) -> dict[str, Any]:
    """Judge a ranking by the printed 95 % interval of its area or, without it, by an approximate interval."""
    method, low, high = "", 0.0, 1.0
    least, greatest = low, high
    if ends is not None:
        method = "the printed 95 % interval"
        low, high, least, greatest = map(float, (ends[0].value, ends[1].value, ends[0].low, ends[1].high))
    elif not area.is_limit and class_sizes and len(class_sizes[0]) == 2:
        method = "an approximate 95 % interval (standard error of Hanley and McNeil 1982)"

        def half_width_at(value: float) -> float:
            return NORMAL_QUANTILE_975 * max(estimate_standard_error(value, *sizes) for sizes in class_sizes)

        area_value, area_low, area_high = float(area.value), float(area.low), float(area.high)
        low, high = (max(area_value - half_width_at(area_value), 0.0), min(area_value + half_width_at(area_value), 1.0))
        # The standard error of an area of 1 is 0, even for a single pair of cases. So the verdict takes the
        # widest of several intervals, among them the interval around chance.
        max_half_width = max(map(half_width_at, (area_low, area_high, AREA_BY_CHANCE)))
        least, greatest = area_low - max_half_width, area_high + max_half_width
    verdict = "better" if least > AREA_BY_CHANCE else "worse" if greatest < AREA_BY_CHANCE else "inconclusive"
    return {"verdict": verdict, "low": low, "high": high, "method": method}


def estimate_standard_error(area: float, positives: int, negatives: int) -> float:
    """Estimate the standard error of an area by Hanley and McNeil (1982), for exponential scores.

    Examples
    --------
    >>> round(estimate_standard_error(0.75, 51, 58), 4)
    0.0474
    """
    both_positive, both_negative = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area)
    variance += (positives - 1) * (both_positive - area**2) + (negatives - 1) * (both_negative - area**2)
    return math.sqrt(max(variance, 0.0) / (positives * negatives))
