"""Means of scores over folds: whether folds can have them, and what they say about the table of all folds together.

The search for folds is mlscorecheck's (Fazekas and Kovacs 2024), with the names and the rounding of this package.
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from numbers import Integral
from operator import index
from typing import Any

from nontrivial._validation import show
from nontrivial.measures.published.ratios import Limit, Ranges
from nontrivial.terminal import naming_extras

Counts = dict[str, int]
Floats = dict[str, float]
Folding = dict[str, Any]  # in mlscorecheck's terms
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


def means_possible(ranges: Ranges, positives: int, n: int, foldings: Iterator[Folding]) -> bool:
    """Tell whether tables of the folds of one of the foldings have scores with means in these ranges.

    Raises
    ------
    ValueError
        If the mean of a score cannot be decided.
    """
    limits = _translate(ranges)
    if any(low > high for low, high in limits.values()):
        return False
    values = {name: float((low + high) / 2) for name, (low, high) in limits.items()}
    units = {name: float((high - low) / 2) for name, (low, high) in limits.items()}
    data = {"p": positives, "n": n - positives}
    return any(_mean_possible(data, folding, values, units) for folding in foldings)


def _translate(ranges: Ranges) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the ranges under mlscorecheck's names; a score and its complement share one."""
    limits: dict[str, tuple[Fraction, Fraction]] = {}
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
    return limits


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


def _all_foldings(data: Counts, folding: Folding) -> Iterator[Folding]:
    with naming_extras():
        from mlscorecheck.aggregated import repeated_kfolds_generator

    evaluation = {"dataset": data, "folding": folding, "fold_score_bounds": None, "aggregation": "mos"}
    for tried, candidate in enumerate(
        repeated_kfolds_generator(evaluation, sorted({short for short, _ in LINEAR.values()}))
    ):
        if tried == MOST_FOLDINGS:
            raise ValueError(
                f"None of the first {MOST_FOLDINGS} ways to split the classes over the folds gives the scores, and "
                "there are more; give the folds themselves."
            )
        yield candidate["folding"]


def _mean_possible(data: Counts, folding: Folding, values: Floats, units: Floats) -> bool:
    with naming_extras():
        from mlscorecheck.aggregated import Evaluation, Experiment, solve
        from pulp import getSolver

    mean = {"fold_score_bounds": None, "aggregation": "mos"}
    evaluation = Evaluation(dataset=data, folding=folding, **mean)
    experiment = Experiment(evaluations=[evaluation.to_dict()], aggregation="mos")
    # The search starts from both rates: of one that is not given, nothing is asked.
    values = {"sens": 0.5, "spec": 0.5} | values
    units = {"sens": 0.5, "spec": 0.5} | units
    # Room for the rounding of floats.
    within = {short: unit + min(1e-6, unit / 100) for short, unit in units.items()}
    with _quiet():
        solved = solve(experiment, values, within, getSolver("PULP_CBC_CMD", msg=False))
    return bool(solved.status == FEASIBLE)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep mlscorecheck from reporting each step of its search, and its solver what its next version will not do."""
    logger = logging.getLogger("mlscorecheck")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        with warnings.catch_warnings(category=DeprecationWarning, action="ignore"):
            yield
    finally:
        logger.setLevel(level)


def pooled_ranges(ranges: Ranges, positives: int, negatives: int, folds: int) -> Ranges:
    """Return ranges of the scores of the summed table, from those of their means over stratified folds.

    A fold of more cases weighs more in the sum than in the mean. The pooled score is least where the small folds have
    the greatest shares, and greatest where the large folds do.

    Parameters
    ----------
    ranges : mapping of str to (Fraction or None, Fraction or None)
        Of accuracy, balanced accuracy, recall, specificity and their complements.
    positives, negatives, folds : int
        Each class is split as evenly as it can be, and so are all cases. Each fold has a case of each class.
    """
    of_positives, of_negatives, of_all = (
        _parts(count, folds) for count in (positives, negatives, positives + negatives)
    )
    sizes = {
        "accuracy": of_all,
        "error_rate": of_all,
        "recall": of_positives,
        "false_negative_rate": of_positives,
        "specificity": of_negatives,
        "false_positive_rate": of_negatives,
        "balanced_accuracy": [part / 2 for part in (*of_positives, *of_negatives)],
    }
    return {
        name: (_pooled(sizes[name], low, least=True), _pooled(sizes[name], high, least=False))
        for name, (low, high) in ranges.items()
    }


def _parts(count: int, folds: int) -> list[Fraction]:
    """Return the share of the cases in each fold."""
    size, more = divmod(count, folds)
    return [Fraction(size + (fold < more), count) for fold in range(folds)]


def _pooled(weights: Sequence[Fraction], mean: Limit, *, least: bool) -> Limit:
    """Return the least or greatest weighted mean of shares with the given plain mean."""
    if mean is None or not 0 <= mean <= 1:
        return mean
    total = mean * len(weights)
    whole = math.floor(total)
    ordered = sorted(weights, reverse=not least)
    return sum(ordered[:whole], Fraction(0)) + (
        ordered[whole] * (total - whole) if whole < len(ordered) else 0
    )
