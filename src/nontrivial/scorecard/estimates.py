"""Estimates with their intervals: measures, areas, losses, and classes against the rest."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import (
    CONFIDENCE_LEVEL,
    MIN_UNITS,
    Cells,
    Draws,
    Imaginary,
    Units,
    bound_draws,
    imaginary_predictions,
)
from nontrivial._warnings import Assumption, assumption_of
from nontrivial.curves.areas import CURVE_AREAS, curve_areas
from nontrivial.curves.bootstrap import bootstrap_curve_areas, bootstrap_mean_areas
from nontrivial.measures.catalogue import ConfusionTables
from nontrivial.measures.confusion import MEASURES, as_tables, evaluate
from nontrivial.measures.intervals import (
    bound_advantage,
    clopper_pearson,
    confusion_intervals,
    fieller_assumption,
    fieller_interval,
    table_bounds,
)
from nontrivial.measures.losses import resolve
from nontrivial.measures.names import Named
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.result import Result
from nontrivial.terminal import listed

DRAWS = Draws(CONFIDENCE_LEVEL, 2000)
MOST_CLASSES = 100  # whose areas have intervals, which take ten seconds for so many and 10,000 cases
# The cells in the order of `Cells.of_predictions`, of which the negative class is the first.
TABLE = ("tn", "fp", "tp", "fn")
ROW_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")  # of one class against the rest
FEWEST = 10  # of each class; with fewer, the least simulated coverage of a 95 % interval was 45 %
# Cases that must be expected beyond a quantile. With five, coverage was 89 %. With two, 6 % of the samples showed a
# forecast of the true quantile to be worse than trivial.
FEWEST_BEYOND = 10


@dataclass(frozen=True, eq=False)
class Estimate(Result):
    """A value with its interval, and the p-values of "no better" and "no worse" than trivial if it is tested.

    The ends are NaN, and the method is empty, without an interval; `reason` then says why. `assumes` is what the
    interval assumes besides independent cases, as in `AdvantageInterval`.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""
    reason: str = ""
    assumes: Assumption | None = None
    p_better: float = math.nan
    p_worse: float = math.nan


def are_unequal(answers: Any) -> bool:
    """Whether cases may count for more than others, as weights or groups are given; these may be all equal."""
    return not answers.columns.keys().isdisjoint(("weight", "group"))


def few_units(units: Units) -> str:
    """Say that there are too few cases or groups for an interval."""
    if units.are_cases:
        return f"there are fewer than {MIN_UNITS} cases"
    return f"the effective sample size is below {MIN_UNITS} {_unit(units)}s"


def _unit(units: Units) -> str:
    return "case" if units.groups is None else "group"


def with_reasons(
    estimates: Mapping[str, Estimate], answers: Answers, undefined: Callable[[str], str], n_classes: int = 2
) -> Named[Estimate]:
    """Say what intervals assume, and why one is missing; `undefined` says it of a value that is NaN, by its name."""
    no_interval = "it is undefined in too many resamples"
    if answers.units.are_few:
        no_interval = few_units(answers.units)
    elif n_classes > MOST_CLASSES:
        no_interval = f"there are more than {MOST_CLASSES} classes"
    reasoned: Named[Estimate] = Named()
    for name, estimate in estimates.items():
        reason = ""
        if math.isnan(estimate.value):
            reason = undefined(name)
        elif not estimate.method:
            area = CURVE_AREAS.get(name.removeprefix("macro_"))
            reason = (area and area.why_no_interval) or no_interval
        assumes = assumption_of(estimate.method, unequal=are_unequal(answers))
        reasoned[name] = replace(estimate, reason=reason, assumes=assumes)
    return reasoned


def why_undefined(name: str, table: Mapping[str, float]) -> str:
    """Return why a measure of ``tn, fp, tp, fn``, or an area, is undefined."""
    if name == "p4":
        return "every prediction is wrong"
    if name in CURVE_AREAS:
        return CURVE_AREAS[name].why_undefined
    return f"no case is predicted {'negative' if table['tp'] + table['fp'] else 'positive'}"


def _why_undefined_of_classes(name: str, rows: Sequence[ClassRow]) -> str:
    """Return why a measure of several classes, or a mean of areas, is undefined."""
    of_class = name.removeprefix("macro_")
    if of_class == name:
        return "all cases are predicted to be of the same class"
    lacking = [row.label for row in rows if math.isnan((row.measures | row.areas).get(of_class, 0.0))]
    return f"it is undefined for {listed(lacking) or 'a class that occurs in no case'}"


def advantage_of_labels(cells: Cells, *, unequal: bool) -> Estimate:
    """Return the Prediction Advantage of labels, and the p-values that agree with its interval."""
    # The cells are, of each class in turn, the cases predicted rightly and those predicted wrongly.
    wrong = cells.weights[1::2]
    of_class = cells.weights[::2] + wrong
    trivial = of_class.sum() - of_class.max()
    value = float((trivial - wrong.sum()) / trivial) if trivial else math.nan
    # Where all weight is in one class, as when a class with no weight is set against the rest, nothing is drawn.
    if not trivial or (cells.are_few and not cells.are_cases):
        return Estimate(value)
    bounds = bound_advantage(cells, DRAWS)
    tested = Estimate(value, p_better=bounds.p_better, p_worse=bounds.p_worse)
    if cells.are_few:
        return tested
    assumes = assumption_of("bootstrap", unequal=unequal)
    return replace(tested, low=bounds.low, high=bounds.high, method="bootstrap", assumes=assumes)


def estimate_two(
    predictions: Predictions, cells: Cells, advantage: Estimate
) -> tuple[Named[Estimate], Named[Estimate]]:
    """Return every measure, and every area, of the positive class and the rest."""
    units, table = predictions.units, dict(zip(TABLE, cells.weights.tolist(), strict=True))
    if cells.are_cases:
        intervals = confusion_intervals(
            **{name: int(count) for name, count in table.items()}, level=CONFIDENCE_LEVEL
        )
        measures = {str(row.Index): Estimate(*row[1:]) for row in intervals.itertuples()}
    else:
        values, bounds = evaluate(as_tables(**table), MEASURES).iloc[0], table_bounds(cells, DRAWS)
        measures = {name: Estimate(float(values[name]), *bounds[name]) for name in MEASURES}
    measures["prediction_advantage"] = advantage
    areas = {}
    if predictions.score is not None:
        how: dict[str, Any] = {
            "sample_weight": units.weights,
            "groups": units.groups,
            "level": CONFIDENCE_LEVEL,
        }
        with warnings.catch_warnings(action="ignore"):  # the card says itself which are undefined
            areas = estimates_of(bootstrap_curve_areas(predictions.truth, predictions.score, **how))
    why = partial(why_undefined, table=table)
    return with_reasons(measures, predictions, why), with_reasons(areas, predictions, why)


def estimates_of(areas: pd.DataFrame) -> dict[str, Estimate]:
    """Return the columns of a table of areas of resamples."""
    estimates = {}
    for name, column in areas.items():
        value, low, high = map(float, column[["estimate", "low", "high"]])
        bounds = (low, high, areas.attrs["method"]) if column["resamples"] else ()
        estimates[str(name)] = Estimate(value, *bounds)
    return estimates


@dataclass(frozen=True, eq=False)
class ClassRow(Result):
    """One class against the rest: its cases, the cases predicted to be of it, `ROW_MEASURES` and areas.

    The p-value is for the hypothesis that the predictions are no better than trivial at telling the class from the
    rest.
    """

    label: str
    cases: float
    predicted: float
    measures: dict[str, float]
    prediction_advantage: Estimate
    p_value: float
    areas: dict[str, float]


def estimate_several(
    predictions: Predictions, advantage: Estimate
) -> tuple[tuple[ClassRow, ...], Named[Estimate], Named[Estimate]]:
    """Return a row for each class, the measures of all classes, and the means of their areas."""
    truth, probabilities, units = predictions.truth, predictions.probabilities, predictions.units
    k = predictions.n_classes
    areas: dict[str, Estimate] = {}
    of_each: list[dict[str, float]] = [{}] * k
    if probabilities is not None:
        with warnings.catch_warnings(action="ignore"):
            of_each = [
                curve_areas(truth == place, score, sample_weight=units.weights)
                for place, score in enumerate(
                    probabilities.T
                )  # which may have a column for a class without cases
            ]
        areas = {
            name: Estimate(float(np.mean([of_class[name] for of_class in of_each]))) for name in of_each[0]
        }
        all_have_cases = not math.isnan(areas["roc_auc"].value)
        if all_have_cases and k <= MOST_CLASSES:
            areas = estimates_of(bootstrap_mean_areas(truth, probabilities, units, level=CONFIDENCE_LEVEL))
    rows = []
    for place in range(k):
        cells = Cells.of_predictions(truth == place, predictions.prediction == place, 2, units)
        tn, fp, tp, fn = cells.weights.astype(int if units.weights is None else float).tolist()
        values = evaluate(as_tables(tp, fp, fn, tn), ROW_MEASURES)
        of_class = Named({name: float(values[name].iloc[0]) for name in ROW_MEASURES})
        of_labels = advantage_of_labels(cells, unequal=are_unequal(predictions))
        label, p_value = predictions.labels[place], of_labels.p_better
        rows.append(ClassRow(label, tp + fn, tp + fp, of_class, of_labels, p_value, of_each[place]))
    measures = _estimate_classes(truth, predictions.prediction, k, units)
    measures["prediction_advantage"] = advantage
    means = {f"macro_{name}": estimate for name, estimate in areas.items()}
    why = partial(_why_undefined_of_classes, rows=rows)
    return tuple(rows), with_reasons(measures, predictions, why, k), with_reasons(means, predictions, why, k)


def _estimate_classes(truth: Ints, prediction: Ints, n_classes: int, units: Units) -> dict[str, Estimate]:
    """Return the measures of predictions of several classes, with intervals; a mean with a NaN in it is NaN."""
    # A prediction at or above `n_classes` is wrong, and no class of its own.
    n_labels = max(n_classes, int(prediction.max()) + 1)
    true, wrong, parts = imaginary_predictions(n_classes)
    pairs = [truth.astype(np.int64) * n_labels + prediction, true * n_labels + wrong, true * n_labels + true]
    occupied = np.unique(np.concatenate(pairs))
    actual, predicted = np.divmod(occupied, n_labels)
    places, *imaginary = ([np.searchsorted(occupied, pair)] for pair in pairs)
    cells = Cells.of_cases(places, len(occupied), truth, Imaginary(true, parts, *imaginary), units)

    measures = partial(_measures, actual=actual, predicted=predicted, n_classes=n_classes, n_labels=n_labels)
    values = {name: float(value[0]) for name, value in measures(cells.weights[None]).items()}
    ends: dict[str, tuple[float, float, str]] = {}
    if not cells.are_few:
        for name, bounds in bound_draws(cells, measures, DRAWS).items():
            if not math.isnan(bounds.low):
                ends[name] = bounds.low, bounds.high, "bootstrap"
        if cells.are_cases:  # then the bounds of a proportion are exact
            n, hits = len(truth), int(np.count_nonzero(truth == prediction))
            ends["accuracy"] = (*clopper_pearson(hits, n, CONFIDENCE_LEVEL), "clopper_pearson")
            ends["error_rate"] = (*clopper_pearson(n - hits, n, CONFIDENCE_LEVEL), "clopper_pearson")
    return {name: Estimate(value, *ends.get(name, ())) for name, value in values.items()}


def _measures(
    draws: Floats, actual: Ints, predicted: Ints, n_classes: int, n_labels: int
) -> dict[str, Floats]:
    """Return each measure of matrices of confusion, given as rows of the weights of some cells."""

    def collect(labels: Ints, counted: Mask | float = 1.0) -> Floats:
        """Sum the weights of the counted cells of each label."""
        parts = np.broadcast_to(counted, len(labels)).astype(float)
        member = csr_array((parts, (np.arange(len(labels)), labels)), (len(labels), n_labels))
        return np.asarray(draws @ member)

    hits, cases, guesses = collect(actual, actual == predicted), collect(actual), collect(predicted)
    n = cases.sum(axis=1)
    tp = hits[:, :n_classes].ravel()
    # Rounding may make a 0 negative.
    fp, fn = (np.maximum(sums[:, :n_classes].ravel() - tp, 0) for sums in (guesses, cases))
    tn = np.maximum(np.repeat(n, n_classes) - tp - fp - fn, 0)
    # Drawn weights can be too small for the check of counts.
    of_classes = evaluate(ConfusionTables(tp, fp, fn, tn), ["recall", "precision", "f_beta", "p4"])
    means = of_classes.to_numpy().reshape(-1, n_classes, 4).mean(axis=1)
    names = ("balanced_accuracy", "macro_precision", "macro_f1", "macro_p4")
    right, chance = n * hits.sum(axis=1), (cases * guesses).sum(axis=1)
    spreads = (n**2 - (cases**2).sum(axis=1)) * (n**2 - (guesses**2).sum(axis=1))
    accuracy = hits.sum(axis=1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "accuracy": accuracy,
            "error_rate": 1 - accuracy,
            **dict(zip(names, means.T, strict=True)),
            "cohen_kappa": (right - chance) / (n**2 - chance),
            "matthews_corrcoef": (right - chance) / np.sqrt(spreads),
        }


@dataclass(frozen=True, eq=False)
class LossRow(Result):
    """The mean losses of the predictions and of the best constant, which is given if it is one number.

    The Prediction Advantage under this loss is one minus the quotient of the two means.
    """

    loss: float
    trivial: float
    constant: float | None
    prediction_advantage: Estimate


def losses_of_numbers(forecasts: Forecasts) -> dict[str, LossRow]:
    """Return squared and absolute loss, and the pinball loss of the quantile that is forecast."""
    arrays, quantile, units = (forecasts.truth, forecasts.prediction), forecasts.quantile, forecasts.units
    rows = {loss: _compare_loss(loss, forecasts, *arrays) for loss in ("squared", "absolute")}
    if quantile is not None:
        reason = ""
        if len(units.sizes) * min(quantile, 1 - quantile) < FEWEST_BEYOND:
            reason = f"fewer than {FEWEST_BEYOND} {_unit(units)}s are expected beyond the quantile"
        rows["pinball"] = _compare_loss("pinball", forecasts, *arrays, reason, quantile=quantile)
    return rows


def losses_of_probabilities(predictions: Predictions) -> dict[str, LossRow]:
    """Return squared loss, or Brier score, and cross-entropy, or log loss, of probabilities; of other scores nothing.

    There is no interval if a class has fewer than `FEWEST` cases or groups. Each end supposes one more case, of mean
    weight and any class, with the probabilities of a case that was seen.
    """
    chances, units = predictions.chances, predictions.units
    if chances is None:
        return {}
    reason = ""
    of_classes = [
        units.part(np.flatnonzero(predictions.truth == place)) for place in np.unique(predictions.truth)
    ]
    if min(part.effective_size for part in of_classes) < FEWEST * (1 - 1e-9):
        reason = f"the effective sample size of a class is below {FEWEST} {_unit(units)}s"
        if units.are_cases:
            reason = f"a class has fewer than {FEWEST} cases"
    labels = range(2 if chances.ndim == 1 else chances.shape[1])
    squared = _compare_loss("squared", predictions, predictions.truth_under("squared"), chances, reason)
    places = predictions.truth_under("cross_entropy")
    log_loss = _compare_loss("cross_entropy", predictions, places, chances, reason, labels=labels)
    return {"squared": squared, "cross_entropy": replace(log_loss, constant=squared.constant)}


def _compare_loss(
    loss: str, answers: Answers, truth: Any, predicted: Any, reason: str = "", **options: Any
) -> LossRow:
    """Compare a loss with the loss of the best constant, without interval if there is a reason."""
    case, weights = resolve(loss, truth, predicted, **options), answers.weights
    constant = case.marginal(weights)
    mean, trivial = (
        float(np.average(case.loss.pointwise(case.truth, values), weights=weights))
        for values in (case.prediction, constant)
    )
    value = 1 - mean / trivial if trivial else math.nan
    if not math.isfinite(value):
        reason = "the loss of a case is infinite" if trivial else "the best constant loses nothing"
    elif answers.units.are_few:
        reason = few_units(answers.units)
    advantage = Estimate(value, reason=reason)
    if not reason:
        bounds = fieller_interval(case, CONFIDENCE_LEVEL, answers.units)
        fields = (
            bounds.low,
            bounds.high,
            "fieller",
            "",
            fieller_assumption(case),
            bounds.p_better,
            bounds.p_worse,
        )
        advantage = Estimate(value, *fields)
    return LossRow(mean, trivial, float(constant) if np.ndim(constant) == 0 else None, advantage)
