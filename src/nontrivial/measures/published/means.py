"""The tables of all folds together whose folds may have scores with the printed means.

Bounds decide: a table is left out if its folds cannot have a mean in the printed range. For a linear score, the bounds
follow from the sizes of the folds. For another score, dynamic programming adds one fold after the other.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.folds import COMPLEMENTS, LINEAR_SCORES, FoldDesign, find_designs
from nontrivial.measures.published.inequalities import (
    AREA,
    GREATEST_AREA,
    LEAST_AREA,
    SCORE_BOUNDS,
    SEARCHED_SCORES,
    Ranges,
)
from nontrivial.measures.published.numbers import RoundingInterval
from nontrivial.measures.published.tables import FittingTables, find_tables

BOUNDED_SCORES = [
    name
    for name in SEARCHED_SCORES
    if all(map(math.isfinite, SCORE_BOUNDS[name])) and name not in LINEAR_SCORES
]
MAX_STEPS = 3 * 10**9  # about ten seconds
SUM_TOLERANCE = 1e-9  # more than the error of a sum of floats


def tables_of_means(
    means: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False
) -> FittingTables:
    """Find the tables whose folds may have these means. Bounds decide, so a few of the tables may not have them."""
    means, designs = find_designs(means, positives, negatives, folds, stratified)
    if not designs:
        return FittingTables(*np.empty((2, 2, 0), dtype=np.int64))
    other_means = {name: interval for name, interval in means.items() if name not in LINEAR_SCORES}
    _check_bounds(other_means, designs)
    pooled = {
        name: _pooled_range(name, interval, designs)
        for name, interval in means.items()
        if name in LINEAR_SCORES
    }
    fitting = find_tables(pooled, positives, negatives)
    for name, interval in other_means.items():
        tp, tn = fitting.list_hits()
        fits = np.zeros(len(tp), dtype=bool)
        for design in designs:
            least, greatest = (sums[tp, tn] / len(design) for sums in _bound_sums(name, design))
            fits |= (greatest >= float(interval.low) - SUM_TOLERANCE) & (
                least <= float(interval.high) + SUM_TOLERANCE
            )
        hits = np.array([tp[fits], tn[fits]])
        fitting = FittingTables(hits, hits)
    return fitting


def _check_bounds(means: Ranges, designs: list[FoldDesign]) -> None:
    """Raise ValueError if a mean has no bounds, or if computing them takes too long."""
    if not means:
        return
    if unbounded := [interval.name for name, interval in means.items() if name not in BOUNDED_SCORES]:
        raise ValueError(
            f"The mean of {unbounded[0]} over folds is not bounded; the means of {', '.join(BOUNDED_SCORES)} are."
        )
    sizes = np.array(designs[0], dtype=object)
    n_steps = int((sizes + 1).prod(axis=1) @ (sizes.cumsum(axis=0) + 1).prod(axis=1)) * len(designs)
    if n_steps * len(means) > MAX_STEPS:
        raise ValueError(
            f"The mean of {next(iter(means.values())).name} over folds takes {n_steps:,} steps with these cases; at "
            f"most {MAX_STEPS // len(means):,} are taken. Give the error, the accuracy, recall or specificity."
        )


def _pooled_range(name: str, mean: RoundingInterval, designs: list[FoldDesign]) -> RoundingInterval:
    """Return the range of a linear score of all folds together, from the range of its mean over folds."""
    lows: list[Fraction | float] = []
    highs: list[Fraction | float] = []
    for design in designs:
        positives, negatives = zip(*design, strict=True)
        denominators = {
            "recall": [positives],
            "specificity": [negatives],
            "balanced_accuracy": [positives, negatives],
        }.get(COMPLEMENTS.get(name, name), [tuple(map(sum, design))])
        # The share of the pooled score that each fold decides.
        shares = sorted(
            Fraction(size, sum(sizes) * len(denominators)) for sizes in denominators for size in sizes
        )
        # The pooled score is least if the smallest folds have a perfect score, and greatest if the largest ones do.
        lows.append(_sum_first(shares, mean.low * len(shares)))
        highs.append(_sum_first(shares[::-1], mean.high * len(shares)))
    return replace(mean, low=min(lows), high=max(highs))


def _sum_first(shares: list[Fraction], number: Fraction | float) -> Fraction | float:
    """Add up the first shares, and a part of the next one if the number is not whole."""
    whole, rest = divmod(number, 1)
    return sum(shares[: int(whole)], Fraction(0)) + rest * [*shares, Fraction(0)][int(whole)]


def _bound_sums(name: str, design: FoldDesign) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score over folds, by TP and TN of all folds together."""
    least, greatest = np.zeros((1, 1)), np.zeros((1, 1))
    for positives, negatives in design:
        tp, tn = np.indices((positives + 1, negatives + 1), dtype=float)
        tables = ConfusionTables(tp, negatives - tn, positives - tp, tn)
        if name == AREA:
            low, high = LEAST_AREA.values(tables), GREATEST_AREA.values(tables)
        else:  # a score that is 0/0 may have been given any value
            values = CATALOGUE[name].values(tables)
            low, high = (np.nan_to_num(values, nan=float(bound)) for bound in SCORE_BOUNDS[name])
        shape = least.shape[0] + positives, least.shape[1] + negatives
        new_least, new_greatest = np.full(shape, np.inf), np.full(shape, -np.inf)
        for hits in np.ndindex(low.shape):
            reached = np.s_[hits[0] : hits[0] + least.shape[0], hits[1] : hits[1] + least.shape[1]]
            np.minimum(new_least[reached], least + low[hits], out=new_least[reached])
            np.maximum(new_greatest[reached], greatest + high[hits], out=new_greatest[reached])
        least, greatest = new_least, new_greatest
    return least, greatest
