"""Prediction Advantage of a classifier that may abstain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels, Mask, Scores
from nontrivial._validation import as_scores, as_weights, check_lengths, warn_undefined_advantage
from nontrivial.curves.points import is_last
from nontrivial.measures.losses import resolve


@dataclass(frozen=True)
class SelectiveAdvantageCurve:
    """Risk and Prediction Advantage of the covered cases; unpacks to `coverage, risk, advantage`.

    Attributes
    ----------
    coverage : ndarray of shape (m,), increasing, in (0, 1]
        Share of the cases, or of their weight, whose confidence is at least the threshold.
    risk : ndarray of shape (m,), in [0, 1]
        Share of errors among them.
    advantage : ndarray of shape (m,), in [-inf, 1]
        Prediction Advantage among them. If all are of one class, it is NaN (0/0) where no prediction is wrong, and
        -inf where one is.
    marginal_risk : ndarray of shape (m,), in [0, 1)
        Share of the covered cases that are not of their most frequent class.
    thresholds : ndarray of shape (m,), decreasing
        The distinct confidences.
    """

    coverage: Floats
    risk: Floats
    advantage: Floats
    marginal_risk: Floats
    thresholds: Scores

    @property
    def trivial(self) -> Mask:
        """Where the marginal prediction of the covered cases is as good as the classifier, or better."""
        return self.risk >= self.marginal_risk

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.coverage, self.risk, self.advantage))


def selective_advantage_curve(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    confidence: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
) -> SelectiveAdvantageCurve:
    """Compute coverage, risk and Prediction Advantage under 0/1 loss while covering less and less confident cases.

    The marginal prediction is that of the covered cases: a rule that rejects one class leaves an easy problem, where
    its small risk is no advantage.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes, two or more.
    confidence : array-like of shape (n,)
        The greater it is, the sooner the case is covered. Cases of equal confidence are covered together.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    SelectiveAdvantageCurve
        One point per distinct confidence, from the greatest down to full coverage. If all cases are of one class, the
        advantages are NaN (0/0), or -inf where there is an error, with an UndefinedMetricWarning.

    Raises
    ------
    ValueError
        If lengths differ, a label is missing, or a confidence is NaN or infinite.

    References
    ----------
    PA paper, section 6, which poses this as an open end.

    Examples
    --------
    The surer half of the cases is of one class, and one of its predictions is wrong:

    >>> coverage, risk, advantage = selective_advantage_curve(
    ...     [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0.9, 0.9, 0.9, 0.7, 0.7, 0.7]
    ... )
    >>> coverage.tolist(), risk.round(3).tolist(), advantage.round(3).tolist()
    ([0.5, 1.0], [0.333, 0.333], [-inf, 0.333])
    """
    case = resolve("zero_one", y_true, y_pred)
    scores = as_scores(confidence, "confidence")
    check_lengths(case.truth, scores)
    weights = as_weights(sample_weight, len(scores))
    whole = np.ones(len(scores), dtype=np.int64) if weights is None else _integer_weights(weights)
    order = np.argsort(scores)[::-1]
    order = order[whole[order] > 0]
    truth, scores, whole = case.truth[order], scores[order], whole[order]
    wrong = truth != case.prediction[order]
    last = np.flatnonzero(is_last(scores))

    covered = np.cumsum(whole)[last]
    errors = np.cumsum(whole * wrong)[last]
    # Counts only grow, so that the greatest of all classes is the greatest that any class had so far.
    marginal_errors = covered - np.maximum.accumulate(_sums_of_own_class(whole, truth))[last]
    removed = (marginal_errors - errors).astype(np.float64)
    covered, errors, marginal_errors = (
        sums.astype(np.float64) for sums in (covered, errors, marginal_errors)
    )
    if marginal_errors[-1] == 0:
        warn_undefined_advantage("no advantage of the curve is finite")
    with np.errstate(divide="ignore", invalid="ignore"):
        advantage = removed / marginal_errors
    return SelectiveAdvantageCurve(
        coverage=covered / covered[-1],
        risk=errors / covered,
        advantage=advantage,
        marginal_risk=marginal_errors / covered,
        thresholds=scores[last],
    )


def _integer_weights(weights: Floats) -> Labels:
    """Return weights as whole multiples of one unit, in Python's integers, whose sums and differences are exact."""
    mantissa, exponent = np.frexp(weights)
    least = exponent[weights > 0].min()
    return np.asarray((mantissa * 2.0**53).astype(np.int64).astype(object) << np.maximum(exponent - least, 0))


def _sums_of_own_class(weights: Labels, truth: Labels) -> Labels:
    """Return, for each case, the weight of its class up to it."""
    order = np.argsort(truth, kind="stable")
    first = np.flatnonzero(np.diff(truth[order], prepend=-1))
    before = np.concatenate([[0], np.cumsum(weights[order])])
    sums = np.empty_like(weights)
    sums[order] = before[1:] - np.repeat(before[first], np.diff(first, append=len(truth)))
    return sums
