"""Intervals for the Prediction Advantage and for every measure of a confusion table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.stats import t

import nontrivial.measures.finite_sample as finite_sample
from nontrivial import _draws as drawing
from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints
from nontrivial._draws import UNDEFINED, Bounds, Cells, Draws, Imaginary, Units
from nontrivial._warnings import AnnotatedTuple, Assumption, assumption_of, may_differ, warn_unbounded
from nontrivial.measures.confusion import MEASURES, as_tables, evaluate
from nontrivial.measures.losses import Case, CrossEntropyLoss, LabelLoss, LossName, NumberLoss, resolve_units
from nontrivial.measures.names import canonical_name
from nontrivial.measures.sign_verdict import sign_p_values

MOST_CASES = 2**50  # in a cell, so that sums of cells are exact

BoundsOfMeasures = dict[str, tuple[float, float, str]]  # ends and method, by measure


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
        Counts of independent test cases, from 0 to 2**50, with at least one case of each class, else a ValueError.
    beta : float in [0, inf], default=1.0
        As in `confusion_measures`.
    level : float in (0, 1), default=0.95
        The intended probability that each interval, taken by itself, holds the true value.
    n_resamples, random_state
        As in `prediction_advantage_interval`, as are the errors.

    Returns
    -------
    pandas.DataFrame of shape (30, 4)
        A row for each measure of `confusion_measures`, in the same order, with the columns ``estimate``, ``low``,
        ``high`` and ``method``: ``clopper_pearson``, which holds its level for every table, for proportions, the
        no-information rate and F1; the Bayesian ``bootstrap`` for all others. If a measure is undefined (0/0), and for
        ``bootstrap`` with fewer than five cases, ``low`` and ``high`` are NaN and ``method`` is empty. ``attrs`` has
        the level, and what each method ``assumes``.

    References
    ----------
    Clopper and Pearson 1934; Rubin 1981, The Bayesian bootstrap.

    Examples
    --------
    >>> confusion_intervals(tp=10, fp=0, fn=0, tn=190).loc[["recall", "matthews_corrcoef"]].round(2)
                       estimate   low  high           method
    recall                  1.0  0.69   1.0  clopper_pearson
    matthews_corrcoef       1.0  0.87   1.0        bootstrap
    """
    level = validation.check_in_unit_interval(level, "level")
    n_resamples = validation.check_resamples(n_resamples, level)
    for name, count in {"tp": tp, "fp": fp, "fn": fn, "tn": tn}.items():
        if not isinstance(count, Integral) or not 0 <= count <= MOST_CASES:
            shown = validation.show(count)
            raise ValueError(f"{name} is {shown}; it must be a whole number from 0 to {MOST_CASES}.")
    table = as_tables(int(tp), int(fp), int(fn), int(tn), beta=beta)
    if table.one_class[0]:
        raise ValueError("The table has one class only; both classes need at least one case.")
    cells = Cells.of_counts(np.array([tn, fp, tp, fn], float))
    bounds = table_bounds(cells, Draws(level, n_resamples, random_state), beta=beta)
    for name, measure in MEASURES.items():
        if measure.is_proportion:
            successes, trials = (float(counts[0]) for counts in measure.ratio(table))
            bounds[name] = (*clopper_pearson(successes, trials, level), "clopper_pearson")
    if beta == 1:  # F1 is 2 J / (1 + J) for a Jaccard index of J
        low, high, method = bounds["jaccard"]
        bounds["f_beta"] = 2 * low / (1 + low), 2 * high / (1 + high), method
    bounds["no_information_rate"] = _of_larger_share(*bounds["prevalence"])
    columns = ["low", "high", "method"]
    intervals = pd.DataFrame([bounds[name] for name in MEASURES], index=list(MEASURES), columns=columns)
    intervals.insert(0, "estimate", evaluate(table, MEASURES).iloc[0])
    intervals.loc[intervals[["estimate", "low"]].isna().any(axis=1), columns] = np.nan, np.nan, ""
    methods = filter(None, intervals["method"].unique())
    intervals.attrs = {"level": level, "assumes": {method: assumption_of(method) for method in methods}}
    return intervals


def clopper_pearson(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the exact bounds of a proportion; 0 and 1 without a trial."""
    low, high = finite_sample.binomial_bounds(np.asarray(successes), np.asarray(trials), (1 - level) / 2)
    return float(low), float(high)


def _of_larger_share(low: float, high: float, method: str) -> tuple[float, float, str]:
    """Return the bounds of the greater of a share and the rest."""
    either = max(low, 1 - low), max(high, 1 - high)
    return (0.5 if low < 0.5 < high else min(either)), max(either), method


def table_bounds(cells: Cells, draws: Draws, *, beta: float = 1.0) -> BoundsOfMeasures:
    """Bound every measure of ``tn, fp, tp, fn`` by the Bayesian bootstrap; NaN without an interval."""

    def measures(drawn: Floats) -> dict[str, Floats]:
        # Shares too small for the products in the measures count as 0.
        tn, fp, tp, fn = np.where(drawn < drawn.max(axis=1, keepdims=True) * 1e-60, 0, drawn).T
        values = evaluate(as_tables(tp, fp, fn, tn, beta=beta), MEASURES)
        return {str(name): column.to_numpy() for name, column in values.items()}

    def prevalence(drawn: Floats) -> dict[str, Floats]:
        return {"prevalence": drawn[:, 2:].sum(axis=1) / drawn.sum(axis=1)}

    if cells.are_few:
        return dict.fromkeys(MEASURES, (np.nan, np.nan, ""))
    all_bounds = drawing.bound_draws(cells, measures, draws)
    # As in Clopper and Pearson's bounds, each end of the share of a class supposes one more case of the other class.
    one_class = tuple(csr_array(np.diag(row)) @ cells.of_imaginary[0] for row in np.eye(2))
    with_one_more = replace(cells, parts=np.ones(2), of_imaginary=one_class)
    all_bounds |= drawing.bound_draws(with_one_more, prevalence, draws)
    bounds = {name: (ends.low, ends.high, "bootstrap") for name, ends in all_bounds.items()}
    bounds["no_information_rate"] = _of_larger_share(*bounds["prevalence"])
    straight, turned = (bound_advantage(cells, draws, exchanged=exchanged) for exchanged in (False, True))
    bounds["prediction_advantage"] = straight.low, straight.high, "bootstrap"
    # Lambda is the advantage of the best relabelling of the predictions.
    low, high = max(straight.low, turned.low, 0.0), max(straight.high, turned.high, 0.0)
    bounds["goodman_kruskal_lambda"] = low, high, "bootstrap"
    return bounds


# The uncertainty of an empirical Prediction Advantage.

IntervalMethod = Literal["bootstrap", "fieller", "concentration", "exact"]
INTERVAL_METHODS = get_args(IntervalMethod)


class AdvantageInterval(AnnotatedTuple, NamedTuple("_Ends", [("low", float), ("high", float)])):
    """The pair (low, high) of `prediction_advantage_interval`, with attributes that it describes."""

    level: float
    method: IntervalMethod
    assumes: Assumption | None


def prediction_advantage_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    level: float = 0.95,
    method: IntervalMethod | None = None,
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 2000,
    bound: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> AdvantageInterval:
    """Compute an interval for the true Prediction Advantage of a model, from independent test cases.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, pos_label, baseline, sample_weight
        As in `prediction_advantage_score`, as are the errors. An option that is out of range or does not fit the others
        is a ValueError, too. The model must not have been fitted to these cases.
    groups : array-like of shape (n,), optional
        The group of each case, such as its patient. Groups are then independent in place of cases. Groups of one case
        each, and weights that are all equal, change no number.
    level : float in (0, 1), default=0.95
        The intended probability that the interval holds the true Prediction Advantage.
    method : {"bootstrap", "fieller", "concentration", "exact"}, optional
        By default ``"concentration"`` with a `bound`, else ``"bootstrap"`` for losses between classes and ``"fieller"``
        for all others.

        - ``"bootstrap"``, for every loss: percentiles of the Bayesian bootstrap, with imaginary cases for losses
          between classes. For all others, it is too narrow with fewer than some 200 cases or groups.
        - ``"fieller"``, for losses that are not between classes: all advantages that Student's paired test does not
          reject. Each end supposes one more case, the worst possible. It has no lower end if a sample does not tell
          the marginal loss from 0.
        - ``"exact"``, for `zero_one` without weights and groups: Clopper and Pearson's binomial bounds. They hold their
          level for every sample size and distribution, and are mostly 1.1 to 1.8 times as wide as the bootstrap's.
        - ``"concentration"``, for bounded losses without weights and groups: Hoeffding's bounds. They hold their level,
          too, and are two to four times as wide.

        For `zero_one` without weights and groups, ``"bootstrap"`` and ``"exact"`` lie on one side of 0, or end there,
        if the sign test of `triviality_test`, or the opposite one, rejects at half the error probability.
    n_resamples : int, default=2000
        Draws of the bootstrap, at least 39 for a level of 0.95, at most a million.
    bound : float, optional
        The greatest loss of a case under the model or the marginal prediction, for ``"concentration"``; losses between
        classes need none. It is ``(b - a) ** 2`` for squared loss of a target from a to b, 1 for the Brier score (2 for
        three or more classes), and ``-ln`` of the least possible prediction or share of a class for cross-entropy.
    random_state : int or numpy.random.Generator, optional
        Seed of the bootstrap; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    AdvantageInterval
        The pair (low, high) in [-inf, 1], with the attributes `level`, `method` and `assumes`. The last names the
        assumption besides independent cases, or is None: ``"one_more_case"``, one more case of each class may be right
        or wrong; ``"alike_mistakes"``, cases or groups that count for more are wrong as often as the rest;
        ``"no_rare_loss"``, no rare case has a loss much greater than those seen; ``"one_possible_case"``, the same, but
        for one more case of any class with the probabilities of a case that was seen. Both ends are NaN (0/0), with a
        warning, for one class or value only; ``"exact"`` and ``"concentration"``, if named, then exclude little.

    Warns
    -----
    UnboundedLossWarning
        If ``"bootstrap"`` or ``"fieller"`` is used for a loss that is not between classes.
    UserWarning
        If the effective number of cases or groups (Kish 1965) is below five; the ends are NaN.

    References
    ----------
    PA paper, section 2.2 (which leaves these estimates open). Rubin 1981; Fieller 1954; Clopper and Pearson 1934;
    Hoeffding 1963. The measured coverage is in the documentation, under "Coverage of the intervals".

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
    named = canonical_name(method)
    validation.check_choice(named, "method", (*INTERVAL_METHODS, None))
    given = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    given |= {"quantile": quantile, "sample_weight": sample_weight, "groups": groups}
    case, units = resolve_units(loss, y_true, y_pred, **given)
    of_classes = isinstance(case.loss, LabelLoss)
    if bound is not None:
        bound, default = finite_sample.check_bound(bound, case.loss), "concentration"
    else:
        default = "bootstrap" if of_classes else "fieller"
    method = cast(IntervalMethod, named or default)
    holds_level = method in ("exact", "concentration")
    if bound is not None and method != "concentration":
        raise ValueError('bound is for method="concentration".')
    if holds_level and not units.are_cases:
        raise ValueError(f'method="{method}" takes neither sample_weight nor groups; use "bootstrap".')
    if (method == "exact" and not case.is_zero_one) or (method == "fieller" and of_classes):
        suited = 'loss="zero_one"' if method == "exact" else "losses that are not between classes"
        raise ValueError(f'method="{method}" is for {suited}; leave method out to get one that suits.')
    if method == "bootstrap":
        n_resamples = validation.check_resamples(n_resamples, level)
    assumes = assumption_of(method, unequal=may_differ(sample_weight, groups))
    if not of_classes and not holds_level:
        assumes = fieller_assumption(case) if method == "fieller" else "no_rare_loss"
    interval = partial(AdvantageInterval, level=level, method=method, assumes=assumes)
    low = high = np.nan
    if (holds_level and named) or case.marginal_losses(units.weights).any():
        if not of_classes and not holds_level:
            warn_unbounded("interval", 'method="concentration" and bound' if units.are_cases else "")
        if not holds_level and units.are_few:
            drawing.warn_few("the interval is set to NaN")
            return interval(np.nan, np.nan)
        if method == "exact":
            low, high = finite_sample.exact_interval(case, level)
        elif method == "concentration":
            low, high = finite_sample.concentration_interval(case, level, bound)
        elif method == "fieller":
            low, high, *_ = fieller_interval(case, level, units)
        else:
            low, high, *_ = bootstrap_interval(case, units, Draws(level, n_resamples, random_state))
    if np.isnan(low):  # no mistake costs anything
        validation.warn_undefined_advantage("the interval is set to NaN")
    return interval(low, high)


def bootstrap_interval(case: Case, units: Units, draws: Draws) -> Bounds:
    """Bound the Prediction Advantage under any loss; the marginal prediction has a risk."""
    loss = case.loss
    if isinstance(loss, LabelLoss):
        k, known = len(loss.classes), case.known_class
        if loss.cost is None:
            cells = Cells.of_predictions(case.truth, case.prediction, k, units)
            return bound_advantage(cells, draws, known)
        constants = np.arange(k) if known is None else np.array([known])
        cells, classes, (lost,) = loss_cells(case, [case.losses], units)
        return _bound_over_constants(cells, classes, lost, constants, loss, draws)
    # All resamples have the sample's constant: choosing it again would count the optimism of hindsight twice.
    lost, lost_by_constant = units.sums(case.losses), units.sums(case.marginal_losses(units.weights))

    def advantages(drawn: Floats) -> dict[str, Floats]:
        return {"": 1 - (drawn @ lost) / (drawn @ lost_by_constant)}

    once = np.ones(len(lost))
    cells = Cells(once, once, None, np.empty(0), (), are_cases=False, are_few=False)
    return drawing.bound_draws(cells, advantages, draws)[""]


# Losses between classes. What is drawn are cells of cases of the same class and the same loss.


def bound_advantage(
    cells: Cells, draws: Draws, known: int | None = None, *, exchanged: bool = False
) -> Bounds:
    """Bound the Prediction Advantage under 0/1 loss; NaN if the best constant, which may be known, never errs."""
    # Of each class in turn, the cells are the cases predicted rightly and those predicted wrongly, or `exchanged`.
    classes, is_second = np.divmod(np.arange(len(cells.weights)), 2)
    is_wrong = is_second != exchanged
    of_class, wrong = cells.weights[::2] + cells.weights[1::2], cells.weights[is_wrong]
    constants = np.flatnonzero(of_class) if known is None else np.array([known])
    loss = LabelLoss(np.arange(len(of_class)))
    bounds = _bound_over_constants(cells, classes, is_wrong.astype(float), constants, loss, draws)
    if np.isnan(bounds.low) or not cells.are_cases:  # the exact tests take single cases
        return bounds
    return bounds.tested(*sign_p_values(of_class, wrong, known), draws.level)


def _bound_over_constants(
    cells: Cells, classes: Ints, lost: Floats, constants: Ints, loss: LabelLoss, draws: Draws
) -> Bounds:
    """Bound the advantage over the best of some constant classes, from the class and the loss of each cell."""

    def advantages(drawn: Floats) -> dict[str, Floats]:
        by_constant = constant_losses(drawn, classes, loss)[:, constants]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"": 1 - (drawn @ lost)[:, None] / by_constant}

    value = float(advantages(cells.weights[None])[""].min())
    if not np.isfinite(value):
        return UNDEFINED
    # The tail of the upper bound is divided among the constants: choosing the best one in each resample would count the
    # luck of the choice twice.
    tail, k = (1 - draws.level) / 2, len(constants)

    def bound(drawn: Floats) -> Bounds:
        place = max(int(tail / k * (len(drawn) + 1) + 1e-9), 1)
        high = float(np.partition(drawn, -place, axis=0)[-place].min())
        above = int(np.count_nonzero(drawn >= 0, axis=0).min())
        p_worse = min(k * (1 + above) / (1 + len(drawn)), 1.0)
        if p_worse > tail:  # so few draws cannot show that it is worse
            high = max(high, 0.0)
        bounds = Bounds.of_draws(drawn.min(axis=1), value, draws.level)
        return bounds._replace(high=max(high, value), p_worse=p_worse if value < 0 else max(p_worse, 0.5))

    return Bounds.furthest([bound(drawn[""]) for drawn in drawing.resample(cells, advantages, draws)])


def constant_losses(drawn: Floats, classes: Ints, loss: LabelLoss) -> Floats:
    """Return the loss of always predicting each class in each resample, from the class of each cell."""
    n, k = len(classes), len(loss.classes)
    masses = np.asarray(drawn @ csr_array((np.ones(n), (np.arange(n), classes)), (n, k)))
    if loss.cost is None:
        return np.asarray(masses.sum(axis=1, keepdims=True) - masses)
    return np.asarray(masses @ loss.cost.T)


def loss_cells(case: Case, losses: list[Floats], units: Units) -> tuple[Cells, Ints, Floats]:
    """Return the cells of one model or two, the class of each, and what each model loses there."""
    loss, n = case.loss, units.n
    assert isinstance(loss, LabelLoss)
    k = len(loss.classes)
    masses, *sums = (
        np.bincount(case.truth, weights=units.mass * values, minlength=k) for values in (np.ones(n), *losses)
    )
    order = np.lexsort([masses, *sums])  # the classes in an order that does not depend on their names
    place, present = np.argsort(order), order[masses[order] > 0]
    right, wrong = np.zeros(k), np.ones(k)  # losses of imaginary cases
    if loss.cost is not None:
        right = loss.cost.diagonal()
        wrong = (loss.cost.sum(axis=0) - right) / max(k - 1, 1)
    # An adverse case is right for the second model.
    adverse, favourable = [wrong, right][: len(losses)], [right, wrong][: len(losses)]
    rows = [np.column_stack([place[case.truth], *losses])]
    for lost in (adverse, favourable):
        rows.append(np.column_stack([place[present], *(values[present] for values in lost)]))
    alike = pd.DataFrame(np.concatenate(rows)).groupby(list(range(1 + len(losses))))
    kinds, numbers = alike.size().index.to_frame().to_numpy(), alike.ngroup().to_numpy()
    case_cells, adverse_cells, favourable_cells = np.split(numbers, [n, n + len(present)])
    parts = np.full(len(present), drawing.prior_part(len(present), len(losses)))
    added = Imaginary(present, parts, [adverse_cells], [favourable_cells])
    cells = Cells.of_cases([case_cells], len(kinds), case.truth, added, units)
    return cells, order[kinds[:, 0].astype(np.intp)], kinds[:, 1:].T


# Student's paired test, and Fieller's interval: a Prediction Advantage is the mean of what a model saves, m - l for
# losses l of the model and m of the marginal prediction, over the mean of m. An advantage of a is tested by the mean of
# m - l - a m, and those that the test does not reject are the interval.


class PairedSums(NamedTuple):
    """Means and products of the savings and the marginal losses, for Student's test and Fieller's interval."""

    n: int
    means: Floats  # mean saving and mean marginal loss
    products: Floats  # of shape (2, 2): sums of products of the deviations from the means

    @classmethod
    def of_cases(cls, saved: Floats, marginal_losses: Floats) -> PairedSums:
        """Sum over cases, in units of the mean marginal loss: products of very great or small losses overflow."""
        pairs = np.stack([saved, marginal_losses]) / (marginal_losses.mean() or 1.0)
        means = pairs.mean(axis=1)
        deviations = pairs - means[:, None]
        return cls(len(saved), means, deviations @ deviations.T)

    def with_one_more(self, saved: float, marginal_loss: float) -> PairedSums:
        """Add a case, given in the same units."""
        deviation, n = np.array([saved, marginal_loss]) - self.means, self.n + 1
        added = np.outer(deviation, deviation) * (self.n / n)
        return PairedSums(n, self.means + deviation / n, self.products + added)

    def bounds(self, level: float) -> Bounds:
        """Return Fieller's bounds for the ratio of the means, and Student's p-values, which agree with them."""
        (saved, marginal_loss), errors = self.means, np.sqrt(self.products.diagonal() / (self.n - 1) / self.n)
        some_loss, tail = student_p_value(marginal_loss, errors[1], self.n), (1 - level) / 2
        p_better, p_worse = (
            max(student_p_value(mean, errors[0], self.n), some_loss) for mean in (saved, -saved)
        )
        if some_loss > tail:
            return Bounds(-np.inf, np.inf, p_better, p_worse)
        reach = t.isf(tail, self.n - 1) ** 2 / (self.n - 1) / self.n
        (saved_square, both), (_, marginal_square) = self.products * reach
        square, product = marginal_loss**2 - marginal_square, saved * marginal_loss - both
        root = np.sqrt(max(product**2 - square * (saved**2 - saved_square), 0.0))
        bounds = Bounds(float((product - root) / square), float((product + root) / square), p_better, p_worse)
        # If all losses are the constant's, rounding leaves a bound on either side of 0.
        return bounds.tested(p_better, p_worse, level)


def paired_p_value(values: Floats) -> float:
    """Return Student's p-value of the hypothesis that the mean is at most 0."""
    with np.errstate(invalid="ignore"):  # an infinite loss has no deviation
        error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return student_p_value(float(values.mean()), error, len(values))


def student_p_value(mean: float, error: float, n: int) -> float:
    """Return the p-value from a mean and its standard error; 1 for fewer than `MIN_UNITS` values."""
    if n < drawing.MIN_UNITS or np.isneginf(mean):
        return 1.0
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(t.sf(mean / error, n - 1))


def fieller_interval(case: Case, level: float, units: Units) -> Bounds:
    """Bound a Prediction Advantage by `PairedSums`, with one more case at each end, the worst possible."""
    losses, marginal_losses = case.losses, case.marginal_losses(units.weights)
    if np.isposinf(losses).any():
        return Bounds(-np.inf, -np.inf, np.nan, np.nan)
    possible = _possible_losses(case, units.weights)
    losses, marginal_losses = units.scaled_sums(losses), units.scaled_sums(marginal_losses)
    saved, unit = marginal_losses - losses, marginal_losses.mean() or 1.0
    sums = PairedSums.of_cases(saved, marginal_losses)

    def bounds_with(saved: float, marginal_loss: float) -> Bounds:
        if not np.isfinite(saved):
            return Bounds(-np.inf, np.inf, 1.0, 1.0)
        return sums.with_one_more(saved / unit, marginal_loss / unit).bounds(level)

    low, high, p_better, p_worse, _ = sums.bounds(level)
    if possible is not None:  # a case of any class and of mean weight, with probabilities that were seen
        weight = units.scaled_sums(np.ones(units.n)).mean()
        for greatest, least, marginal_loss in weight * possible:
            adverse = bounds_with(marginal_loss - greatest, marginal_loss)
            favourable = bounds_with(marginal_loss - least, marginal_loss)
            low, p_better = min(low, adverse.low), max(p_better, adverse.p_better)
            high, p_worse = max(high, favourable.high), max(p_worse, favourable.p_worse)
    elif np.isfinite(low):
        # A case like the one that moves the end most; for the lower end without any loss, the constant's greatest.
        lowest, highest = (saved - low * marginal_losses).argmin(), (saved - high * marginal_losses).argmax()
        if losses.any():
            low = min(low, bounds_with(saved[lowest], marginal_losses[lowest]).low)
        else:
            low = min(low, bounds_with(0.0, marginal_losses.max()).low)
        high = max(high, bounds_with(saved[highest], marginal_losses[highest]).high)
    return Bounds(low, min(high, 1.0), p_better, p_worse).tested(p_better, p_worse, level)


def fieller_assumption(case: Case) -> Literal["one_possible_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if _probabilities(case) is None else "one_possible_case"


def _possible_losses(case: Case, weights: Floats | None) -> Floats | None:
    """Return the greatest, the least and the marginal loss of one more case of each class; None for numbers."""
    probabilities = _probabilities(case)
    if probabilities is None:
        return None
    marginal = _losses_by_class(case, np.reshape(case.marginal(weights), (1, -1)))[0]
    possible = np.isfinite(marginal)  # neither the sample nor the baseline has a case of the other classes
    losses = _losses_by_class(case, probabilities)[:, possible]
    return np.column_stack([losses.max(axis=0), losses.min(axis=0), marginal[possible]])


def _probabilities(case: Case) -> Floats | None:
    """Return the predictions, of shape (n, outputs), if they are probabilities of classes; None for numbers."""
    prediction, truth = (values.reshape(len(values), -1) for values in (case.prediction, case.truth))
    if isinstance(case.loss, CrossEntropyLoss):
        return prediction
    if not (isinstance(case.loss, NumberLoss) and case.loss.is_squared):
        return None
    is_one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    return prediction if is_one_hot and prediction.min() >= 0 and prediction.max() <= 1 else None


def _losses_by_class(case: Case, probabilities: Floats) -> Floats:
    """Return the losses that probabilities would have for each class, of shape (n, classes)."""
    if isinstance(case.loss, CrossEntropyLoss):
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(probabilities))
    if probabilities.shape[1] == 1:
        return np.column_stack([probabilities**2, (1 - probabilities) ** 2])
    return np.asarray(1 - 2 * probabilities + (probabilities**2).sum(axis=1, keepdims=True))
