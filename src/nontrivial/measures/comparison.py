"""Does one model have a greater Prediction Advantage than another, on the same cases?"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._assumptions import (
    Assumption,
    Stated,
    TestAssumption,
    assumption_of,
    may_differ,
    warn_unequal,
)
from nontrivial._assumptions import UnequalCasesWarning as UnequalCasesWarning
from nontrivial._blocks import in_blocks
from nontrivial._draws import are_alike, are_few, warn_few
from nontrivial._warnings import warn_undefined
from nontrivial.measures.bootstrap import Design
from nontrivial.measures.cases import Case, LossName, resolve_models
from nontrivial.measures.label_comparison import compare_labels
from nontrivial.measures.losses import CostLoss, LabelLoss, ZeroOneLoss
from nontrivial.measures.paired import difference_bounds
from nontrivial.measures.totals import Totals
from nontrivial.measures.unbounded import warn_unbounded
from nontrivial.seeds import generator_of


class _Numbers(NamedTuple):
    difference: float
    low: float
    high: float
    pvalue: float


class ModelComparison(Stated, _Numbers):
    """The outcome of `compare_models`: four numbers, with attributes.

    Attributes
    ----------
    difference, low, high, pvalue : float
    level : float in (0, 1)
    method : {"bootstrap", "fieller"}
        The method of the interval.
    assumes : {"one_more_case", "alike_mistakes", "no_rare_loss"}
        What the interval assumes besides independent cases, as in `AdvantageInterval`; ``"alike_mistakes"`` also where
        the mistakes under `cost` differ in it.
    test : {"mcnemar", "exchange_or_bootstrap", "paired_t"}
        The test behind the p-value: McNemar's exact test; the greater p-value of exchanging the models and of the
        bootstrap draws; or Student's paired test.
    test_assumes : {"alike_mistakes", "no_rare_loss"} or None
        What the test assumes: that the two models err alike in the cases or groups that count for more than others, if
        there are weights, groups or different costs. Student's test assumes what `assumes` says, unless weights or
        groups of the sample differ; without any, the other tests assume nothing.
    """

    level: float
    method: Literal["bootstrap", "fieller"]
    assumes: Assumption | None
    test: Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]
    test_assumes: TestAssumption | None

    def __new__(
        cls,
        difference: float,
        low: float,
        high: float,
        pvalue: float,
        *,
        level: float,
        method: Literal["bootstrap", "fieller"],
        assumes: Assumption | None,
        test: Literal["mcnemar", "exchange_or_bootstrap", "paired_t"],
        test_assumes: TestAssumption | None,
    ) -> Self:
        found = super().__new__(cls, difference, low, high, pvalue)
        found.level, found.method, found.assumes = level, method, assumes
        found.test, found.test_assumes = test, test_assumes
        return found


def compare_models(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    compared_with: ArrayLike,
    *,
    loss: LossName = "zero_one",
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
) -> ModelComparison:
    """Compare the Prediction Advantages of two models on the same independent test cases.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, baseline, sample_weight
        As in `prediction_advantage_score`. Neither model may have been fitted to these cases.
    compared_with : array-like
        The predictions of the other model, of the shape of `y_pred`.
    groups : array-like of shape (n,), optional
        The group of each case, such as the patient it is from. The groups, not the cases, are then taken as
        independent. Groups of one case each, and weights that are all equal, change no number.
    level : float in (0, 1), default=0.95
        Level of the interval.
    n_resamples : int, default=2000
        Draws of the Bayesian bootstrap, for losses between classes, 39 for a level of 0.95 to a million. Each case
        weighs the same for both models. More than 20,000 cases with weights, or groups, are drawn in 1,000 blocks.
    random_state : int or numpy.random.Generator, optional
        Seed; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    ModelComparison
        Four numbers, with attributes that say how they were found, and what interval and test assume:

        - ``difference``, in [-inf, inf]: the Prediction Advantage of `y_pred` minus that of `compared_with`.
        - ``low``, ``high``: the ends of its interval, Fieller's for losses that are not between classes, else the
          Bayesian bootstrap's. Fieller's are infinite where the data do not tell the marginal loss from 0, or where one
          model has an infinite loss.
        - ``pvalue``, in [0, 1]: two-sided, of the hypothesis that the two are equal. It is at most ``1 - level``
          exactly where the interval lies on one side of 0. Where McNemar's test shows a difference but the interval
          would cross 0, it ends at 0.

        The p-value is

        - under 0/1 loss, without weights or groups, that of McNemar's exact test;
        - under other losses between classes, and with weights or groups, the greater of two: that of exchanging the
          models, in each case or group by itself, and that of the draws of the interval;
        - under all other losses that of Student's paired test, or of a marginal loss of 0 if that is greater.

        All are NaN, with a warning, for one class only, and where both models have an infinite loss.

    Raises
    ------
    ValueError
        As `prediction_advantage_interval`.

    Warns
    -----
    UnboundedLossWarning
        Where the loss may be any number: interval and p-value assume that no rare case has a much greater one.
    UnequalCasesWarning
        Where some cases or groups count for more than others, by weight, size or cost: the p-value assumes that the two
        models err alike in these.
    UserWarning
        Where weights or groups leave an effective sample size below five (Kish 1965): low, high and pvalue are NaN.

    See Also
    --------
    nontrivial.curves.bootstrap_curve_areas : Compares the areas under the curves of two models.

    Notes
    -----
    McNemar's test is a test of whether the two models can be exchanged. With weights or groups, they are exchanged in
    each case or group separately. The bootstrap assumes that in one more case of each class only one of the models may
    err; with groups, in as many cases of one more group as one model usually wins together. With fewer than ten cases
    of a class, or two models without a mistake, the interval rests largely on that. Under `cost`, its tails are as wide
    as Student's for one and a half times the effective number of cases, or groups, of the rarest class. How often equal
    models are told apart is in the documentation, under "Coverage of the intervals".

    References
    ----------
    McNemar 1947; Rubin 1981, The Bayesian bootstrap; Fieller 1954.

    Examples
    --------
    >>> truth = [0] * 80 + [1] * 20
    >>> better = [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6
    >>> worse = [0] * 70 + [1] * 10 + [1] * 8 + [0] * 12
    >>> comparison = compare_models(truth, better, worse)
    >>> round(comparison.difference, 2), round(comparison.pvalue, 4)
    (0.6, 0.0005)
    """
    level = validation.check_in_unit_interval(level, "level")
    predictions = {"y_pred": y_pred, "compared_with": compared_with}
    models = resolve_models(
        loss, y_true, predictions, quantile=quantile, cost=cost, labels=labels, baseline=baseline
    )
    counted, weights, units = validation.as_units(sample_weight, groups, len(models[0].truth))
    case, other = (model.only(counted) for model in models)
    if isinstance(case.loss, LabelLoss):
        n_resamples = validation.check_resamples(n_resamples, level)
    else:
        warn_unbounded("comparison")
    losses, other_losses = (model.loss.pointwise(model.truth, model.prediction) for model in (case, other))
    mass = np.ones(len(losses)) if weights is None else weights
    total = Totals(mass, units)
    with np.errstate(invalid="ignore"):  # two infinite losses have no difference
        saved = other_losses - losses
    differ = not are_alike(weights, units, len(losses))
    if isinstance(case.loss, CostLoss):
        differ |= not case.loss.has_equal_mistakes()
    unequal = differ or may_differ(sample_weight, groups)
    stated = _stated(case, plain=weights is None and units is None, differ=differ, unequal=unequal)

    def outcome(
        difference: float, low: float = np.nan, high: float = np.nan, pvalue: float = np.nan
    ) -> ModelComparison:
        return ModelComparison(difference, low, high, pvalue, level=level, **stated)

    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    marginal_risk = mass @ marginal_losses
    if marginal_risk == 0:
        validation.warn_undefined_advantage("the comparison is set to NaN")
        return outcome(np.nan)
    with np.errstate(invalid="ignore"):
        difference = float(mass @ saved / marginal_risk) + 0.0  # no -0.0
    if np.isnan(difference):
        warn_undefined("Both models have an infinite loss; the comparison is set to NaN.")
        return outcome(np.nan)
    if are_few(weights, units, len(losses)):
        warn_few("interval and p-value are set to NaN")
        return outcome(difference)
    if differ:
        warn_unequal()
    if not isinstance(case.loss, LabelLoss):
        if np.isinf(difference):  # the other model may have an infinite loss, too, that the sample has not
            return outcome(difference, -np.inf, np.inf, 1.0)
        return outcome(difference, *difference_bounds(total(saved), total(marginal_losses), level))
    if not (weights is None and units is None):
        blocks, n_blocks = in_blocks(units, len(losses))
        units = blocks if units is not None or n_blocks < len(losses) else None
    # The better model comes first, so that exchanging the two changes the signs alone; of equal ones, the one that is
    # better in the first case in which they differ.
    is_ahead = (difference or saved[np.flatnonzero(saved)[:1]].sum()) >= 0
    ahead, behind = (losses, other_losses) if is_ahead else (other_losses, losses)
    design = Design(n_resamples, generator_of(random_state), weights, units)
    low, high, pvalue = compare_labels(case, ahead, behind, level, design)
    ends = (low, high) if is_ahead else (0.0 - high, 0.0 - low)
    return outcome(difference, *ends, pvalue)


def _stated(case: Case, *, plain: bool, differ: bool, unequal: bool) -> dict[str, Any]:
    """Return what a comparison says of its interval and of its test."""
    assumed: TestAssumption | None
    if not isinstance(case.loss, LabelLoss):
        method, test, assumed = "fieller", "paired_t", "alike_mistakes" if differ else "no_rare_loss"
    else:
        test = "mcnemar" if plain and isinstance(case.loss, ZeroOneLoss) else "exchange_or_bootstrap"
        method, assumed = "bootstrap", "alike_mistakes" if unequal else None
    return {
        "method": method,
        "assumes": assumption_of(method, unequal=unequal),
        "test": test,
        "test_assumes": assumed,
    }
