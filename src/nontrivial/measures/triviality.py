"""Is a model better than knowing nothing but the distribution of the labels?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom, t

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints
from nontrivial.measures.cases import Case, LossName, resolve
from nontrivial.measures.losses import LabelLoss, ZeroOneLoss


class TrivialityTest(NamedTuple):
    """The outcome of `triviality_test`."""

    statistic: float
    pvalue: float


def triviality_test(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> TrivialityTest:
    """Test whether a model is no better than the Bayesian marginal prediction, from independent test cases.

    The null hypothesis is that the true Prediction Advantage is 0 or negative, the alternative that it is
    positive.

    Parameters
    ----------
    y_true, y_pred, loss, cost, labels
        As in `prediction_advantage_score`. The cases must not have served to fit the model.

    Returns
    -------
    statistic : float
        The empirical Prediction Advantage. NaN, with a warning, for one class only.
    pvalue : float in [0, 1]
        An upper bound for the probability of an advantage at least as clear, under the null hypothesis.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`.

    See Also
    --------
    prediction_advantage_interval : How large the advantage may be.

    Notes
    -----
    Under 0/1 loss the test is exact for every sample size: against a constant class it is the sign test over
    the cases that one of the two gets right and the other wrong. Which class is the marginal prediction is
    not known for certain, hence the p-value is the greatest over all classes; the model must beat each of
    them.

    Under other losses it is Student's one-sided paired test of the losses of the marginal prediction and the
    model, which holds its level approximately. It is greatest over the classes for `cost`, and taken at the
    best constant in hindsight otherwise, which favours the null hypothesis.

    References
    ----------
    PA paper, section 4 (a Prediction Advantage that is not positive means triviality); McNemar 1947; Berger
    1982 on intersection-union tests.

    Examples
    --------
    >>> triviality_test([0] * 80 + [1] * 20, [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6)
    TrivialityTest(statistic=0.5, pvalue=0.0154...)

    The cases in which a constant 0 and the model differ are 14 + 4, and the model is right in 14 of them.
    """
    case = resolve(loss, y_true, y_pred, cost=cost, labels=labels)
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.loss.marginal(case.truth, None))
    marginal_risk = marginal_losses.sum()
    if marginal_risk == 0:
        validation.warn_undefined_advantage("no model can be better")
        return TrivialityTest(np.nan, 1.0)
    advantage = float((marginal_risk - losses.sum()) / marginal_risk)
    return TrivialityTest(advantage, _greatest_p_value(case, losses, marginal_losses))


def _greatest_p_value(case: Case, losses: Floats, marginal_losses: Floats) -> float:
    if isinstance(case.loss, ZeroOneLoss):
        n_classes = len(case.loss.classes)
        counts = np.bincount(case.truth, minlength=n_classes)
        wrong = np.bincount(case.truth[losses > 0], minlength=n_classes)
        return float(sign_tests(counts[None], wrong[None])[0])
    if isinstance(case.loss, LabelLoss):
        constants = range(len(case.loss.classes))
        return max(_paired_test(case.loss.pointwise(case.truth, constant) - losses) for constant in constants)
    return _paired_test(marginal_losses - losses)


def sign_tests(counts: Ints, wrong: Ints) -> Floats:
    """Return the greatest p-value against any constant class under 0/1 loss, of several models.

    Parameters
    ----------
    counts, wrong : int arrays of shape (n_models, n_classes)
        Cases of each class, and how many of them the model gets wrong.
    """
    right = counts - wrong
    won = right.sum(axis=-1, keepdims=True) - right
    tails: Floats = binom.sf(won - 1, won + wrong, 0.5)
    return np.asarray(tails.max(axis=-1))


def _paired_test(advantages: Floats) -> float:
    """Return the p-value of a mean of at most 0."""
    n, mean = len(advantages), advantages.mean()
    if n < 2 or np.isneginf(mean):
        return 1.0
    error = advantages.std(ddof=1) / np.sqrt(n)
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(t.sf(mean / error, n - 1))
