"""Intervals of cross-validation, whose folds share training cases, so that their answers vary together."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import norm, t

from nontrivial._arrays import Floats
from nontrivial._draws import Bounds

# The ratio of errors to errors of independent answers. For five folds, Nadeau and Bengio (2003) have 1.5. The
# simulations of docs/coverage.md need less.
WIDENING = 1.1


def widen_interval(
    value: float,
    bounds: Bounds,
    level: float,
    factor: float,
    *,
    least: float = -math.inf,
    greatest: float = 1.0,
) -> Bounds:
    """Widen an interval about its value, and raise its p-values alike; the value lies from `least` to `greatest`."""
    low = max(value - (value - bounds.low) * factor, least)
    high = min(value + (bounds.high - value) * factor, greatest)
    p_better, p_worse = (raise_p_value(p, factor) for p in (bounds.p_better, bounds.p_worse))
    widened = Bounds(low, high, p_better, p_worse, bounds.resamples)
    if math.isnan(sum(widened[:4])):
        return widened
    return widened.tested(p_better, p_worse, level)


def raise_p_value(p: float, factor: float) -> float:
    """Return the one-sided p-value of an estimate whose error is greater by a factor."""
    return float(norm.sf(norm.isf(p) / factor))


def corrected_resampled_reach(estimates: Floats, tested_per_trained: float, level: float) -> float:
    """Return half the width of the corrected resampled t-test's interval over folds (Nadeau and Bengio 2003)."""
    count = len(estimates)
    error = math.sqrt((1 / count + tested_per_trained) * float(np.var(estimates, ddof=1)))
    return float(t.ppf((1 + level) / 2, count - 1)) * error
