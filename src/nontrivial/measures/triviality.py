"""Is a model better than knowing nothing but the distribution of the labels?"""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from nontrivial import _validation as validation
from nontrivial._arrays import Floats
from nontrivial._assumptions import Stated, TestAssumption, may_differ
from nontrivial._draws import are_alike
from nontrivial._warnings import warn_user
from nontrivial.measures.betting import best_constant_p_value, betting_p_value
from nontrivial.measures.cases import Case, LossName, resolve
from nontrivial.measures.concentration import check_bounded, checked_bound
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss, SquaredLoss, ZeroOneLoss
from nontrivial.measures.paired import paired_p_value
from nontrivial.measures.sign_verdict import sign_p_values
from nontrivial.measures.totals import Totals
from nontrivial.measures.unbounded import warn_unbounded

Method = Literal["sign", "betting", "hoeffding", "paired_t"]


class _Numbers(NamedTuple):
    statistic: float
    pvalue: float


class TrivialityTest(Stated, _Numbers):
    """The outcome of `triviality_test`: two numbers, with attributes.

    Attributes
    ----------
    statistic, pvalue : float
    test : {"sign", "betting", "hoeffding", "paired_t"} or None
        The test behind the p-value; None if there is nothing to test.
    test_assumes : {"heaviest_seen", "no_rare_loss"} or None
        What is assumed besides independent cases: with weights or groups, that none weighs more than the heaviest of
        the sample, even if those of the sample do not differ; or that no rare case has a loss much greater than those
        seen.
    """

    test: Method | None
    test_assumes: TestAssumption | None

    def __new__(
        cls, statistic: float, pvalue: float, *, test: Method | None, test_assumes: TestAssumption | None
    ) -> Self:
        found = super().__new__(cls, statistic, pvalue)
        found.test, found.test_assumes = test, test_assumes
        return found


def triviality_test(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    bound: float | None = None,
) -> TrivialityTest:
    """Test whether a model is no better than the Bayesian marginal prediction, from independent test cases.

    The null hypothesis is that the true Prediction Advantage is 0 or negative, the alternative that it is
    positive.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, baseline, sample_weight
        As in `prediction_advantage_score`. The model must not have been fitted to these cases.
    groups : array-like of shape (n,), optional
        The group of each case, such as the patient it is from. The groups, not the cases, are then taken as
        independent. Groups of one case each, and weights that are all equal, change no number.
    bound : float, optional
        The greatest loss that a case can have, under the model and under the marginal prediction, as in
        `prediction_advantage_interval`. Losses between classes have a known bound.

    Returns
    -------
    TrivialityTest
        A pair, which also says by which test it was found and what that assumes: ``statistic``, the empirical
        Prediction Advantage, which is NaN, with a warning, for one class only; and ``pvalue``, an upper bound for the
        probability of an advantage at least as clear, under the null hypothesis.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`, and if `bound` is out of range or a loss exceeds it.

    Warns
    -----
    UnboundedLossWarning
        Without `bound`, where a loss may be any number.
    UserWarning
        If cases or groups of different weight are tested under a bounded loss; the test assumes that none is heavier
        than those of the sample.

    See Also
    --------
    prediction_advantage_interval : How large the advantage may be.

    Notes
    -----
    Under 0/1 loss the test is exact for every sample size: against a constant class it is the sign test over
    the cases that one of the two gets right and the other wrong. Which class is the marginal prediction is
    not known for certain, so the p-value is the greatest over all classes; the model must beat each of
    them.

    Other losses with a `bound`, and classes with weights or in groups, have a p-value that holds for every sample size
    and every distribution, whatever the cases of a group have in common, if no case or group can weigh more than the
    heaviest of the sample. Betting gives it for `cost`, `squared` and `cross_entropy`, as the greatest over all
    constants; Hoeffding's bound at the best constant in hindsight, which favours the null hypothesis, gives it for
    `absolute`, `pinball` and callables of numbers. All these have little power with few cases or groups.
    For classes with weights or groups, `nontrivial score` uses the sharper Bayesian bootstrap, whose level is only
    measured.

    Without `bound`, squared, absolute, pinball and cross-entropy losses and callables of numbers are tested by
    Student's one-sided paired test. It holds its level only if no rare case has a loss much greater than those seen:
    with outliers in 1 % of the cases it rejects a true null hypothesis in most samples that happen to hold none.

    References
    ----------
    PA paper, section 4 (a Prediction Advantage that is not positive means triviality); McNemar 1947; Berger
    1982 on intersection-union tests; Waudby-Smith and Ramdas 2024 on betting; Hoeffding 1963.

    Examples
    --------
    >>> triviality_test([0] * 80 + [1] * 20, [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6)
    TrivialityTest(statistic=0.5, pvalue=0.0154..., test='sign', test_assumes=None)

    The cases in which a constant 0 and the model differ are 14 + 4, and the model is right in 14 of them.
    """
    case = resolve(loss, y_true, y_pred, quantile=quantile, cost=cost, labels=labels, baseline=baseline)
    counted, weights, units = validation.as_units(sample_weight, groups, len(case.truth))
    case = case.only(counted)
    if bound is not None:
        bound = checked_bound(bound, case.loss)
    elif not isinstance(case.loss, LabelLoss):
        warn_unbounded("test", "bound")
    mass = np.ones(len(case.truth)) if weights is None else weights
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    marginal_risk = mass @ marginal_losses
    if marginal_risk == 0:
        validation.warn_undefined_advantage("no model can be better")
        return TrivialityTest(np.nan, 1.0, test=None, test_assumes=None)
    advantage = float((marginal_risk - mass @ losses) / marginal_risk)
    assumes: TestAssumption | None = "heaviest_seen" if may_differ(sample_weight, groups) else None
    if isinstance(case.loss, ZeroOneLoss) and weights is None and units is None:
        return TrivialityTest(advantage, _sign_test(case, losses), test="sign", test_assumes=assumes)
    total = Totals(mass, units)
    gain = marginal_losses - losses
    test: Method = "betting"
    if isinstance(case.loss, LabelLoss):
        constants = range(len(case.loss.classes)) if case.baseline is None else [case.marginal(None)]
        greatest = case.loss.extremes()[1].max()
        gains = [(case.loss.pointwise(case.truth, constant) - losses) / greatest for constant in constants]
        p_value = max(betting_p_value(total(each)) for each in gains)
    elif bound is None:
        test, assumes, p_value = "paired_t", "no_rare_loss", paired_p_value(total(gain))
    else:
        for each in (losses, marginal_losses):
            check_bounded(each, bound)
        if case.baseline is not None:
            p_value = betting_p_value(total(gain / bound))
        elif isinstance(case.loss, (SquaredLoss, CrossEntropyLoss)):
            p_value = best_constant_p_value(case, losses, bound, total, weights)
        else:
            test, p_value = "hoeffding", _hoeffding_p_value(total(gain / bound))
    if assumes == "heaviest_seen" and not are_alike(weights, units, len(losses)):
        warn_user(
            "The test assumes that no case or group can weigh more than the heaviest of the sample; if rare ones weigh "
            "much more, it rejects a true null hypothesis too often.",
            UserWarning,
        )
    return TrivialityTest(advantage, p_value, test=test, test_assumes=assumes)


def _sign_test(case: Case, losses: Floats) -> float:
    assert isinstance(case.loss, ZeroOneLoss)
    n_classes = len(case.loss.classes)
    counts = np.bincount(case.truth, minlength=n_classes)
    wrong = np.bincount(case.truth[losses > 0], minlength=n_classes)
    return sign_p_values(counts, wrong, case.known_class)[0]


def _hoeffding_p_value(values: Floats) -> float:
    """Return a p-value of the hypothesis that values in [-1, 1] have a mean of at most 0; less for a greater mean."""
    share = (1 + max(float(values.mean()), 0.0)) / 2
    return float(np.exp(-len(values) * (rel_entr(share, 0.5) + rel_entr(1 - share, 0.5))))
