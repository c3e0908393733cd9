"""The tables of all folds together whose folds may have scores with given means: bounds for any score of a table.

For every pooled table, the least and the greatest mean of a score over its folds are found by adding one fold after
the other. A table is left out if no mean between them is printed so; one that stays may lie in a gap between the means
that there are.
"""

from __future__ import annotations

import math

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.measures.published.ratios import (
    AREA,
    FALLING,
    GEOMETRIC_MEAN,
    RISING,
    ROOTS,
    Cells,
    Ranges,
    bounds_of,
)
from nontrivial.measures.published.table_search import FittingTables

# The ends of the scores whose means are bounded; a fold in which one is 0/0 may have been given anything between them.
ENDS = {
    "precision": (0, 1),
    "negative_predictive_value": (0, 1),
    "false_discovery_rate": (0, 1),
    "false_omission_rate": (0, 1),
    "f_beta": (0, 1),
    "p4": (0, 1),
    "jaccard": (0, 1),
    "informedness": (-1, 1),
    "markedness": (-1, 1),
    "cohen_kappa": (-1, 1),
    "matthews_corrcoef": (-1, 1),
    "fowlkes_mallows": (0, 1),
    GEOMETRIC_MEAN: (0, 1),
    AREA: (0, 1),
}
MOST_STEPS = 3 * 10**9  # about ten seconds
ROUNDING = 1e-9  # more than the sums of floats lose


def tables_of_means(
    ranges: Ranges, pooled: Ranges, positives: int, negatives: int, folds: int
) -> FittingTables:
    """Return the tables of all folds together whose stratified folds may have scores with means in these ranges.

    Parameters
    ----------
    ranges : mapping of str to (Fraction or None, Fraction or None)
        Of the means of scores in `ENDS`.
    pooled : mapping of str to (Fraction or None, Fraction or None)
        Of other scores of the pooled table itself, none of which is ever 0/0.
    positives, negatives, folds : int
        Each fold has a case of each class.

    Raises
    ------
    ValueError
        If the mean of a score is not bounded, or there are too many tables.
    """
    for name in ranges:
        if name not in ENDS:
            raise ValueError(
                f"The mean of {name!r} over folds is not bounded; those of {', '.join(ENDS)} are."
            )
    sizes = fold_sizes(positives, negatives, folds)
    totals = np.cumsum(sizes, axis=0) + 1
    steps = sum(
        (p + 1) * (n + 1) * int(rows) * int(columns)
        for (p, n), (rows, columns) in zip(sizes, totals, strict=True)
    )
    if steps * len(ranges) > MOST_STEPS:
        raise ValueError(
            f"The mean of {next(iter(ranges))!r} over folds takes {steps:,} steps with these cases; at most "
            f"{MOST_STEPS // len(ranges):,} are taken. Give the error, the accuracy, recall or specificity."
        )
    fits = np.ones((positives + 1, negatives + 1), dtype=bool)
    for name, (low, high) in ranges.items():
        least, greatest = _sums(name, sizes)
        if low is not None:
            fits &= greatest >= folds * float(low) - ROUNDING
        if high is not None:
            fits &= least <= folds * float(high) + ROUNDING
    tp, tn = np.nonzero(fits)
    for each in bounds_of(pooled, positives, negatives)[0]:
        cells = Cells(tp, tn, positives, negatives)
        kept = np.broadcast_to(each.reached(cells) & each.kept(cells), tp.shape)
        fits[tp[~kept], tn[~kept]] = False
        tp, tn = tp[kept], tn[kept]
    changes = np.diff(np.pad(fits, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, low_ends = np.nonzero(changes == 1)
    return FittingTables(positives, negatives, True, row, low_ends, np.nonzero(changes == -1)[1] - 1)


def fold_sizes(positives: int, negatives: int, folds: int) -> list[tuple[int, int]]:
    """Return the cases of each class in each fold: both, and all cases, are split as evenly as they can be."""
    more = negatives % folds
    return [
        (positives // folds + ((fold - more) % folds < positives % folds), negatives // folds + (fold < more))
        for fold in range(folds)
    ]


def _sums(name: str, sizes: list[tuple[int, int]]) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score over the folds, by true positives and true negatives."""
    least, greatest = np.zeros((1, 1)), np.zeros((1, 1))
    for positives, negatives in sizes:
        low, high = _values(name, positives, negatives)
        shape = least.shape[0] + positives, least.shape[1] + negatives
        sums = np.full(shape, math.inf), np.full(shape, -math.inf)
        for tp, tn in np.ndindex(low.shape):
            place = slice(tp, tp + least.shape[0]), slice(tn, tn + least.shape[1])
            np.minimum(sums[0][place], least + low[tp, tn], out=sums[0][place])
            np.maximum(sums[1][place], greatest + high[tp, tn], out=sums[1][place])
        least, greatest = sums
    return least, greatest


def _values(name: str, positives: int, negatives: int) -> tuple[Floats, Floats]:
    """Return the least and the greatest that a score may be for each number of true positives and negatives."""
    tp, tn = np.meshgrid(np.arange(positives + 1.0), np.arange(negatives + 1.0), indexing="ij")
    cells = Cells(tp, tn, positives, negatives)
    pairs = positives * negatives
    if name == AREA:
        return tp * tn / pairs, 1 - cells.fp * cells.fn / pairs
    if name == GEOMETRIC_MEAN:
        value = np.sqrt(tp * tn / pairs)
        return value, value
    plus, minus, over = (RISING | FALLING | ROOTS)[name](cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (plus - minus) / (np.sqrt(over) if name in ROOTS else over)
    undefined = np.isnan(value)
    low, high = ENDS[name]
    return np.where(undefined, low, value), np.where(undefined, high, value)
