"""Tests whether a model is better than trivial, and whether one model is better than another."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

import nontrivial.measures.finite_sample as finite_sample
import nontrivial.measures.losses as loss_types
from nontrivial import _draws as drawing
from nontrivial import _validation as validation
from nontrivial import _warnings as warning
from nontrivial._arrays import Floats, chunk_slices
from nontrivial._draws import Bounds, DrawSettings, Units
from nontrivial._warnings import AnnotatedTuple, Assumption, TestAssumption, has_weights_or_groups
from nontrivial._warnings import UnequalCasesWarning as UnequalCasesWarning
from nontrivial.measures.intervals import constant_losses, find_loss_cells
from nontrivial.measures.sign_verdict import sign_p_values
from nontrivial.measures.student import PairedSums, paired_p_value
from nontrivial.seeds import user_generator

TestMethod = Literal["sign", "betting", "hoeffding", "paired_t"]


class TrivialityTest(AnnotatedTuple, NamedTuple("_TrivialityNumbers", [("statistic", float), ("pvalue", float)])):
    """The pair (statistic, pvalue) of `triviality_test`, with attributes that it describes."""

    test: TestMethod | None
    test_assumes: TestAssumption | None


def triviality_test(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: loss_types.LossName = "zero_one",
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    bound: float | None = None,
) -> TrivialityTest:
    """Test whether a model is no better than the Bayesian marginal prediction, from independent test cases.

    Under the null hypothesis the true Prediction Advantage is 0 or negative; under the alternative it is positive.
    PA paper, section 4. Under 0/1 loss it is the sign test (McNemar 1947) over the cases that only the model or only a
    constant class gets right. The best class is uncertain, so the p-value is the greatest over all classes (Berger
    1982). Losses with a `bound`, and classes with weights or in groups, have a p-value that holds for every sample size
    and distribution, but has little power with few cases: by Hoeffding's bound (1963) for `absolute`, `pinball` and
    callables of numbers, by betting (Waudby-Smith and Ramdas 2024) for all others. Without `bound`, losses that are not
    between classes have Student's one-sided paired test.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, pos_label, baseline, sample_weight, groups, bound
        As in `prediction_advantage_interval`, as are the errors and the UnboundedLossWarning.

    Returns
    -------
    TrivialityTest
        The pair (statistic, pvalue), with attributes:

        - ``statistic``: the empirical Prediction Advantage; NaN (0/0), with a warning, for one class only.
        - ``pvalue``: an upper bound for the probability of an advantage at least as clear, under the null hypothesis.
        - ``test``: ``"sign"``, ``"betting"``, ``"hoeffding"`` or ``"paired_t"``; None if there is nothing to test.
        - ``test_assumes``: the assumption besides independent cases: ``"heaviest_seen"``, no case or group weighs more
          than the heaviest of the sample; ``"no_rare_loss"``, no rare case has a loss much greater than those seen; or
          None.

    Examples
    --------
    The cases in which a constant 0 and the model differ are 14 + 4, and the model is right in 14 of them.

    >>> triviality_test([0] * 80 + [1] * 20, [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6)
    TrivialityTest(statistic=0.5, pvalue=0.0154..., test='sign', test_assumes=None)
    """
    options = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    options |= {"quantile": quantile, "sample_weight": sample_weight, "groups": groups}
    sample, units = loss_types.resolve_sample_and_units(loss, y_true, y_pred, **options)
    if bound is not None:
        bound = finite_sample.check_bound(bound, sample.loss)
    elif not isinstance(sample.loss, loss_types.LabelLoss):
        warning.warn_unbounded_loss("test", "bound")
    marginal_risk = units.case_weights @ sample.marginal_losses(units.weights)
    if marginal_risk == 0:
        validation.warn_undefined_advantage("no model can be better")
        return TrivialityTest(np.nan, 1.0, test=None, test_assumes=None)
    statistic = float((marginal_risk - units.case_weights @ sample.losses) / marginal_risk)
    test, p_value = _test_triviality(sample, units, bound)
    assumes: TestAssumption | None = "heaviest_seen" if has_weights_or_groups(sample_weight, groups) else None
    if test == "paired_t":
        assumes = "no_rare_loss"
    return TrivialityTest(statistic, p_value, test=test, test_assumes=assumes)


def _test_triviality(sample: loss_types.LossSample, units: Units, bound: float | None) -> tuple[TestMethod, float]:
    """Return the name and the p-value of the test that suits the loss."""
    loss, losses, marginal_losses = sample.loss, sample.losses, sample.marginal_losses(units.weights)
    if sample.is_zero_one and units.are_cases:
        return "sign", sign_p_values(*finite_sample.class_counts(sample), sample.known_class)[0]
    if isinstance(loss, loss_types.LabelLoss):
        constants = range(len(loss.classes)) if sample.known_class is None else [sample.known_class]
        gains = [loss.pointwise(sample.truth, np.intp(constant)) - losses for constant in constants]
        scaled = [units.scaled_sums_by_unit(gain / loss.max_cost) for gain in gains]
        return "betting", max(finite_sample.betting_p_value(sums) for sums in scaled)
    gain = marginal_losses - losses
    if bound is None:
        return "paired_t", paired_p_value(units.scaled_sums_by_unit(gain))
    finite_sample.check_bounded(losses, bound)
    finite_sample.check_bounded(marginal_losses, bound)
    if sample.baseline is not None:
        return "betting", finite_sample.betting_p_value(units.scaled_sums_by_unit(gain / bound))
    if isinstance(loss, loss_types.CrossEntropyLoss) or loss.is_squared:
        return "betting", finite_sample.best_constant_p_value(sample, bound, units)
    return "hoeffding", finite_sample.hoeffding_p_value(units.scaled_sums_by_unit(gain / bound))


class ModelComparison(
    AnnotatedTuple,
    NamedTuple("_ComparisonNumbers", [("difference", float), ("low", float), ("high", float), ("pvalue", float)]),
):
    """The four numbers of `compare_models`, with attributes that it describes."""

    level: float
    method: Literal["bootstrap", "fieller"]
    assumes: Assumption | None
    test: Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]
    test_assumes: TestAssumption | None


def compare_models(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    compared_with: ArrayLike,
    *,
    loss: loss_types.LossName = "zero_one",
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
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
    y_true, y_pred, loss, quantile, cost, labels, pos_label, baseline, sample_weight, groups
    level, n_resamples, random_state
        As in `prediction_advantage_interval`, as are the errors and the warnings about losses and few cases. Neither
        model may have been fitted to these cases.
    compared_with : array-like
        The predictions of the other model, of the shape of `y_pred`.

    Returns
    -------
    ModelComparison
        Four numbers, with attributes. All four are NaN (0/0), with a warning, for one class only, and if both models
        have an infinite loss.

        - ``difference``, in [-inf, inf]: the Prediction Advantage of `y_pred` minus the one of `compared_with`.
        - ``low``, ``high``: the ends of the difference's interval of the given ``level``. For classes, ``method`` is
          the Bayesian ``"bootstrap"`` (Rubin 1981). For other losses it is ``"fieller"`` (1954); its ends are infinite
          if the marginal loss may be 0, or if one model has an infinite loss.
        - ``pvalue``, in [0, 1]: the two-sided p-value of equal models. It is at most ``1 - level`` only if the interval
          lies on one side of 0, or ends there. The ``test`` is the exact ``"mcnemar"`` (1947) for 0/1 loss without
          weights or groups, and Student's ``"paired_t"`` for losses that are not between classes. All others have
          ``"exchange_or_bootstrap"``, the greater of two p-values: from exchanging the models in each case or group,
          and from the draws, at least 2 / (n_resamples + 1).
        - ``assumes``: as in `prediction_advantage_interval`; ``"alike_mistakes"`` also if mistakes differ in `cost`.
        - ``test_assumes``: ``"alike_mistakes"`` with weights, groups or different costs: the two models err alike in
          the cases or groups that count for more. Else ``"no_rare_loss"`` for Student's test, or None.

    Warns
    -----
    UnequalCasesWarning
        If some cases or groups count for more than others, by weight, size or cost.

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
    options = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    options |= {"quantile": quantile, "sample_weight": sample_weight, "groups": groups}
    sample, units = loss_types.resolve_sample_and_units(loss, y_true, y_pred, compared_with, **options)
    unequal, is_mcnemar = not units.are_equal, sample.is_zero_one and units.are_cases
    method, test = "fieller", "paired_t"
    test_assumes: TestAssumption | None = "alike_mistakes" if unequal else "no_rare_loss"
    if isinstance(sample.loss, loss_types.LabelLoss):
        n_resamples = validation.check_resamples(n_resamples, level)
        unequal = unequal or not sample.loss.has_equal_mistakes
        method, test = "bootstrap", "mcnemar" if is_mcnemar else "exchange_or_bootstrap"
        test_assumes = "alike_mistakes" if unequal or has_weights_or_groups(sample_weight, groups) else None
    else:
        warning.warn_unbounded_loss("comparison")
    assumes = warning.interval_assumption(method, unequal=test_assumes == "alike_mistakes")
    outcome = partial(
        ModelComparison, level=level, method=method, assumes=assumes, test=test, test_assumes=test_assumes
    )
    losses, other_losses = (sample.loss.pointwise(sample.truth, prediction) for prediction in sample.predictions)
    marginal_losses = sample.marginal_losses(units.weights)
    marginal_risk = units.case_weights @ marginal_losses
    with np.errstate(invalid="ignore"):  # two infinite losses have no difference
        saved = other_losses - losses
        difference = float(units.case_weights @ saved / marginal_risk) if marginal_risk else np.nan
    difference += 0.0  # makes 0.0 of -0.0
    if marginal_risk == 0:
        validation.warn_undefined_advantage("the comparison is set to NaN")
    elif np.isnan(difference):
        warning.warn_undefined("Both models have an infinite loss; the comparison is set to NaN.")
    elif units.are_few:
        drawing.warn_few_units("interval and p-value are set to NaN")
    if np.isnan(difference) or units.are_few:
        return outcome(difference, np.nan, np.nan, np.nan)
    if unequal:
        warning.warn_unequal_cases()
    if method == "fieller":
        if np.isinf(difference):  # outside the sample, the other model may have an infinite loss, too
            return outcome(difference, -np.inf, np.inf, 1.0)
        sums = PairedSums.from_cases(units.scaled_sums_by_unit(saved), units.scaled_sums_by_unit(marginal_losses))
        bounds = sums.bounds(level)
        return outcome(difference, bounds.low, bounds.high, bounds.pvalue)
    # The better model comes first, so that exchanging the models changes only the signs. If the models are equally
    # good, the first model is the one that is better in the first case in which they differ.
    is_ahead = (difference or saved[np.flatnonzero(saved)[:1]].sum()) >= 0
    ordered = [losses, other_losses] if is_ahead else [other_losses, losses]
    generator = user_generator(random_state)
    bounds = difference_bounds(sample, ordered, units, DrawSettings(level, n_resamples, generator))
    pvalue = exchange_p_value(units.scaled_sums_by_unit(saved), n_resamples, generator)
    if not is_mcnemar:
        pvalue = max(pvalue, bounds.pvalue)
    low, high, *_ = bounds.with_p_values(pvalue / 2, 1.0, level)
    if not is_ahead:
        low, high = 0.0 - high, 0.0 - low
    return outcome(difference, low, high, pvalue)


def difference_bounds(sample: loss_types.LossSample, losses: list[Floats], units: Units, draws: DrawSettings) -> Bounds:
    """Return bounds for the first model's advantage minus the second's, with the best constant of each resample."""
    loss, known_class = sample.loss, sample.known_class
    assert isinstance(loss, loss_types.LabelLoss)
    cells, classes, (lost, other_lost) = find_loss_cells(sample, losses, units)

    def statistic(drawn: Floats) -> dict[str, Floats]:
        by_constant = constant_losses(drawn, classes, loss)
        least = by_constant.min(axis=1) if known_class is None else by_constant[:, known_class]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"": drawn @ (other_lost - lost) / least}

    return drawing.bootstrap_bounds(cells, statistic, draws)[""]


def exchange_p_value(gained: Floats, n_resamples: int, generator: np.random.Generator) -> float:
    """Return the two-sided p-value of the hypothesis that a gain and a loss of the same size are equally likely."""
    sizes, units = np.unique(np.abs(gained[gained != 0]), return_counts=True)
    if len(sizes) == 0:
        return 1.0
    if len(sizes) == 1:  # McNemar's exact test
        return float(binomtest(int(np.count_nonzero(gained > 0)), int(units[0])).pvalue)
    least = abs(gained.sum()) - 1e-12 * (sizes @ units)
    beyond = 0
    for batch in chunk_slices(n_resamples, length=max(drawing.MAX_WEIGHTS_AT_ONCE // len(sizes), 1)):
        gains = generator.binomial(units, 0.5, size=(batch.stop - batch.start, len(units)))
        beyond += int(np.count_nonzero(np.abs((2 * gains - units) @ sizes) >= least))
    return (1 + beyond) / (1 + n_resamples)


def holm(p_values: ArrayLike) -> Floats:
    """Correct p-values for testing several hypotheses by Holm's method (1979); NaN stays."""
    corrected = np.array(p_values, dtype=np.float64)
    n_tests = np.count_nonzero(~np.isnan(corrected))
    order = np.argsort(corrected, kind="stable")[:n_tests]  # NaN is sorted last
    steps = corrected[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected
