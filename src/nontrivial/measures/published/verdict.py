"""What published scores are worth: an exact test against every constant guess, over every table that fits them."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import show
from nontrivial.measures.published.folds import tables_of_means
from nontrivial.measures.published.printed import Interval, Printed, class_sizes
from nontrivial.measures.published.tables import FittingTables, Ranges, find_tables, first_where, read_ranges
from nontrivial.measures.sign_verdict import (
    Pairs,
    Verdict,
    cases_for_better,
    cases_for_worse,
    sign_test,
    verdict_of,
)

BY_ERRORS = ("accuracy", "error_rate")  # what the number of errors alone decides
OF_CLASSES = (*BY_ERRORS, "balanced_accuracy", "cohen_kappa")
Range = tuple[float, float]
Parts = list[tuple[int, Any]]  # of errors: how many there can be and what each adds


@dataclass(frozen=True)
class PublishedVerdict:
    """What follows from published scores.

    Attributes
    ----------
    trivial_error : float in (0, 1)
        The error rate of always predicting the most frequent class.
    exact : bool
        Whether each number belongs to a table. Of means over folds, and of several classes by other scores than the
        accuracy and the error rate, they are bounds.
    tables : int or None
        How many tables give all of the scores; not counted for more than two classes.
    errors : (int, int) or None
        The least and the greatest number of errors in such a table; None if there is none, as all that follow.
    advantage : (float, float) or None
        The least and the greatest Prediction Advantage of such a table.
    p_better, p_worse : (float, float) or None
        The least and the greatest p-value of "no better than trivial", and of "no worse".
    verdict : {"better", "worse", "inconclusive"} or None
        What the test shows for every such table.
    cases_needed : int or None
        If nothing is shown, about how many cases with the same rates would show a difference for every such table; None
        if no number would.
    """

    trivial_error: float
    exact: bool
    tables: int | None
    errors: tuple[int, int] | None
    advantage: Range | None
    p_better: Range | None
    p_worse: Range | None
    verdict: Verdict | None
    cases_needed: int | None


def published_verdict(
    scores: Mapping[str, Printed],
    *,
    positives: int | str | None = None,
    n: int | None = None,
    classes: Sequence[int] | None = None,
    dataset: str | None = None,
    folds: int | None = None,
) -> PublishedVerdict:
    """Say what published scores are worth: better than trivial, worse, or inconclusive.

    Trivial is the best constant guess. A verdict holds only if an exact test shows it for all tables that fit.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases. Of a percentage, such as "26.5%", all numbers that round to it are judged.
    classes : sequence of int, optional
        Instead of `positives` and `n`: the cases of each class. With two, every prediction is one of them. With more
        (some may have 0 cases), other labels may be predicted, too, and the scores are `accuracy`, `error_rate`,
        `balanced_accuracy` (the mean recall of the classes with cases) or `cohen_kappa`.
    dataset : str, optional
        Instead of the numbers of cases: a well-known data set, such as "haberman".
    folds : int, optional
        The number of folds, if the scores are means over those of a stratified cross-validation. The tables are then
        those of all folds together that bounds do not rule out.

    Returns
    -------
    PublishedVerdict
        If no table fits, `tables` is 0, and `errors` and `verdict` are None.

    Raises
    ------
    ValueError
        As `published_tables` and `published_scores_possible`, or if not exactly one of `positives` with `n`, `classes`
        and `dataset` is given.

    Notes
    -----
    The p-value of "not better" is that of `triviality_test` under 0/1 loss: the greatest over all classes of the sign
    test against always predicting that class. That of "not worse" is the least of the opposite sign tests, times the
    number of classes (Bonferroni). A p-value of at most 0.025 for every table decides. The test assumes that the cases
    are independent and were not used to fit the model; cases of several folds are only nearly independent.

    References
    ----------
    PA paper, sections 2.4 and 4; McNemar 1947; Berger 1982.

    Examples
    --------
    Nine errors among 100 cases where the trivial guess makes ten:

    >>> record = published_verdict({"accuracy": "0.910"}, positives=10, n=100)
    >>> record.verdict, record.p_better
    ('inconclusive', (0.5, 0.5))
    """
    if folds is not None and (not isinstance(folds, Integral) or isinstance(folds, bool)):
        raise ValueError(f"folds is {show(folds)}; it must be a whole number.")
    return judge(read_ranges(scores), class_sizes(positives, n, classes, dataset), folds)


def judge(ranges: Ranges, sizes: Sequence[Sequence[int]], folds: int | None = None) -> PublishedVerdict:
    """Judge scores at each of the sizes that the classes may have; a verdict holds if each shows it."""
    records = [_judge_sizes(ranges, counts, folds) for counts in sizes]
    middle = records[len(records) // 2]
    fitting = [each for each in records if each.errors is not None]
    if len(records) == 1 or not fitting:
        return middle
    spans: dict[str, Any] = {}
    for name in ("errors", "advantage", "p_better", "p_worse"):
        lows, highs = zip(*(getattr(each, name) for each in fitting), strict=True)
        spans[name] = min(lows), max(highs)
    verdicts = {each.verdict for each in fitting}
    needed: list[Any] = [each.cases_needed for each in fitting if each.verdict == "inconclusive"]
    least, greatest = spans["advantage"]
    are_alike = None not in needed and (least > 0 or greatest < 0)
    return replace(
        middle,
        tables=sum(each.tables or 0 for each in fitting),
        verdict=verdicts.pop() if len(verdicts) == 1 else "inconclusive",
        cases_needed=max(needed, default=None) if are_alike else None,
        **spans,
    )


def _judge_sizes(ranges: Ranges, counts: Sequence[int], folds: int | None) -> PublishedVerdict:
    several, by_errors = len(counts) > 2, ranges.keys() <= set(BY_ERRORS)
    if several and folds is not None:
        raise ValueError(f"There are {len(counts)} classes; means over folds are only for two.")
    unclear = [interval.name for name, interval in ranges.items() if name not in OF_CLASSES]
    if several and unclear:
        raise ValueError(
            f"With {len(counts)} classes, {unclear[0]} does not say how many errors there are; give "
            f"{', '.join(OF_CLASSES)} (a micro average of recall, precision or F1 over all labels is the accuracy)."
        )
    if folds is not None:
        return _judge_tables(tables_of_means(ranges, counts[0], counts[1], folds), counts, exact=False)
    if several or by_errors:
        return _judge_errors(ranges, counts, exact=by_errors)
    return _judge_tables(find_tables(ranges, *counts), counts, exact=True)


def _record(
    counts: Sequence[int],
    exact: bool,
    tables: int | None,
    errors: tuple[int, int],
    p_better: Range,
    p_worse: Range,
    least_better: Pairs,
    least_worse: Pairs,
) -> PublishedVerdict:
    """Return the record of these ranges over the tables; the last two are wins and losses in those that show least."""
    n, (fewest, most) = sum(counts), errors
    trivial = n - max(counts)
    p_better, p_worse = ((min(float(low), 1.0), min(float(high), 1.0)) for low, high in (p_better, p_worse))
    verdict, needed = verdict_of(p_better[1], p_worse[1]), None
    if verdict == "inconclusive" and most < trivial:
        needed = cases_for_better(n, least_better)
    elif verdict == "inconclusive" and fewest > trivial:
        needed = cases_for_worse(n, least_worse)
    advantage = (trivial - most) / trivial, (trivial - fewest) / trivial
    return PublishedVerdict(trivial / n, exact, tables, errors, advantage, p_better, p_worse, verdict, needed)


def _no_table(counts: Sequence[int], exact: bool) -> PublishedVerdict:
    trivial_error = (sum(counts) - max(counts)) / sum(counts)
    return PublishedVerdict(trivial_error, exact, 0, None, None, None, None, None, None)


# Two classes: all tables that fit.


def _judge_tables(found: FittingTables, counts: Sequence[int], exact: bool) -> PublishedVerdict:
    """Test every table: the p-values rise and fall with the hits, so that the ends of each row decide."""
    if not found.count:
        return _no_table(counts, exact)
    # Always predicting the positive class is wrong where a true negative is right, and right where a false negative
    # is wrong; always predicting the negative class the other way round.
    sizes = np.array(counts)[:, None]
    least_won, most_lost = found.fewest[::-1], sizes - found.fewest
    most_won, least_lost = found.most[::-1], sizes - found.most
    return _record(
        counts,
        exact,
        tables=found.count,
        errors=(int(least_lost.sum(axis=0).min()), int(most_lost.sum(axis=0).max())),
        p_better=(sign_test(most_won, least_lost).max(axis=0).min(), sign_test(least_won, most_lost).max()),
        p_worse=(
            2 * sign_test(most_lost, least_won).min(),
            2 * sign_test(least_lost, most_won).min(axis=0).max(),
        ),
        least_better=_clearest(least_won, most_lost, -1),
        least_worse=_clearest(most_won, least_lost, 1),
    )


def _clearest(won: Ints, lost: Ints, side: int) -> Pairs:
    """Return, for each class, wins and losses of the table whose wins are clearest, or least clear (`side` -1)."""
    clarity: Floats = (won - lost) / np.sqrt(np.maximum(won + lost, 1))
    places = (side * clarity).argmax(axis=1)
    return [(int(won[c, place]), int(lost[c, place])) for c, place in enumerate(places)]


# Several classes, or errors alone: the numbers of errors that are possible, and all ways to spread them over classes.
#
# An error may be any label, also one outside the listed classes. Each score rises or falls along with a sum over the
# classes of so much for each error. The sum is least, or greatest, where the errors are made class by class, in the
# order of what they add. So for each number of errors it is known.


def errors_between(name: str, interval: Interval, counts: Sequence[int]) -> tuple[int, int]:
    """Return the fewest and the most errors with a score in `OF_CLASSES`; the fewest are more if there are none."""
    low, high = interval.low, interval.high
    if name == "error_rate":
        low, high = 1 - high, 1 - low
    missing, lacking = 1 - high, 1 - low  # at least, and at most
    n = sum(counts)
    if name == "cohen_kappa":
        # With E errors, kappa is 1 - n E / (n^2 - S). S sums, over the cases, the size of the class that is predicted:
        # an error adds the size of the class that is taken for the right one, less that of the right one. A label
        # outside the classes has size 0. Of several greatest classes, each is taken for another one of them.
        scale = n * n - sum(count * count for count in counts)
        first, second, *_ = ordered = sorted(counts, reverse=True)
        gains = [(count, (second if count == first else first) - count) for count in reversed(ordered)]
        rise: Parts = [(count, n + missing * gain) for count, gain in gains]
        fall: Parts = [(count, lacking * count - n) for count in ordered]
    else:
        # An error takes one by the size of its class from the sum of the recalls; for the accuracy, all are one class.
        sizes = sorted(filter(None, counts)) if name == "balanced_accuracy" else [n]
        scale = len(sizes)
        rise = [(count, Fraction(1, count)) for count in sizes]
        fall = [(count, -Fraction(1, count)) for count in reversed(sizes)]
    # What is added rises until it reaches what is missing, or never does.
    fewest = bisect_left(range(n + 1), missing * scale, key=lambda errors: _added(rise, errors))
    most = bisect_right(range(n + 1), lacking * scale, key=lambda errors: -_added(fall, errors)) - 1
    return fewest, most


def _added(parts: Parts, errors: int) -> Any:
    total: Any = 0
    for count, slope in parts:
        total += min(count, errors) * slope
        errors -= min(count, errors)
    return total


def _judge_errors(ranges: Ranges, counts: Sequence[int], exact: bool) -> PublishedVerdict:
    """Test all ways to spread as many errors over the classes as the scores in `OF_CLASSES` allow.

    A class may have no cases, unless there are only two.
    """
    spans = [errors_between(name, interval, counts) for name, interval in ranges.items()]
    fewest, most = max(low for low, _ in spans), min(high for _, high in spans)
    if fewest > most:
        return _no_table(counts, exact)
    held = np.array([count for count in counts if count])  # a class of no cases is never the best guess
    at_most, at_fewest = _Spread(held, most), _Spread(held, fewest)
    p_worse = at_most.p_values(-1).min(), -at_fewest.least_greatest(-1)
    return _record(
        counts,
        exact,
        tables=_tables_between(fewest, most, *counts) if len(counts) == 2 else None,
        errors=(fewest, most),
        p_better=(at_fewest.least_greatest(1), at_most.p_values(1).max()),
        p_worse=(len(held) * p_worse[0], len(held) * p_worse[1]),
        least_better=at_most.pairs(),
        least_worse=at_fewest.pairs(),
    )


class _Spread:
    """Errors spread over the classes: those in a class itself, from first to last, are lost against guessing it."""

    def __init__(self, counts: Ints, errors: int) -> None:
        self.errors = errors
        self.margin = counts.sum() - counts - errors  # of the wins over the losses
        self.first, self.last = np.maximum(0, -self.margin), np.minimum(counts, errors)

    def pairs(self) -> Pairs:
        """Return wins and losses against each class, with the most losses."""
        return list(zip((self.margin + self.last).tolist(), self.last.tolist(), strict=True))

    def p_values(self, side: int) -> Floats:
        """Return the p-values of each class at the first and the last: of more wins, or more losses (`side` -1)."""
        ends = np.array([self.first, self.last])
        return np.asarray(sign_test(*(self.margin + ends, ends)[::side]))

    def least_greatest(self, side: int) -> float:
        """Spread the errors so that the greatest p-value, times `side`, of a class is least, and return that value."""
        at_first, at_last = side * self.p_values(side)
        rises = at_first <= at_last  # the values are monotone in the errors of the class
        low, high = -1.0, 1.0
        while high - low > max(1e-12 * abs(high), 1e-60):
            middle = (low + high) / 2

            def turned(at: Ints, lost: Ints, middle: float = middle) -> Any:
                p_value = sign_test(*(self.margin[at] + lost, lost)[::side])
                return (side * p_value <= middle) != rises[at]

            place = first_where(turned, self.first, self.last)
            least, most = np.where(rises, self.first, place), np.where(rises, place - 1, self.last)
            fits = (least <= most).all() and least.sum() <= self.errors <= most.sum()
            low, high = (low, middle) if fits else (middle, high)
        return high


def _tables_between(fewest: int, most: int, positives: int, negatives: int) -> int:
    """Count the tables of two classes with such numbers of errors."""

    def up_to(errors: int) -> int:
        parts = errors, errors - positives - 1, errors - negatives - 1, errors - positives - negatives - 2
        pairs = [math.comb(max(part + 2, 0), 2) for part in parts]
        return pairs[0] - pairs[1] - pairs[2] + pairs[3]

    return up_to(most) - up_to(fewest - 1)
