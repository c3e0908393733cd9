"""What published scores are worth: an exact test against every constant guess, over every table that fits them."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import show
from nontrivial.measures.published.folds import BY_ERRORS, tables_of_means
from nontrivial.measures.published.printed import Interval, Printed, Sizes, class_sizes
from nontrivial.measures.published.tables import FittingTables, Ranges, find_tables, first_where, read_ranges
from nontrivial.measures.sign_verdict import (
    Pairs,
    Verdict,
    cases_for_better,
    cases_for_worse,
    sign_test,
    verdict_of,
)

OF_CLASSES = (*BY_ERRORS, "balanced_accuracy", "cohen_kappa")
Range = tuple[float, float]
FoldRule = Literal["even", "stratified", "any"]
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
        How many tables give all of the scores; not counted for more than two classes. If 0, all that follow are None.
    errors, advantage : (int, int), (float, float)
        The least and the greatest number of errors, and Prediction Advantage, of such a table.
    p_better, p_worse : (float, float)
        The least and the greatest p-value of "no better than trivial", and of "no worse".
    verdict : {"better", "worse", "inconclusive"}
        What the test shows for every such table.
    cases_needed : int or None
        If nothing is shown, about how many cases with the same rates would show a difference for every such table; None
        if no number would.
    fold_rule : {"even", "stratified", "any"} or None
        Of means over folds, which folds the tables are of; see `folds` and `stratified` of `published_verdict`.
    """

    trivial_error: float
    exact: bool
    tables: int | None
    errors: tuple[int, int] | None = None
    advantage: Range | None = None
    p_better: Range | None = None
    p_worse: Range | None = None
    verdict: Verdict | None = None
    cases_needed: int | None = None
    fold_rule: FoldRule | None = None


def published_verdict(
    scores: Mapping[str, Printed],
    *,
    positives: int | str | None = None,
    n: int | None = None,
    classes: Sequence[int] | None = None,
    dataset: str | None = None,
    folds: int | Literal["any"] | None = None,
    stratified: bool = False,
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
        Instead: the cases of each class. With two, every prediction is one of them. With more (some may have 0 cases),
        other labels may be predicted, and the scores are `accuracy`, `error_rate`, `balanced_accuracy` (the mean recall
        of the classes with cases) or `cohen_kappa`.
    dataset : str, optional
        Instead: a well-known data set, such as "haberman".
    folds : int or "any", optional
        The number of folds, if the scores are means over the folds of a cross-validation. The tables are then those of
        all folds together that bounds do not rule out. Folds differ in size by at most one, with any positives in each
        (then only the accuracy counts), or the cases of each class are spread over them as evenly as possible. Folds of
        "any" number and size may have any means, so that all tables remain.
    stratified : bool, default=False
        Whether the folds are those of scikit-learn's StratifiedKFold.

    Returns
    -------
    PublishedVerdict

    Raises
    ------
    ValueError
        As `published_tables` and `published_scores_possible`, or if the cases are not given once.

    Notes
    -----
    `triviality_test` under 0/1 loss gives the p-value of "not better". The p-value of "not worse" is the least of the
    opposite sign tests, times the number of classes (Bonferroni). A p-value of at most 0.025 for every table decides.
    The test assumes that the cases are independent (cases of several folds only nearly are), and that the model was
    not fitted to them.

    References
    ----------
    PA paper, sections 2.4 and 4; McNemar 1947; Berger 1982.

    Examples
    --------
    Nine errors among 100 cases, of which the trivial guess misjudges ten:

    >>> record = published_verdict({"accuracy": "0.910"}, positives=10, n=100)
    >>> record.verdict, record.p_better
    ('inconclusive', (0.5, 0.5))
    """
    if folds not in (None, "any") and (not isinstance(folds, Integral) or isinstance(folds, bool)):
        raise ValueError(f"folds is {show(folds)}; it must be a whole number, or 'any'.")
    cases = {"positives": positives, "n": n, "classes": classes, "dataset": dataset}
    sizes = class_sizes({name: value for name, value in cases.items() if value is not None})
    if not sizes:
        raise ValueError(
            "Give either positives and n, or classes, or dataset; published_bounds needs none of them."
        )
    return judge(read_ranges(scores), Cases(sizes, folds, stratified))


class Cases(NamedTuple):
    """The sizes that the classes may have, and the folds if scores are means over folds."""

    sizes: Sizes
    folds: int | Literal["any"] | None = None
    stratified: bool = False


class _Fit(NamedTuple):
    """What the tables of classes of some sizes show; the pairs belong to the tables that show least."""

    tables: int | None
    errors: tuple[int, int]
    p_better: Range
    p_worse: Range
    least_better: Pairs
    least_worse: Pairs


def judge(ranges: Ranges, cases: Cases) -> PublishedVerdict:
    """Judge scores at each of the sizes that the classes may have; a verdict holds if each shows it."""
    sizes, folds, stratified = cases
    n, is_binary, by_errors = sum(sizes[0]), len(sizes[0]) == 2, ranges.keys() <= set(BY_ERRORS)
    if not is_binary:
        n_classes = len(sizes[0])
        if folds is not None:
            raise ValueError(f"There are {n_classes} classes; means over folds are only for two.")
        for name, interval in ranges.items():
            if name not in OF_CLASSES:
                raise ValueError(
                    f"With {n_classes} classes, {interval.name} does not say how many errors there are; give "
                    f"{', '.join(OF_CLASSES)} (a micro average of recall, precision or F1 over all labels is the "
                    "accuracy)."
                )
    fits: list[_Fit] = []
    advantages: list[float] = []
    for counts in sizes:
        if folds == "any":
            fit = _fit_errors({}, counts)
        elif folds is not None:
            fit = _fit_tables(tables_of_means(ranges, counts[0], counts[1], folds, stratified), counts)
        elif by_errors or not is_binary:
            fit = _fit_errors(ranges, counts)
        else:
            fit = _fit_tables(find_tables(ranges, *counts), counts)
        if fit is not None:
            fits.append(fit)
            trivial = n - max(counts)
            advantages += [(trivial - errors) / trivial for errors in fit.errors]
    rule: Any = None if folds is None else "any" if folds == "any" else "stratified" if stratified else "even"
    exact, trivial_error = folds is None and (is_binary or by_errors), (n - max(sizes[len(sizes) // 2])) / n
    if not fits:
        return PublishedVerdict(trivial_error, exact, tables=0, fold_rule=rule)
    # A multiple of a p-value may be above 1.
    p_better, p_worse = (
        (min(1.0, *(float(low) for low, _ in spans)), min(1.0, max(float(high) for _, high in spans)))
        for spans in ([fit.p_better for fit in fits], [fit.p_worse for fit in fits])
    )
    verdict = verdict_of(p_better[1], p_worse[1])
    needed: list[Any] = []
    if verdict == "inconclusive" and min(advantages) > 0:
        needed = [cases_for_better(n, fit.least_better) for fit in fits]
    elif verdict == "inconclusive" and max(advantages) < 0:
        needed = [cases_for_worse(n, fit.least_worse) for fit in fits]
    return PublishedVerdict(
        trivial_error,
        exact,
        fold_rule=rule,
        tables=sum(fit.tables or 0 for fit in fits) if is_binary else None,
        errors=(min(fit.errors[0] for fit in fits), max(fit.errors[1] for fit in fits)),
        advantage=(min(advantages), max(advantages)),
        p_better=p_better,
        p_worse=p_worse,
        verdict=verdict,
        cases_needed=None if None in needed else max(needed, default=None),
    )


# Two classes: all tables that fit.


def _fit_tables(fitting: FittingTables, counts: Sequence[int]) -> _Fit | None:
    """Test every table: the p-values rise and fall with the hits, so that the ends of each row decide."""
    if not fitting.count:
        return None
    # Against always predicting the positive class, each true negative is a win and each false negative a loss. Against
    # always predicting the negative class, each true positive is a win and each false positive a loss.
    sizes = np.array(counts)[:, None]
    least_won, most_lost = fitting.fewest[::-1], sizes - fitting.fewest
    most_won, least_lost = fitting.most[::-1], sizes - fitting.most

    def clearest(won: Ints, lost: Ints, side: int) -> Pairs:
        """Return, for each class, wins and losses of the table whose wins are clearest, or least clear (`side` -1)."""
        places = (side * (won - lost) / np.sqrt(np.maximum(won + lost, 1))).argmax(axis=1)
        return [(int(won[c, place]), int(lost[c, place])) for c, place in enumerate(places)]

    return _Fit(
        tables=fitting.count,
        errors=(int(least_lost.sum(axis=0).min()), int(most_lost.sum(axis=0).max())),
        p_better=(sign_test(most_won, least_lost).max(axis=0).min(), sign_test(least_won, most_lost).max()),
        p_worse=(
            2 * sign_test(most_lost, least_won).min(),
            2 * sign_test(least_lost, most_won).min(axis=0).max(),
        ),
        least_better=clearest(least_won, most_lost, -1),
        least_worse=clearest(most_won, least_lost, 1),
    )


# Several classes, or errors alone: the numbers of errors that are possible, and all ways to spread them over classes.
#
# An error may be any label, also one outside the listed classes. Each score rises or falls along with a sum over the
# classes of so much for each error. The sum is least, or greatest, if the errors are made class by class, in the order
# of what they add. So for each number of errors it is known.


def _errors_between(name: str, interval: Interval, counts: Sequence[int]) -> tuple[int, int]:
    """Return the fewest and the most errors with a score in `OF_CLASSES`; the fewest are more if there are none."""
    score = interval.complement() if name == "error_rate" else interval
    least_lacking, most_lacking = 1 - score.high, 1 - score.low
    n = sum(counts)
    if name == "cohen_kappa":
        # With E errors, kappa is 1 - n E / (n^2 - S). S sums, over the cases, the size of the class that is predicted:
        # an error adds the size of the class that is taken for the right one, less the size of the right one. A label
        # outside the classes has size 0. Of several greatest classes, each is taken for another one of them.
        scale = n * n - sum(count * count for count in counts)
        first, second, *_ = ordered = sorted(counts, reverse=True)
        gains = [(count, (second if count == first else first) - count) for count in reversed(ordered)]
        rise: Parts = [(count, n + least_lacking * gain) for count, gain in gains]
        fall: Parts = [(count, most_lacking * count - n) for count in ordered]
    else:
        # An error takes one by the size of its class from the sum of the recalls; for the accuracy, all are one class.
        sizes = sorted(filter(None, counts)) if name == "balanced_accuracy" else [n]
        scale = len(sizes)
        rise = [(count, Fraction(1, count)) for count in sizes]
        fall = [(count, -Fraction(1, count)) for count in reversed(sizes)]

    def sum_of(errors: int, parts: Parts) -> Any:
        total: Any = 0
        for count, slope in parts:
            total += min(count, errors) * slope
            errors -= min(count, errors)
        return total

    # The sum rises until it reaches what is lacking, or never does.
    fewest = bisect_left(range(n + 1), least_lacking * scale, key=lambda errors: sum_of(errors, rise))
    most = bisect_right(range(n + 1), most_lacking * scale, key=lambda errors: -sum_of(errors, fall)) - 1
    return fewest, most


def _fit_errors(ranges: Ranges, counts: Sequence[int]) -> _Fit | None:
    """Test all ways to spread as many errors over the classes as the scores in `OF_CLASSES` allow."""
    spans = [
        (0, sum(counts)),
        *(_errors_between(name, interval, counts) for name, interval in ranges.items()),
    ]
    fewest, most = max(low for low, _ in spans), min(high for _, high in spans)
    if fewest > most:
        return None
    filled = np.array([count for count in counts if count])  # a class of no cases is never the best guess
    at_most, at_fewest = _Spread(filled, most), _Spread(filled, fewest)
    tables = None
    if len(counts) == 2:
        # Pairs of FN and FP with at most so many errors, without those with too many of either class.
        excesses = [(0, 1), (counts[0] + 1, -1), (counts[1] + 1, -1), (sum(counts) + 2, 1)]
        up_to_most, below_fewest = (
            sum(sign * math.comb(max(errors - excess + 2, 0), 2) for excess, sign in excesses)
            for errors in (most, fewest - 1)
        )
        tables = up_to_most - below_fewest
    return _Fit(
        tables,
        errors=(fewest, most),
        p_better=(at_fewest.find_least_greatest(1), at_most.p_values(1).max()),
        p_worse=(len(filled) * at_most.p_values(-1).min(), -len(filled) * at_fewest.find_least_greatest(-1)),
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

    def find_least_greatest(self, side: int) -> float:
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
