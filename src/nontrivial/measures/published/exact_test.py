"""An exact test of published scores against every constant guess, over every table that fits them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.measures.published.class_errors import errors_between
from nontrivial.measures.published.ratios import Ranges
from nontrivial.measures.published.table_search import FittingTables
from nontrivial.measures.sign_verdict import sign_test

HALVINGS = 200  # of the p-value that is sought; they lead to 1e-48
Span = tuple[float, float]


@dataclass(frozen=True)
class Evidence:
    """What all fitting tables come to.

    Attributes
    ----------
    tables : int or None
        How many there are; None for more than two classes.
    errors : (int, int)
    p_better, p_worse : (float, float)
        The least and the greatest value over the tables.
    least_better, least_worse : list of (won, lost), one for each class with cases
        In the table that shows least: the cases right where always predicting the class is wrong, and the other way
        round.
    """

    tables: int | None
    errors: tuple[int, int]
    p_better: Span
    p_worse: Span
    least_better: list[tuple[int, int]]
    least_worse: list[tuple[int, int]]


def evidence_of_tables(found: FittingTables) -> Evidence | None:
    """Test every table: the p-values rise and fall with the hits, so that the ends of each row decide."""
    if not found.count:
        return None
    positives, negatives = found.positives, found.negatives
    ends = []
    for tp, tn in (found.least(), found.greatest()):
        won = np.array([tn, tp])  # against always positive, and always negative
        lost = np.array([positives - tp, negatives - tn])
        ends.append((won, lost))
    (won, lost), (most_won, least_lost) = ends
    better = [sign_test(*end).max(axis=0) for end in ends]
    worse = [np.minimum(2 * sign_test(*end[::-1]).min(axis=0), 1.0) for end in ends]
    return Evidence(
        tables=found.count,
        errors=(int(least_lost.sum(axis=0).min()), int(lost.sum(axis=0).max())),
        p_better=(float(better[1].min()), float(better[0].max())),
        p_worse=(float(worse[0].min()), float(worse[1].max())),
        least_better=_clearest(won, lost, np.argmin),
        least_worse=_clearest(most_won, least_lost, np.argmax),
    )


def _clearest(won: Any, lost: Any, pick: Callable[..., Any]) -> list[tuple[int, int]]:
    """Return wins and losses of the table that `pick` takes by the clarity of the wins, for each class."""
    clarity: Floats = (won - lost) / np.sqrt(np.maximum(won + lost, 1))
    return [
        (int(wins[place]), int(losses[place]))
        for wins, losses, place in zip(won, lost, pick(clarity, axis=1), strict=True)
    ]


def evidence_of_errors(ranges: Ranges, counts: list[int]) -> Evidence | None:
    """Test all ways to spread as many errors over the classes as the scores in `class_errors` allow.

    A class may have no cases, unless there are only two.
    """
    fewest, most = 0, sum(counts)
    for name, limits in ranges.items():
        found = errors_between(name, *limits, counts)
        if found is None:
            return None
        fewest, most = max(fewest, found[0]), min(most, found[1])
    if fewest > most:
        return None
    held = [count for count in counts if count]  # a class of no cases is never the best guess
    ends_most = list(_spreads(held, most))
    ends_fewest = list(_spreads(held, fewest))
    better = [sign_test(margin + lost, lost).max() for margin, lost in ends_most]
    worse = [sign_test(lost, margin + lost).min() for margin, lost in ends_most]
    n_classes = len(held)
    return Evidence(
        tables=_tables_between(fewest, most, *counts) if len(counts) == 2 else None,
        errors=(fewest, most),
        p_better=(_least_greatest(sign_test, ends_fewest, fewest), float(max(better))),
        p_worse=(
            min(1.0, n_classes * float(min(worse))),
            min(
                1.0,
                -n_classes * _least_greatest(lambda won, lost: -sign_test(lost, won), ends_fewest, fewest),
            ),
        ),
        least_better=[(margin + int(lost[1]), int(lost[1])) for margin, lost in ends_most],
        least_worse=[(margin + int(lost[1]), int(lost[1])) for margin, lost in ends_fewest],
    )


def _spreads(counts: list[int], errors: int) -> Iterator[tuple[int, Any]]:
    """Give for each class the wins minus the losses against it, and the fewest and the most losses.

    Lost are the errors in the class itself.
    """
    n = sum(counts)
    for count in counts:
        others = n - count
        yield others - errors, np.array([max(0, errors - others), min(count, errors)])


def _least_greatest(
    value: Callable[[Any, Any], Any], spreads: Sequence[tuple[int, Any]], errors: int
) -> float:
    """Spread the errors over the classes so that the greatest value of a class is least, and return that value.

    The values are monotone in the errors of the class.
    """
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        if high - low <= 1e-12 * abs(high):
            break
        middle = (low + high) / 2
        spans = [_not_above(value, middle, margin, *map(int, ends)) for margin, ends in spreads]
        if all(first <= last for first, last in spans) and (
            sum(first for first, _ in spans) <= errors <= sum(last for _, last in spans)
        ):
            high = middle
        else:
            low = middle
    return high


def _not_above(
    value: Callable[[Any, Any], Any], most: float, margin: int, first: int, last: int
) -> tuple[int, int]:
    """Return the numbers of errors in a class, from `first` to `last`, with values of at most `most`."""

    def at(lost: int) -> float:
        return float(value(margin + lost, lost))

    numbers = range(first, last + 1)
    if at(first) <= at(last):
        return first, first + bisect_right(numbers, most, key=at) - 1
    return first + bisect_left(numbers, True, key=lambda lost: at(lost) <= most), last


def _tables_between(fewest: int, most: int, positives: int, negatives: int) -> int:
    """Count the tables with such numbers of errors."""

    def up_to(errors: int) -> int:
        parts = (errors, errors - positives - 1, errors - negatives - 1, errors - positives - negatives - 2)
        pairs = [max(part + 1, 0) * max(part + 2, 0) // 2 for part in parts]
        return pairs[0] - pairs[1] - pairs[2] + pairs[3]

    return up_to(most) - up_to(fewest - 1)
