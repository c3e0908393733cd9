"""What published scores are worth: an exact test over every table that fits them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any, NamedTuple

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
from nontrivial.measures.published.printed import MOST_CASES, Printed, check_counts
from nontrivial.measures.published.tables import (
    FittingTables,
    Limit,
    Ranges,
    find_tables,
    first_where,
    ranges_of,
)
from nontrivial.measures.sign_verdict import Verdict, cases_for_better, cases_for_worse, sign_test, verdict_of

# The numbers of errors that are possible with a printed score, for predictions of several classes.
#
# An error may be any label, also one outside the listed classes. Each score rises or falls along with a sum over the
# classes of so much for each error. The sum is least, or greatest, where the errors are made class by class, in the
# order of what they add. So for each number of errors it is known.


BY_ERRORS = ("accuracy", "error_rate")  # what the number of errors alone decides
OF_CLASSES = (*BY_ERRORS, "balanced_accuracy", "cohen_kappa")
Part = tuple[int, Fraction]  # so many errors, and what each of them adds


def errors_between(name: str, low: Limit, high: Limit, counts: Sequence[int]) -> tuple[int, int] | None:
    """Return the fewest and the most errors that predictions can have with a score within limits; None if none can.

    Parameters
    ----------
    name : str
        A score in `OF_CLASSES`.
    low, high : Fraction or None
    counts : sequence of int
        The cases of each class; at least two classes have some.

    Examples
    --------
    >>> errors_between("cohen_kappa", Fraction(1, 2), Fraction(1), [50, 30, 20])
    (0, 41)
    """
    least = Fraction(-1 if name == "cohen_kappa" else 0)
    low = least if low is None else max(low, least)
    high = Fraction(1) if high is None else min(high, Fraction(1))
    if low > high:
        return None
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
    fewest = _errors_until(True, -missing * scale, rise)
    too_many = _errors_until(False, lacking * scale, fall)
    most = n if too_many is None else too_many - 1
    return None if fewest is None or fewest > most else (fewest, most)


def _errors_until(reached: bool, value: Fraction, parts: Sequence[Part]) -> int | None:
    """Return the fewest errors at which a value is at least 0, or is no longer; each part adds less by the error."""
    if (value >= 0) == reached:
        return 0
    errors = 0
    for count, slope in parts:
        end = value + count * slope
        if (end >= 0) == reached:
            return errors + (math.ceil(-value / slope) if reached else math.floor(-value / slope) + 1)
        value, errors = end, errors + count
    return None


# An exact test of published scores against every constant guess, over every table that fits them.


HALVINGS = 200  # of the p-value that is sought; they lead to 1e-48
Range = tuple[float, float]


class Evidence(NamedTuple):
    """What all fitting tables come to; of the ranges both ends.

    In the table that shows least, `least_better` and `least_worse` hold for each class with cases how many are right
    where always predicting the class is wrong, and the other way round. `tables` is None for more than two classes.
    """

    tables: int | None
    errors: tuple[int, int]
    p_better: Range
    p_worse: Range
    least_better: list[tuple[int, int]]
    least_worse: list[tuple[int, int]]


def evidence_of_tables(found: FittingTables) -> Evidence | None:
    """Test every table: the p-values rise and fall with the hits, so that the ends of each row decide."""
    if not found.count:
        return None
    # Against always positive, and always negative:
    won, most_won = (np.array([tn, tp]) for tp, tn in found.ends())
    lost, least_lost = (np.array(found.sizes)[:, None] - each[::-1] for each in (won, most_won))
    ends = (won, lost), (most_won, least_lost)
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


def evidence_of_errors(ranges: Ranges, counts: Sequence[int]) -> Evidence | None:
    """Test all ways to spread as many errors over the classes as the scores in `OF_CLASSES` allow.

    A class may have no cases, unless there are only two.
    """
    spans = [errors_between(name, *limits, counts) for name, limits in ranges.items()]
    if None in spans:
        return None
    fewest, most = max(low for low, _ in filter(None, spans)), min(high for _, high in filter(None, spans))
    if fewest > most:
        return None
    held = np.array([count for count in counts if count])  # a class of no cases is never the best guess
    at_most, at_fewest = (_Spread.of(held, errors) for errors in (most, fewest))
    ends = np.array([at_most.first, at_most.last])
    worse = float(at_most.p_value(ends, -1).min()), -at_fewest.least_greatest(-1)
    return Evidence(
        tables=_tables_between(fewest, most, *counts) if len(counts) == 2 else None,
        errors=(fewest, most),
        p_better=(at_fewest.least_greatest(1), float(at_most.p_value(ends, 1).max())),
        p_worse=(min(1.0, len(held) * worse[0]), min(1.0, len(held) * worse[1])),
        least_better=at_most.pairs(),
        least_worse=at_fewest.pairs(),
    )


class _Spread(NamedTuple):
    """Errors spread over the classes: those in a class itself, from first to last, are lost against guessing it."""

    errors: int
    margin: Ints  # of the wins over the losses
    first: Ints
    last: Ints

    @classmethod
    def of(cls, counts: Ints, errors: int) -> _Spread:
        others = counts.sum() - counts
        return cls(errors, others - errors, np.maximum(0, errors - others), np.minimum(counts, errors))

    def pairs(self) -> list[tuple[int, int]]:
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
        for _ in range(HALVINGS):
            if high - low <= 1e-12 * abs(high):
                break
            middle = (low + high) / 2

            def turned(at: Ints, lost: Ints, middle: float = middle) -> Any:
                return (side * self.p_value(lost, side, at) <= middle) != rises[at]

            place = first_where(turned, first, last)
            least, most = np.where(rises, first, place), np.where(rises, place - 1, last)
            fits = (least <= most).all() and least.sum() <= self.errors <= most.sum()
            low, high = (low, middle) if fits else (middle, high)
        return high


def _tables_between(fewest: int, most: int, positives: int, negatives: int) -> int:
    """Count the tables with such numbers of errors."""

    def up_to(errors: int) -> int:
        parts = errors, errors - positives - 1, errors - negatives - 1, errors - positives - negatives - 2
        pairs = [math.comb(max(part + 2, 0), 2) for part in parts]
        return pairs[0] - pairs[1] - pairs[2] + pairs[3]

    return up_to(most) - up_to(fewest - 1)


# What published scores are worth: an exact test against every constant guess, over every table that fits them.


MOST_CLASSES = 1000


@dataclass(frozen=True)
class PublishedVerdict:
    """What follows from published scores.

    Attributes
    ----------
    trivial_error : float in (0, 1)
        The error rate of always predicting the most frequent class.
    exact : bool
        Whether there is such a table for each of these numbers. Otherwise, as for means over folds and for several
        classes by other scores than the accuracy and the error rate, they are bounds.
    tables : int or None
        How many tables give all of the scores. None for more than two classes: tables are not counted.
    errors : (int, int) or None
        The least and the greatest number of errors in such a table; None if there is no such table, as below.
    advantage : (float, float) or None
        The least and the greatest Prediction Advantage of such a table.
    p_better, p_worse : (float, float) or None
        The least and the greatest p-value over the tables: of the hypothesis that the classifier is no better than
        trivial, and of the hypothesis that it is no worse.
    verdict : {"better", "worse", "inconclusive"} or None
        What the test shows for every such table.
    cases_needed : int or None
        If nothing is shown, about how many cases with the same rates would show a difference for every such table. None
        if no number would, because the tables disagree or are as good as trivial.
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
        Instead of `positives` and `n`: the cases of each of two or more classes, at least two of them with cases. With
        two, every prediction is one of them. With more, other labels may be predicted, too, and the scores are
        `accuracy`, `error_rate`, `balanced_accuracy` (the mean recall of the classes with cases) or `cohen_kappa`. A
        class of 0 cases says that there are more than two labels to predict.
    folds : int, optional
        The number of folds, if the scores are means over the folds of a stratified cross-validation. The tables are
        then those of all folds together that bounds do not rule out; some may be ones that no folds can have. By
        default the scores are those of one table.

    Returns
    -------
    PublishedVerdict
        A record with `tables`, `errors`, `advantage`, `p_better`, `p_worse`, `verdict` and `cases_needed`. If no table
        fits, `tables` is 0, and `errors` and `verdict` are None.

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
    Under the null hypothesis of "not better", the p-value is that of `triviality_test` under 0/1 loss: the greatest
    over all classes of the sign test against always predicting that class. Under that of "not worse", it is the least
    of the opposite sign tests times the number of classes (Bonferroni). The verdict is "better" or "worse" if the
    p-value is at most 0.025 for every table, so that it agrees with a 95 % interval. The test assumes
    that the cases are independent and that the model was not fitted to them. Cases of several folds are only nearly
    independent.

    `cases_needed` is the number at which the p-value, as a smooth function of counts that grow in proportion, is 0.025.

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
    counts = _counts(positives, n, classes)
    ranges: Ranges = ranges_of(scores)
    several = len(counts) > 2
    for name in ranges:
        if several and name not in OF_CLASSES:
            raise ValueError(
                f"With {len(counts)} classes, {name} does not say how many errors there are; give "
                f"{', '.join(OF_CLASSES)} (a micro average of recall, precision or F1 over all labels is the accuracy)."
            )
    if folds is not None:
        if not isinstance(folds, Integral) or isinstance(folds, bool):
            raise ValueError(f"folds is {show(folds)}; it must be a whole number.")
        if several:
            raise ValueError(f"There are {len(counts)} classes; means over folds are only for two.")
        if folds > min(counts):
            raise ValueError(
                f"folds is {folds}, but one class has {min(counts)} cases; each fold needs a case of each class."
            )
        linear = {name: limits for name, limits in ranges.items() if name in LINEAR}
        foldings = foldings_of(folds, counts[0], sum(counts), 1, True)
        if linear and not means_possible(linear, counts[0], sum(counts), foldings):
            return _record(counts, None, exact=False)
        if len(linear) < len(ranges):
            return _record(counts, evidence_of_tables(tables_of_means(ranges, *counts, folds)), exact=False)
        ranges = pooled_ranges(linear, fold_sizes(*counts, folds))
    by_errors = ranges.keys() <= set(BY_ERRORS)
    exact = folds is None and (by_errors or not several)
    if by_errors or several:
        return _record(counts, evidence_of_errors(ranges, counts), exact=exact)
    return _record(counts, evidence_of_tables(find_tables(ranges, *counts)), exact=exact)


def _counts(positives: int | None, n: int | None, classes: Sequence[int] | None) -> list[int]:
    """Return the sizes of the classes; of two, the positive class comes first."""
    are_given = [each is not None for each in (positives, n, classes)]
    if are_given not in ([True, True, False], [False, False, True]):
        raise ValueError("Give either positives and n, or classes.")
    if classes is None:
        positives, n = check_counts(positives, n)  # type: ignore[arg-type]  # both are there
        return [positives, n - positives]
    if np.asarray(classes, dtype=object).ndim != 1 or isinstance(classes, (bytes, bytearray)):
        raise ValueError(
            f"classes is {show(classes)}; it must be the number of cases of each class, such as [50, 30, 20]."
        )
    if not 2 <= len(classes) <= MOST_CLASSES:
        raise ValueError(f"classes has {len(classes)} entries; from 2 to {MOST_CLASSES} are allowed.")
    for count in classes:
        if not isinstance(count, Integral) or isinstance(count, bool) or not 0 <= count <= MOST_CASES:
            raise ValueError(f"classes has {show(count)}; whole numbers from 0 to {MOST_CASES:,} are needed.")
    counts = [int(count) for count in classes]
    if sum(count > 0 for count in counts) < 2:
        raise ValueError(f"classes is {counts}; at least two classes must have cases.")
    return counts


def _record(counts: list[int], evidence: Evidence | None, *, exact: bool) -> PublishedVerdict:
    n = sum(counts)
    trivial = n - max(counts)
    if evidence is None:
        return PublishedVerdict(trivial / n, exact, 0, None, None, None, None, None, None)
    fewest, most = evidence.errors
    verdict = verdict_of(evidence.p_better[1], evidence.p_worse[1])
    needed = None
    if verdict == "inconclusive" and most < trivial:
        needed = cases_for_better(n, evidence.least_better)
    elif verdict == "inconclusive" and fewest > trivial:
        needed = cases_for_worse(n, evidence.least_worse)
    return PublishedVerdict(
        trivial_error=trivial / n,
        exact=exact,
        tables=evidence.tables,
        errors=evidence.errors,
        advantage=((trivial - most) / trivial, (trivial - fewest) / trivial),
        p_better=evidence.p_better,
        p_worse=evidence.p_worse,
        verdict=verdict,
        cases_needed=needed,
    )
