"""Prediction Advantage, and established measures that are special cases of it or related to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Labels, Mask, Scores
from nontrivial.curves.points import is_last
from nontrivial.measures.losses import Case, LabelLoss, LossName, resolve, weights_at_prevalence


@validation.nan_for_one_class
def prediction_advantage_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    baseline: ArrayLike | None = None,
    quantile: float | None = None,
    prevalence: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the empirical Prediction Advantage (PA) of predictions.

    PA = 1 - R(f) / R(f0), with the mean loss R(f) of the predictions, and R(f0) of the Bayesian marginal
    prediction, the best constant for the distribution of the labels.

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        The truth: numbers, booleans or strings for classes, numbers for regression.
    y_pred : array-like
        Classes, or numbers of the shape of `y_true`. For `cross_entropy` and `brier_score`, probabilities of shape
        (n, k) with a column for each class, or of shape (n,) for the positive one of two classes.
    loss : str or callable, default="zero_one"
        Losses of numbers are summed over outputs.

        ===========================  =====================================================  ============================
        name                         loss of one case                                       best constant
        ===========================  =====================================================  ============================
        `zero_one`                   1 for a wrong class                                    the most frequent class
        `cost`                       the entry of `cost`                                    the class of least mean cost
        `cross_entropy`, `log_loss`  -ln of the true class's probability                    the class frequencies
        `brier_score`                the squared difference of the positive's probability   the class frequencies
                                     from 1 or 0; for more classes, the sum over them
        `squared`                    the squared difference                                 the mean; PA is R^2
        `absolute`                   the absolute difference                                the median
        `pinball`, `quantile`        `quantile` times a shortfall, 1 - `quantile` times     the quantile
                                     an excess of the prediction
        ===========================  =====================================================  ============================

        A callable ``loss(y_true, prediction)`` takes two arrays of shape (n,), or two scalars, and returns losses of 0
        or greater. Its marginal prediction is the best number in the range of the truth, or the best class for strings,
        booleans, integers and with `labels`.
    cost : array-like of shape (k, k), for ``loss="cost"``
        ``cost[i, j]`` is the cost of predicting class i when the truth is class j, 0 or greater.
    labels : array-like of shape (k,), optional
        The classes, in the order of the columns of probabilities and the rows of `cost`. Default: all that occur,
        sorted.
    pos_label : label, default=None
        The positive class of two, for one column of probabilities and a `prevalence` of one number. By default the
        greater number or True, in any order of `labels`. Strings have no default.
    baseline : array-like, optional
        Labels for the marginal prediction, such as the training set's; its risk is still taken over `y_true`. By
        default `y_true` itself, whose marginal is the best constant in hindsight.
    quantile : float in (0, 1), for ``loss="pinball"``
        The quantile that is predicted.
    prevalence : float or array-like of shape (k,), optional
        Shares of the classes, in the order of `labels`, to which cases are weighted. A float is the share of the
        positive class of two. By default the shares in `y_true`. Not for losses of numbers and not with `baseline`.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in [-inf, 1]
        1 for no loss, 0 for no better than the marginal prediction, negative for worse. NaN (0/0), with an
        UndefinedMetricWarning, if the marginal prediction has no risk, such as for one class only.

    Raises
    ------
    ValueError
        If the inputs do not fit each other or the loss, a value is missing or not finite, or a weight is negative.
        Costs, weights and absolute values of `y_true` must be 0 or from 1e-60 to 1e60, and predictions at most 1e60.

    References
    ----------
    PA paper, sections 2.2 (definition) and 2.3-2.7 (losses).

    Examples
    --------
    An accuracy of 97 % with one positive case in a hundred, a regression, and probabilities of the label "ill":

    >>> truth = [1] * 10 + [0] * 990
    >>> prediction = [0] * 10 + [1] * 20 + [0] * 970
    >>> prediction_advantage_score(truth, prediction)
    -2.0
    >>> prediction_advantage_score([1.0, 2.0, 3.0], [1.0, 2.0, 2.0], loss="squared")
    0.5
    >>> truth, probability = ["ill", "well", "ill", "well"], [0.9, 0.2, 0.7, 0.1]
    >>> round(prediction_advantage_score(truth, probability, loss="brier_score", pos_label="ill"), 2)
    0.85

    A test that is right about nine in ten cases of either class is trivial if one in ten is positive:

    >>> round(prediction_advantage_score([0] * 10 + [1] * 10, [0] * 9 + [1] * 10 + [0], prevalence=0.1), 12)
    0.0
    """
    given = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    case = resolve(loss, y_true, y_pred, quantile=quantile, **given)
    weights = validation.as_weights(sample_weight, len(case.truth))
    if prevalence is not None:
        weights = weights_at_prevalence(case, weights, prevalence)
    return _advantage(case, weights)


def _advantage(case: Case, weights: Floats | None) -> float:
    case, weights = _counted(case, weights)
    risk, marginal_risk = _total(case.losses, weights), _total(case.marginal_losses(weights), weights)
    if marginal_risk == 0:
        validation.warn_undefined_advantage("it is set to NaN")
        return float("nan")
    with np.errstate(over="ignore"):  # -inf if it is less than any float64
        return float((marginal_risk - risk) / marginal_risk)


def bayesian_marginal_prediction(
    y: ArrayLike,
    *,
    loss: LossName = "zero_one",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    quantile: float | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Any, float]:
    """Find the best constant prediction for the distribution of labels, and its risk.

    Parameters
    ----------
    y : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        Labels or target values.
    loss, cost, labels, pos_label, quantile, sample_weight
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    prediction : label, float or ndarray
        As in the table of losses there, per output. Of several best classes, the first in the order of `labels`. For
        `brier_score` and two classes, the frequency of the positive one.
    risk : float in [0, inf)
        The mean loss of that prediction over `y`, never 0/0; the entropy in nats for `cross_entropy`, the variance for
        `squared`, summed over outputs.

    References
    ----------
    PA paper, section 2.1 and lemmas 2.2-2.5.

    Examples
    --------
    >>> label, risk = bayesian_marginal_prediction(["dog", "cat", "dog", "dog"])
    >>> str(label), risk
    ('dog', 0.25)
    """
    given = {"cost": cost, "labels": labels, "pos_label": pos_label, "quantile": quantile}
    case = resolve(loss, y, names=["y"], **given)
    case, weights = _counted(case, validation.as_weights(sample_weight, len(case.truth)))
    marginal = case.marginal(weights)
    risk = _total(case.marginal_losses(weights), weights) / _total(np.ones(len(case.truth)), weights)
    return case.loss.classes[marginal] if isinstance(case.loss, LabelLoss) else marginal, float(risk)


def _counted(case: Case, weights: Floats | None) -> tuple[Case, Floats | None]:
    """Leave out cases without weight: a class of no weight has no logarithm."""
    return (case, None) if weights is None else (case.only(weights > 0), weights[weights > 0])


def _total(losses: Floats, weights: Floats | None) -> np.float64:
    # Sums of whole losses are exact, unlike means, so that a PA of exactly 0 comes out as 0.
    return np.float64(losses.sum() if weights is None else weights @ losses)


def efron_r2_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute Efron's R^2 of predicted probabilities: Prediction Advantage under the Brier score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of two classes, or as many as `y_score` has columns.
    y_score : array-like of shape (n,) or (n, n_classes)
        Predicted probabilities of the positive class, or a column for each class.
    labels, pos_label, sample_weight
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    float in (-inf, 1]
        One minus the Brier score over the Brier score of the constant prevalence; for several classes, their sums.
        NaN (0/0), with an UndefinedMetricWarning, for one class only.

    References
    ----------
    PA paper, section 3; Efron 1978.

    Examples
    --------
    >>> efron_r2_score([0, 0, 1, 1], [0.0, 0.5, 0.5, 1.0])
    0.5
    """
    names = ("y_true", "y_score")
    case = resolve("brier_score", y_true, y_score, names=names, labels=labels, pos_label=pos_label)
    return _advantage(case, validation.as_weights(sample_weight, len(case.truth)))


def mcfadden_r2_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute McFadden's R^2 of predicted probabilities: Prediction Advantage under cross-entropy.

    Parameters
    ----------
    y_true, y_score, labels, pos_label, sample_weight
        As in `efron_r2_score`, as are the errors.

    Returns
    -------
    float in [-inf, 1]
        One minus the log-likelihood over the one of the model with an intercept only. -inf if a true class has
        probability 0; NaN (0/0), with an UndefinedMetricWarning, for one class only.

    References
    ----------
    PA paper, section 3; McFadden 1974.

    Examples
    --------
    >>> mcfadden_r2_score([0, 1], [0.5, 0.5])
    0.0
    """
    names = ("y_true", "y_score")
    case = resolve("cross_entropy", y_true, y_score, names=names, labels=labels, pos_label=pos_label)
    return _advantage(case, validation.as_weights(sample_weight, len(case.truth)))


def no_information_rate(y_true: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of the most frequent class: the accuracy of the marginal prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of any number of classes.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    float in (0, 1]
        One minus the risk of the marginal prediction under 0/1 loss. Never 0/0.

    References
    ----------
    PA paper, section 2.4.

    Examples
    --------
    >>> no_information_rate(["a", "b", "b", "c"])
    0.5
    """
    labels = validation.as_labels(y_true, "y_true")
    return 1 - bayesian_marginal_prediction(labels, sample_weight=sample_weight)[1]


def goodman_kruskal_lambda_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute Goodman and Kruskal's lambda of the truth given the prediction.

    It is the Prediction Advantage under 0/1 loss if every predicted class is replaced by the most frequent true class
    of its cases: the potential worth of the predictions, not their present worth.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels of any number of classes, not necessarily the same ones.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    float in [0, 1]
        Never below the Prediction Advantage. NaN (0/0), with an UndefinedMetricWarning, for one class only.

    References
    ----------
    Goodman and Kruskal 1954, section 5.

    Examples
    --------
    >>> goodman_kruskal_lambda_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    truths, predictions, weights = validation.as_predictions(y_true, y_pred, sample_weight)
    _, (truth,) = validation.encode_labels(truths)
    _, (group,) = validation.encode_labels(predictions)
    # Only cells that have cases: with thousands of different labels, the whole table would have millions.
    cases = pd.DataFrame({"group": group, "truth": truth, "weight": 1.0 if weights is None else weights})
    cells = cases.groupby(["group", "truth"], as_index=False)["weight"].sum()
    heaviest = cells.loc[cells.groupby("group")["weight"].idxmax()]  # the first of equal ones
    relabelled = heaviest.set_index("group")["truth"].to_numpy()[group]
    return prediction_advantage_score(truth, relabelled, sample_weight=weights)


# A classifier that may abstain.


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
        Prediction Advantage among them. If all are of one class, NaN (0/0), or -inf if a prediction is wrong.
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

    The marginal prediction is the best constant for the covered cases.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes, two or more.
    confidence : array-like of shape (n,)
        The greater it is, the sooner the case is covered. Cases of equal confidence are covered together. NaN or an
        infinite one is a ValueError.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    SelectiveAdvantageCurve
        One point per distinct confidence, from the greatest down to full coverage. An UndefinedMetricWarning says if
        all cases are of one class (0/0).

    References
    ----------
    PA paper, section 6, which poses this as an open end.

    Examples
    --------
    >>> coverage, risk, advantage = selective_advantage_curve(
    ...     [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0.9, 0.9, 0.9, 0.7, 0.7, 0.7]
    ... )
    >>> coverage.tolist(), risk.round(3).tolist(), advantage.round(3).tolist()
    ([0.5, 1.0], [0.333, 0.333], [-inf, 0.333])
    """
    case = resolve("zero_one", y_true, y_pred)
    scores = validation.as_scores(confidence, "confidence")
    validation.check_lengths(case.truth, scores)
    weights = validation.as_weights(sample_weight, len(scores))
    whole: Labels = np.ones(len(scores), dtype=np.int64)
    if weights is not None:  # multiples of one unit, in Python's integers, for exact sums and differences
        _, exponent = np.frexp(weights[weights > 0].min())
        whole = np.array([int(multiple) for multiple in np.ldexp(weights, 53 - exponent)], dtype=object)
    order = np.argsort(scores)[::-1]
    order = order[whole[order] > 0]
    truth, scores, whole = case.truth[order], scores[order], whole[order]
    wrong = truth != case.prediction[order]
    last = np.flatnonzero(is_last(scores))

    covered = np.cumsum(whole)[last]
    errors = np.cumsum(whole * wrong)[last]
    # The greatest sum of any class is the greatest that occurred so far, because sums only grow.
    marginal_errors = covered - np.maximum.accumulate(_sums_of_own_class(whole, truth))[last]
    removed = (marginal_errors - errors).astype(np.float64)
    covered, errors, marginal_errors = (
        sums.astype(np.float64) for sums in (covered, errors, marginal_errors)
    )
    if marginal_errors[-1] == 0:
        validation.warn_undefined_advantage("no advantage of the curve is finite")
    with np.errstate(divide="ignore", invalid="ignore"):
        advantage = removed / marginal_errors
    return SelectiveAdvantageCurve(
        coverage=covered / covered[-1],
        risk=errors / covered,
        advantage=advantage,
        marginal_risk=marginal_errors / covered,
        thresholds=scores[last],
    )


def _sums_of_own_class(weights: Labels, truth: Labels) -> Labels:
    """Return, for each case, the weight of its class up to it."""
    sums = np.empty_like(weights)
    order = np.argsort(truth, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(truth[order])) + 1):
        sums[places] = np.cumsum(weights[places])
    return sums
