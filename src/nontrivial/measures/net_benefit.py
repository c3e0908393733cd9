"""Net benefit, the measure of decision curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._binary import binary_truth_and_scores, undefined_for_one_class
from nontrivial._validation import as_scores, check_in_unit_interval
from nontrivial.measures.confusion_tables import as_tables


@undefined_for_one_class(lambda: float("nan"))
def net_benefit_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    threshold: float,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the net benefit of acting on the cases whose probability is at least a threshold.

    It is (TP - FP t / (1 - t)) / n. Someone who acts from a probability of t on considers a false positive t / (1 - t)
    times as bad as a true positive is good.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Probabilities of the positive class, or predicted labels as 0 and 1.
    threshold : float
        The threshold probability t, strictly between 0 and 1.
    prevalence : float, optional
        Share of positives at which to measure, as in `confusion_measures`.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float
        At most the prevalence, and 0 for acting on nobody. Acting on all has (p - t) / (1 - t) for a prevalence p; a
        model is of use where it exceeds both. NaN for one class only.

    Raises
    ------
    ValueError
        If a score is outside [0, 1], `threshold` is not strictly between 0 and 1, or lengths or weights are wrong.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

    References
    ----------
    Vickers and Elkin 2006.

    Examples
    --------
    >>> net_benefit_score([0, 0, 1, 1], [0.1, 0.6, 0.7, 0.9], threshold=0.5)
    0.25
    """
    threshold = check_in_unit_interval(threshold, "threshold")
    scores = as_scores(y_score)
    if scores.min() < 0 or scores.max() > 1:
        raise ValueError("y_score has values outside [0, 1]; net benefit needs probabilities.")
    positive, scores, weights = binary_truth_and_scores(
        y_true, scores, pos_label=pos_label, sample_weight=sample_weight
    )
    tn, fp, fn, tp = np.bincount(2 * positive + (scores >= threshold), weights=weights, minlength=4)
    tables = as_tables(tp, fp, fn, tn, prevalence=prevalence)
    benefit = (tables.tp - tables.fp * (threshold / (1 - threshold))) / tables.total
    return float(benefit[0])
