"""Scores that are means over folds: whether any folds can have these means, and which summed tables can.

The search for folds is mlscorecheck's (Fazekas and Kovacs 2024), with the names and the rounding of this package.
Bounds exclude a summed table if its folds cannot have a mean in the printed range. For a linear score, the bounds
follow from the sizes of the folds. For another score, dynamic programming adds one fold after the other.
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
from nontrivial._validation import check_choice, repr_of
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.numbers import Bounds, Printed, RoundingInterval
from nontrivial.measures.published.sizes import check_counts, whole_numbers
from nontrivial.measures.published.tables import (
    AREA,
    ERROR_SCORES,
    GREATEST_AREA,
    LEAST_AREA,
    NO_TABLES,
    SCORE_BOUNDS,
    FittingTables,
    Ranges,
    find_tables,
    parse_scores,
)
from nontrivial.terminal import naming_extras

FoldDesign = list[tuple[int, int]]  # the positives and negatives of each fold
# A linear score is linear in the counts of a fold, so linear programming can decide about its mean over folds.
MLSCORECHECK_NAMES = {"accuracy": "acc", "balanced_accuracy": "bacc", "recall": "sens", "specificity": "spec"}
COMPLEMENTS = {"error_rate": "accuracy", "false_negative_rate": "recall", "false_positive_rate": "specificity"}
LINEAR_SCORES = (*MLSCORECHECK_NAMES, *COMPLEMENTS)
FOLD_RULES = {
    "even": "Assumes folds whose sizes differ by at most one, or cases of each class spread as evenly as possible",
    "stratified": "Assumes the folds of scikit-learn's StratifiedKFold",
    "any": "Folds of any number and size may have any means, so nothing follows",
}
BOUNDED_SCORES = [
    name for name, bounds in SCORE_BOUNDS.items() if all(map(math.isfinite, bounds)) and name not in LINEAR_SCORES
]
MAX_STEPS = 3 * 10**9  # these take about ten seconds
MEAN_TOLERANCE = 1e-9  # above the rounding error of a sum of floats
MAX_EXCESS = 1e-6  # the search in floats may accept a mean this far outside its printed range
PULP_FEASIBLE = 1


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

    With `folds`, the scores belong to the sum of the tables of all folds, unless `average` is "mean". But the command
    and `published_verdict` always take scores with folds for means.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Number of positive cases and of all cases.
    folds : int or sequence of (int, int), optional
        The positives and all cases of each fold of a cross-validation, or only the number of folds. If the scores are
        means over a number of folds, we assume, as in `published_verdict`, that the sizes of the folds differ by at
        most one, or that the cases of each class are spread as evenly as possible. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated, with folds of the same sizes.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores belong to the summed table of all folds and repeats, or are means over folds and repeats.
        Only means of accuracy, balanced accuracy, recall, specificity and their complements can be decided. The search
        computes in floats, so it may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        If False, at least one of the scores, or the description of the test, is wrong. Means over a number of folds may
        still be possible for folds of other sizes.

    Raises
    ------
    ValueError
        As in `published_tables`, or if the folds do not add up to the cases. For means also if a given fold lacks a
        class, or if `n` is less than twice the number of folds.

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
        raise ValueError(f"n_repeats is {repr_of(n_repeats)}; it must be a whole number of 1 or greater.")
    ranges, n_repeats = parse_scores(scores), int(n_repeats)
    is_number = isinstance(folds, (int, np.integer))
    counts = whole_numbers([(positives, n)] if folds is None or is_number else folds, dimensions=2)
    if counts is None or counts.shape[1] != 2 or (counts[:, 0] > counts[:, 1]).any():
        raise ValueError(
            f"folds is {repr_of(folds)}; it must be a whole number, or the positives and all cases of each fold."
        )
    if counts.sum(axis=0).tolist() != [positives, n]:
        raise ValueError("folds do not add up to positives and n; every case must be in exactly one fold.")
    if average == "pooled" or (folds is None and n_repeats == 1):
        return find_tables(ranges, positives * n_repeats, (n - positives) * n_repeats).count > 0
    if undecided := [interval.name for name, interval in ranges.items() if name not in LINEAR_SCORES]:
        raise ValueError(
            f"The mean of {undecided[0]} over folds cannot be decided; the means of {', '.join(LINEAR_SCORES)} can."
        )
    if is_number:
        return bool(find_designs(ranges, positives, n - positives, int(folds), n_repeats=n_repeats)[1])
    design = [(fold_positives, cases - fold_positives) for fold_positives, cases in counts.tolist()]
    return are_means_possible(ranges, design * n_repeats)


def are_means_possible(means: Ranges, design: FoldDesign) -> bool:
    """Tell whether some tables of these folds have means in these ranges; all scores must be linear."""
    # The search needs a range for both rates, even if none is printed.
    limits: dict[str, Bounds] = {"recall": (0, 1), "specificity": (0, 1)}
    for name, interval in means.items():
        score = interval.complement() if name in COMPLEMENTS else interval
        linear_name = COMPLEMENTS.get(name, name)
        low, high = limits.get(linear_name, (0, 1))
        limits[linear_name] = max(low, score.low), min(high, score.high)
    if means.keys() <= set(ERROR_SCORES):
        # Only the sizes of the folds matter. The search needs both classes in a fold, so each fold gets a negative.
        design = [(positives + negatives - 1, 1) for positives, negatives in design]
    if min(map(min, design)) == 0:
        raise ValueError("A fold has no case of one class, so the mean over the folds is not defined.")
    if any(low > high for low, high in limits.values()):
        return False
    with naming_extras():
        from mlscorecheck.aggregated import Evaluation, Experiment, solve
        from pulp import getSolver
    centres: dict[str, float] = {}
    reaches: dict[str, float] = {}
    for name, (low, high) in limits.items():
        half = float(high - low) / 2
        centres[MLSCORECHECK_NAMES[name]] = float(low + high) / 2
        reaches[MLSCORECHECK_NAMES[name]] = half + min(MAX_EXCESS, half / 100)
    p, n = map(sum, zip(*design, strict=True))
    folding = {"folds": [{"p": positives, "n": negatives} for positives, negatives in design]}
    evaluation = Evaluation({"p": p, "n": n}, folding, fold_score_bounds=None, aggregation="mos")
    experiment = Experiment(evaluations=[evaluation.to_dict()], aggregation="mos")
    logging.getLogger("mlscorecheck").setLevel(logging.WARNING)  # no report on each step of the search
    with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
        solution = solve(experiment, centres, reaches, getSolver("PULP_CBC_CMD", msg=False))
    return bool(solution.status == PULP_FEASIBLE)


def spread_evenly(positives: int, negatives: int, folds: int) -> list[FoldDesign]:
    """Return the designs in which each class is spread evenly over the folds.

    Some folds get one more positive, and some get one more negative. The designs differ in how many folds get both. In
    the first design, as few folds as possible get both, so the fold sizes are even, too. StratifiedKFold makes it.
    """
    fewest_positives, extra_positives = divmod(positives, folds)
    fewest_negatives, extra_negatives = divmod(negatives, folds)
    positives_of_folds = [fewest_positives + (fold < extra_positives) for fold in range(folds)]
    designs = []
    fewest_with_both = max(0, extra_positives + extra_negatives - folds)
    for n_with_both in range(fewest_with_both, min(extra_positives, extra_negatives) + 1):
        first = extra_positives - n_with_both
        last = first + extra_negatives - 1
        negatives_of_folds = [fewest_negatives + (first <= fold <= last) for fold in range(folds)]
        designs.append(list(zip(positives_of_folds, negatives_of_folds, strict=True)))
    return designs


def find_designs(
    means: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False, n_repeats: int = 1
) -> tuple[Ranges, list[FoldDesign]]:
    """Return the means that can exclude a design, and the designs with this number of folds that remain."""
    smaller_class = min(positives, negatives)
    max_folds = smaller_class if stratified else (positives + negatives) // 2
    need = "a case of each class" if stratified else "two cases"
    if not 2 <= folds <= max_folds:
        raise ValueError(f"folds is {folds}; it must be from 2 to {max_folds}, as each fold needs {need}.")
    designs = [design * n_repeats for design in spread_evenly(positives, negatives, folds)]
    if stratified:
        designs = designs[:1]
    else:
        # Folds of even size may have any number of positives, so only a mean of accuracies can exclude such folds.
        error_means = {name: interval for name, interval in means.items() if name in ERROR_SCORES}
        if folds > smaller_class or _may_have_means(designs[0], error_means):
            means = error_means
    return means, [design for design in designs if _may_have_means(design, means)]


def _may_have_means(design: FoldDesign, means: Ranges) -> bool:
    linear_means = {name: interval for name, interval in means.items() if name in LINEAR_SCORES}
    # The search needs two cases in each fold.
    return not linear_means or min(map(sum, design)) < 2 or are_means_possible(linear_means, design)


def tables_of_means(
    means: Ranges, positives: int, negatives: int, folds: int, stratified: bool = False
) -> FittingTables:
    """Find the summed tables whose folds may have these means. Bounds decide, so a few tables too many may remain."""
    means, designs = find_designs(means, positives, negatives, folds, stratified)
    if not designs:
        return NO_TABLES
    other_means = {name: interval for name, interval in means.items() if name not in LINEAR_SCORES}
    if other_means:
        _check_bounds(other_means, designs)
    pooled = {name: _pooled_range(name, means[name], designs) for name in means if name in LINEAR_SCORES}
    fitting = find_tables(pooled, positives, negatives)
    for name, interval in other_means.items():
        low, high = float(interval.low) - MEAN_TOLERANCE, float(interval.high) + MEAN_TOLERANCE
        tp, tn = fitting.list_hits()
        fits = np.zeros(len(tp), dtype=bool)
        for design in designs:
            least, greatest = (sums[tp, tn] / len(design) for sums in _bound_sums(name, design))
            fits |= (greatest >= low) & (least <= high)
        hits = np.array([tp[fits], tn[fits]])
        fitting = FittingTables(hits, hits)
    return fitting


def _check_bounds(means: Ranges, designs: list[FoldDesign]) -> None:
    """Raise ValueError if a mean has no bounds, or if computing its bounds takes too long."""
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
    """Return the range that a linear score of the summed table can have, from the range of its mean over folds."""
    lows: list[Fraction | float] = []
    highs: list[Fraction | float] = []
    for design in designs:
        positives, negatives = zip(*design, strict=True)
        denominators = {
            "accuracy": [tuple(map(sum, design))],
            "balanced_accuracy": [positives, negatives],
            "recall": [positives],
            "specificity": [negatives],
        }[COMPLEMENTS.get(name, name)]
        # The weight of each fold, or of each class in a fold, in the score of the summed table.
        shares = [Fraction(size, sum(sizes) * len(denominators)) for sizes in denominators for size in sizes]
        shares.sort()
        # This score is least if the smallest folds have a perfect score, and greatest if the largest folds do.
        lows.append(_sum_first(shares, mean.low * len(shares)))
        highs.append(_sum_first(shares[::-1], mean.high * len(shares)))
    return replace(mean, low=min(lows), high=max(highs))


def _sum_first(shares: list[Fraction], n_shares: Fraction | float) -> Fraction | float:
    """Add up the first `n_shares` shares; for 2.5, add two shares and half of the third."""
    n_whole, fraction = divmod(n_shares, 1)
    return sum(shares[: int(n_whole)], Fraction(0)) + fraction * [*shares, Fraction(0)][int(n_whole)]


def _bound_sums(name: str, design: FoldDesign) -> tuple[Floats, Floats]:
    """Return the least and the greatest sum of a score over folds, for each TP and TN of the summed table."""
    least, greatest = np.zeros((1, 1)), np.zeros((1, 1))
    for positives, negatives in design:
        tp, tn = np.indices((positives + 1, negatives + 1), dtype=float)
        tables = ConfusionTables(tp, negatives - tn, positives - tp, tn)
        if name == AREA:
            low, high = LEAST_AREA.values(tables), GREATEST_AREA.values(tables)
        else:  # a paper may give any value to a score that is 0/0
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
