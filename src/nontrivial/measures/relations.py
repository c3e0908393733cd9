"""Established measures that are cases of the Prediction Advantage, or related to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._binary import binary_truth_and_scores, undefined_for_one_class
from nontrivial._encoding import check_two_classes, encode_labels
from nontrivial.measures.advantage import bayesian_marginal_prediction, prediction_advantage_score
from nontrivial.measures.cases import resolve


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
        The positive label of two; by default the greater one.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in (-inf, 1]
        One minus the Brier score over that of the constant prevalence; for several classes, both are summed over them.
        NaN (0/0) for one class only.

    Raises
    ------
    ValueError
        If a score is outside [0, 1], those of several classes do not add up to 1, or lengths or weights are wrong.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the result is NaN.

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
        As in `efron_r2_score`.

    Returns
    -------
    float in [-inf, 1]
        One minus the log-likelihood over that of the model with an intercept only. -inf where a case has
        probability 0 for what it is; NaN (0/0) for one class only.

    Raises
    ------
    ValueError
        As in `efron_r2_score`.

    Warns
    -----
    UndefinedMetricWarning
        As in `efron_r2_score`.

    References
    ----------
    PA paper, section 3; McFadden 1974.

    Examples
    --------
    >>> mcfadden_r2_score([0, 1], [0.5, 0.5])
    0.0
    """
    return _advantage("cross_entropy", y_true, y_score, labels, pos_label, sample_weight)


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
    labels = validation.as_labels(y_true, "y_true")
    return 1 - bayesian_marginal_prediction(labels, sample_weight=sample_weight)[1]


def goodman_kruskal_lambda_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute Goodman and Kruskal's lambda of the truth given the prediction.

    It is the Prediction Advantage under 0/1 loss after every predicted class has been replaced by the class
    that is most frequent where it is predicted: what the predictions could be worth, not what they are
    worth.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted labels of any number of classes, not necessarily the same ones.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    float in [0, 1]
        Never below the Prediction Advantage. NaN, with a warning, for one class only.

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
    predictions = validation.as_labels(y_pred, "y_pred")
    truths = validation.as_labels(y_true, "y_true")
    validation.check_lengths(y_true=truths, y_pred=predictions)
    classes, (truth,) = encode_labels(truths, names=["y_true"])
    _, (group,) = encode_labels(predictions, names=["y_pred"])
    weights = validation.as_weights(sample_weight, len(truth))
    # Only cells that have cases: with thousands of different labels, the whole table would have millions.
    cells, places = np.unique(group * len(classes) + truth, return_inverse=True)
    heaviest_first = np.lexsort((-np.bincount(places, weights=weights), cells // len(classes)))
    _, first = np.unique(cells[heaviest_first] // len(classes), return_index=True)
    relabelled = (cells[heaviest_first] % len(classes))[first][group]
    return prediction_advantage_score(truth, relabelled, sample_weight=weights)


@undefined_for_one_class(lambda: float("nan"))
def _advantage(
    loss: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
) -> float:
    """Return the Prediction Advantage of probabilities of classes; NaN, with a warning, of one class."""
    columns = validation.as_array(y_score, "y_score")
    if columns.ndim == 2 and columns.shape[1] > 2:
        if pos_label is not None:
            raise ValueError("pos_label is for two classes; y_score has a column for each of several.")
        case = resolve("cross_entropy", y_true, y_score, labels=labels)
        if loss == "cross_entropy":
            return prediction_advantage_score(
                y_true, y_score, loss=loss, labels=labels, sample_weight=sample_weight
            )
        one_hot = case.truth[:, None] == np.arange(columns.shape[1])
        return prediction_advantage_score(one_hot, case.prediction, loss=loss, sample_weight=sample_weight)
    if labels is not None:
        check_two_classes(y_true, labels, sample_weight)
    probability = validation.as_scores(y_score)
    if probability.min() < 0 or probability.max() > 1:
        raise ValueError("y_score has values outside [0, 1]; this measure needs probabilities.")
    positive, probability, weights = binary_truth_and_scores(
        y_true, probability, pos_label=pos_label, sample_weight=sample_weight
    )
    return prediction_advantage_score(positive, probability, loss=loss, sample_weight=weights)
