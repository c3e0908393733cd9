"""Scores that are means over folds: can folds have them, and which tables of all folds together may?

The search for folds is mlscorecheck's (Fazekas and Kovacs 2024), with the names and the rounding of this package.
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from numbers import Integral

import numpy as np

from nontrivial._arrays import Floats
from nontrivial._validation import check_choice, show
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.printed import Limit, Printed, check_counts, whole_numbers
from nontrivial.measures.published.tables import (
    AREA,
    BOUNDS,
    GREATEST_AREA,
    LEAST_AREA,
    NAMES,
    FittingTables,
    Ranges,
    find_tables,
    read_ranges,
)
from nontrivial.terminal import naming_extras

BY_ERRORS = ("accuracy", "error_rate")  # what the number of errors alone decides
# mlscorecheck's name, and whether that is the name of one minus the score. The mean over folds of these only is a
# linear program.
LINEAR = {
    "accuracy": ("acc", False),
    "error_rate": ("acc", True),
    "balanced_accuracy": ("bacc", False),
    "recall": ("sens", False),
    "specificity": ("spec", False),
    "false_positive_rate": ("spec", True),
    "false_negative_rate": ("sens", True),
}
# The others whose means are bounded: those with a least and a greatest value.
BOUNDED = [name for name in NAMES if all(map(math.isfinite, BOUNDS[name])) and name not in LINEAR]
FEASIBLE = 1  # as PuLP says it
Folds = list[tuple[int, int]]  # the positives and negatives of each


def published_scores_possible(
    scores: Mapping[str, Printed],
    *,
    positives: int,
    n: int,
    folds: int | Sequence[tuple[int, int]] | None = None,
    n_repeats: int = 1,
    average: str = "pooled",
) -> bool:
    """Tell whether some confusion tables give all of the printed scores.

    With `folds`, the scores are those of the summed table, unless `average` is "mean". The command and
    `published_verdict` always take scores with folds for means.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases.
    folds : int or sequence of (int, int), optional
        The number of folds of a cross-validation, stratified as scikit-learn does, or the positives and all cases of
        each. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores are those of the summed table of all folds and repeats or means over these. Means can be
        decided only for accuracy, balanced accuracy, recall, specificity and their complements, by a search in floats,
        which may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        If not, at least one of the scores, or the description of the test, is wrong.

    Raises
    ------
    ValueError
        As `published_tables`, if the folds do not add up, or if one lacks a class and the scores are means.

    References
    ----------
    Fazekas and Kovacs 2024, mlscorecheck.

    Examples
    --------
    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306)
    False
    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306, folds=10, average="mean")
    True
    """
    positives, n = check_counts(positives, n)
    check_choice(average, "average", ("pooled", "mean"))
    if not isinstance(n_repeats, Integral) or n_repeats < 1:
        raise ValueError(f"n_repeats is {show(n_repeats)}; it must be a whole number of 1 or greater.")
    sizes = _read_folds(folds, positives, n) * int(n_repeats)
    ranges = read_ranges(scores)
    if average == "mean" and len(sizes) > 1:
        return means_possible(ranges, sizes)
    return find_tables(ranges, *np.sum(sizes, axis=0).tolist()).count > 0


def _read_folds(folds: int | Sequence[tuple[int, int]] | None, positives: int, n: int) -> Folds:
    if folds is None:
        return [(positives, n - positives)]
    if isinstance(folds, (int, np.integer)):
        if not 2 <= folds <= n:
            raise ValueError(f"folds is {folds}; it must be at least 2 and at most the number of cases.")
        return fold_sizes(positives, n - positives, int(folds))
    parts = whole_numbers(folds, 2)
    if parts is None or parts.shape[1] != 2 or (parts[:, 0] > parts[:, 1]).any():
        raise ValueError(
            f"folds is {show(folds)}; it must be a whole number, or the positives and all cases of each fold."
        )
    if parts.sum(axis=0).tolist() != [positives, n]:
        raise ValueError("folds do not add up to positives and n; every case must be in exactly one fold.")
    return [(p, cases - p) for p, cases in parts.tolist()]


def fold_sizes(positives: int, negatives: int, folds: int) -> Folds:
    """Return the cases of each class in each fold: both, and all cases, are split as evenly as they can be."""
    more = negatives % folds
    return [
        (positives // folds + ((fold - more) % folds < positives % folds), negatives // folds + (fold < more))
        for fold in range(folds)
    ]


def means_possible(ranges: Ranges, sizes: Folds) -> bool:
    """Tell whether tables of folds of these sizes have scores with means in these ranges."""
    # The search starts from both rates: of one that is not given, nothing is asked.
    limits: dict[str, tuple[Limit, Limit]] = {"sens": (0, 1), "spec": (0, 1)}
    for name, interval in ranges.items():
        if name not in LINEAR:
            raise ValueError(
                f"The mean of {interval.name} over folds cannot be decided; those of {', '.join(LINEAR)} can."
            )
        short, is_complement = LINEAR[name]
        known = interval.complement() if is_complement else interval
        low, high = limits.get(short, (0, 1))
        limits[short] = max(low, known.low), min(high, known.high)
    if ranges.keys() <= set(BY_ERRORS):  # for which only the sizes of the folds count
        sizes = [(positives + negatives - 1, 1) for positives, negatives in sizes]
    if min(map(min, sizes)) == 0:
        raise ValueError("A fold has no case of one class, so the mean over the folds is not defined.")
    if any(low > high for low, high in limits.values()):
        return False
    with naming_extras():
        from mlscorecheck.aggregated import Evaluation, Experiment, solve
        from pulp import getSolver
    middles = {name: float(low + high) / 2 for name, (low, high) in limits.items()}
    halves = {name: float(high - low) / 2 for name, (low, high) in limits.items()}
    # With room for the rounding of floats.
    within = {name: half + min(1e-6, half / 100) for name, half in halves.items()}
    folds = [{"p": positives, "n": negatives} for positives, negatives in sizes]
    evaluation = Evaluation(
        dataset={name: sum(fold[name] for fold in folds) for name in ("p", "n")},
        folding={"folds": folds},
        fold_score_bounds=None,
        aggregation="mos",
    )
    experiment = Experiment(evaluations=[evaluation.to_dict()], aggregation="mos")
    logging.getLogger("mlscorecheck").setLevel(logging.WARNING)  # it reports each step of its search
    with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
        solved = solve(experiment, middles, within, getSolver("PULP_CBC_CMD", msg=False))
    return bool(solved.status == FEASIBLE)


# The tables of all folds together whose folds may have scores with given means: bounds for any score of a table.
#
# A table is left out if no mean between the least and the greatest of its folds is printed so; one that stays may lie
# in a gap between the means that there are. The ends of linear scores follow from the sizes of the folds; of other
# scores, they are found by adding one fold after the other.


MOST_STEPS = 3 * 10**9  # about ten seconds
ROUNDING = 1e-9  # more than the sums of floats lose


def pooled_ranges(ranges: Ranges, sizes: Folds) -> Ranges:
    """Return ranges of linear scores of the summed table, from those of their means over folds of the given sizes."""
    # The pooled score is least if the small folds have the greatest scores, and greatest if the large folds do.
    parts = {"acc": list(map(sum, sizes)), "sens": [p for p, _ in sizes], "spec": [n for _, n in sizes]}
    shares = {name: sorted(Fraction(size, sum(part)) for size in part) for name, part in parts.items()}
    shares["bacc"] = sorted(share / 2 for share in (*shares["sens"], *shares["spec"]))
    pooled = {}
    for name, interval in ranges.items():
        small_first = shares[LINEAR[name][0]]
        low, high = _pooled(small_first, interval.low), _pooled(small_first[::-1], interval.high)
        pooled[name] = replace(interval, low=low, high=high)
    return pooled


def _pooled(shares: Sequence[Fraction], mean: Limit) -> Limit:
    """Return the weighted mean of scores with the given plain mean, of which those of the first folds are 1."""
    whole, part = divmod(mean * len(shares), 1)
    total = sum(shares[: int(whole)], Fraction(0))
    return total + part * shares[int(whole)] if part else total


FOLD_RULES = {
    "even": "assumes folds whose sizes differ by at most one, or cases of each class spread as evenly as possible",
    "stratified": "assumes the folds of scikit-learn's StratifiedKFold",
    "any": "folds of any number and size may have any means, so nothing follows",
}


def tables_of_means(
    ranges: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False
) -> FittingTables:
    """Return the tables of all folds together whose folds, by the rule, may have scores with means in these ranges."""
    most = min(positives, negatives) if stratified else (positives + negatives) // 2
    if not 2 <= folds <= most:
        why = "each fold needs a case of each class" if stratified else "each fold needs two cases"
        raise ValueError(f"folds is {folds}; it must be from 2 to {most}, as {why}.")
    if stratified:
        return _tables_of_folds(ranges, [fold_sizes(positives, negatives, folds)])
    by_errors = {name: interval for name, interval in ranges.items() if name in BY_ERRORS}
    # Folds of even size may hold positives in any numbers, or none: only the accuracy then says anything.
    even, spreads = fold_sizes(positives, negatives, folds), _spread_sizes(positives, negatives, folds)
    if not by_errors or means_possible(by_errors, even):
        return _tables_of_folds(by_errors, [even, *spreads])
    return _tables_of_folds(ranges if folds <= min(positives, negatives) else by_errors, spreads)


def _spread_sizes(positives: int, negatives: int, folds: int) -> list[Folds]:
    """Return the ways to spread each class evenly: they differ in how many folds have one more of both classes."""
    (p, more_p), (n, more_n) = divmod(positives, folds), divmod(negatives, folds)
    return [
        [(p + (k < more_p), n + (more_p - both <= k < more_p - both + more_n)) for k in range(folds)]
        for both in range(max(0, more_p + more_n - folds), min(more_p, more_n) + 1)
    ]


def _tables_of_folds(ranges: Ranges, designs: list[Folds]) -> FittingTables:
    """Return the tables of folds of the sizes in one of the designs; a range of tables may include a few of none."""
    linear = {name: interval for name, interval in ranges.items() if name in LINEAR}
    others = {name: interval for name, interval in ranges.items() if name not in LINEAR}
    designs = [
        sizes  # a fold of a single case is not searched, and so excludes nothing
        for sizes in designs
        if not linear or min(map(sum, sizes)) < 2 or means_possible(linear, sizes)
    ]
    if not designs:
        return FittingTables(*np.empty((2, 2, 0), dtype=np.int64))
    for name, interval in others.items():
        if name not in BOUNDED:
            raise ValueError(
                f"The mean of {interval.name} over folds is not bounded; those of {', '.join(BOUNDED)} are."
            )
    counts = np.array(designs[0], dtype=object)
    steps = int((counts + 1).prod(axis=1) @ (counts.cumsum(axis=0) + 1).prod(axis=1)) * len(designs)
    if steps * len(others) > MOST_STEPS:
        raise ValueError(
            f"The mean of {next(iter(others.values())).name} over folds takes {steps:,} steps with these cases; at "
            f"most {MOST_STEPS // len(others):,} are taken. Give the error, the accuracy, recall or specificity."
        )
    pooled = [pooled_ranges(linear, sizes) for sizes in designs]
    hull = {
        name: replace(interval, low=min(p[name].low for p in pooled), high=max(p[name].high for p in pooled))
        for name, interval in linear.items()
    }
    fitting = find_tables(hull, *counts.sum(axis=0).tolist())
    for name, interval in others.items():
        tp, tn = fitting.all()
        fits = np.zeros(len(tp), dtype=bool)
        for sizes in designs:
            least, greatest = (ends[tp, tn] / len(sizes) for ends in _sums(name, sizes))
            fits |= (greatest >= float(interval.low) - ROUNDING) & (least <= float(interval.high) + ROUNDING)
        tables = np.array([tp[fits], tn[fits]])
        fitting = FittingTables(tables, tables)
    return fitting


def _sums(name: str, sizes: Folds) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score, by TP and TN, by dynamic programming over the folds."""
    least, greatest = np.zeros((1, 1)), np.zeros((1, 1))
    for positives, negatives in sizes:
        low, high = _values(name, positives, negatives)
        shape = least.shape[0] + positives, least.shape[1] + negatives
        sums = np.full(shape, np.inf), np.full(shape, -np.inf)
        for tp, tn in np.ndindex(low.shape):
            place = slice(tp, tp + least.shape[0]), slice(tn, tn + least.shape[1])
            np.minimum(sums[0][place], least + low[tp, tn], out=sums[0][place])
            np.maximum(sums[1][place], greatest + high[tp, tn], out=sums[1][place])
        least, greatest = sums
    return least, greatest


def _values(name: str, positives: int, negatives: int) -> tuple[Floats, Floats]:
    """Return the least and the greatest that a score may be for each number of true positives and negatives."""
    tp, tn = np.indices((positives + 1, negatives + 1), dtype=float)
    tables = ConfusionTables(tp, negatives - tn, positives - tp, tn)
    if name == AREA:
        return LEAST_AREA.values(tables), GREATEST_AREA.values(tables)
    values = CATALOGUE[name].values(tables)
    # Where it is 0/0, any value may have been given.
    least, greatest = map(float, BOUNDS[name])
    return np.nan_to_num(values, nan=least), np.nan_to_num(values, nan=greatest)
