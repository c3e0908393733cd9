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
from nontrivial.curves.points import is_last_of_equal
from nontrivial.measures.losses import LabelLoss, LossName, LossSample, resolve_sample, weights_at_prevalence


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

    PA = 1 - R(f) / R(f0). R(f) is the mean loss of the predictions, and R(f0) is the mean loss of the Bayesian marginal
    prediction, which is the best constant for the distribution of the labels (PA paper, sections 2.2-2.7).

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        The truth: numbers, booleans or strings for classes, numbers for regression.
    y_pred : array-like
        Classes, or numbers in the shape of `y_true`. For `cross_entropy` and `brier_score`, probabilities of shape
        (n, k) with a column for each class, or probabilities of the positive class of two, of shape (n,).
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
        or greater. Its best constant is a number in the range of the truth; for strings, booleans, integers and with
        `labels`, it is a class.
    cost : array-like of shape (k, k), for ``loss="cost"``
        ``cost[i, j]`` is the cost of predicting class i when the truth is class j, 0 or greater.
    labels : array-like of shape (k,), optional
        The classes, in the order of the columns of probabilities and the rows of `cost`. Default: all that occur,
        sorted.
    pos_label : label, default=None
        The positive class of two, for one column of probabilities and a `prevalence` of one number. By default the
        greater number or True, in any order of `labels`. Strings have no default.
    baseline : array-like, optional
        Labels, such as the training set's, whose best constant is the marginal prediction; its risk is still the risk
        on `y_true`. By default `y_true` itself, whose best constant is known only in hindsight.
    quantile : float in (0, 1), for ``loss="pinball"``
        The quantile that is predicted.
    prevalence : float or array-like of shape (k,), optional
        Shares of the classes, in the order of `labels`; cases are weighted to have them. A float is the share of the
        positive class of two. By default the shares in `y_true`. Not for losses of numbers, and not with `baseline`.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in [-inf, 1]
        1 means no loss, 0 means as good as the marginal prediction, and less means worse. NaN (0/0), with an
        UndefinedMetricWarning, if the marginal prediction has no risk, as with one class only.

    Raises
    ------
    ValueError
        If the inputs do not fit each other or the loss, a value is missing or not finite, or a weight is negative.
        Costs, weights and absolute values of `y_true` must be 0 or from 1e-60 to 1e60, and predictions at most 1e60.

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
    options = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    sample = resolve_sample(loss, y_true, y_pred, quantile=quantile, **options)
    weights = validation.as_weights(sample_weight, len(sample.truth))
    if prevalence is not None:
        weights = weights_at_prevalence(sample, weights, prevalence)
    return _estimate_advantage(sample, weights)


def _estimate_advantage(sample: LossSample, weights: Floats | None) -> float:
    sample, weights = _drop_weightless(sample, weights)
    risk, marginal_risk = (_sum_losses(sample.losses, weights), _sum_losses(sample.marginal_losses(weights), weights))
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
    """Find the best constant prediction for a distribution of labels, and its risk (PA paper, sections 2.1-2.7).

    Parameters
    ----------
    y : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        Labels or target values.
    loss, cost, labels, pos_label, quantile, sample_weight
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    prediction : label, float or ndarray
        The best constant in the table of `prediction_advantage_score`, for each output. Of several best classes, the
        first in the order of `labels`. For `brier_score` and two classes, the frequency of the positive one.
    risk : float in [0, inf)
        The mean loss of this prediction over `y`, never 0/0: the entropy in nats for `cross_entropy`, the variance for
        `squared`, summed over outputs.

    Examples
    --------
    >>> label, risk = bayesian_marginal_prediction(["dog", "cat", "dog", "dog"])
    >>> str(label), risk
    ('dog', 0.25)
    """
    options = {"cost": cost, "labels": labels, "pos_label": pos_label, "quantile": quantile}
    sample = resolve_sample(loss, y, names=["y"], **options)
    sample, weights = _drop_weightless(sample, validation.as_weights(sample_weight, len(sample.truth)))
    marginal = sample.marginal(weights)
    risk = _sum_losses(sample.marginal_losses(weights), weights) / _sum_losses(np.ones(len(sample.truth)), weights)
    return sample.loss.classes[marginal] if isinstance(sample.loss, LabelLoss) else marginal, float(risk)


def _drop_weightless(sample: LossSample, weights: Floats | None) -> tuple[LossSample, Floats | None]:
    """Drop cases of weight 0, as a class with no other cases would have the logarithm of 0."""
    return (sample, None) if weights is None else (sample.select(weights > 0), weights[weights > 0])


def _sum_losses(losses: Floats, weights: Floats | None) -> np.float64:
    # Sums of whole losses are exact, unlike means, so that an advantage of exactly 0 comes out as 0.
    return np.float64(losses.sum() if weights is None else weights @ losses)


def efron_r2_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute Efron's R^2 of probabilities: Prediction Advantage under the Brier score (PA paper, section 3).

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
        1 minus the ratio of the Brier score to the one of the class frequencies. NaN (0/0), with an
        UndefinedMetricWarning, for one class only.

    Examples
    --------
    >>> efron_r2_score([0, 0, 1, 1], [0.0, 0.5, 0.5, 1.0])
    0.5
    """
    names = ("y_true", "y_score")
    sample = resolve_sample("brier_score", y_true, y_score, names=names, labels=labels, pos_label=pos_label)
    return _estimate_advantage(sample, validation.as_weights(sample_weight, len(sample.truth)))


def mcfadden_r2_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute McFadden's R^2 of probabilities: Prediction Advantage under cross-entropy (PA paper, section 3).

    Parameters
    ----------
    y_true, y_score, labels, pos_label, sample_weight
        As in `efron_r2_score`, as are the errors.

    Returns
    -------
    float in [-inf, 1]
        1 minus the ratio of the log-likelihood to the one of the class frequencies. -inf if a true class has
        probability 0; NaN (0/0), with an UndefinedMetricWarning, for one class only.

    Examples
    --------
    >>> mcfadden_r2_score([0, 1], [0.5, 0.5])
    0.0
    """
    names = ("y_true", "y_score")
    sample = resolve_sample("cross_entropy", y_true, y_score, names=names, labels=labels, pos_label=pos_label)
    return _estimate_advantage(sample, validation.as_weights(sample_weight, len(sample.truth)))


def no_information_rate(y_true: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of the most frequent class, the accuracy of the marginal prediction (PA paper, section 2.4).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of any number of classes.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    float in (0, 1]
        1 minus the risk of the marginal prediction under 0/1 loss. The result is never 0/0.

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
    """Compute Goodman and Kruskal's lambda, which predicts the truth from the prediction (1954, section 5).

    It is the Prediction Advantage under 0/1 loss after each predicted class is replaced by the most frequent true
    class of its cases. So lambda measures what the predictions could be worth.

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

    Examples
    --------
    >>> goodman_kruskal_lambda_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    truths, predictions, weights = validation.as_predictions(y_true, y_pred, sample_weight)
    _, (truth,) = validation.encode_labels(truths)
    _, (group,) = validation.encode_labels(predictions)
    # With thousands of different labels, the whole table would have millions of cells, so only cells with cases count.
    cases = pd.DataFrame({"group": group, "truth": truth, "weight": 1.0 if weights is None else weights})
    cells = cases.groupby(["group", "truth"], as_index=False)["weight"].sum()
    heaviest = cells.loc[cells.groupby("group")["weight"].idxmax()]
    relabelled = heaviest.set_index("group")["truth"].to_numpy()[group]
    return prediction_advantage_score(truth, relabelled, sample_weight=weights)


@dataclass(frozen=True)
class SelectiveAdvantageCurve:
    """Risk and Prediction Advantage of a classifier that may abstain; unpacks to `coverage, risk, advantage`.

    Attributes
    ----------
    coverage : ndarray of shape (m,), increasing, in (0, 1]
        Share of the covered cases, whose confidence is at least the threshold, or of their weight.
    risk : ndarray of shape (m,), in [0, 1]
        Share of errors among the covered cases.
    advantage : ndarray of shape (m,), in [-inf, 1]
        Prediction Advantage on the covered cases. If they are of one class, NaN (0/0), or -inf if one is misjudged.
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
        """Whether the marginal prediction of the covered cases is at least as good as the classifier."""
        return self.risk >= self.marginal_risk

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.coverage, self.risk, self.advantage))


def selective_advantage_curve(
    y_true: ArrayLike, y_pred: ArrayLike, confidence: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> SelectiveAdvantageCurve:
    """Compute coverage, risk and Prediction Advantage under 0/1 loss if only the more confident cases are covered.

    The marginal prediction is the best constant for the covered cases. PA paper, section 6, leaves this curve open.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes, two or more.
    confidence : array-like of shape (n,)
        The most confident cases are covered first, and equally confident ones together. NaN and infinite numbers are
        a ValueError.
    sample_weight : array-like of shape (n,), optional
        As in `prediction_advantage_score`, as are the errors.

    Returns
    -------
    SelectiveAdvantageCurve
        One point for each distinct confidence, from the greatest down to full coverage. An UndefinedMetricWarning
        comes if all cases are of one class (0/0).

    Examples
    --------
    >>> coverage, risk, advantage = selective_advantage_curve(
    ...     [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0.9, 0.9, 0.9, 0.7, 0.7, 0.7]
    ... )
    >>> coverage.tolist(), risk.round(3).tolist(), advantage.round(3).tolist()
    ([0.5, 1.0], [0.333, 0.333], [-inf, 0.333])
    """
    sample = resolve_sample("zero_one", y_true, y_pred)
    scores = validation.as_scores(confidence, "confidence")
    validation.check_lengths(sample.truth, scores)
    weights = validation.as_weights(sample_weight, len(scores))
    integer_weights: Labels = np.ones(len(scores), dtype=np.int64)
    if weights is not None:  # Python's integers have exact sums and differences
        _, exponent = np.frexp(weights[weights > 0].min())
        multiples = np.ldexp(weights, 53 - exponent)
        integer_weights = np.array([int(multiple) for multiple in multiples], dtype=object)
    order = np.argsort(scores)[::-1]
    order = order[integer_weights[order] > 0]
    truth, scores, integer_weights = sample.truth[order], scores[order], integer_weights[order]
    wrong = truth != sample.prediction[order]
    last = np.flatnonzero(is_last_of_equal(scores))

    covered = np.cumsum(integer_weights)[last]
    errors = np.cumsum(integer_weights * wrong)[last]
    # Sums only grow, so the weight of the heaviest class is the greatest sum of a class so far.
    marginal_errors = covered - np.maximum.accumulate(_running_class_weights(integer_weights, truth))[last]
    removed = (marginal_errors - errors).astype(np.float64)
    covered, errors, marginal_errors = (sums.astype(np.float64) for sums in (covered, errors, marginal_errors))
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


def _running_class_weights(weights: Labels, truth: Labels) -> Labels:
    """Return for each case the summed weight of its class up to this case."""
    sums = np.empty_like(weights)
    order = np.argsort(truth, kind="stable")
    for cases in np.split(order, np.flatnonzero(np.diff(truth[order])) + 1):
        sums[cases] = np.cumsum(weights[cases])
    return sums
