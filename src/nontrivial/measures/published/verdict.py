"""What published scores are worth: an exact test against every constant guess, over every table that fits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from nontrivial._validation import show
from nontrivial.measures.published.class_errors import ERRORS
from nontrivial.measures.published.exact_test import Evidence, Span, evidence_of_errors, evidence_of_tables
from nontrivial.measures.published.fold_means import LINEAR, foldings_of, means_possible, pooled_ranges
from nontrivial.measures.published.fold_tables import tables_of_means
from nontrivial.measures.published.printed import MOST_CASES, Printed, check_counts
from nontrivial.measures.published.ratios import Ranges, bounds_of, ranges_of
from nontrivial.measures.published.table_search import find_tables
from nontrivial.measures.sign_verdict import Verdict, cases_for_better, cases_for_worse, verdict_of

BY_ERRORS = ("accuracy", "error_rate")  # what the number of errors alone decides
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
    verdict : {"better", "worse", "not shown"} or None
        What the test shows for every such table.
    cases_needed : int or None
        If nothing is shown, about how many cases with the same rates would show a difference for every such table. None
        if no number would, because the tables disagree or are as good as trivial.
    """

    trivial_error: float
    exact: bool
    tables: int | None
    errors: tuple[int, int] | None
    advantage: Span | None
    p_better: Span | None
    p_worse: Span | None
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
    """Say what published scores are worth: better than trivial, worse, or not shown to be either.

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
    ('not shown', (0.5, 0.5))
    """
    counts = _counts(positives, n, classes)
    ranges: Ranges = ranges_of(scores)
    by_errors = ranges.keys() <= set(BY_ERRORS)
    for name in ranges:
        if len(counts) > 2 and name not in ERRORS:
            raise ValueError(
                f"With {len(counts)} classes, {name} does not say how many errors there are; give {', '.join(ERRORS)} "
                "(a micro average of recall, precision or F1 over all labels is the accuracy)."
            )
    if folds is not None:
        if not isinstance(folds, Integral) or isinstance(folds, bool):
            raise ValueError(f"folds is {show(folds)}; it must be a whole number.")
        if len(counts) > 2:
            raise ValueError(f"There are {len(counts)} classes; means over folds are only for two.")
        if folds > min(counts):
            raise ValueError(
                f"folds is {folds}, but one class has {min(counts)} cases; each fold needs a case of each class."
            )
        foldings = foldings_of(folds, counts[0], sum(counts), 1, True)
        linear = {name: limits for name, limits in ranges.items() if name in LINEAR}
        if linear and not means_possible(linear, counts[0], sum(counts), foldings):
            return _record(counts, None, exact=False)
        pooled = pooled_ranges(linear, counts[0], counts[1], folds)
        if len(linear) < len(ranges):
            bounded = {name: limits for name, limits in ranges.items() if name not in linear}
            found = tables_of_means(bounded, pooled, counts[0], counts[1], folds)
            return _record(counts, evidence_of_tables(found), exact=False)
        ranges = pooled
    if len(counts) > 2 or by_errors:
        exact = folds is None and (len(counts) == 2 or by_errors)
        return _record(counts, evidence_of_errors(ranges, counts), exact=exact)
    found = find_tables(bounds_of(ranges, *counts), *counts)
    return _record(counts, evidence_of_tables(found), exact=folds is None)


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
    if verdict == "not shown" and most < trivial:
        needed = cases_for_better(n, evidence.least_better)
    elif verdict == "not shown" and fewest > trivial:
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
