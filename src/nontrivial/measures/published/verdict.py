"""Test exactly whether every table that fits published scores is better than trivial.

The trivial guess always names one class. The model wins a case of another class that it predicts rightly, and loses a
case of the guessed class that it predicts wrongly.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import repr_of
from nontrivial.measures.published.folds import tables_of_means
from nontrivial.measures.published.numbers import Printed, RoundingInterval
from nontrivial.measures.published.sizes import ClassSizes, possible_class_sizes
from nontrivial.measures.published.tables import (
    ERROR_SCORES,
    FittingTables,
    Ranges,
    find_first,
    find_tables,
    parse_scores,
)
from nontrivial.measures.sign_verdict import (
    Verdict,
    WinsAndLosses,
    cases_for_better,
    cases_for_worse,
    decide_verdict,
    sign_test,
)

Steps = list[tuple[int, Any]]  # pairs: a number of errors, and how much each of them lowers a score
MULTICLASS_SCORES = (*ERROR_SCORES, "balanced_accuracy", "cohen_kappa")
Range = tuple[float, float]


@dataclass(frozen=True)
class PublishedVerdict:
    """What follows from published scores.

    Attributes
    ----------
    trivial_error : float in (0, 1)
        The error rate of always predicting the most frequent class.
    exact : bool
        Whether a fitting table reaches each end of the ranges below. Otherwise the ends are bounds: for means over
        folds, and for several classes unless all scores are the accuracy or the error rate.
    tables : int or None
        Number of tables that give all of the scores; None for more than two classes. If 0, the fields from `errors` to
        `cases_needed` are None.
    errors, advantage : (int, int), (float, float)
        The least and the greatest number of errors, and Prediction Advantage, of such a table.
    p_better, p_worse : (float, float)
        The least and the greatest p-value of "no better than trivial", and of "no worse than trivial".
    verdict : {"better", "worse", "inconclusive"}
        What the test shows for every such table.
    cases_needed : int or None
        If the verdict is "inconclusive": about how many cases with the same rates would show a difference for every
        such table; None if no number would.
    fold_rule : {"even", "stratified", "any"} or None
        The folds that are assumed for means over folds; see `folds` and `stratified` of `published_verdict`.
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
    fold_rule: Literal["even", "stratified", "any"] | None = None


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
        Positive cases and all cases. If positives are a percentage, such as "26.5%", all numbers that round to it are
        judged.
    classes : sequence of int, optional
        Instead: the cases of each class. With two classes, every prediction is one of them. With more classes (some may
        have 0 cases), other labels may be predicted, and the scores are `accuracy`, `error_rate`, `balanced_accuracy`
        (the mean recall of the classes with cases) or `cohen_kappa`.
    dataset : str, optional
        Instead: a well-known data set, such as "haberman".
    folds : int or "any", optional
        The number of folds, if the scores are means over the folds of a cross-validation. The tables are then the
        summed tables that bounds do not exclude. We assume that the sizes of the folds differ by at most one, with any
        numbers of positives (then only the accuracy counts), or that the cases of each class are spread over the folds
        as evenly as possible. Folds of "any" number and size may have any means, so that all tables remain.
    stratified : bool, default=False
        Whether scikit-learn's StratifiedKFold made the folds.

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
    Nine errors among 100 cases; the trivial guess misjudges ten:

    >>> record = published_verdict({"accuracy": "0.910"}, positives=10, n=100)
    >>> record.verdict, record.p_better
    ('inconclusive', (0.5, 0.5))
    """
    if folds not in (None, "any") and (not isinstance(folds, Integral) or isinstance(folds, bool)):
        raise ValueError(f"folds is {repr_of(folds)}; it must be a whole number, or 'any'.")
    cases = {"positives": positives, "n": n, "classes": classes, "dataset": dataset}
    class_sizes = possible_class_sizes({name: value for name, value in cases.items() if value is not None})
    if not class_sizes:
        raise ValueError("Give either positives and n, or classes, or dataset; published_bounds needs none.")
    return judge_scores(parse_scores(scores), StatedCases(class_sizes, folds, stratified))


class StatedCases(NamedTuple):
    """The sizes that the classes may have, and the folds if the scores are means over folds."""

    class_sizes: list[ClassSizes]
    folds: int | Literal["any"] | None = None
    stratified: bool = False

    @property
    def n(self) -> int:
        return sum(self.class_sizes[0])

    @property
    def n_classes(self) -> int:
        return len(self.class_sizes[0])

    @property
    def trivial_errors(self) -> list[int]:
        """The number of errors of the best constant guess, for each of the possible class sizes."""
        return [self.n - max(sizes) for sizes in self.class_sizes]

    @property
    def fold_rule(self) -> Literal["even", "stratified", "any"] | None:
        if self.folds is None or self.folds == "any":
            return self.folds
        return "stratified" if self.stratified else "even"


def judge_scores(ranges: Ranges, cases: StatedCases) -> PublishedVerdict:
    """Judge scores for all possible class sizes together; a verdict holds only if all sizes show it."""
    has_two_classes = cases.n_classes == 2
    if not has_two_classes:
        _check_several_classes(ranges, cases)
    results = [_test_sizes(ranges, sizes, cases) for sizes in cases.class_sizes]
    fits = [result for result in results if result is not None]
    record = PublishedVerdict(
        trivial_error=cases.trivial_errors[len(cases.class_sizes) // 2] / cases.n,
        exact=cases.folds is None and (has_two_classes or ranges.keys() <= set(ERROR_SCORES)),
        tables=0,
        fold_rule=cases.fold_rule,
    )
    if not fits:
        return record
    advantages = [
        (trivial - errors) / trivial
        for trivial, result in zip(cases.trivial_errors, results, strict=True)
        for errors in (result.errors if result else ())
    ]
    p_better = _covering_range([fit.p_better for fit in fits])
    p_worse = _covering_range([fit.p_worse for fit in fits])
    verdict = decide_verdict(p_better[1], p_worse[1])
    needed: list[int | None] = []
    if verdict == "inconclusive" and min(advantages) > 0:
        needed = [cases_for_better(cases.n, fit.least_better) for fit in fits]
    elif verdict == "inconclusive" and max(advantages) < 0:
        needed = [cases_for_worse(cases.n, fit.least_worse) for fit in fits]
    return replace(
        record,
        tables=sum(fit.n_tables or 0 for fit in fits) if has_two_classes else None,
        errors=(min(fit.errors[0] for fit in fits), max(fit.errors[1] for fit in fits)),
        advantage=(min(advantages), max(advantages)),
        p_better=p_better,
        p_worse=p_worse,
        verdict=verdict,
        cases_needed=None if None in needed else max(filter(None, needed), default=None),
    )


def _check_several_classes(ranges: Ranges, cases: StatedCases) -> None:
    """Raise ValueError if scores of more than two classes cannot be judged."""
    if cases.folds is not None:
        raise ValueError(f"There are {cases.n_classes} classes; means over folds are only for two.")
    for name, interval in ranges.items():
        if name not in MULTICLASS_SCORES:
            raise ValueError(
                f"With {cases.n_classes} classes, {interval.name} does not say how many errors there are; give "
                f"{', '.join(MULTICLASS_SCORES)} (a micro average of recall, precision or F1 over all labels is the "
                "accuracy)."
            )


def _test_sizes(ranges: Ranges, class_sizes: ClassSizes, cases: StatedCases) -> SignTestResults | None:
    """Test all tables that fit if the classes have these sizes; None if no table fits."""
    if cases.folds == "any":
        return sign_test_error_counts({}, class_sizes)
    if cases.folds is None and (cases.n_classes > 2 or ranges.keys() <= set(ERROR_SCORES)):
        return sign_test_error_counts(ranges, class_sizes)
    positives, negatives = class_sizes
    if cases.folds is None:
        tables = find_tables(ranges, positives, negatives)
    else:
        tables = tables_of_means(ranges, positives, negatives, cases.folds, cases.stratified)
    return sign_test_tables(tables, class_sizes) if tables.count else None


def _covering_range(p_values: list[Range]) -> Range:
    """Return the range that covers all ranges of p-values, cut at 1, because p-values times a factor may exceed 1."""
    return min(1.0, *(float(low) for low, _ in p_values)), min(1.0, max(float(high) for _, high in p_values))


class SignTestResults(NamedTuple):
    """The least and greatest number of errors and p-values of all tables that fit.

    `least_better` has, for each class, wins and losses in the table with the least evidence that the model is better
    than always guessing this class. `least_worse` has the same for the least evidence that the model is worse.
    """

    n_tables: int | None
    errors: tuple[int, int]
    p_better: tuple[float, float]
    p_worse: tuple[float, float]
    least_better: WinsAndLosses
    least_worse: WinsAndLosses


def sign_test_tables(tables: FittingTables, class_sizes: ClassSizes) -> SignTestResults:
    """Test all tables of two classes. The p-values are monotone in the hits, so the ends of each run decide."""
    sizes = np.array(class_sizes)[:, None]
    # Rows: against always guessing positive, and against always guessing negative.
    fewest_wins, most_losses = tables.first[::-1], sizes - tables.first
    most_wins, fewest_losses = tables.last[::-1], sizes - tables.last
    return SignTestResults(
        n_tables=tables.count,
        errors=(int(fewest_losses.sum(axis=0).min()), int(most_losses.sum(axis=0).max())),
        p_better=(sign_test(most_wins, fewest_losses).max(axis=0).min(), sign_test(fewest_wins, most_losses).max()),
        p_worse=(
            2 * sign_test(most_losses, fewest_wins).min(),
            2 * sign_test(fewest_losses, most_wins).min(axis=0).max(),
        ),
        least_better=_extreme_pairs(np.argmin, fewest_wins, most_losses),
        least_worse=_extreme_pairs(np.argmax, most_wins, fewest_losses),
    )


def _extreme_pairs(find_extreme: Callable[..., Ints], won: Ints, lost: Ints) -> WinsAndLosses:
    """Return, for each class, the wins and losses of the run that `find_extreme` picks by standardised difference."""
    runs = find_extreme((won - lost) / np.sqrt(np.maximum(won + lost, 1)), axis=1)
    return [(int(won[row, run]), int(lost[row, run])) for row, run in enumerate(runs)]


def sign_test_error_counts(ranges: Ranges, class_sizes: ClassSizes) -> SignTestResults | None:
    """Test all ways to spread errors over classes, for all numbers of errors that fit the scores; None if none fits."""
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
    """Return the fewest and the most errors that give a score; if no number does, the fewest exceed the most."""
    # An error may predict any label, also one outside the listed classes. How much an error lowers the score depends on
    # its class. So errors lower the score least, or most, if the classes with the least, or greatest, loss come first.
    score = interval.complement() if name == "error_rate" else interval
    least_loss, greatest_loss = 1 - score.high, 1 - score.low
    n = sum(class_sizes)
    if name == "cohen_kappa":
        # With E errors, kappa is 1 - n E / (n^2 - S). S sums, over the cases, the size of the predicted class. An error
        # adds the size of the predicted class, at most the largest other class, and subtracts the size of the true
        # class. A label outside the classes has size 0.
        scale = n * n - sum(size * size for size in class_sizes)
        largest, second, *_ = descending = sorted(class_sizes, reverse=True)
        gains = [(size, (second if size == largest else largest) - size) for size in reversed(descending)]
        greatest_steps: Steps = [(size, n + least_loss * gain) for size, gain in gains]
        least_steps: Steps = [(size, n - greatest_loss * size) for size in descending]
    else:
        # An error lowers the sum of the recalls by 1 / size of its class. For the accuracy, all cases form one class.
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
    too_many = bisect_right(numbers, greatest_loss * scale, key=lambda errors: score_loss(errors, least_steps))
    return fewest, too_many - 1


def _count_spreads(errors: int, class_sizes: ClassSizes) -> int:
    """Count the pairs of FN and FP that add up to at most `errors`, by inclusion and exclusion."""
    positives, negatives = class_sizes
    excesses = [(0, 1), (positives + 1, -1), (negatives + 1, -1), (positives + negatives + 2, 1)]
    return sum(sign * math.comb(max(errors - excess + 2, 0), 2) for excess, sign in excesses)


class _ErrorSpreads:
    """All ways to spread a number of errors over the classes.

    `fewest` and `most` limit the errors of each class. Its errors are its losses, and errors + `margin` are its wins.
    """

    def __init__(self, class_sizes: Ints, errors: int) -> None:
        self.errors = errors
        self.margin = class_sizes.sum() - class_sizes - errors
        self.fewest, self.most = np.maximum(0, -self.margin), np.minimum(class_sizes, errors)

    def pairs_with_most_losses(self) -> WinsAndLosses:
        """Return, for each class, wins and losses if the class has as many errors as it can have."""
        return list(zip((self.margin + self.most).tolist(), self.most.tolist(), strict=True))

    def p_values_at_ends(self, p_values: Callable[[Ints, Ints], Any]) -> Floats:
        """Return the p-values of all classes with their fewest errors (row 0) and with their most errors (row 1)."""
        lost = np.array([self.fewest, self.most])
        return np.asarray(p_values(self.margin + lost, lost))

    def minimise_greatest(self, p_values: Callable[[Ints, Ints], Any]) -> float:
        """Return the least value, over all spreads, of the greatest p-value of any class; p-values must be monotone."""
        at_fewest, at_most = self.p_values_at_ends(p_values)
        rises = at_fewest <= at_most
        low, high = -1.0, 1.0
        while high - low > max(1e-12 * abs(high), 1e-60):
            middle = (low + high) / 2

            def has_turned(classes: Ints, lost: Ints, middle: float = middle) -> Any:
                return (p_values(self.margin[classes] + lost, lost) <= middle) != rises[classes]

            turn = find_first(has_turned, self.fewest, self.most)
            # The range of errors of each class for which its p-value is at most the middle.
            first, last = np.where(rises, self.fewest, turn), np.where(rises, turn - 1, self.most)
            is_reached = (first <= last).all() and first.sum() <= self.errors <= last.sum()
            low, high = (low, middle) if is_reached else (middle, high)
        return high
