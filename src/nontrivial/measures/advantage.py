"""Prediction Advantage, and established measures that are special cases of it or related to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import (
    as_array,
    as_labels,
    as_predictions,
    as_probabilities,
    as_weights,
    binary_truth_and_scores,
    check_two_classes,
    encode_labels,
    undefined_for_one_class,
    warn_undefined_advantage,
)
from nontrivial.measures.losses import LabelLoss, LossName, resolve, resolve_arrays, weights_at_prevalence

# Prediction Advantage: the share of a trivial predictor's risk that a model removes.


@undefined_for_one_class(lambda: float("nan"))
def prediction_advantage_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    quantile: float | None = None,
    prevalence: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the empirical Prediction Advantage (PA) of predictions.

    PA = 1 - R(f) / R(f0), where R(f) is the mean loss of the predictions and R(f0) that of the Bayesian
    marginal prediction, the best constant for the distribution of the labels.

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        The truth: numbers, booleans or strings for classes, numbers for regression.
    y_pred : array-like
        Classes for `zero_one` and `cost`; numbers of the shape of `y_true` for `squared`, `absolute` and `pinball`;
        for `cross_entropy` probabilities of shape (n, k), one column per class, or of shape (n,) for the last of two
        classes, which `labels` must name if they are strings.
    loss : str or callable, default="zero_one"
        Its names, what it charges for a case, and the marginal prediction; losses of numbers are summed over outputs:

        =============================  =============================================  ============================
        `zero_one`                     1 for a wrong class                            the most frequent class
        `cost`                         the entries of `cost`                          the class of least mean cost
        `cross_entropy`, `log_loss`    -ln of the true class's probability            the frequencies of the classes
        `squared`, `brier_score`       the squared difference                         the mean; PA is R^2
        `absolute`                     the absolute difference                        the median
        `pinball`, `quantile`          `quantile` times what is predicted too low,    the quantile
                                       1 - `quantile` times what is too high
        =============================  =============================================  ============================

        A callable ``loss(y_true, prediction)`` takes two arrays of shape (n,), or two scalars, and returns losses of 0
        or greater. If `y_true` and `y_pred` are strings, booleans or integers, or `labels` is given, its marginal
        prediction is the best of the classes; otherwise the best number between the least and the greatest truth.
    cost : array-like of shape (k, k), optional
        ``cost[i, j]`` is the cost of predicting class i when the truth is class j, 0 or greater. Needed for
        ``loss="cost"`` and for no other.
    labels : array-like of shape (k,), optional
        The classes, in the order of the columns of probabilities and the rows of `cost`. Default: the sorted
        classes of `y_true` and whatever else holds classes. Needed where a class occurs in none of them.
    baseline : array-like, optional
        Labels from which the marginal prediction is estimated, such as those of the training set; its risk is still
        taken over `y_true`. By default the labels of `y_true` itself, whose marginal is the best constant in hindsight.
        With a baseline PA is at least as great, and a model that always predicts the marginal of its training set has
        exactly 0.
    quantile : float, optional
        Strictly between 0 and 1. Needed for ``loss="pinball"`` and for no other.
    prevalence : float or array-like of shape (k,), optional
        Shares of the classes, in the order of `labels`, at which to score: the cases are weighted so that the classes
        have them. For two classes that are numbers or booleans a float is the share of the greater. By default those of
        `y_true`. Not for the regression losses and not with `baseline`.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in [-inf, 1]
        1 for no loss, 0 for no better than the marginal prediction, negative for worse. NaN (0/0), with an
        UndefinedMetricWarning, where the marginal prediction has no risk, such as for one class only.

    Raises
    ------
    ValueError
        If the loss is unknown, the inputs do not fit each other or the loss, a value is missing or not finite, or a
        weight is negative. Costs, the greatest weight and the greatest absolute value of `y_true` must be 0 or from
        1e-60 to 1e60, and predictions at most 1e60.

    See Also
    --------
    bayesian_marginal_prediction : The constant prediction and its risk.
    prediction_advantage_interval : The uncertainty of this score.
    published_advantage : PA from a printed error rate.

    Notes
    -----
    Under squared loss of several outputs, scikit-learn's ``r2_score(multioutput="variance_weighted")`` is the same but
    for outputs whose truth is constant: it leaves them out, while PA counts their loss.

    References
    ----------
    PA paper, sections 2.2 (definition) and 2.3-2.7 (losses).

    Examples
    --------
    An accuracy of 97 % where one case in a hundred is positive:

    >>> truth = [1] * 10 + [0] * 990
    >>> prediction = [0] * 10 + [1] * 20 + [0] * 970
    >>> prediction_advantage_score(truth, prediction)
    -2.0

    A regression, where PA under squared loss is R^2:

    >>> prediction_advantage_score([1.0, 2.0, 3.0], [1.0, 2.0, 2.0], loss="squared")
    0.5

    A test that is right about nine in ten cases of either class is trivial where one in ten is positive:

    >>> round(prediction_advantage_score([0] * 10 + [1] * 10, [0] * 9 + [1] * 10 + [0], prevalence=0.1), 12)
    0.0
    """
    case = resolve(loss, y_true, y_pred, cost=cost, labels=labels, baseline=baseline, quantile=quantile)
    weights = as_weights(sample_weight, len(case.truth))
    if prevalence is not None:
        weights = weights_at_prevalence(case, weights, prevalence)
    if weights is not None:
        counted = weights > 0  # a class that weighs nothing has no logarithm
        case, weights = case.only(counted), weights[counted]
    risk = _total(case.loss.pointwise(case.truth, case.prediction), weights)
    marginal_risk = _total(case.loss.pointwise(case.truth, case.marginal(weights)), weights)
    if marginal_risk == 0:
        warn_undefined_advantage("it is set to NaN")
        return float("nan")
    with np.errstate(over="ignore"):  # -inf where it is less than any float64
        return float((marginal_risk - risk) / marginal_risk)


def bayesian_marginal_prediction(
    y: ArrayLike,
    *,
    loss: LossName = "zero_one",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    quantile: float | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Any, float]:
    """Find the best constant prediction for the distribution of labels, and its risk.

    Parameters
    ----------
    y : array-like of shape (n,), or (n, n_outputs) for `squared`, `absolute` and `pinball`
        Labels or target values.
    loss, cost, labels, quantile, sample_weight
        As in `prediction_advantage_score`, with `y` for its `y_true` and `y_pred`.

    Returns
    -------
    prediction : label, float or ndarray
        As in the table of losses there, per output. Of several best classes, the first in the order of `labels`.
    risk : float in [0, inf)
        The mean loss of that prediction over `y`, never 0/0; the entropy in nats for `cross_entropy`, the variance for
        `squared`, summed over outputs.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`.

    References
    ----------
    PA paper, section 2.1 and lemmas 2.2-2.5.

    Examples
    --------
    >>> label, risk = bayesian_marginal_prediction(["dog", "cat", "dog", "dog"])
    >>> str(label), risk
    ('dog', 0.25)
    """
    resolved, arrays = resolve_arrays(loss, {"y": y}, {}, cost=cost, labels=labels, quantile=quantile)
    truth, weights = arrays["y"], as_weights(sample_weight, len(arrays["y"]))
    if weights is not None:
        truth, weights = truth[weights > 0], weights[weights > 0]
    marginal = resolved.marginal(truth, weights)
    risk = _total(resolved.pointwise(truth, marginal), weights) / _total(np.ones(len(truth)), weights)
    return resolved.classes[marginal] if isinstance(resolved, LabelLoss) else marginal, float(risk)


def _total(losses: Floats, weights: Floats | None) -> np.float64:
    # Sums, not means: those of whole losses are exact, and a PA of exactly 0 comes out as 0.
    return np.float64(losses.sum() if weights is None else weights @ losses)


# Established measures that are cases of the Prediction Advantage, or related to it.


def efron_r2_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute Efron's R^2 of predicted probabilities: Prediction Advantage under squared loss of the 0/1 truth.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of two classes, or as many as `y_score` has columns.
    y_score : array-like of shape (n,) or (n, n_classes)
        Predicted probabilities of the positive class; for three or more classes, a column for each, in sorted order.
    labels : array-like of shape (n_classes,), optional
        The classes of the columns; needed if a class occurs in no case.
    pos_label : label, default=None
        The positive label of two; by default the greater one. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in (-inf, 1]
        One minus the Brier score over that of the constant prevalence; for several classes, both are summed over them.
        NaN (0/0), with an UndefinedMetricWarning, for one class only.

    Raises
    ------
    ValueError
        If a score is outside [0, 1], those of several classes do not add up to 1, or lengths or weights are wrong.

    References
    ----------
    PA paper, section 3; Efron 1978.

    Examples
    --------
    >>> efron_r2_score([0, 0, 1, 1], [0.0, 0.5, 0.5, 1.0])
    0.5
    """
    return _advantage("squared", y_true, y_score, labels, pos_label, sample_weight)


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
        One minus the log-likelihood over that of the model with an intercept only. -inf where a case has probability 0
        for what it is; NaN (0/0), with an UndefinedMetricWarning, for one class only.

    References
    ----------
    PA paper, section 3; McFadden 1974.

    Examples
    --------
    >>> mcfadden_r2_score([0, 1], [0.5, 0.5])
    0.0
    """
    return _advantage("cross_entropy", y_true, y_score, labels, pos_label, sample_weight)


@undefined_for_one_class(lambda: float("nan"))
def _advantage(
    loss: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
) -> float:
    columns = as_array(y_score, "y_score")
    if columns.ndim == 2 and columns.shape[1] > 2:
        if pos_label is not None:
            raise ValueError("pos_label is for two classes; y_score has a column for each of several.")
        case = resolve("cross_entropy", y_true, y_score, labels=labels)
        truth, labels = case.truth, np.arange(columns.shape[1])
        if loss == "squared":
            truth, labels = truth[:, None] == labels, None
        return prediction_advantage_score(
            truth, case.prediction, loss=loss, labels=labels, sample_weight=sample_weight
        )
    if labels is not None:
        check_two_classes(y_true, labels)
    probability = as_probabilities(y_score, "this measure")
    positive, probability, weights = binary_truth_and_scores(
        y_true, probability, pos_label=pos_label, sample_weight=sample_weight
    )
    return prediction_advantage_score(positive, probability, loss=loss, sample_weight=weights)


def no_information_rate(y_true: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Compute the share of the most frequent class: the accuracy of the marginal prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels of any number of classes.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in (0, 1]
        One minus the risk of the marginal prediction under 0/1 loss. Never 0/0.

    Raises
    ------
    ValueError
        If a label is missing or the weights are wrong.

    References
    ----------
    PA paper, section 2.4.

    Examples
    --------
    >>> no_information_rate(["a", "b", "b", "c"])
    0.5
    """
    labels = as_labels(y_true, "y_true")
    return 1 - bayesian_marginal_prediction(labels, sample_weight=sample_weight)[1]


def goodman_kruskal_lambda_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute Goodman and Kruskal's lambda of the truth given the prediction.

    It is the Prediction Advantage under 0/1 loss of the best relabelling, which replaces every predicted class by the
    most frequent true class of its cases: the potential worth of the predictions, not their present worth.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels of any number of classes, not necessarily the same ones.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in [0, 1]
        Never below the Prediction Advantage. NaN (0/0), with an UndefinedMetricWarning, for one class only.

    Raises
    ------
    ValueError
        If lengths differ, a label is missing, or the weights are wrong.

    References
    ----------
    Goodman and Kruskal 1954, section 5.

    Examples
    --------
    Predictions that are always wrong, and always tell the truth:

    >>> goodman_kruskal_lambda_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    truths, predictions, weights = as_predictions(y_true, y_pred, sample_weight)
    classes, (truth,) = encode_labels(truths)
    _, (group,) = encode_labels(predictions)
    # Only cells that have cases: with thousands of different labels, the whole table would have millions.
    cells, places = np.unique(group * len(classes) + truth, return_inverse=True)
    heaviest_first = np.lexsort((-np.bincount(places, weights=weights), cells // len(classes)))
    _, first = np.unique(cells[heaviest_first] // len(classes), return_index=True)
    relabelled = (cells[heaviest_first] % len(classes))[first][group]
    return prediction_advantage_score(truth, relabelled, sample_weight=weights)
