"""Can printed scores, also means over folds, belong to any confusion table?"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from itertools import islice
from numbers import Integral
from operator import index
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial._validation import check_choice, show
from nontrivial.measures.published.printed import Printed, check_counts
from nontrivial.measures.published.tables import (
    AREA,
    GEOMETRIC_MEAN,
    RATIOS,
    ROOTS,
    Cells,
    FittingTables,
    Limit,
    Ranges,
    demands_of,
    find_tables,
    ranges_of,
)
from nontrivial.terminal import naming_extras

# Which confusion tables can the printed scores belong to, if any?
#
# Whole numbers decide about every table. Means over folds are different: no single table gives them.


MOST_TABLES = 5_000_000  # that are listed


def published_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> pd.DataFrame:
    """List all confusion tables that give all of the printed scores.

    Whole numbers decide about every table with the given classes, so no rounding of floats adds or removes a table.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        Printed scores by the names of `confusion_measures`, where `f_beta` is F1; `lift`, `geometric_mean` (of recall
        and specificity) and `roc_auc`. Other usual names, such as `f1`, `kappa` or `mcc`, are taken, too. A string
        keeps its trailing zeros. Every number stands for all numbers that round to it, ties either way. A string that
        begins with ``<`` or ``>``, or with ``<=`` or ``>=``, is a limit; the limit itself counts.
    positives, n : int
        Positive cases and all cases.

    Returns
    -------
    pandas.DataFrame
        One row per table and the columns ``tp, fp, fn, tn, prediction_advantage``, in the order of `tp` and then `tn`;
        no row if no table gives the scores. A score that is 0/0 for a table may have been printed as 0 or 1 there,
        as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is not one, the counts leave a class empty, there are more
        than 5,000,000 tables, or more than 3,000,000 true positives and true negatives to try.

    See Also
    --------
    published_scores_possible : Whether there is any table, also for means over folds.
    published_verdict : What the scores are worth.

    Notes
    -----
    `roc_auc` is taken to be the area of the scores that became predictions at one threshold. Of the pairs of a positive
    and a negative case, at least TP TN are then in order and at least FP FN are not.

    Given the classes, every measure but lambda rises or falls with both the true positives and the true negatives, so
    for each number of the one, the fitting numbers of the other are found by bisection. A million cases take seconds.

    Examples
    --------
    >>> published_tables({"recall": "0.75", "precision": "0.6"}, positives=4, n=20)
       tp  fp  fn  tn  prediction_advantage
    0   3   2   1  14                  0.25

    No table of 47 cases with 4 positives has both this accuracy and this kappa:

    >>> len(published_tables({"accuracy": "0.89", "cohen_kappa": "0.24"}, positives=4, n=47))
    0
    """
    found = fitting_tables(scores, positives=positives, n=n)
    if found.count > MOST_TABLES:
        raise ValueError(
            f"{found.count:,} tables give the scores; at most {MOST_TABLES:,} are listed. Give more scores or more "
            "digits."
        )
    tp, tn = found.all()
    fp, fn = n - positives - tn, positives - tp
    minority = min(positives, n - positives)
    return pd.DataFrame(
        {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "prediction_advantage": (minority - fp - fn) / minority}
    )


def fitting_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> FittingTables:
    """Return what `published_tables` lists, however many they are, in rows."""
    positives, n = check_counts(positives, n)
    return find_tables(ranges_of(scores), positives, n - positives)


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
        How the cases were split for a cross-validation: the number of folds, or the positives and all cases
        of each fold. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated.
    stratified : bool, default=True
        Whether a number of `folds` means scikit-learn's stratified splits or any folds. For any folds, the
        distributions of the positives over the folds are tried one after the other.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores are those of the summed table of all folds and repeats or the mean of their scores.
        Means can be decided only for accuracy, balanced accuracy, recall, specificity and their complements.
        That search uses floats, so it may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        False if no tables can give the scores: at least one of them, or the description of the test, is
        wrong. True if some can. A score that is 0/0 for a table may have been printed as 0 or 1 there.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is not one, the counts leave a class empty, or the
        folds do not add up or are too many to try.

    See Also
    --------
    published_tables : The tables.
    published_advantage : What a printed error rate says about the Prediction Advantage.

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
    repeats = int(n_repeats)
    foldings = foldings_of(folds, positives, n, repeats, stratified)
    if average == "pooled" or (folds is None and repeats == 1):
        return fitting_tables(scores, positives=positives * repeats, n=n * repeats).count > 0
    return means_possible(ranges_of(scores), positives, n, foldings)


# Means of scores over folds: whether folds can have them, and what they say about the table of all folds together.
#
# The search for folds is mlscorecheck's (Fazekas and Kovacs 2024), with the names and the rounding of this package.


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
MOST_FOLDINGS = 1000
FEASIBLE = 1  # as PuLP says it
Folding = dict[str, Any]  # in mlscorecheck's terms


def means_possible(ranges: Ranges, positives: int, n: int, foldings: Iterator[Folding]) -> bool:
    """Tell whether tables of the folds of one of the foldings have scores with means in these ranges.

    Raises
    ------
    ValueError
        If the mean of a score cannot be decided.
    """
    # The search starts from both rates: of one that is not given, nothing is asked.
    limits = {"sens": (Fraction(0), Fraction(1)), "spec": (Fraction(0), Fraction(1))}
    for name, (low, high) in ranges.items():
        if name not in LINEAR:
            raise ValueError(
                f"The mean of {name!r} over folds cannot be decided; those of {', '.join(LINEAR)} can."
            )
        low, high = Fraction(0) if low is None else low, Fraction(1) if high is None else high
        short, is_complement = LINEAR[name]
        if is_complement:
            low, high = 1 - high, 1 - low
        least, greatest = limits.get(short, (low, high))
        limits[short] = max(low, least), min(high, greatest)
    if any(low > high for low, high in limits.values()):
        return False
    values = {name: float((low + high) / 2) for name, (low, high) in limits.items()}
    units = {name: float((high - low) / 2) for name, (low, high) in limits.items()}
    # Room for the rounding of floats.
    within = {name: unit + min(1e-6, unit / 100) for name, unit in units.items()}
    data = {"p": positives, "n": n - positives}
    return any(_mean_possible(data, folding, values, within) for folding in foldings)


def foldings_of(
    folds: int | Sequence[tuple[int, int]] | None, positives: int, n: int, n_repeats: int, stratified: bool
) -> Iterator[Folding]:
    """Return the foldings there may have been, with the arguments of `published_scores_possible`."""
    data = {"p": positives, "n": n - positives}
    if folds is None:
        return iter([{"folds": [data] * n_repeats}])
    if not isinstance(folds, (int, Integral)):
        try:
            parts = [{"p": index(positives), "n": index(n) - index(positives)} for positives, n in folds]
            are_counts = all(min(part.values()) >= 0 for part in parts)
        except (TypeError, ValueError):
            are_counts = False
        if not are_counts:
            raise ValueError(
                f"folds is {show(folds)}; it must be a whole number, or the positives and all cases of each fold."
            )
        if any(sum(part[side] for part in parts) != data[side] for side in data):
            raise ValueError(
                "folds do not add up to positives and n; every case must be in exactly one fold."
            )
        return iter([{"folds": parts * n_repeats}])
    n_folds = int(folds)
    if not 2 <= n_folds <= sum(data.values()):
        raise ValueError(f"folds is {folds}; it must be at least 2 and at most the number of cases.")
    folding: Folding = {"n_folds": n_folds, "n_repeats": n_repeats}
    if stratified:
        return iter([folding | {"strategy": "stratified_sklearn"}])
    return _all_foldings(data, folding)


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


def fold_sizes(positives: int, negatives: int, folds: int) -> list[tuple[int, int]]:
    """Return the cases of each class in each fold: both, and all cases, are split as evenly as they can be."""
    more = negatives % folds
    return [
        (positives // folds + ((fold - more) % folds < positives % folds), negatives // folds + (fold < more))
        for fold in range(folds)
    ]


def pooled_ranges(ranges: Ranges, sizes: Sequence[tuple[int, int]]) -> Ranges:
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
        found[name] = _pooled(small_first, low), _pooled(small_first[::-1], high)
    return found


def _pooled(shares: Sequence[Fraction], mean: Limit) -> Limit:
    """Return the weighted mean of scores with the given plain mean, of which those of the first folds are 1."""
    if mean is None or not 0 <= mean < 1:
        return mean
    whole, part = divmod(mean * len(shares), 1)
    return sum(shares[:whole], Fraction(0)) + part * shares[whole]


def tables_of_means(ranges: Ranges, positives: int, negatives: int, folds: int) -> FittingTables:
    """Return the tables of all folds together whose stratified folds may have scores with means in these ranges.

    Each fold must have a case of each class.

    Raises
    ------
    ValueError
        If the mean of a score is not bounded, or there are too many tables.
    """
    linear = {name: limits for name, limits in ranges.items() if name in LINEAR}
    bounded = {name: limits for name, limits in ranges.items() if name not in LINEAR}
    for name in bounded:
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
    if steps * len(bounded) > MOST_STEPS:
        raise ValueError(
            f"The mean of {next(iter(bounded))!r} over folds takes {steps:,} steps with these cases; at most "
            f"{MOST_STEPS // len(bounded):,} are taken. Give the error, the accuracy, recall or specificity."
        )
    tp, tn = np.indices((positives + 1, negatives + 1))
    fits = np.ones(tp.shape, dtype=bool)
    for each in demands_of(pooled_ranges(linear, sizes), positives, negatives)[0]:
        fits &= each.met(Cells(tp.ravel(), tn.ravel(), positives, negatives)).reshape(tp.shape)
    for name, (low, high) in bounded.items():
        least, greatest = _sums(name, sizes)
        if low is not None:
            fits &= greatest >= folds * float(low) - ROUNDING
        if high is not None:
            fits &= least <= folds * float(high) + ROUNDING
    changes = np.diff(np.pad(fits, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, first = np.nonzero(changes == 1)
    return FittingTables((positives, negatives), 1, row, first, np.nonzero(changes == -1)[1] - 1)


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
    plus, minus, over = RATIOS[name](cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (plus - minus) / (np.sqrt(over) if name in ROOTS else over)
    undefined = np.isnan(value)
    low, high = ENDS[name]
    return np.where(undefined, low, value), np.where(undefined, high, value)
