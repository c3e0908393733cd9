"""Which confusion tables can the printed scores belong to, if any?

Whole numbers decide about every table. Means over folds are different: no single table gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral

import pandas as pd

from nontrivial._validation import check_choice, show
from nontrivial.measures.published.fold_means import foldings_of, means_possible
from nontrivial.measures.published.printed import Printed, check_counts
from nontrivial.measures.published.ratios import bounds_of, ranges_of
from nontrivial.measures.published.table_search import FittingTables, find_tables

MOST_TABLES = 5_000_000  # that are listed


def published_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> pd.DataFrame:
    """List all confusion tables that give all of the printed scores.

    Whole numbers decide about every table with the given classes, so no rounding of floats adds or removes a table.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        Printed scores by the names of `confusion_measures`, where `f_beta` is F1; `lift`, `geometric_mean` (of recall
        and specificity) and `roc_auc`. Other usual names, such as `f1`, `kappa` or `mcc`, are taken, too. A string
        keeps its trailing zeros. Every number stands for all numbers that round to it, ties either way. A string that
        begins with ``<`` or ``>``, or with ``<=`` or ``>=``, is a limit; the limit itself counts.
    positives, n : int
        Positive cases and all cases.

    Returns
    -------
    pandas.DataFrame
        One row per table and the columns ``tp, fp, fn, tn, prediction_advantage``, in the order of `tp` and then `tn`;
        no row if no table gives the scores. A score that is 0/0 for a table may have been printed as 0 or 1 there,
        as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is not one, the counts leave a class empty, there are more
        than 5,000,000 tables, or more than 3,000,000 true positives and true negatives to try.

    See Also
    --------
    published_scores_possible : Whether there is any table, also for means over folds.
    published_verdict : What the scores are worth.

    Notes
    -----
    `roc_auc` is taken to be the area of the scores that became predictions at one threshold. Of the pairs of a positive
    and a negative case, at least TP TN are then in order and at least FP FN are not.

    Given the classes, every measure but lambda rises or falls with both the true positives and the true negatives, so
    for each number of the one, the fitting numbers of the other are found by bisection. A million cases take seconds.

    Examples
    --------
    >>> published_tables({"recall": "0.75", "precision": "0.6"}, positives=4, n=20)
       tp  fp  fn  tn  prediction_advantage
    0   3   2   1  14                  0.25

    No table of 47 cases with 4 positives has both this accuracy and this kappa:

    >>> len(published_tables({"accuracy": "0.89", "cohen_kappa": "0.24"}, positives=4, n=47))
    0
    """
    found = fitting_tables(scores, positives=positives, n=n)
    if found.count > MOST_TABLES:
        raise ValueError(
            f"{found.count:,} tables give the scores; at most {MOST_TABLES:,} are listed. Give more scores or more "
            "digits."
        )
    tp, tn = found.all()
    fp, fn = found.negatives - tn, found.positives - tp
    minority = min(found.positives, found.negatives)
    return pd.DataFrame(
        {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "prediction_advantage": (minority - fp - fn) / minority}
    )


def fitting_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> FittingTables:
    """Return what `published_tables` lists, however many they are, in rows."""
    positives, n = check_counts(positives, n)
    negatives = n - positives
    return find_tables(bounds_of(ranges_of(scores), positives, negatives), positives, negatives)


def published_scores_possible(
    scores: Mapping[str, Printed],
    *,
    positives: int,
    n: int,
    folds: int | Sequence[tuple[int, int]] | None = None,
    n_repeats: int = 1,
    stratified: bool = True,
    average: str = "pooled",
) -> bool:
    """Tell whether some confusion tables give all of the printed scores.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives, n : int
        Positive cases and all cases.
    folds : int or sequence of (int, int), optional
        How the cases were split for a cross-validation: the number of folds, or the positives and all cases
        of each fold. Default: one test set.
    n_repeats : int, default=1
        How often the cross-validation was repeated.
    stratified : bool, default=True
        Whether a number of `folds` means scikit-learn's stratified splits or any folds. For any folds, the
        distributions of the positives over the folds are tried one after the other.
    average : {"pooled", "mean"}, default="pooled"
        Whether the scores are those of the summed table of all folds and repeats or the mean of their scores.
        Means can be decided only for accuracy, balanced accuracy, recall, specificity and their complements.
        That search uses floats, so it may accept a mean that misses the printed range by up to a millionth.

    Returns
    -------
    bool
        False if no tables can give the scores: at least one of them, or the description of the test, is
        wrong. True if some can. A score that is 0/0 for a table may have been printed as 0 or 1 there.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is not one, the counts leave a class empty, or the
        folds do not add up or are too many to try.

    See Also
    --------
    published_tables : The tables.
    published_advantage : What a printed error rate says about the Prediction Advantage.

    References
    ----------
    Fazekas and Kovacs 2024, mlscorecheck.

    Examples
    --------
    No single table of 306 cases has an error of 0.273, but a mean over ten folds can be that:

    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306)
    False
    >>> published_scores_possible({"error_rate": "0.273"}, positives=81, n=306, folds=10, average="mean")
    True
    """
    positives, n = check_counts(positives, n)
    check_choice(average, "average", ("pooled", "mean"))
    if not isinstance(n_repeats, Integral) or n_repeats < 1:
        raise ValueError(f"n_repeats is {show(n_repeats)}; it must be a whole number of 1 or greater.")
    repeats = int(n_repeats)
    foldings = foldings_of(folds, positives, n, repeats, stratified)
    if average == "pooled" or (folds is None and repeats == 1):
        return fitting_tables(scores, positives=positives * repeats, n=n * repeats).count > 0
    return means_possible(ranges_of(scores), positives, n, foldings)
