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
from nontrivial.measures.published.feasibility import (
    LINEAR,
    fold_sizes,
    foldings_of,
    means_possible,
    pooled_ranges,
    tables_of_means,
)
from nontrivial.measures.published.printed import MOST_CASES, Interval, Printed, check_counts, whole_numbers
from nontrivial.measures.published.tables import (
    BOUNDS,
    FittingTables,
    Ranges,
    find_tables,
    first_where,
    read_ranges,
)
from nontrivial.measures.sign_verdict import (
    Pairs,
    Verdict,
    cases_for_better,
    cases_for_worse,
    sign_test,
    verdict_of,
)

MOST_CLASSES = 1000
BY_ERRORS = ("accuracy", "error_rate")  # what the number of errors alone decides
OF_CLASSES = (*BY_ERRORS, "balanced_accuracy", "cohen_kappa")
Range = tuple[float, float]


@dataclass(frozen=True)
class PublishedVerdict:
    """What follows from published scores.

    Attributes
    ----------
    trivial_error : float in (0, 1)
        The error rate of always predicting the most frequent class.
    exact : bool
        Whether each of these numbers belongs to a table. Otherwise, as for means over folds and for several classes by
        other scores than the accuracy and the error rate, they are bounds.
    tables : int or None
        How many tables give all of the scores; not counted for more than two classes.
    errors : (int, int) or None
        The least and the greatest number of errors in such a table; None if there is none, as all that follow.
    advantage : (float, float) or None
        The least and the greatest Prediction Advantage of such a table.
    p_better, p_worse : (float, float) or None
        The least and the greatest p-value of the hypotheses that the classifier is no better, and no worse, than
        trivial.
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
    positives: int | None = None,
    n: int | None = None,
    classes: Sequence[int] | None = None,
    folds: int | None = None,
) -> PublishedVerdict:
    """Say what published scores are worth: better than trivial, worse, or inconclusive.

    Trivial is the best constant guess. An exact test is applied to all tables that fit the scores; a verdict holds only
    if every one of them shows it.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases.
    classes : sequence of int, optional
        Instead of `positives` and `n`: the cases of each class, some in at least two. With two, every prediction is one
        of them. With more, other labels may be predicted, too, and the scores are `accuracy`, `error_rate`,
        `balanced_accuracy` (the mean recall of the classes with cases) or `cohen_kappa`. A class of 0 cases says that
        there are more than two labels to predict.
    folds : int, optional
        The number of folds, if the scores are means over the folds of a stratified cross-validation. The tables are
        then those of all folds together that bounds do not rule out. By default the scores are those of one table.

    Returns
    -------
    PublishedVerdict
        If no table fits, `tables` is 0, and `errors` and `verdict` are None.

    Raises
    ------
    ValueError
        As `published_tables` and `published_scores_possible`, or if not exactly one of `positives` with `n` and
        `classes` is given.

    See Also
    --------
    triviality_test : The same test from labels and predictions.

    Notes
    -----
    The p-value of "not better" is that of `triviality_test` under 0/1 loss: the greatest over all classes of the sign
    test against always predicting that class. That of "not worse" is the least of the opposite sign tests, times the
    number of classes (Bonferroni). The verdict is "better" or "worse" if the p-value is at most 0.025 for every table.
    The test assumes that the cases are independent and that the model was not fitted to them; cases of several folds
    are only nearly independent.

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
    return judge(read_ranges(scores), class_sizes(positives, n, classes), folds)


def class_sizes(positives: int | None, n: int | None, classes: Sequence[int] | None) -> list[int]:
    """Return the sizes of the classes; of two, the positive class comes first."""
    are_given = [each is not None for each in (positives, n, classes)]
    if are_given not in ([True, True, False], [False, False, True]):
        raise ValueError("Give either positives and n, or classes.")
    if classes is None:
        positives, n = check_counts(positives, n)  # type: ignore[arg-type]  # both are there
        return [positives, n - positives]
    counts = whole_numbers(classes, 1)
    if counts is None or counts.max() > MOST_CASES:
        raise ValueError(
            f"classes is {show(classes)}; it must be the number of cases of each class, such as [50, 30, 20], each "
            f"from 0 to {MOST_CASES:,}."
        )
    if not 2 <= len(counts) <= MOST_CLASSES:
        raise ValueError(f"classes has {len(counts)} entries; from 2 to {MOST_CLASSES} are allowed.")
    if np.count_nonzero(counts) < 2:
        raise ValueError(f"classes is {counts.tolist()}; at least two classes must have cases.")
    return [int(count) for count in counts]


def judge(ranges: Ranges, counts: Sequence[int], folds: int | None = None) -> PublishedVerdict:
    """Return what `published_verdict` does, from ranges of scores by their names and the sizes of the classes."""
    several = len(counts) > 2
    for name in ranges:
        if several and name not in OF_CLASSES:
            raise ValueError(
                f"With {len(counts)} classes, {name} does not say how many errors there are; give "
                f"{', '.join(OF_CLASSES)} (a micro average of recall, precision or F1 over all labels is the accuracy)."
            )
    linear = {name: interval for name, interval in ranges.items() if name in LINEAR}
    by_errors = ranges.keys() <= set(BY_ERRORS)
    if folds is not None:
        if several:
            raise ValueError(f"There are {len(counts)} classes; means over folds are only for two.")
        if folds > min(counts):
            raise ValueError(
                f"folds is {folds}, but one class has {min(counts)} cases; each fold needs a case of each class."
            )
        foldings = foldings_of(folds, counts[0], sum(counts))
        if linear and not means_possible(linear, counts[0], sum(counts), foldings):
            return replace(_record(counts), exact=False)
        if by_errors:
            ranges = pooled_ranges(ranges, fold_sizes(counts[0], counts[1], folds))
    if several or by_errors:
        return replace(_judge_errors(ranges, counts), exact=folds is None and by_errors)
    if folds is None:
        return _judge_tables(find_tables(ranges, *counts), counts)
    return replace(_judge_tables(tables_of_means(ranges, counts[0], counts[1], folds), counts), exact=False)


def _record(
    counts: Sequence[int],
    tables: int | None = 0,
    errors: tuple[int, int] | None = None,
    p_better: Range = (1, 1),
    p_worse: Range = (1, 1),
    least_better: Pairs | None = None,
    least_worse: Pairs | None = None,
) -> PublishedVerdict:
    """Return the record of these ranges over the tables.

    The last two are, of the tables that show least, how many cases are right where always predicting a class is wrong,
    and the other way round, for each class with cases.
    """
    n = sum(counts)
    trivial = n - max(counts)
    if errors is None:
        return PublishedVerdict(trivial / n, True, 0, None, None, None, None, None, None)
    fewest, most = errors
    verdict, needed = verdict_of(p_better[1], p_worse[1]), None
    if verdict == "inconclusive" and most < trivial:
        needed = cases_for_better(n, least_better or [])
    elif verdict == "inconclusive" and fewest > trivial:
        needed = cases_for_worse(n, least_worse or [])
    advantage = (trivial - most) / trivial, (trivial - fewest) / trivial
    return PublishedVerdict(trivial / n, True, tables, errors, advantage, p_better, p_worse, verdict, needed)


# Two classes: all tables that fit.


def _judge_tables(found: FittingTables, counts: Sequence[int]) -> PublishedVerdict:
    """Test every table: the p-values rise and fall with the hits, so that the ends of each row decide."""
    if not found.count:
        return _record(counts)
    # Always predicting the positive class is wrong where a true negative is right, and right where a false negative
    # is wrong; always predicting the negative class the other way round.
    (won, lost), (most_won, least_lost) = (
        (hits[::-1], np.array(counts)[:, None] - hits) for hits in (found.fewest, found.most)
    )
    better = [sign_test(*pair).max(axis=0) for pair in ((most_won, least_lost), (won, lost))]
    worse = [2 * sign_test(*pair).min(axis=0) for pair in ((lost, won), (least_lost, most_won))]
    return _record(
        counts,
        tables=found.count,
        errors=(int(least_lost.sum(axis=0).min()), int(lost.sum(axis=0).max())),
        p_better=(float(better[0].min()), float(better[1].max())),
        p_worse=(min(1.0, float(worse[0].min())), min(1.0, float(worse[1].max()))),
        least_better=_clearest(won, lost, -1),
        least_worse=_clearest(most_won, least_lost, 1),
    )


def _clearest(won: Ints, lost: Ints, side: int) -> Pairs:
    """Return, for each class, wins and losses of the table whose wins are clearest, or least clear (`side` -1)."""
    clarity: Floats = (won - lost) / np.sqrt(np.maximum(won + lost, 1))
    places = (side * clarity).argmax(axis=1)[:, None]
    pairs = (np.take_along_axis(each, places, axis=1).ravel().tolist() for each in (won, lost))
    return list(zip(*pairs, strict=True))


# Several classes, or errors alone: the numbers of errors that are possible, and all ways to spread them over classes.
#
# An error may be any label, also one outside the listed classes. Each score rises or falls along with a sum over the
# classes of so much for each error. The sum is least, or greatest, where the errors are made class by class, in the
# order of what they add. So for each number of errors it is known.


def errors_between(name: str, interval: Interval, counts: Sequence[int]) -> tuple[int, int]:
    """Return the fewest and the most errors that predictions can have with a score in `OF_CLASSES`.

    The fewest are more than the most if no predictions can.

    Examples
    --------
    >>> errors_between("cohen_kappa", Interval(Fraction(1, 2), Fraction(1)), [50, 30, 20])
    (0, 41)
    """
    low, high = interval.cut(*BOUNDS[name])
    if low > high:
        return 1, 0
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
        rise = [(count, n + missing * gain) for count, gain in gains]
        fall = [(count, lacking * count - n) for count in ordered]
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


def _added(parts: Sequence[tuple[int, Fraction]], errors: int) -> Fraction:
    """Return what errors add; a part is a number of them and what each adds."""
    total = Fraction(0)
    for count, slope in parts:
        total += min(count, errors) * slope
        errors -= min(count, errors)
    return total


def _judge_errors(ranges: Ranges, counts: Sequence[int]) -> PublishedVerdict:
    """Test all ways to spread as many errors over the classes as the scores in `OF_CLASSES` allow.

    A class may have no cases, unless there are only two.
    """
    spans = [errors_between(name, interval, counts) for name, interval in ranges.items()]
    fewest, most = max(low for low, _ in spans), min(high for _, high in spans)
    if fewest > most:
        return _record(counts)
    held = np.array([count for count in counts if count])  # a class of no cases is never the best guess
    at_most, at_fewest = _Spread(held, most), _Spread(held, fewest)
    ends = np.array([at_most.first, at_most.last])
    worse = float(at_most.p_value(ends, -1).min()), -at_fewest.least_greatest(-1)
    return _record(
        counts,
        tables=_tables_between(fewest, most, *counts) if len(counts) == 2 else None,
        errors=(fewest, most),
        p_better=(at_fewest.least_greatest(1), float(at_most.p_value(ends, 1).max())),
        p_worse=(min(1.0, len(held) * worse[0]), min(1.0, len(held) * worse[1])),
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

    def p_value(self, lost: Ints, side: int, at: Any = slice(None)) -> Any:
        """Return the p-values of more wins than losses, or of more losses than wins (`side` -1)."""
        return sign_test(*(self.margin[at] + lost, lost)[::side])

    def least_greatest(self, side: int) -> float:
        """Spread the errors so that the greatest p-value, times `side`, of a class is least, and return that value."""
        first, last = self.first, self.last
        # The values are monotone in the errors of the class.
        rises = side * self.p_value(first, side) <= side * self.p_value(last, side)
        low, high = -1.0, 1.0
        while high - low > max(1e-12 * abs(high), 1e-60):
            middle = (low + high) / 2

            def turned(at: Ints, lost: Ints, middle: float = middle) -> Any:
                return (side * self.p_value(lost, side, at) <= middle) != rises[at]

            place = first_where(turned, first, last)
            least, most = np.where(rises, first, place), np.where(rises, place - 1, last)
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
