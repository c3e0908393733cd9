"""The level of the study's intervals, and those that are percentiles of draws about an estimate."""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Floats

LEVEL = 0.95
TAILS = (1 - LEVEL) / 2, (1 + LEVEL) / 2


def interval_around(estimate: Floats | float, drawn: Floats) -> tuple[Floats, Floats]:
    """Return percentiles of draws, along their first axis, as an interval that holds the estimate.

    The estimate may lie beyond all draws: a rate estimated as 0 or 1 is at the end of its posterior. NaN among draws
    and estimates does not count.

    Examples
    --------
    >>> low, high = interval_around(1.0, np.linspace(0, 0.8, 41))
    >>> round(float(low), 2), float(high)
    (0.02, 1.0)
    """
    low, high = np.nanquantile(drawn, TAILS, axis=0)
    return np.fmin(low, estimate), np.fmax(high, estimate)
