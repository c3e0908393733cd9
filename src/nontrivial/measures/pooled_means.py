"""What a mean over folds says about the table of all folds together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from nontrivial.measures.ratios import Limit, Ranges


def pooled_ranges(ranges: Ranges, positives: int, negatives: int, folds: int) -> Ranges:
    """Return ranges of the scores of the summed table, from those of their means over stratified folds.

    A fold of more cases weighs more in the sum than in the mean. The pooled score is least where the small folds have
    the greatest shares, and greatest where the large folds do.

    Parameters
    ----------
    ranges : mapping of str to (Fraction or None, Fraction or None)
        Of accuracy, balanced accuracy, recall, specificity and their complements.
    positives, negatives, folds : int
        Each class is split as evenly as it can be, and so are all cases.

    Raises
    ------
    ValueError
        If a fold would lack a class.
    """
    rarer = min(positives, negatives)
    if folds > rarer:
        raise ValueError(
            f"folds is {folds}, but one class has {rarer} cases; each fold needs a case of each class."
        )
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
