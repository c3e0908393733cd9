"""Scores that are means over folds: can folds have them, and which tables of all folds together may?

The search for folds is mlscorecheck's (Fazekas and Kovacs 2024), with the names and the rounding of this package.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np

from nontrivial._arrays import Floats
from nontrivial._validation import check_choice, show
from nontrivial.measures.published.printed import Interval, Limit, Printed, check_counts, whole_numbers
from nontrivial.measures.published.tables import (
    AREA,
    BOUNDS,
    FALLING,
    GEOMETRIC_MEAN,
    RATIOS,
    ROOTS,
    Cells,
    FittingTables,
    Ranges,
    find_tables,
    read_ranges,
)
from nontrivial.terminal import naming_extras

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
# The others whose means are bounded.
BOUNDED = (
    *(
        "precision",
        "negative_predictive_value",
        "false_discovery_rate",
        "false_omission_rate",
        "f_beta",
        "p4",
    ),
    *("jaccard", "informedness", "markedness", "cohen_kappa", "matthews_corrcoef", "fowlkes_mallows"),
    *(GEOMETRIC_MEAN, AREA),
)
MOST_FOLDINGS = 1000
FEASIBLE = 1  # as PuLP says it
Folding = dict[str, Any]  # in mlscorecheck's terms


def published_scores_possible(
    scores: Mapping[str, Printed],
    *,
    positives: int,
    n: int,
    folds: int | Sequence[tuple[int, int]] | None = None,
    n_repeats: int = 1,
    stratified: bool = True,
    average: str = "pooled",
) -> bool:
    """Tell whether some confusion tables give all of the printed scores.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases.
    folds : int or sequence of (int, int), optional
        Of a cross-validation, the number of folds, or the positives and all cases of each. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated.
    stratified : bool, default=True
        Whether a number of `folds` means scikit-learn's stratified splits, or any: these are tried one by one.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores are those of the summed table of all folds and repeats or the mean of their scores.
        Means can be decided only for accuracy, balanced accuracy, recall, specificity and their complements,
        by a search in floats, which may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        If not, at least one of the scores, or the description of the test, is wrong. A score that is 0/0 for a table
        may have been printed as 0 or 1 there.

    Raises
    ------
    ValueError
        As `published_tables`, or if the folds do not add up or are too many to try.

    See Also
    --------
    published_tables : The tables.

    References
    ----------
    Fazekas and Kovacs 2024, mlscorecheck.

    Examples
    --------
    No single table of 306 cases has an error of 0.273, but a mean over ten folds can be that:

    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306)
    False
    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306, folds=10, average="mean")
    True
    """
    positives, n = check_counts(positives, n)
    check_choice(average, "average", ("pooled", "mean"))
    if not isinstance(n_repeats, Integral) or n_repeats < 1:
        raise ValueError(f"n_repeats is {show(n_repeats)}; it must be a whole number of 1 or greater.")
    foldings = foldings_of(folds, positives, n, int(n_repeats), stratified)
    ranges = read_ranges(scores)
    if average == "pooled" or (folds is None and n_repeats == 1):
        return find_tables(ranges, *(int(n_repeats) * each for each in (positives, n - positives))).count > 0
    return means_possible(ranges, positives, n, foldings)


# Whether folds can have the means of linear scores.


def means_possible(ranges: Ranges, positives: int, n: int, foldings: Iterable[Folding]) -> bool:
    """Tell whether tables of the folds of one of the foldings have scores with means in these ranges."""
    # The search starts from both rates: of one that is not given, nothing is asked.
    limits = {"sens": (Fraction(0), Fraction(1)), "spec": (Fraction(0), Fraction(1))}
    for name, interval in ranges.items():
        if name not in LINEAR:
            raise ValueError(
                f"The mean of {name!r} over folds cannot be decided; those of {', '.join(LINEAR)} can."
            )
        short, is_complement = LINEAR[name]
        least, greatest = limits.get(short, (Fraction(0), Fraction(1)))
        limits[short] = (interval.complement() if is_complement else interval).cut(least, greatest)
    if any(low > high for low, high in limits.values()):
        return False
    values = {name: float((low + high) / 2) for name, (low, high) in limits.items()}
    units = {name: float((high - low) / 2) for name, (low, high) in limits.items()}
    # Room for the rounding of floats.
    within = {name: unit + min(1e-6, unit / 100) for name, unit in units.items()}
    data = {"p": positives, "n": n - positives}
    return any(_mean_possible(data, folding, values, within) for folding in foldings)


def foldings_of(
    folds: int | Sequence[tuple[int, int]] | None,
    positives: int,
    n: int,
    n_repeats: int = 1,
    stratified: bool = True,
) -> Iterable[Folding]:
    """Return the foldings there may have been, with the arguments of `published_scores_possible`."""
    data = {"p": positives, "n": n - positives}
    if folds is None:
        return [{"folds": [data] * n_repeats}]
    if isinstance(folds, (int, np.integer)):
        if not 2 <= folds <= n:
            raise ValueError(f"folds is {folds}; it must be at least 2 and at most the number of cases.")
        folding: Folding = {"n_folds": int(folds), "n_repeats": n_repeats}
        known = [folding | {"strategy": "stratified_sklearn"}]
        return known if stratified else _all_foldings(data, folding)
    parts = whole_numbers(folds, 2)
    if parts is None or parts.shape[1] != 2 or (parts[:, 0] > parts[:, 1]).any():
        raise ValueError(
            f"folds is {show(folds)}; it must be a whole number, or the positives and all cases of each fold."
        )
    if parts.sum(axis=0).tolist() != [positives, n]:
        raise ValueError("folds do not add up to positives and n; every case must be in exactly one fold.")
    return [{"folds": [{"p": p, "n": cases - p} for p, cases in parts.tolist()] * n_repeats}]


def _all_foldings(data: dict[str, int], folding: Folding) -> Iterator[Folding]:
    with naming_extras():
        from mlscorecheck.aggregated import repeated_kfolds_generator

    evaluation = {"dataset": data, "folding": folding, "fold_score_bounds": None, "aggregation": "mos"}
    found = repeated_kfolds_generator(evaluation, sorted({short for short, _ in LINEAR.values()}))
    yield from (candidate["folding"] for candidate in islice(found, MOST_FOLDINGS))
    if next(found, None):
        raise ValueError(
            f"None of the first {MOST_FOLDINGS} ways to split the classes over the folds gives the scores, and "
            "there are more; give the folds themselves."
        )


def _mean_possible(
    data: dict[str, int], folding: Folding, values: dict[str, float], within: dict[str, float]
) -> bool:
    with naming_extras():
        from mlscorecheck.aggregated import Evaluation, Experiment, solve
        from pulp import getSolver

    mean = {"fold_score_bounds": None, "aggregation": "mos"}
    evaluation = Evaluation(dataset=data, folding=folding, **mean)
    experiment = Experiment(evaluations=[evaluation.to_dict()], aggregation="mos")
    # mlscorecheck reports each step of its search, and its solver what its next version will not do.
    logger = logging.getLogger("mlscorecheck")
    with ExitStack() as quiet:
        quiet.enter_context(warnings.catch_warnings(category=DeprecationWarning, action="ignore"))
        quiet.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.WARNING)
        solved = solve(experiment, values, within, getSolver("PULP_CBC_CMD", msg=False))
    return bool(solved.status == FEASIBLE)


# The tables of all folds together whose folds may have scores with given means: bounds for any score of a table.
#
# A table is left out if no mean between the least and the greatest of its folds is printed so; one that stays may lie
# in a gap between the means that there are. The ends of linear scores follow from the sizes of the folds; those of
# others are found by adding one fold after the other.


MOST_STEPS = 3 * 10**9  # about ten seconds
ROUNDING = 1e-9  # more than the sums of floats lose


def fold_sizes(positives: int, negatives: int, folds: int) -> list[tuple[int, int]]:
    """Return the cases of each class in each fold: both, and all cases, are split as evenly as they can be."""
    more = negatives % folds
    return [
        (positives // folds + ((fold - more) % folds < positives % folds), negatives // folds + (fold < more))
        for fold in range(folds)
    ]


def pooled_ranges(ranges: Ranges, sizes: Sequence[tuple[int, int]]) -> dict[str, Interval]:
    """Return ranges of linear scores of the summed table, from those of their means over folds of the given sizes.

    A fold of more cases weighs more in the sum than in the mean. The pooled score is least where the small folds have
    the greatest shares, and greatest where the large folds do.
    """
    parts = {"acc": list(map(sum, sizes)), "sens": [p for p, _ in sizes], "spec": [n for _, n in sizes]}
    shares = {name: sorted(Fraction(each, sum(part)) for each in part) for name, part in parts.items()}
    shares["bacc"] = sorted(share / 2 for share in (*shares["sens"], *shares["spec"]))
    found = {}
    for name, (low, high) in ranges.items():
        small_first = shares[LINEAR[name][0]]
        found[name] = Interval(_pooled(small_first, low), _pooled(small_first[::-1], high))
    return found


def _pooled(shares: Sequence[Fraction], mean: Limit) -> Limit:
    """Return the weighted mean of scores with the given plain mean, of which those of the first folds are 1."""
    if mean is None or not 0 <= mean < 1:
        return mean
    whole, part = divmod(mean * len(shares), 1)
    return sum(shares[:whole], Fraction(0)) + part * shares[whole]


def tables_of_means(ranges: Ranges, positives: int, negatives: int, folds: int) -> FittingTables:
    """Return the tables of all folds together whose stratified folds may have scores with means in these ranges."""
    linear = {name: interval for name, interval in ranges.items() if name in LINEAR}
    others = {name: interval for name, interval in ranges.items() if name not in LINEAR}
    for name in others:
        if name not in BOUNDED:
            raise ValueError(
                f"The mean of {name!r} over folds is not bounded; those of {', '.join(BOUNDED)} are."
            )
    sizes = fold_sizes(positives, negatives, folds)
    counts = np.array(sizes, dtype=object)
    steps = int((counts + 1).prod(axis=1) @ (counts.cumsum(axis=0) + 1).prod(axis=1))
    if steps * len(others) > MOST_STEPS:
        raise ValueError(
            f"The mean of {next(iter(others))!r} over folds takes {steps:,} steps with these cases; at most "
            f"{MOST_STEPS // len(others):,} are taken. Give the error, the accuracy, recall or specificity."
        )
    found = find_tables(pooled_ranges(linear, sizes), positives, negatives)
    for name, interval in others.items():
        tp, tn = found.all()
        least, greatest = (ends[tp, tn] / folds for ends in _sums(name, sizes))
        low, high = map(float, interval.cut(*BOUNDS[name]))
        fits = (greatest >= low - ROUNDING) & (least <= high + ROUNDING)
        tables = np.array([tp[fits], tn[fits]])
        found = FittingTables(tables, tables)
    return found


def _sums(name: str, sizes: list[tuple[int, int]]) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score over the folds, by true positives and true negatives."""
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
    cells = Cells(tp, tn, positives, negatives)
    if name == AREA:
        return tp * tn / cells.class_product, 1 - cells.fp * cells.fn / cells.class_product
    if name == GEOMETRIC_MEAN:
        value = np.sqrt(tp * tn / cells.class_product)
        return value, value
    plus, minus, over = RATIOS[name](cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (plus - minus) / (np.sqrt(over) if name in ROOTS else over)
    if name in FALLING:
        value = 1 - value
    # Where it is 0/0, any value may have been given.
    least, greatest = BOUNDS[name]
    return np.nan_to_num(value, nan=least), np.nan_to_num(value, nan=greatest)
