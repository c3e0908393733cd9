"""Every measure of a two-by-two confusion table, for any number of tables at once.

`MEASURES` is the one place where a measure is defined; all else looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.measures.confusion_tables import Tables, as_tables

__all__ = ["MEASURES", "Tables", "as_tables", "confusion_measures", "evaluate"]

CHUNK = 2**14  # tables at a time: few enough that what is computed from them stays in the processor's cache

MEASURES: dict[str, Callable[[Tables], Floats]] = {
    "accuracy": lambda t: t.hits / t.total,
    "error_rate": lambda t: t.errors / t.total,
    "balanced_accuracy": lambda t: (t.recall + t.specificity) / 2,
    "precision": lambda t: t.precision,
    "recall": lambda t: t.recall,
    "specificity": lambda t: t.specificity,
    "negative_predictive_value": lambda t: t.tn / t.predicted_negatives,
    "false_positive_rate": lambda t: t.false_positive_rate,
    "false_negative_rate": lambda t: t.fn / t.positives,
    "false_discovery_rate": lambda t: t.fp / t.predicted_positives,
    "false_omission_rate": lambda t: t.fn / t.predicted_negatives,
    "f_beta": lambda t: t.tp / (t.tp + t.f_errors),
    "p4": lambda t: 4 * t.tp * t.tn / (4 * t.tp * t.tn + t.hits * t.errors),
    "matthews_corrcoef": lambda t: t.determinant / np.sqrt(t.class_product * t.prediction_product),
    "fowlkes_mallows": lambda t: t.tp / np.sqrt(t.predicted_positives * t.positives),
    "jaccard": lambda t: t.tp / (t.tp + t.errors),
    "informedness": lambda t: t.determinant / t.class_product,
    "markedness": lambda t: t.determinant / t.prediction_product,
    "prevalence": lambda t: t.positives / t.total,
    "prevalence_threshold": lambda t: 1 / (1 + np.sqrt(t.recall / t.false_positive_rate)),
    "positive_likelihood_ratio": lambda t: t.tp * t.negatives / (t.fp * t.positives),
    "negative_likelihood_ratio": lambda t: t.fn * t.negatives / (t.tn * t.positives),
    "diagnostic_odds_ratio": lambda t: t.tp * t.tn / (t.fp * t.fn),
    "cohen_kappa": lambda t: (
        2 * t.determinant / (t.predicted_positives * t.negatives + t.positives * t.predicted_negatives)
    ),
    "no_information_rate": lambda t: np.maximum(t.positives, t.negatives) / t.total,
    "goodman_kruskal_lambda": lambda t: (
        np.maximum(t.minority - np.minimum(t.tp, t.fp) - np.minimum(t.fn, t.tn), 0) / t.minority
    ),
    "prediction_advantage": lambda t: (t.minority - t.errors) / t.minority,
    "precision_gain": lambda t: t.gain(t.fp),
    "recall_gain": lambda t: t.gain(t.fn),
    "f_beta_gain": lambda t: t.gain(t.f_errors),
}

# Scores that are no columns of the table of measures.
SCORES: dict[str, Callable[[Tables], Floats]] = MEASURES | {
    "geometric_mean": lambda t: np.sqrt(t.recall * t.specificity),
    "lift": lambda t: t.tp * t.total / (t.predicted_positives * t.positives),
}


def confusion_measures(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    beta: float = 1.0,
    prevalence: float | None = None,
) -> pd.DataFrame:
    r"""Compute every measure of binary confusion tables.

    Parameters
    ----------
    tp, fp, fn, tn : array-like of shape (n_tables,) or scalar
        True positives, false positives, false negatives and true negatives: counts, or sums of weights, of 0
        or greater. A scalar stands for every table. Counts whose total is at most 2**53 are taken exactly.
    beta : float in [0, inf], default=1.0
        Recall counts `beta` times as much as precision, in `f_beta` and `f_beta_gain`; 0 leaves precision alone,
        and infinity recall alone.
    prevalence : float, optional
        Share of positives, strictly between 0 and 1, at which to measure: recall and specificity stay, and the classes
        are weighted so that the positives have this share. By default that of each table.

    Returns
    -------
    pandas.DataFrame of shape (n_tables, 30)
        One row per table, in the order given, and one column per measure. With ``P = TP + FN``, ``N = FP +
        TN``, ``n = P + N`` and ``D = TP TN - FP FN``:

        ============================== ================================================ ===============
        column                         definition                                       range
        ============================== ================================================ ===============
        accuracy                       (TP + TN) / n                                    [0, 1]
        error_rate                     (FP + FN) / n                                    [0, 1]
        balanced_accuracy              (recall + specificity) / 2                       [0, 1]
        precision                      TP / (TP + FP)                                   [0, 1]
        recall                         TP / P                                           [0, 1]
        specificity                    TN / N                                           [0, 1]
        negative_predictive_value      TN / (TN + FN)                                   [0, 1]
        false_positive_rate            FP / N                                           [0, 1]
        false_negative_rate            FN / P                                           [0, 1]
        false_discovery_rate           FP / (TP + FP)                                   [0, 1]
        false_omission_rate            FN / (TN + FN)                                   [0, 1]
        f_beta                         TP / (TP + (FP + beta^2 FN) / (1 + beta^2))      [0, 1]
        p4                             4 TP TN / (4 TP TN + (TP + TN) (FP + FN))        [0, 1]
        matthews_corrcoef              D / sqrt(P N (TP + FP) (TN + FN))                [-1, 1]
        fowlkes_mallows                TP / sqrt((TP + FP) P)                           [0, 1]
        jaccard                        TP / (TP + FP + FN)                              [0, 1]
        informedness                   recall + specificity - 1 = D / (P N)             [-1, 1]
        markedness                     precision + NPV - 1 = D / ((TP + FP) (TN + FN))  [-1, 1]
        prevalence                     P / n                                            [0, 1]
        prevalence_threshold           sqrt(FPR) / (sqrt(recall) + sqrt(FPR))           [0, 1]
        positive_likelihood_ratio      recall / FPR                                     [0, inf]
        negative_likelihood_ratio      FNR / specificity                                [0, inf]
        diagnostic_odds_ratio          TP TN / (FP FN)                                  [0, inf]
        cohen_kappa                    2 D / ((TP + FP) N + P (TN + FN))                [-1, 1]
        no_information_rate            max(P, N) / n                                    [1/2, 1]
        goodman_kruskal_lambda         1 - (min(TP, FP) + min(FN, TN)) / min(P, N)      [0, 1]
        prediction_advantage           1 - (FP + FN) / min(P, N)                        [1 - n/min(P, N), 1]
        precision_gain                 1 - (P / N) FP / TP                              [-inf, 1]
        recall_gain                    1 - (P / N) FN / TP                              [-inf, 1]
        f_beta_gain                    the same with (FP + beta^2 FN) / (1 + beta^2)    [-inf, 1]
        ============================== ================================================ ===============

        Where a formula is 0/0, or a rate in it is, the result is NaN: all of `prediction_advantage`,
        `informedness`, `balanced_accuracy` and the gains where a class is absent, `markedness` where a class
        is never predicted, `p4` where both TP and TN are 0. The likelihood and odds ratios are inf where
        only the denominator is 0. The gains are -inf where both classes are present and TP is 0, even if
        nothing is predicted positive. At a given prevalence all is NaN where a class is absent.
        There are no warnings; scores of labels, such as `p4_score`, warn as scikit-learn does.

    Raises
    ------
    ValueError
        If a count is negative, NaN, infinite, or other than 0 and not from 1e-70 to 1e70, the lengths differ, or
        `beta` is negative or NaN, or `prevalence` is not strictly between 0 and 1.

    See Also
    --------
    prediction_advantage_score : Prediction Advantage from labels, for any loss and number of classes.
    macro_average, micro_average : One row for several tables.

    Notes
    -----
    `goodman_kruskal_lambda` is the measure of the truth given the prediction (Goodman and Kruskal 1954,
    section 5): it judges the best relabelling of the predictions, and is never below 0. It equals
    `prediction_advantage` exactly where no relabelling helps, that is, where the greater of TP and FP is TP
    and that of FN and TN is TN.

    D and the numerators of the gains are computed without cancellation, so that a tiny but real association
    of large counts keeps its digits.

    References
    ----------
    PA paper, sections 2.4, 3 and 4 (Prediction Advantage, balanced accuracy, kappa); P4 article (P4, and the
    table of the measures up to the diagnostic odds ratio); PRG paper, section 3.1 (the gains); tutorial
    (F-beta).

    Examples
    --------
    A test for a disease that one in 2,000 has; it finds 95 % of the ill and clears 95 % of the healthy:

    >>> table = confusion_measures(tp=95, fp=9995, fn=5, tn=189905)
    >>> table[["accuracy", "p4", "prediction_advantage"]].round(3)
       accuracy     p4  prediction_advantage
    0      0.95  0.037                 -99.0

    The same test where half are ill:

    >>> confusion_measures(tp=95, fp=9995, fn=5, tn=189905, prevalence=0.5)["precision"].round(3).item()
    0.95
    """
    return evaluate(as_tables(tp, fp, fn, tn, beta=beta, prevalence=prevalence), MEASURES)


def evaluate(tables: Tables, names: Iterable[str]) -> pd.DataFrame:
    """Evaluate the named measures of `tables`, one row per table."""
    names = list(names)
    columns = np.empty((len(names), len(tables.tp)))
    with np.errstate(divide="ignore", invalid="ignore"):
        for start in range(0, len(tables.tp), CHUNK):
            chunk = slice(start, start + CHUNK)
            cells = (cells[chunk] for cells in (tables.tp, tables.fp, tables.fn, tables.tn))
            part = Tables(*cells, beta=tables.beta)
            for column, name in zip(columns, names, strict=True):
                column[chunk] = SCORES[name](part)
    return pd.DataFrame(columns.T, columns=names, copy=False)
