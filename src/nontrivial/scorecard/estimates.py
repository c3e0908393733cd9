"""Estimates with their intervals: measures, areas, losses, the verdict, and classes against the rest."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import FEWEST as FEWEST_UNITS
from nontrivial._draws import (
    Cells,
    Draws,
    Units,
    bound_draws,
    imaginary_predictions,
)
from nontrivial._validation import Named
from nontrivial._warnings import Assumption, TestAssumption
from nontrivial.curves.areas import curve_areas
from nontrivial.curves.bootstrap import bootstrap_curve_areas, bootstrap_mean_areas
from nontrivial.measures.confusion import MEASURES, Tables, as_tables, confusion_measures, evaluate
from nontrivial.measures.intervals import (
    bound_advantage,
    clopper_pearson,
    confusion_intervals,
    fieller_assumption,
    fieller_interval,
    table_bounds,
)
from nontrivial.measures.losses import resolve
from nontrivial.measures.sign_verdict import SignVerdict, cases_needed, verdict_of
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions

# Estimates with their intervals.


LEVEL = 0.95
RESAMPLES = 2000
# The cells in the order of `Cells.of_predictions`, of which the negative class is the first.
TABLE = ("tn", "fp", "tp", "fn")


class Estimate(NamedTuple):
    """A value with the ends of its interval and the method behind them.

    The method is ``clopper_pearson``, ``bootstrap`` or ``fieller``; empty where there is no interval, whose
    ends are then NaN.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""


def estimate_table(cells: Cells, advantage: Estimate) -> dict[str, Estimate]:
    """Return every measure of ``tn, fp, tp, fn`` with its interval; that of the advantage is the verdict's."""
    table = dict(zip(TABLE, cells.weights.tolist(), strict=True))
    if cells.are_cases:
        counts = {name: int(count) for name, count in table.items()}
        found = confusion_intervals(**counts, level=LEVEL)
        return {str(row.Index): Estimate(*row[1:]) for row in found.itertuples()}

    values = evaluate(as_tables(**table), MEASURES).iloc[0]
    bounds = table_bounds(cells, Draws(LEVEL, RESAMPLES))
    estimates = {name: Estimate(float(values[name]), *bounds[name]) for name in MEASURES}
    estimates["prediction_advantage"] = advantage
    return estimates


# Areas under the curves of scores, and their means over classes, with intervals.


MOST_CLASSES = 100  # that have intervals, which take ten seconds for so many and 10,000 cases


def estimate_areas(truth: Mask, score: Floats, units: Units) -> dict[str, Estimate]:
    """Return the areas of one ranking; without intervals if too few resamples have the area, or units are too few."""
    with warnings.catch_warnings(action="ignore"):  # the card says itself which are undefined
        if units.are_few:
            areas = curve_areas(truth, score, sample_weight=units.weights)
            return {name: Estimate(value) for name, value in areas.items()}
        how: dict[str, Any] = {"sample_weight": units.weights, "groups": units.groups}
        return _estimates(bootstrap_curve_areas(truth, score, level=LEVEL, **how))


def areas_of_classes(predictions: Predictions) -> list[dict[str, float]]:
    """Return the areas of each class against the rest, NaN for a class without cases; nothing without scores."""
    said = predictions.probabilities
    if said is None:
        return [{}] * predictions.n_classes
    with warnings.catch_warnings(action="ignore"):
        return [
            curve_areas(predictions.truth == place, score, sample_weight=predictions.weights)
            for place, score in enumerate(said.T)
        ]


def macro_areas(predictions: Predictions, of_classes: Sequence[dict[str, float]]) -> dict[str, Estimate]:
    """Return the means over the classes, without an interval where `estimate_areas` has none, or for many classes."""
    said = predictions.probabilities
    if said is None:
        return {}
    found = {name: Estimate(float(np.mean([areas[name] for areas in of_classes]))) for name in of_classes[0]}
    all_have_cases = not math.isnan(found["roc_auc"].value)
    if len(of_classes) <= MOST_CLASSES and all_have_cases and not predictions.units.are_few:
        found = _estimates(bootstrap_mean_areas(predictions.truth, said, predictions.units, level=LEVEL))
    return {f"macro_{name}": estimate for name, estimate in found.items()}


def _estimates(table: pd.DataFrame) -> dict[str, Estimate]:
    found = {}
    for name, column in table.items():
        value, low, high = map(float, column[["estimate", "low", "high"]])
        bounds = (low, high, table.attrs["method"]) if column["resamples"] else ()
        found[str(name)] = Estimate(value, *bounds)
    return found


# The losses of predicted numbers and of probabilities, beside those of the best constant.


FEWEST = 10  # of each class; with fewer, the least simulated coverage of a 95 % interval was 45 %
# Cases that must be expected beyond a quantile. With five, coverage was 89 %. With two, 6 % of the samples showed a
# forecast of the true quantile to be worse than trivial.
FEWEST_BEYOND = 10


def few_units(units: Units) -> str:
    """Say that there are too few cases or groups for an interval."""
    if units.are_cases:
        return f"there are fewer than {FEWEST_UNITS} cases"
    return (
        f"the effective sample size is below {FEWEST_UNITS} {'cases' if units.groups is None else 'groups'}"
    )


@dataclass(frozen=True)
class LossRow:
    """The mean loss of the predictions, beside that of the best constant, which is given if it is one number.

    Attributes
    ----------
    advantage : Estimate
        The Prediction Advantage under this loss: one minus the quotient of the two means.
    no_interval : str
        Why the advantage has no interval, or is undefined; empty if it has one.
    assumes : {"no_rare_loss", "one_worst_case"} or None
        What the interval assumes besides independent cases, as in `AdvantageInterval`; None without one.
    p_better, p_worse : float in [0, 1]
        P-values that agree with the interval; NaN without one.
    """

    name: str
    loss: float
    trivial: float
    constant: float | None
    advantage: Estimate
    no_interval: str = ""
    assumes: Assumption | None = None
    p_better: float = np.nan
    p_worse: float = np.nan


def losses_of_numbers(forecasts: Forecasts) -> tuple[LossRow, ...]:
    """Return squared and absolute loss, and the pinball loss of the quantile that is forecast."""
    quantile, said = forecasts.quantile, (forecasts.truth, forecasts.prediction)
    rows = [_row(loss, forecasts, *said) for loss in ("squared", "absolute")]
    if quantile is not None:
        reason = ""
        if few_beyond_quantile(quantile, len(forecasts.truth), forecasts.groups):
            unit = "case" if forecasts.groups is None else "group"
            reason = f"fewer than {FEWEST_BEYOND} {unit}s are expected beyond the quantile"
        rows.append(_row("pinball", forecasts, *said, reason, quantile=quantile))
    return tuple(rows)


def few_beyond_quantile(quantile: float | None, n: int, groups: Ints | None) -> bool:
    """Tell whether few of n cases, or of their groups, are expected beyond a quantile, if one is forecast."""
    if quantile is None:
        return False
    n_units = n if groups is None else len(np.unique(groups))
    return n_units * min(quantile, 1 - quantile) < FEWEST_BEYOND


def losses_of_probabilities(predictions: Predictions) -> tuple[LossRow, ...]:
    """Return squared loss, or Brier score, and cross-entropy, or log loss, of probabilities; of other scores nothing.

    There is no interval if a class has fewer than `FEWEST` cases or groups. The lower bounds assume one more case, of
    mean weight, for which the most confident of the probabilities is wrong. That no such case was seen proves little.
    """
    said = predictions.chances
    if said is None:
        return ()
    reason, truth = _few_of_a_class(predictions), predictions.truth.astype(np.intp)
    k = 2 if said.ndim == 1 else said.shape[1]
    squared = _row("squared", predictions, truth if said.ndim == 1 else np.eye(k)[truth], said, reason)
    log_loss = _row("cross_entropy", predictions, truth, said, reason, labels=range(k))
    return squared, replace(log_loss, constant=squared.constant)


def _few_of_a_class(predictions: Predictions) -> str:
    """Say that a class has too few cases or groups to support an interval alone; nothing if none has."""
    weights, groups = predictions.weights, predictions.groups
    for cases in (predictions.truth == place for place in np.unique(predictions.truth)):
        of_class = None if groups is None else np.unique(groups[cases], return_inverse=True)[1]
        mass = None if weights is None else weights[cases]
        if Units(int(np.count_nonzero(cases)), mass, of_class).effective_size < FEWEST * (1 - 1e-9):
            if weights is None and groups is None:
                return f"a class has fewer than {FEWEST} cases"
            unit = "case" if groups is None else "group"
            return f"the effective sample size of a class is below {FEWEST} {unit}s"
    return ""


def _row(loss: str, answers: Answers, truth: Any, said: Any, reason: str = "", **options: Any) -> LossRow:
    """Compare a loss with that of the best constant, without interval if there is a reason."""
    case, weights = resolve(loss, truth, said, **options), answers.weights
    constant = case.marginal(weights)
    mean, trivial = (
        float(np.average(case.loss.pointwise(case.truth, each), weights=weights))
        for each in (case.prediction, constant)
    )
    value = 1 - mean / trivial if trivial else math.nan
    one = float(constant) if np.ndim(constant) == 0 else None
    if not math.isfinite(value):
        reason = "the loss of a case is infinite" if trivial else "the best constant loses nothing"
    elif answers.units.are_few:
        reason = few_units(answers.units)
    if reason:
        return LossRow(loss, mean, trivial, one, Estimate(value), reason)
    found = fieller_interval(case, LEVEL, answers.units)
    advantage = Estimate(value, found.low, found.high, "fieller")
    p_values = found.p_better, found.p_worse
    return LossRow(loss, mean, trivial, one, advantage, "", fieller_assumption(case), *p_values)


# Whether predictions are better than every constant guess: the Prediction Advantage and the verdict, by one method.


# What each test assumes besides independent cases.
ASSUMED: dict[str, TestAssumption | None] = {
    "sign": None,
    "bootstrap": "alike_mistakes",
    "paired_t": "no_rare_loss",
}


def judge_cells(cells: Cells) -> tuple[Estimate, SignVerdict, str]:
    """Return the Prediction Advantage with its interval, the verdict, and the name of the test.

    The cells are, of each class in turn, the cases predicted rightly and those predicted wrongly.
    """
    wrong = cells.weights[1::2]
    of_class = cells.weights[::2] + wrong
    trivial = of_class.sum() - of_class.max()
    value = float(1 - wrong.sum() / trivial) if trivial else np.nan
    # Where all weight is in one class, as when a class with no weight is set against the rest, nothing is drawn.
    if not trivial or (cells.are_few and not cells.are_cases):
        return Estimate(value), SignVerdict("inconclusive", np.nan, np.nan, None), "bootstrap"
    found = bound_advantage(cells, Draws(LEVEL, RESAMPLES))
    verdict = verdict_of(found.p_better, found.p_worse)
    needed = cases_needed(verdict, of_class, wrong) if cells.are_cases else None
    ends_of = () if cells.are_few else (found.low, found.high, "bootstrap")
    return (
        Estimate(value, *ends_of),
        SignVerdict(verdict, found.p_better, found.p_worse, needed),
        "sign" if cells.are_cases else "bootstrap",
    )


# Several classes: each against the rest, and the measures of all of them.


ROW_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")


@dataclass(frozen=True)
class ClassRow:
    """One class against the rest: its cases, the cases predicted to be of it, `ROW_MEASURES` and areas.

    The p-value is for the hypothesis that the predictions are no better than trivial at telling the class from the
    rest.
    """

    label: str
    cases: float
    predicted: float
    measures: dict[str, float]
    advantage: Estimate
    p_value: float
    areas: dict[str, float]


def class_rows(
    truth: Ints,
    prediction: Ints,
    names: Sequence[str],
    units: Units,
    areas: Sequence[dict[str, float]] = (),
) -> tuple[ClassRow, ...]:
    """Set each class, by its place in `names`, against the rest; `areas` are those of its scores."""
    cells = [
        Cells.of_predictions(truth == place, prediction == place, 2, units) for place in range(len(names))
    ]
    tables = np.array([each.weights for each in cells]).astype(int if units.weights is None else float)
    tn, fp, tp, fn = tables.T
    measures = confusion_measures(tp=tp, fp=fp, fn=fn, tn=tn)[list(ROW_MEASURES)].to_dict(
        "records", into=Named
    )
    judged = [judge_cells(each) for each in cells]
    advantages, p_values = [each[0] for each in judged], [each[1].p_better for each in judged]
    counts = (tp + fn).tolist(), (tp + fp).tolist()
    return tuple(map(ClassRow, names, *counts, measures, advantages, p_values, areas or [{}] * len(names)))


def estimate_classes(truth: Ints, prediction: Ints, n_classes: int, units: Units) -> dict[str, Estimate]:
    """Return the measures of predictions of several classes, with intervals.

    As for two classes, accuracy and the error rate have the exact bounds of a proportion, without weights and groups;
    the others have those of the Bayesian bootstrap. A prediction at or above `n_classes` is wrong, and no class of its
    own. A mean over the classes is NaN where it holds one, such as the precision of a class that is never predicted.
    """
    n_labels = max(n_classes, int(prediction.max()) + 1)
    true, said, parts = imaginary_predictions(n_classes)
    pairs, imaginary = truth.astype(np.int64) * n_labels + prediction, true * n_labels + said
    occupied = np.unique(np.concatenate([pairs, imaginary]))
    actual, predicted = np.divmod(occupied, n_labels)
    places = [np.searchsorted(occupied, each) for each in (pairs, imaginary)]
    cells = Cells.of_cases([places[0]], len(occupied), [places[1]], parts, (truth, true), units)

    def measures(drawn: Floats) -> dict[str, Floats]:
        return _measures(drawn, actual, predicted, n_classes, n_labels)

    values = {name: float(value[0]) for name, value in measures(cells.weights[None]).items()}
    if cells.are_few:
        return {name: Estimate(value) for name, value in values.items()}
    estimates = {}
    for name, each in bound_draws(cells, measures, Draws(LEVEL, RESAMPLES)).items():
        bounds = () if math.isnan(each.low) else (each.low, each.high, "bootstrap")
        estimates[name] = Estimate(values[name], *bounds)
    if cells.are_cases:
        n, hits = len(truth), int(np.count_nonzero(truth == prediction))
        for name, successes in (("accuracy", hits), ("error_rate", n - hits)):
            estimates[name] = Estimate(values[name], *clopper_pearson(successes, n, LEVEL), "clopper_pearson")
    return estimates


def _measures(
    draws: Floats, actual: Ints, predicted: Ints, n_classes: int, n_labels: int
) -> dict[str, Floats]:
    """Return each measure of matrices of confusion, given as rows of the weights of some cells."""

    def collect(cells: Ints, places: Ints) -> Floats:
        member = csr_array((np.ones(len(cells)), (np.arange(len(cells)), places)), (len(cells), n_labels))
        return np.asarray(draws[:, cells] @ member)

    everywhere = np.arange(len(actual))
    diagonal = np.flatnonzero(actual == predicted)
    hits = collect(diagonal, actual[diagonal])
    cases, guesses = collect(everywhere, actual), collect(everywhere, predicted)
    n = cases.sum(axis=1)
    tp = hits[:, :n_classes].ravel()
    # Rounding may make a 0 negative.
    fp, fn = (np.maximum(each[:, :n_classes].ravel() - tp, 0) for each in (guesses, cases))
    tn = np.maximum(np.repeat(n, n_classes) - tp - fp - fn, 0)
    # Drawn weights can be too small for the check of counts.
    tables = evaluate(Tables(tp, fp, fn, tn), ["recall", "precision", "f_beta", "p4"])

    def mean(name: str) -> Floats:
        return np.asarray(tables[name].to_numpy().reshape(-1, n_classes).mean(axis=1))

    right, chance = n * hits.sum(axis=1), (cases * guesses).sum(axis=1)
    spreads = (n**2 - (cases**2).sum(axis=1)) * (n**2 - (guesses**2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "accuracy": hits.sum(axis=1) / n,
            "error_rate": 1 - hits.sum(axis=1) / n,
            "balanced_accuracy": mean("recall"),
            "macro_precision": mean("precision"),
            "macro_f1": mean("f_beta"),
            "macro_p4": mean("p4"),
            "cohen_kappa": (right - chance) / (n**2 - chance),
            "matthews_corrcoef": (right - chance) / np.sqrt(spreads),
        }
