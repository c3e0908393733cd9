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

import nontrivial.measures.finite_sample as finite_sample
import nontrivial.measures.losses as loss_types
from nontrivial import _draws as drawing
from nontrivial import _validation as validation
from nontrivial import _warnings as warning
from nontrivial._arrays import Floats, Ints
from nontrivial._draws import UNDEFINED_BOUNDS, Bounds, DrawnCells, DrawSettings, Imaginary, Units
from nontrivial.measures.catalogue import canonical_name
from nontrivial.measures.confusion import MEASURES, as_tables, evaluate_measures
from nontrivial.measures.sign_verdict import sign_p_values
from nontrivial.measures.student import fieller_assumption, fieller_interval

MAX_CASES_IN_CELL = 2**50  # sums of cells are then exact


class MeasureBounds(NamedTuple):
    """The ends of a measure's interval, and the method that made them."""

    low: float
    high: float
    method: str


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
    """Compute every measure of a binary confusion table with an interval (Clopper and Pearson 1934; Rubin 1981).

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
        if not isinstance(count, Integral) or not 0 <= count <= MAX_CASES_IN_CELL:
            shown = validation.repr_of(count)
            raise ValueError(f"{name} is {shown}; it must be a whole number from 0 to {MAX_CASES_IN_CELL}.")
    table = as_tables(int(tp), int(fp), int(fn), int(tn), beta=beta)
    if table.one_class[0]:
        raise ValueError("The table has one class only; both classes need at least one case.")
    cells = DrawnCells.from_counts(np.array([tn, fp, tp, fn], float))
    bounds = bootstrap_measures(cells, DrawSettings(level, n_resamples, random_state), beta=beta)
    for name, measure in MEASURES.items():
        if measure.is_proportion:
            successes, trials = (float(counts[0]) for counts in measure.ratio(table))
            bounds[name] = MeasureBounds(*clopper_pearson(successes, trials, level), "clopper_pearson")
    if beta == 1:  # F1 is 2 J / (1 + J) for a Jaccard index of J
        low, high, method = bounds["jaccard"]
        bounds["f_beta"] = MeasureBounds(2 * low / (1 + low), 2 * high / (1 + high), method)
    bounds["no_information_rate"] = _bound_larger_share(bounds["prevalence"])
    columns = ["low", "high", "method"]
    intervals = pd.DataFrame([bounds[name] for name in MEASURES], index=list(MEASURES), columns=columns)
    intervals.insert(0, "estimate", evaluate_measures(table, MEASURES).iloc[0])
    intervals.loc[intervals[["estimate", "low"]].isna().any(axis=1), columns] = np.nan, np.nan, ""
    methods = filter(None, intervals["method"].unique())
    intervals.attrs = {"level": level, "assumes": {method: warning.interval_assumption(method) for method in methods}}
    return intervals


def clopper_pearson(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the exact bounds of a proportion; 0 and 1 without a trial."""
    low, high = finite_sample.binomial_bounds(np.asarray(successes), np.asarray(trials), (1 - level) / 2)
    return float(low), float(high)


def _bound_larger_share(share: MeasureBounds) -> MeasureBounds:
    """Return the bounds of the larger of two shares, from the bounds of either."""
    ends = max(share.low, 1 - share.low), max(share.high, 1 - share.high)
    return MeasureBounds(0.5 if share.low < 0.5 < share.high else min(ends), max(ends), share.method)


def bootstrap_measures(cells: DrawnCells, draws: DrawSettings, *, beta: float = 1.0) -> dict[str, MeasureBounds]:
    """Bound every measure of the cells ``tn, fp, tp, fn`` by the Bayesian bootstrap; NaN for too few cases."""

    def measures(drawn: Floats) -> dict[str, Floats]:
        # Products of tiny shares would underflow, so tiny shares count as 0.
        tn, fp, tp, fn = np.where(drawn < drawn.max(axis=1, keepdims=True) * 1e-60, 0, drawn).T
        values = evaluate_measures(as_tables(tp, fp, fn, tn, beta=beta), MEASURES)
        return {str(name): column.to_numpy() for name, column in values.items()}

    def prevalence(drawn: Floats) -> dict[str, Floats]:
        return {"prevalence": drawn[:, 2:].sum(axis=1) / drawn.sum(axis=1)}

    if cells.are_few:
        return dict.fromkeys(MEASURES, MeasureBounds(np.nan, np.nan, ""))
    all_bounds = drawing.bootstrap_bounds(cells, measures, draws)
    # As in Clopper and Pearson's bounds, each end of the share of a class supposes one more case of the other class.
    one_class = tuple(csr_array(np.diag(row)) @ cells.from_imaginary[0] for row in np.eye(2))
    with_one_more = replace(cells, imaginary_shapes=np.ones(2), from_imaginary=one_class)
    all_bounds |= drawing.bootstrap_bounds(with_one_more, prevalence, draws)
    bounds = {name: MeasureBounds(ends.low, ends.high, "bootstrap") for name, ends in all_bounds.items()}
    bounds["no_information_rate"] = _bound_larger_share(bounds["prevalence"])
    advantage, exchanged = (bound_advantage(cells, draws, exchanged=exchange) for exchange in (False, True))
    bounds["prediction_advantage"] = MeasureBounds(advantage.low, advantage.high, "bootstrap")
    # Lambda is the advantage after the best relabelling of the predictions.
    low, high = max(advantage.low, exchanged.low, 0.0), max(advantage.high, exchanged.high, 0.0)
    bounds["goodman_kruskal_lambda"] = MeasureBounds(low, high, "bootstrap")
    return bounds


IntervalMethod = Literal["bootstrap", "fieller", "concentration", "exact"]
INTERVAL_METHODS = get_args(IntervalMethod)


class AdvantageInterval(warning.AnnotatedTuple, NamedTuple("_Ends", [("low", float), ("high", float)])):
    """The pair (low, high) of `prediction_advantage_interval`, with attributes that it describes."""

    level: float
    method: IntervalMethod
    assumes: warning.Assumption | None


def prediction_advantage_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: loss_types.LossName = "zero_one",
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

    PA paper, section 2.2, leaves such intervals open. "Coverage of the intervals" in the documentation has simulations.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, pos_label, baseline, sample_weight
        As in `prediction_advantage_score`, as are the errors. An option that is out of range or does not fit the others
        is a ValueError, too. The model must not have been fitted to these cases.
    groups : array-like of shape (n,), optional
        The group of each case, such as its patient. Groups, in place of cases, are then the independent units. Groups
        of one case each, and weights that are all equal, change no result.
    level : float in (0, 1), default=0.95
        The intended probability that the interval holds the true Prediction Advantage.
    method : {"bootstrap", "fieller", "concentration", "exact"}, optional
        By default ``"concentration"`` with a `bound`, else ``"bootstrap"`` for losses between classes and ``"fieller"``
        for all others.

        - ``"bootstrap"``, for every loss: percentiles of the Bayesian bootstrap (Rubin 1981), with imaginary cases for
          losses between classes. For all others, it is too narrow with fewer than some 200 cases or groups.
        - ``"fieller"``, for losses that are not between classes: all advantages that Student's paired test does not
          reject (Fieller 1954). Each end supposes one more case, the worst possible. It has no lower end if a sample
          does not tell the marginal loss from 0.
        - ``"exact"``, for `zero_one` without weights and groups: the binomial bounds of Clopper and Pearson (1934).
          They hold their level for every sample size and distribution, and are mostly 1.1 to 1.8 times as wide.
        - ``"concentration"``, for bounded losses without weights and groups: the bounds of Hoeffding (1963). They hold
          their level, too, and are two to four times as wide.

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
    named_method = canonical_name(method)
    validation.check_choice(named_method, "method", (*INTERVAL_METHODS, None))
    options = {"cost": cost, "labels": labels, "pos_label": pos_label, "baseline": baseline}
    options |= {"quantile": quantile, "sample_weight": sample_weight, "groups": groups}
    sample, units = loss_types.resolve_sample_and_units(loss, y_true, y_pred, **options)
    has_classes = isinstance(sample.loss, loss_types.LabelLoss)
    if bound is not None:
        bound, default = finite_sample.check_bound(bound, sample.loss), "concentration"
    else:
        default = "bootstrap" if has_classes else "fieller"
    method = cast(IntervalMethod, named_method or default)
    holds_level = method in ("exact", "concentration")
    if bound is not None and method != "concentration":
        raise ValueError('bound is for method="concentration".')
    if holds_level and not units.are_cases:
        raise ValueError(f'method="{method}" takes neither sample_weight nor groups; use "bootstrap".')
    if (method == "exact" and not sample.is_zero_one) or (method == "fieller" and has_classes):
        suited = 'loss="zero_one"' if method == "exact" else "losses that are not between classes"
        raise ValueError(f'method="{method}" is for {suited}; leave method out to get one that suits.')
    if method == "bootstrap":
        n_resamples = validation.check_resamples(n_resamples, level)
    unequal = warning.has_weights_or_groups(sample_weight, groups)
    assumes = warning.interval_assumption(method, unequal=unequal)
    if not has_classes and not holds_level:
        assumes = fieller_assumption(sample) if method == "fieller" else "no_rare_loss"
    interval = partial(AdvantageInterval, level=level, method=method, assumes=assumes)
    low = high = np.nan
    if (holds_level and named_method) or sample.marginal_losses(units.weights).any():
        if not has_classes and not holds_level:
            remedy = 'method="concentration" and bound' if units.are_cases else ""
            warning.warn_unbounded_loss("interval", remedy)
        if not holds_level and units.are_few:
            drawing.warn_few_units("the interval is set to NaN")
            return interval(np.nan, np.nan)
        if method == "exact":
            low, high = finite_sample.exact_interval(sample, level)
        elif method == "concentration":
            low, high = finite_sample.concentration_interval(sample, level, bound)
        elif method == "fieller":
            low, high, *_ = fieller_interval(sample, level, units)
        else:
            low, high, *_ = bootstrap_advantage(sample, units, DrawSettings(level, n_resamples, random_state))
    if np.isnan(low):  # no mistake costs anything
        validation.warn_undefined_advantage("the interval is set to NaN")
    return interval(low, high)


def bootstrap_advantage(sample: loss_types.LossSample, units: Units, draws: DrawSettings) -> Bounds:
    """Bound the Prediction Advantage under any loss; the marginal prediction must have a risk."""
    loss = sample.loss
    if isinstance(loss, loss_types.LabelLoss):
        k, known_class = len(loss.classes), sample.known_class
        if loss.cost is None:
            cells = DrawnCells.from_predictions(sample.truth, sample.prediction, k, units)
            return bound_advantage(cells, draws, known_class)
        constants = np.arange(k) if known_class is None else np.array([known_class])
        cells, classes, (lost,) = find_loss_cells(sample, [sample.losses], units)
        return _bound_over_constants(cells, classes, lost, constants, loss, draws)
    # All resamples keep the sample's constant, as choosing it again would count the optimism of hindsight twice.
    lost, lost_by_constant = (
        units.sum_by_unit(sample.losses),
        units.sum_by_unit(sample.marginal_losses(units.weights)),
    )

    def advantages(drawn: Floats) -> dict[str, Floats]:
        return {"": 1 - (drawn @ lost) / (drawn @ lost_by_constant)}

    once = np.ones(len(lost))
    cells = DrawnCells(once, once, None, np.empty(0), (), are_cases=False, are_few=False)
    return drawing.bootstrap_bounds(cells, advantages, draws)[""]


# For losses between classes, a cell has the cases of the same class with the same losses.


def bound_advantage(
    cells: DrawnCells, draws: DrawSettings, known_class: int | None = None, *, exchanged: bool = False
) -> Bounds:
    """Bound the Prediction Advantage under 0/1 loss over the best or a known constant; NaN if it never errs."""
    # For each class in turn, the cells hold the right and the wrong predictions, or the other way round if `exchanged`.
    classes, is_second = np.divmod(np.arange(len(cells.weights)), 2)
    is_wrong = is_second != exchanged
    class_weights, wrong = cells.weights[::2] + cells.weights[1::2], cells.weights[is_wrong]
    constants = np.flatnonzero(class_weights) if known_class is None else np.array([known_class])
    loss = loss_types.LabelLoss(np.arange(len(class_weights)))
    bounds = _bound_over_constants(cells, classes, is_wrong.astype(float), constants, loss, draws)
    if np.isnan(bounds.low) or not cells.are_cases:  # the exact tests need single cases
        return bounds
    return bounds.with_p_values(*sign_p_values(class_weights, wrong, known_class), draws.level)


def _bound_over_constants(
    cells: DrawnCells, classes: Ints, lost: Floats, constants: Ints, loss: loss_types.LabelLoss, draws: DrawSettings
) -> Bounds:
    """Bound the advantage over the best of some constant classes, from the class and the loss of each cell."""

    def advantages(drawn: Floats) -> dict[str, Floats]:
        by_constant = constant_losses(drawn, classes, loss)[:, constants]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"": 1 - (drawn @ lost)[:, None] / by_constant}

    value = float(advantages(cells.weights[None])[""].min())
    if not np.isfinite(value):
        return UNDEFINED_BOUNDS
    # The tail of the upper bound is divided among the constants, as choosing the best one in each resample would count
    # the luck of the choice twice.
    tail, k = (1 - draws.level) / 2, len(constants)

    def bound(drawn: Floats) -> Bounds:
        rank = max(int(tail / k * (len(drawn) + 1) + 1e-9), 1)
        high = float(np.partition(drawn, -rank, axis=0)[-rank].min())
        above = int(np.count_nonzero(drawn >= 0, axis=0).min())
        p_worse = min(k * (1 + above) / (1 + len(drawn)), 1.0)
        if p_worse > tail:  # so few draws cannot show that the model is worse
            high = max(high, 0.0)
        bounds = Bounds.from_draws(drawn.min(axis=1), value, draws.level)
        return bounds._replace(high=max(high, value), p_worse=p_worse if value < 0 else max(p_worse, 0.5))

    return Bounds.furthest([bound(drawn[""]) for drawn in drawing.resample_statistics(cells, advantages, draws)])


def constant_losses(drawn: Floats, classes: Ints, loss: loss_types.LabelLoss) -> Floats:
    """Return the loss of each constant class in each resample, from the drawn weights and the classes of the cells."""
    n, k = len(classes), len(loss.classes)
    class_weights = np.asarray(drawn @ csr_array((np.ones(n), (np.arange(n), classes)), (n, k)))
    if loss.cost is None:
        return np.asarray(class_weights.sum(axis=1, keepdims=True) - class_weights)
    return np.asarray(class_weights @ loss.cost.T)


class LossCells(NamedTuple):
    """Cells of cases with equal class and losses: the classes, and the losses, of shape (n_models, n_cells)."""

    cells: DrawnCells
    classes: Ints
    losses: Floats


def find_loss_cells(sample: loss_types.LossSample, losses: list[Floats], units: Units) -> LossCells:
    """Group the cases of equal class and equal losses, of one model or of two, into cells, and return the cells."""
    loss, n = sample.loss, units.n
    assert isinstance(loss, loss_types.LabelLoss)
    k = len(loss.classes)
    class_weights, *sums = (
        np.bincount(sample.truth, weights=units.case_weights * values, minlength=k) for values in (np.ones(n), *losses)
    )
    order = np.lexsort([class_weights, *sums])  # an order of the classes that does not depend on their names
    rank, present = np.argsort(order), order[class_weights[order] > 0]
    right, wrong = np.zeros(k), np.ones(k)  # the losses of imaginary cases
    if loss.cost is not None:
        right = loss.cost.diagonal()
        wrong = (loss.cost.sum(axis=0) - right) / max(k - 1, 1)
    # An adverse case is right for the second model.
    adverse, favourable = [wrong, right][: len(losses)], [right, wrong][: len(losses)]
    rows = [np.column_stack([rank[sample.truth], *losses])]
    for lost in (adverse, favourable):
        rows.append(np.column_stack([rank[present], *(values[present] for values in lost)]))
    alike = pd.DataFrame(np.concatenate(rows)).groupby(list(range(1 + len(losses))))
    kinds, numbers = alike.size().index.to_frame().to_numpy(), alike.ngroup().to_numpy()
    case_cells, adverse_cells, favourable_cells = np.split(numbers, [n, n + len(present)])
    prior_weights = np.full(len(present), drawing.prior_weight(len(present), len(losses)))
    added = Imaginary(present, prior_weights, [adverse_cells], [favourable_cells])
    cells = DrawnCells.from_cases([case_cells], len(kinds), sample.truth, added, units)
    return LossCells(cells, order[kinds[:, 0].astype(np.intp)], kinds[:, 1:].T)
