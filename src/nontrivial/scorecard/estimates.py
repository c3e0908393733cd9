"""Estimates with their intervals, from resampled confusion counts."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.measures.confusion import confusion_measures
from nontrivial.seeds import generator_for

LEVEL = 0.95
RESAMPLES = 2000

Estimate = tuple[float, float, float]


def estimate_table(table: Mapping[str, int]) -> dict[str, Estimate]:
    """Return every measure of ``fp, tp, fn, tn``; resampling the cases is a multinomial draw of those cells."""
    cells = np.array(list(table.values()))
    n = int(cells.sum())
    draws = generator_for("scorecard", "tables").multinomial(n, cells / n, size=RESAMPLES)
    values = confusion_measures(**table).iloc[0]
    samples = confusion_measures(**dict(zip(table, draws.T, strict=True)))
    return {
        name: with_interval(values[name], *percentiles(samples[name].to_numpy())) for name in values.index
    }


def with_interval(value: float, low: float, high: float) -> Estimate:
    """Return an estimate: where the value is undefined, a resample may not be, but there is nothing to hold."""
    return (math.nan,) * 3 if math.isnan(value) else (float(value), float(low), float(high))


def percentiles(samples: Floats) -> tuple[float, float]:
    """Return the percentile interval of the samples that are defined; NaN where none is."""
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        return math.nan, math.nan
    tails = (1 - LEVEL) / 2, (1 + LEVEL) / 2
    # Samples themselves, not means of two of them: some are infinite.
    low, high = np.quantile(defined, tails, method="inverted_cdf")
    return float(low), float(high)
