"""Sign tests of all tables that fit, against every constant guess.

Against always guessing one class, a case is won if its class is another one and it is predicted rightly. It is lost if
it belongs to the class and is predicted wrongly.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial.measures.published.inequalities import ERROR_SCORES, Ranges
from nontrivial.measures.published.numbers import RoundingInterval
from nontrivial.measures.published.sizes import ClassSizes
from nontrivial.measures.published.tables import FittingTables, find_first
from nontrivial.measures.sign_verdict import Pairs, sign_test

Steps = list[tuple[int, Any]]  # how many errors there can be, and what each of them takes from a score
MULTICLASS_SCORES = (*ERROR_SCORES, "balanced_accuracy", "cohen_kappa")


class SignTestResults(NamedTuple):
    """The ends of the errors and p-values of all tables that fit.

    `least_better` and `least_worse` are the wins and losses, against each class, of the tables that show least.
    """

    n_tables: int | None
    errors: tuple[int, int]
    p_better: tuple[float, float]
    p_worse: tuple[float, float]
    least_better: Pairs
    least_worse: Pairs


def sign_test_tables(tables: FittingTables, class_sizes: ClassSizes) -> SignTestResults:
    """Test all tables of two classes. The p-values are monotone in the hits, so the ends of each run decide."""
    sizes = np.array(class_sizes)[:, None]
    # Rows: against always guessing positive, and against always guessing negative.
    fewest_wins, most_losses = tables.first[::-1], sizes - tables.first
    most_wins, fewest_losses = tables.last[::-1], sizes - tables.last
    return SignTestResults(
        n_tables=tables.count,
        errors=(int(fewest_losses.sum(axis=0).min()), int(most_losses.sum(axis=0).max())),
        p_better=(
            sign_test(most_wins, fewest_losses).max(axis=0).min(),
            sign_test(fewest_wins, most_losses).max(),
        ),
        p_worse=(
            2 * sign_test(most_losses, fewest_wins).min(),
            2 * sign_test(fewest_losses, most_wins).min(axis=0).max(),
        ),
        least_better=_extreme_pairs(np.argmin, fewest_wins, most_losses),
        least_worse=_extreme_pairs(np.argmax, most_wins, fewest_losses),
    )


def _extreme_pairs(find_extreme: Callable[..., Ints], won: Ints, lost: Ints) -> Pairs:
    """Return, for each class, wins and losses in the run with the least or the greatest standardised difference."""
    runs = find_extreme((won - lost) / np.sqrt(np.maximum(won + lost, 1)), axis=1)
    return [(int(won[row, run]), int(lost[row, run])) for row, run in enumerate(runs)]


def sign_test_error_counts(ranges: Ranges, class_sizes: ClassSizes) -> SignTestResults | None:
    """Test all ways to spread errors over classes, for all numbers of errors that the scores allow; None if none."""
    fewest, most = 0, sum(class_sizes)
    for name, interval in ranges.items():
        least_errors, greatest_errors = _bound_errors(name, interval, class_sizes)
        fewest, most = max(fewest, least_errors), min(most, greatest_errors)
    if fewest > most:
        return None
    # A class without cases is never the best guess.
    sizes = np.array([size for size in class_sizes if size])
    with_most, with_fewest = _ErrorSpreads(sizes, most), _ErrorSpreads(sizes, fewest)
    n_tables = None
    if len(class_sizes) == 2:
        n_tables = _count_spreads(most, class_sizes) - _count_spreads(fewest - 1, class_sizes)
    n_tests = len(sizes)
    return SignTestResults(
        n_tables,
        errors=(fewest, most),
        p_better=(with_fewest.minimise_greatest(sign_test), with_most.p_values_at_ends(sign_test).max()),
        p_worse=(
            n_tests * with_most.p_values_at_ends(lambda won, lost: sign_test(lost, won)).min(),
            -n_tests * with_fewest.minimise_greatest(lambda won, lost: -sign_test(lost, won)),
        ),
        least_better=with_most.pairs_with_most_losses(),
        least_worse=with_fewest.pairs_with_most_losses(),
    )


def _bound_errors(name: str, interval: RoundingInterval, class_sizes: ClassSizes) -> tuple[int, int]:
    """Return the fewest and the most errors with a score of `MULTICLASS_SCORES`; the fewest are more if none fit.

    An error may be any label, also one outside the listed classes. Each error takes something from the score. The
    errors made so far take least, or most, if they are made class by class in the order of what one takes.
    """
    score = interval.complement() if name == "error_rate" else interval
    least_loss, greatest_loss = 1 - score.high, 1 - score.low
    n = sum(class_sizes)
    if name == "cohen_kappa":
        # With E errors, kappa is 1 - n E / (n^2 - S). S sums, over the cases, the size of the predicted class. An error
        # adds the size of the class that it names, at most the largest other one, and takes the size of its own class.
        # A label outside the classes has size 0.
        scale = n * n - sum(size * size for size in class_sizes)
        largest, second, *_ = descending = sorted(class_sizes, reverse=True)
        gains = [(size, (second if size == largest else largest) - size) for size in reversed(descending)]
        greatest_steps: Steps = [(size, n + least_loss * gain) for size, gain in gains]
        least_steps: Steps = [(size, n - greatest_loss * size) for size in descending]
    else:
        # An error takes 1 / size of its class from the sum of the recalls. The accuracy has one class.
        sizes = sorted(filter(None, class_sizes)) if name == "balanced_accuracy" else [n]
        scale = len(sizes)
        greatest_steps = [(size, Fraction(1, size)) for size in sizes]
        least_steps = greatest_steps[::-1]

    def score_loss(errors: int, steps: Steps) -> Any:
        total: Any = 0
        for most, step in steps:
            total += min(most, errors) * step
            errors -= min(most, errors)
        return total

    numbers = range(n + 1)
    fewest = bisect_left(numbers, least_loss * scale, key=lambda errors: score_loss(errors, greatest_steps))
    most = (
        bisect_right(numbers, greatest_loss * scale, key=lambda errors: score_loss(errors, least_steps)) - 1
    )
    return fewest, most


def _count_spreads(errors: int, class_sizes: ClassSizes) -> int:
    """Count the pairs of FN and FP with at most so many errors, by inclusion and exclusion of the two class sizes."""
    positives, negatives = class_sizes
    excesses = [(0, 1), (positives + 1, -1), (negatives + 1, -1), (positives + negatives + 2, 1)]
    return sum(sign * math.comb(max(errors - excess + 2, 0), 2) for excess, sign in excesses)


class _ErrorSpreads:
    """All ways to spread a number of errors over the classes.

    `fewest` and `most` are the errors that each class can have. They are its losses, and `margin` plus them its wins.
    """

    def __init__(self, class_sizes: Ints, errors: int) -> None:
        self.errors = errors
        self.margin = class_sizes.sum() - class_sizes - errors
        self.fewest, self.most = np.maximum(0, -self.margin), np.minimum(class_sizes, errors)

    def pairs_with_most_losses(self) -> Pairs:
        """Return, for each class, wins and losses if it has the most errors that it can have."""
        return list(zip((self.margin + self.most).tolist(), self.most.tolist(), strict=True))

    def p_values_at_ends(self, p_values: Callable[[Ints, Ints], Any]) -> Floats:
        """Return the p-values of all classes, from wins and losses, with the fewest errors and with the most."""
        lost = np.array([self.fewest, self.most])
        return np.asarray(p_values(self.margin + lost, lost))

    def minimise_greatest(self, p_values: Callable[[Ints, Ints], Any]) -> float:
        """Return the least value, over all spreads, of the greatest p-value of a class, by bisection.

        The p-value of a class must be monotone in its errors.
        """
        at_fewest, at_most = self.p_values_at_ends(p_values)
        rises = at_fewest <= at_most
        low, high = -1.0, 1.0
        while high - low > max(1e-12 * abs(high), 1e-60):
            middle = (low + high) / 2

            def has_turned(classes: Ints, lost: Ints, middle: float = middle) -> Any:
                return (p_values(self.margin[classes] + lost, lost) <= middle) != rises[classes]

            turn = find_first(has_turned, self.fewest, self.most)
            # The numbers of errors of each class whose p-value is at most the middle.
            first, last = np.where(rises, self.fewest, turn), np.where(rises, turn - 1, self.most)
            is_reached = (first <= last).all() and first.sum() <= self.errors <= last.sum()
            low, high = (low, middle) if is_reached else (middle, high)
        return high
