"""Estimates with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from nontrivial.measures.confusion_intervals import confusion_intervals

LEVEL = 0.95


class Estimate(NamedTuple):
    """A value with the ends of its interval and the method behind them.

    The method is ``exact``, ``clopper_pearson`` or ``bayesian_bootstrap``; empty where there is no interval, whose ends
    are then NaN.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""


def estimate_table(table: Mapping[str, int]) -> dict[str, Estimate]:
    """Return every measure of ``fp, tp, fn, tn`` with its interval."""
    found = confusion_intervals(**table, level=LEVEL)
    return {str(row.Index): Estimate(*row[1:]) for row in found.itertuples()}
