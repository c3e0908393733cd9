"""Intervals for the Prediction Advantage and for every measure of a confusion table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Integral
from typing import Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats
from nontrivial._draws import Cells, are_few, ends, resample, warn_few
from nontrivial._warnings import AnnotatedTuple, Assumption, assumption_of, may_differ
from nontrivial.measures.bootstrap import bound_advantage, bound_by_draws
from nontrivial.measures.confusion import MEASURES, Tables, as_tables, evaluate
from nontrivial.measures.fieller import fieller_assumption, fieller_interval
from nontrivial.measures.finite_sample import (
    binomial_bounds,
    checked_bound,
    concentration_interval,
    exact_interval,
)
from nontrivial.measures.losses import (
    CrossEntropyLoss,
    LabelLoss,
    LossName,
    ZeroOneLoss,
    resolve,
    warn_unbounded,
)
from nontrivial.seeds import generator_of

# Intervals for every measure of a confusion table.


MOST_CASES = 2**50  # of each cell, so that sums of cells are exact

# Successes and trials of each measure that is a proportion.
PROPORTIONS: dict[str, Callable[[Tables], tuple[Floats, Floats]]] = {
    "accuracy": lambda t: (t.hits, t.total),
    "error_rate": lambda t: (t.errors, t.total),
    "precision": lambda t: (t.tp, t.predicted_positives),
    "recall": lambda t: (t.tp, t.positives),
    "specificity": lambda t: (t.tn, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, t.predicted_negatives),
    "false_positive_rate": lambda t: (t.fp, t.negatives),
    "false_negative_rate": lambda t: (t.fn, t.positives),
    "false_discovery_rate": lambda t: (t.fp, t.predicted_positives),
    "false_omission_rate": lambda t: (t.fn, t.predicted_negatives),
    "jaccard": lambda t: (t.tp, t.tp + t.errors),
    "prevalence": lambda t: (t.positives, t.total),
}
BoundsOfMeasures = dict[str, tuple[float, float, str]]  # and the name of the method


def confusion_intervals(
    tp: int,
    fp: int,
    fn: int,
    tn: int,
    *,
    beta: float = 1.0,
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
) -> pd.DataFrame:
    """Compute every measure of a binary confusion table with an interval.

    Parameters
    ----------
    tp, fp, fn, tn : int
        Counts of independent test cases, with at least one case of each class.
    beta : float in [0, inf], default=1.0
        As in `confusion_measures`.
    level : float in (0, 1), default=0.95
        The intended probability that each interval, taken by itself, holds the true value.
    n_resamples : int, default=2000
        Draws, for the measures that need them; at least 39 for a level of 0.95, at most a million.
    random_state : int or numpy.random.Generator, optional
        Seed of the draws; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    pandas.DataFrame of shape (30, 4)
        A row for each measure of `confusion_measures`, in the same order, with the columns ``estimate``, ``low``,
        ``high`` and ``method``:

        - ``clopper_pearson`` for proportions, the no-information rate and F1, which follows from the Jaccard index:
          holds its level for every table;
        - ``bootstrap``, Bayesian, for all others; that of `prediction_advantage` is `prediction_advantage_interval`'s.

        Where a measure is undefined (0/0), and for ``bootstrap`` with fewer than five cases, ``low`` and ``high`` are
        NaN and ``method`` is empty. ``attrs`` has the level, and what each method ``assumes``: ``"one_more_case"`` or
        None.

    Raises
    ------
    ValueError
        If a count is not a whole number from 0 to 2**50, a class is absent, or an option is out of range.

    See Also
    --------
    confusion_measures : The measures alone, of many tables.

    Notes
    -----
    The draws add half an imaginary case to each cell (Jeffreys). An end that the estimate passes is moved to it. With
    fewer than ten cases of a class, or no mistake, these intervals rest largely on the imaginary cases. Measured
    coverage is in the documentation, under "Coverage of the intervals".

    References
    ----------
    Clopper and Pearson 1934; Rubin 1981, The Bayesian bootstrap.

    Examples
    --------
    A perfect score on few cases proves little:

    >>> confusion_intervals(tp=10, fp=0, fn=0, tn=190).loc[["recall", "matthews_corrcoef"]].round(2)
                       estimate   low  high           method
    recall                  1.0  0.69   1.0  clopper_pearson
    matthews_corrcoef       1.0  0.82   1.0        bootstrap
    """
    level = validation.check_in_unit_interval(level, "level")
    n_resamples = validation.check_resamples(n_resamples, level)
    for name, count in {"tp": tp, "fp": fp, "fn": fn, "tn": tn}.items():
        if not isinstance(count, Integral) or isinstance(count, bool) or not 0 <= count <= MOST_CASES:
            raise ValueError(
                f"{name} is {validation.show(count)}; it must be a whole number from 0 to {MOST_CASES}."
            )
    table = as_tables(int(tp), int(fp), int(fn), int(tn), beta=beta)
    if table.one_class[0]:
        raise ValueError("The table has one class only; both classes need at least one case.")
    bounds: BoundsOfMeasures = {}
    for name, counted in PROPORTIONS.items():
        successes, trials = (float(each[0]) for each in counted(table))
        bounds[name] = (*clopper_pearson(successes, trials, level), "clopper_pearson")
    if table.beta == 1:  # F1 is 2 J / (1 + J) for a Jaccard index of J
        low, high, method = bounds["jaccard"]
        bounds["f_beta"] = 2 * low / (1 + low), 2 * high / (1 + high), method
    bounds["no_information_rate"] = _of_larger_share(*bounds["prevalence"])
    cells = Cells.of_counts(np.array([tn, fp, tp, fn], float))
    others = [name for name in MEASURES if name not in bounds]
    bounds |= table_bounds(cells, others, level, n_resamples, random_state, beta=table.beta)
    found = pd.DataFrame(
        [bounds[name] for name in MEASURES], index=list(MEASURES), columns=["low", "high", "method"]
    )
    found.insert(0, "estimate", evaluate(table, MEASURES).iloc[0])
    found.loc[found[["estimate", "low"]].isna().any(axis=1), ["low", "high", "method"]] = np.nan, np.nan, ""
    methods = filter(None, found["method"].unique())
    found.attrs = {"level": level, "assumes": {method: assumption_of(method) for method in methods}}
    return found


def clopper_pearson(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the exact bounds of a proportion; 0 and 1 where there is no trial."""
    low, high = binomial_bounds(np.asarray(successes), np.asarray(trials), (1 - level) / 2)
    return float(low), float(high)


def _of_larger_share(low: float, high: float, method: str) -> tuple[float, float, str]:
    """Return the bounds of the greater of a share and the rest."""
    either = max(low, 1 - low), max(high, 1 - high)
    return (0.5 if low < 0.5 < high else min(either)), max(either), method


def table_bounds(
    cells: Cells,
    names: list[str],
    level: float,
    n_resamples: int,
    random_state: int | np.random.Generator | None = None,
    *,
    beta: float = 1.0,
) -> BoundsOfMeasures:
    """Bound measures of ``tn, fp, tp, fn`` by the Bayesian bootstrap; NaN where there is no interval."""

    def measures(drawn: Floats) -> dict[str, Floats]:
        # Shares too small for the products in the measures count as 0.
        tn, fp, tp, fn = np.where(drawn < drawn.max(axis=1, keepdims=True) * 1e-60, 0, drawn).T
        found = evaluate(as_tables(tp, fp, fn, tn, beta=beta), names)
        return {str(name): column.to_numpy() for name, column in found.items()}

    if cells.are_few:
        return dict.fromkeys(names, (np.nan, np.nan, ""))
    values = measures(cells.weights[None])
    draws = resample(cells, measures, n_resamples, generator_of(random_state))
    bounds = {name: (*ends(draws[name], float(values[name][0]), level), "bootstrap") for name in names}
    if "no_information_rate" in names:
        bounds["no_information_rate"] = _of_larger_share(*bounds["prevalence"])
    straight, opposite = (
        bound_advantage(each, level, n_resamples, generator_of(random_state))
        for each in (cells, cells.swapped())
    )
    if "prediction_advantage" in names:
        bounds["prediction_advantage"] = straight.low, straight.high, "bootstrap"
    if "goodman_kruskal_lambda" in names:  # the advantage of the best relabelling of the predictions
        low, high = (max(*pair, 0.0) for pair in zip(straight[:2], opposite[:2], strict=True))
        bounds["goodman_kruskal_lambda"] = low, high, "bootstrap"
    return bounds


# The uncertainty of an empirical Prediction Advantage.


Method = Literal["bootstrap", "fieller", "concentration", "exact"]
METHODS = get_args(Method)


class _Ends(NamedTuple):
    low: float
    high: float


class AdvantageInterval(AnnotatedTuple, _Ends):
    """The outcome of `prediction_advantage_interval`: a pair of ends, with attributes.

    Attributes
    ----------
    low, high : float in [-inf, 1]
    level : float in (0, 1)
    method : {"bootstrap", "fieller", "concentration", "exact"}
    assumes : {"one_more_case", "alike_mistakes", "no_rare_loss", "one_worst_case"} or None
        What is assumed besides independent cases:

        - ``"one_more_case"``: one more case of each class may be right or wrong.
        - ``"alike_mistakes"``, with weights or groups: cases or groups that count for more than others are wrong as
          often as the rest. The bootstrap supposes one more case of mean weight, too.
        - ``"no_rare_loss"``: no rare case has a loss much greater than those seen.
        - ``"one_worst_case"``: the same, except for one more case of the greatest loss that the probabilities allow,
          which the lower end supposes.
    """

    level: float
    method: Method
    assumes: Assumption | None


def prediction_advantage_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    level: float = 0.95,
    method: Method | None = None,
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 2000,
    stratify: bool = False,
    bound: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> AdvantageInterval:
    """Compute an interval for the true Prediction Advantage of a model, from independent test cases.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, baseline, sample_weight
        As in `prediction_advantage_score`. The model must not have been fitted to these cases. Weights are for
        ``"bootstrap"`` and ``"fieller"``.
    groups : array-like of shape (n,), optional
        The group of each case, such as the patient it is from; for ``"bootstrap"`` and ``"fieller"``. The groups, not
        the cases, are then taken as independent. Groups of one case each, and weights that are all equal, change no
        number.
    level : float in (0, 1), default=0.95
        The intended probability that the interval holds the true Prediction Advantage.
    method : {"bootstrap", "fieller", "concentration", "exact"}, optional
        By default ``"concentration"`` where `bound` is given, without weights, groups and `stratify`; ``"fieller"`` for
        losses that are not between classes, without `stratify`; ``"bootstrap"`` for the rest. `nontrivial score` uses
        the same, but has no interval for probabilities with fewer than ten cases of a class.

        - ``"bootstrap"``, for every loss: the percentiles of the Bayesian bootstrap, with imaginary cases for losses
          between classes. For `zero_one` without weights, groups and `stratify` it lies on one side of 0 exactly where
          the sign test of `triviality_test`, or the opposite one, rejects at half the error probability. For losses
          that are not between classes it is too narrow for fewer than some 200 cases or groups.
        - ``"fieller"``, for losses that are not between classes: all advantages that Student's paired test does not
          reject, and each end supposes one more case, the worst. It has no lower end where a sample does not tell the
          marginal loss from 0. For probabilities, which are those of cross-entropy and, under squared loss, predictions
          from 0 to 1 of targets that are 0 or 1, it may lie below 0 where `triviality_test` rejects.
        - ``"exact"``, for `zero_one`: holds its level for every sample size and every distribution, by Clopper and
          Pearson's binomial bounds. Mostly 1.1 to 1.8 times as wide as the bootstrap's, and more with a few positives.
          It agrees with the same sign tests.
        - ``"concentration"``, for bounded losses: also holds its level, by Hoeffding's bounds for the risk of the model
          and of the marginal prediction. Two to four times as wide as the bootstrap's.
    n_resamples : int, default=2000
        Draws of the bootstrap, at least 39 for a level of 0.95, at most a million.
    stratify : bool, default=False
        Whether the bootstrap keeps the shares of the classes; for test sets that were drawn class by class.
    bound : float, optional
        The greatest loss that a case can have, under the model and under the marginal prediction; needed by
        ``"concentration"``. Losses between classes have a known one, and take none. For squared loss of a target
        between a and b it is ``(b - a) ** 2``, for cross-entropy ``-ln`` of a probability that no prediction and no
        share of a class, in truth or in the sample, is below.
    random_state : int or numpy.random.Generator, optional
        Seed of the bootstrap; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    AdvantageInterval
        The pair (low, high), which also says its `level`, its `method` and what it `assumes`. NaN for both, with a
        warning, where there is one class only, or one value. ``"exact"`` and ``"concentration"``, if named, then give
        bounds that exclude little.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`, and if `level`, `method`, `n_resamples` or `bound` is out of range or a method
        is not for the loss, for weights or for groups.

    Warns
    -----
    UnboundedLossWarning
        Where ``"bootstrap"`` or ``"fieller"`` is used for a loss that may be any number: squared, absolute, pinball,
        cross-entropy or a callable of numbers.
    UserWarning
        If there are fewer than five cases or groups, or weights leave an effective sample size below five (Kish 1965);
        the ends are NaN.

    See Also
    --------
    triviality_test : Whether the Prediction Advantage is above 0 at all.

    Notes
    -----
    The documentation explains the methods, and says how often they were measured to hold the true value, under
    "Coverage of the intervals".

    References
    ----------
    PA paper, section 2.2 (which leaves these estimates open). Rubin 1981; Fieller 1954; Clopper and Pearson 1934;
    Hoeffding 1963.

    Examples
    --------
    >>> truth = [0] * 80 + [1] * 20
    >>> prediction = [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6
    >>> low, high = prediction_advantage_interval(truth, prediction, method="exact")
    >>> round(low, 2), round(high, 2)
    (0.0, 0.8)
    >>> prediction_advantage_interval(truth, prediction, method="bootstrap").assumes
    'one_more_case'
    """
    level = validation.check_in_unit_interval(level, "level")
    validation.check_flag(stratify, "stratify")
    method = validation.canonical_name(method)
    if method is not None:
        validation.check_choice(method, "method", METHODS)
    case = resolve(loss, y_true, y_pred, quantile=quantile, cost=cost, labels=labels, baseline=baseline)
    counted, weights, units = validation.as_units(sample_weight, groups, len(case.truth))
    case, plain = case.only(counted), weights is None and units is None
    of_classes, any_assumption = isinstance(case.loss, LabelLoss), method not in ("exact", "concentration")
    if bound is not None:
        bound = checked_bound(bound, case.loss)
    if method is None and bound is not None and plain and not stratify:
        method = "concentration"
    method = method or ("bootstrap" if of_classes or stratify else "fieller")
    if bound is not None and method != "concentration":
        raise ValueError(
            'bound is for method="concentration", which takes neither sample_weight nor groups nor stratify.'
        )
    if method in ("exact", "concentration") and not plain:
        raise ValueError(f'method="{method}" takes neither sample_weight nor groups; use "bootstrap".')
    if method != "bootstrap" and stratify:
        raise ValueError(f'method="{method}" does not take stratify; use "bootstrap".')
    if stratify and units is not None:
        raise ValueError("stratify and groups exclude each other: a group may have cases of several classes.")
    if stratify and not (of_classes or isinstance(case.loss, CrossEntropyLoss)):
        raise ValueError("stratify holds the shares of classes fixed; this loss has no classes.")

    if method == "fieller":
        assumes: Assumption | None = fieller_assumption(case)
    elif method == "bootstrap" and not of_classes:
        assumes = "no_rare_loss"
    else:
        assumes = assumption_of(method, unequal=may_differ(sample_weight, groups))
    interval = partial(AdvantageInterval, level=level, method=method, assumes=assumes)
    if any_assumption and not case.loss.pointwise(case.truth, case.marginal(weights)).any():
        validation.warn_undefined_advantage("the interval is set to NaN")
        return interval(np.nan, np.nan)
    if method == "exact":
        if not isinstance(case.loss, ZeroOneLoss):
            raise ValueError(
                'method="exact" is for loss="zero_one"; leave method out to get one that suits the loss.'
            )
        low, high = exact_interval(case, level)
    elif method == "concentration":
        low, high = concentration_interval(case, level, bound)
    else:
        if method == "bootstrap":
            n_resamples = validation.check_resamples(n_resamples, level)
        if not of_classes:
            warn_unbounded("interval", 'method="concentration" and bound' if plain else "")
        elif method == "fieller":
            raise ValueError('method="fieller" is for losses that are not between classes; use "bootstrap".')
        if are_few(weights, units, len(case.truth)):
            warn_few("the interval is set to NaN")
            return interval(np.nan, np.nan)
        if method == "fieller":
            low, high, *_ = fieller_interval(case, level, weights, units)
        else:
            generator = generator_of(random_state)
            low, high, *_ = bound_by_draws(case, level, weights, units, n_resamples, generator, stratify)
    if np.isnan(low):
        validation.warn_undefined_advantage("the interval is set to NaN")
    return interval(low, high)
