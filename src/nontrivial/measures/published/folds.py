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
from nontrivial.measures.published.printed import Interval, Limit, Printed, check_counts, whole_numbers
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

BY_ERRORS = ("accuracy", "error_rate")  # the number of errors alone decides these
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
# The others with bounded means: the scores with a least and a greatest value.
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

    With `folds`, the scores belong to the summed table, unless `average` is "mean". The command and
    `published_verdict` always take scores with folds for means.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases.
    folds : int or sequence of (int, int), optional
        The positives and all cases of each fold of a cross-validation, or the number of folds. Of means over a number
        of folds, it is assumed as in `published_verdict` that their sizes differ by at most one, or that the cases of
        each class are spread over them as evenly as possible. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated, with folds of the same sizes.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores belong to the summed table of all folds and repeats or are means over these. Means can be
        decided only for accuracy, balanced accuracy, recall, specificity and their complements, by a search in floats,
        which may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        If not, at least one of the scores, or the description of the test, is wrong. Means over a number of folds may
        still be possible for folds of other sizes.

    Raises
    ------
    ValueError
        As `published_tables`, or if the folds do not add up. For means also if a stated fold lacks a class, or a number
        of folds leaves fewer than two cases for each.

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
    ranges, repeats = read_ranges(scores), int(n_repeats)
    sizes = [(positives, n - positives)]
    if folds is not None and not isinstance(folds, (int, np.integer)):
        parts = whole_numbers(folds, 2)
        if parts is None or parts.shape[1] != 2 or (parts[:, 0] > parts[:, 1]).any():
            raise ValueError(
                f"folds is {show(folds)}; it must be a whole number, or the positives and all cases of each fold."
            )
        if parts.sum(axis=0).tolist() != [positives, n]:
            raise ValueError(
                "folds do not add up to positives and n; every case must be in exactly one fold."
            )
        sizes = [(p, cases - p) for p, cases in parts.tolist()]
    if average == "pooled" or (folds is None and repeats == 1):
        return find_tables(ranges, positives * repeats, (n - positives) * repeats).count > 0
    if strange := [interval.name for name, interval in ranges.items() if name not in LINEAR]:
        raise ValueError(
            f"The mean of {strange[0]} over folds cannot be decided; the means of {', '.join(LINEAR)} can."
        )
    if isinstance(folds, (int, np.integer)):
        return bool(_fitting_folds(ranges, positives, n - positives, int(folds), n_repeats=repeats)[1])
    return means_possible(ranges, sizes * repeats)


def means_possible(ranges: Ranges, sizes: Folds) -> bool:
    """Tell whether tables of folds of these sizes have scores with means in these ranges."""
    # The search starts from both rates: of a rate that is not given, nothing is asked.
    limits: dict[str, tuple[Limit, Limit]] = {"sens": (0, 1), "spec": (0, 1)}
    for name, interval in ranges.items():
        short, is_complement = LINEAR[name]
        score = interval.complement() if is_complement else interval
        low, high = limits.get(short, (0, 1))
        limits[short] = max(low, score.low), min(high, score.high)
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
    reaches = {name: half + min(1e-6, half / 100) for name, half in halves.items()}
    evaluation = Evaluation(
        dataset={"p": sum(p for p, _ in sizes), "n": sum(n for _, n in sizes)},
        folding={"folds": [{"p": positives, "n": negatives} for positives, negatives in sizes]},
        fold_score_bounds=None,
        aggregation="mos",
    )
    experiment = Experiment(evaluations=[evaluation.to_dict()], aggregation="mos")
    logging.getLogger("mlscorecheck").setLevel(logging.WARNING)  # it reports each step of its search
    with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
        solved = solve(experiment, middles, reaches, getSolver("PULP_CBC_CMD", msg=False))
    return bool(solved.status == FEASIBLE)


# The tables of all folds together whose folds may have scores with given means: bounds for any score of a table.
#
# A table is left out if no mean between the least and the greatest of its folds is printed so; one that stays may lie
# in a gap between the means that there are. The ends of linear scores follow from the sizes of the folds; of other
# scores, they are found by adding one fold after the other.


MOST_STEPS = 3 * 10**9  # about ten seconds
ROUNDING = 1e-9  # more than the sums of floats lose
FOLD_RULES = {
    "even": "assumes folds whose sizes differ by at most one, or cases of each class spread as evenly as possible",
    "stratified": "assumes the folds of scikit-learn's StratifiedKFold",
    "any": "folds of any number and size may have any means, so nothing follows",
}


def spread_sizes(positives: int, negatives: int, folds: int) -> list[Folds]:
    """Return the ways to spread each class evenly: they differ in how many folds have one more of both classes.

    In the first way, the sizes of the folds are even, too; scikit-learn's StratifiedKFold spreads the cases so.
    """
    (p, more_p), (n, more_n) = divmod(positives, folds), divmod(negatives, folds)
    return [
        [(p + (k < more_p), n + (more_p - both <= k < more_p - both + more_n)) for k in range(folds)]
        for both in range(max(0, more_p + more_n - folds), min(more_p, more_n) + 1)
    ]


def _fitting_folds(
    ranges: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False, n_repeats: int = 1
) -> tuple[Ranges, list[Folds]]:
    """Return the scores that each fold has, and the designs of folds, by the rule, that may have their means."""
    fewest, n = min(positives, negatives), positives + negatives
    most, why = (fewest, "a case of each class") if stratified else (n // 2, "two cases")
    if not 2 <= folds <= most:
        raise ValueError(f"folds is {folds}; it must be from 2 to {most}, as each fold needs {why}.")
    designs = [sizes * n_repeats for sizes in spread_sizes(positives, negatives, folds)]

    def may_have(means: Ranges, sizes: Folds) -> bool:
        linear = {name: interval for name, interval in means.items() if name in LINEAR}
        # A fold of a single case is not searched, and so excludes nothing.
        return not linear or min(map(sum, sizes)) < 2 or means_possible(linear, sizes)

    if stratified:
        designs = designs[:1]
    else:
        # Folds of even size may hold positives in any numbers, or none: only the accuracy then says anything.
        by_errors = {name: interval for name, interval in ranges.items() if name in BY_ERRORS}
        if folds > fewest or may_have(by_errors, designs[0]):
            ranges = by_errors
    return ranges, [sizes for sizes in designs if may_have(ranges, sizes)]


def tables_of_means(
    ranges: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False
) -> FittingTables:
    """Return the tables whose folds, by the rule, may have these means; ranges may include a few that have none."""
    ranges, designs = _fitting_folds(ranges, positives, negatives, folds, stratified)
    if not designs:
        return FittingTables(*np.empty((2, 2, 0), dtype=np.int64))
    linear = {name: interval for name, interval in ranges.items() if name in LINEAR}
    others = {name: interval for name, interval in ranges.items() if name not in LINEAR}
    if unbounded := [interval.name for name, interval in others.items() if name not in BOUNDED]:
        raise ValueError(
            f"The mean of {unbounded[0]} over folds is not bounded; the means of {', '.join(BOUNDED)} are."
        )
    counts = np.array(designs[0], dtype=object)
    steps = int((counts + 1).prod(axis=1) @ (counts.cumsum(axis=0) + 1).prod(axis=1)) * len(designs)
    if steps * len(others) > MOST_STEPS:
        raise ValueError(
            f"The mean of {next(iter(others.values())).name} over folds takes {steps:,} steps with these cases; at "
            f"most {MOST_STEPS // len(others):,} are taken. Give the error, the accuracy, recall or specificity."
        )
    pooled = {name: _pooled_range(name, interval, designs) for name, interval in linear.items()}
    fitting = find_tables(pooled, positives, negatives)
    for name, interval in others.items():
        tp, tn = fitting.all()
        fits = np.zeros(len(tp), dtype=bool)
        for sizes in designs:
            least, greatest = (ends[tp, tn] / len(sizes) for ends in _sums(name, sizes))
            fits |= (greatest >= float(interval.low) - ROUNDING) & (least <= float(interval.high) + ROUNDING)
        tables = np.array([tp[fits], tn[fits]])
        fitting = FittingTables(tables, tables)
    return fitting


def _pooled_range(name: str, mean: Interval, designs: list[Folds]) -> Interval:
    """Return the range of a linear score of the summed table, from the range of its mean over folds."""
    lows: list[Fraction | float] = []
    highs: list[Fraction | float] = []
    for sizes in designs:
        positives, negatives = zip(*sizes, strict=True)
        rates = {"sens": [positives], "spec": [negatives], "bacc": [positives, negatives]}
        parts = rates.get(LINEAR[name][0], [tuple(map(sum, sizes))])
        # The pooled score is least if the small folds have the greatest scores, and greatest if the large folds do.
        shares = sorted(Fraction(size, sum(part) * len(parts)) for part in parts for size in part)
        for ends, limit, order in ((lows, mean.low, 1), (highs, mean.high, -1)):
            whole, rest = divmod(limit * len(shares), 1)
            filled = [*shares[::order], Fraction(0)]
            ends.append(sum(filled[: int(whole)], Fraction(0)) + rest * filled[int(whole)])
    return replace(mean, low=min(lows), high=max(highs))


def _sums(name: str, sizes: Folds) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score, by TP and TN, by dynamic programming over the folds."""
    least, greatest = np.zeros((1, 1)), np.zeros((1, 1))
    for positives, negatives in sizes:
        tp, tn = np.indices((positives + 1, negatives + 1), dtype=float)
        tables = ConfusionTables(tp, negatives - tn, positives - tp, tn)
        if name == AREA:
            low, high = LEAST_AREA.values(tables), GREATEST_AREA.values(tables)
        else:  # if it is 0/0, any value may have been given
            values = CATALOGUE[name].values(tables)
            low, high = (np.nan_to_num(values, nan=float(bound)) for bound in BOUNDS[name])
        shape = least.shape[0] + positives, least.shape[1] + negatives
        sums = np.full(shape, np.inf), np.full(shape, -np.inf)
        for hits in np.ndindex(low.shape):
            place = tuple(
                slice(start, start + length) for start, length in zip(hits, least.shape, strict=True)
            )
            np.minimum(sums[0][place], least + low[hits], out=sums[0][place])
            np.maximum(sums[1][place], greatest + high[hits], out=sums[1][place])
        least, greatest = sums
    return least, greatest
