"""The measures and areas of predicted classes with their intervals: of a positive class, or of several classes."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

import nontrivial.measures.confusion as confusion
import nontrivial.measures.intervals as intervals
from nontrivial import _draws as draws
from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import CONFIDENCE_LEVEL, DrawnCells
from nontrivial._warnings import interval_assumption
from nontrivial.curves.areas import CURVE_AREAS, curve_areas
from nontrivial.curves.bootstrap import bootstrap_curve_areas, bootstrap_mean_areas
from nontrivial.measures.catalogue import AliasedDict, ConfusionTables
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates import estimate as estimating
from nontrivial.scorecard.estimates.estimate import INTERVAL_DRAWS, Estimate
from nontrivial.scorecard.result import Result
from nontrivial.terminal import listed

# The cells of the table in the order of `DrawnCells.from_predictions`, which begins with the negative class.
CELL_NAMES = ("tn", "fp", "tp", "fn")
ONE_CLASS_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")


def estimate_label_advantage(predictions: Predictions, cells: DrawnCells) -> Estimate:
    """Estimate the Prediction Advantage of labels, with p-values that agree with its interval."""
    # For each class in turn, the cells hold the cases predicted rightly and the cases predicted wrongly.
    wrong = cells.weights[1::2]
    class_sizes = cells.weights[::2] + wrong
    trivial_loss = class_sizes.sum() - class_sizes.max()
    value = float((trivial_loss - wrong.sum()) / trivial_loss) if trivial_loss else math.nan
    # If all weight is in one class, as when a class without weight is set against the rest, nothing is drawn.
    if not trivial_loss or (cells.are_few and not cells.are_cases):
        return Estimate(value)
    bounds = intervals.bound_advantage(cells, INTERVAL_DRAWS)
    tested = Estimate(value, p_better=bounds.p_better, p_worse=bounds.p_worse)
    if cells.are_few:
        return tested
    assumes = interval_assumption("bootstrap", unequal=estimating.may_weigh_differently(predictions))
    return replace(tested, low=bounds.low, high=bounds.high, method="bootstrap", assumes=assumes)


def estimate_two_classes(
    predictions: Predictions, cells: DrawnCells
) -> tuple[AliasedDict[Estimate], AliasedDict[Estimate]]:
    """Estimate every measure, and every area, of the positive class against the rest."""
    table = dict(zip(CELL_NAMES, cells.weights.tolist(), strict=True))
    if cells.are_cases:
        counts = {name: int(count) for name, count in table.items()}
        rows = intervals.confusion_intervals(**counts, level=CONFIDENCE_LEVEL).itertuples()
        measures = {str(row.Index): Estimate(*row[1:]) for row in rows}
    else:
        values = confusion.evaluate_measures(confusion.as_tables(**table), confusion.MEASURES).iloc[0]
        bounds = intervals.bootstrap_measures(cells, INTERVAL_DRAWS)
        measures = {name: Estimate(float(values[name]), *bounds[name]) for name in confusion.MEASURES}
    measures["prediction_advantage"] = estimate_label_advantage(predictions, cells)
    areas = {}
    if predictions.score is not None:
        options: dict[str, Any] = {"sample_weight": predictions.weights, "groups": predictions.groups}
        options["level"] = CONFIDENCE_LEVEL
        with warnings.catch_warnings(action="ignore"):  # the reasons of the estimates say what is undefined
            table_of_areas = bootstrap_curve_areas(predictions.truth, predictions.score, **options)
        areas = estimating.estimates_of_areas(table_of_areas)
    explain = partial(why_undefined, table=table)
    measures = estimating.with_reasons(measures, predictions, explain)
    return measures, estimating.with_reasons(areas, predictions, explain)


def why_undefined(name: str, table: Mapping[str, float]) -> str:
    """Return why a measure of ``tn, fp, tp, fn``, or an area, is undefined."""
    if name == "p4":
        return "every prediction is wrong"
    if name in CURVE_AREAS:
        return CURVE_AREAS[name].why_undefined
    return f"no case is predicted {'negative' if table['tp'] + table['fp'] else 'positive'}"


@dataclass(frozen=True, eq=False)
class ClassRow(Result):
    """One class against the rest: the numbers of its cases and of its predictions, `ONE_CLASS_MEASURES` and areas.

    The p-value tests the hypothesis that the predictions separate the class from the rest no better than a constant.
    """

    label: str
    cases: float
    predicted: float
    measures: dict[str, float]
    prediction_advantage: Estimate
    p_value: float
    areas: dict[str, float]


class SeveralClasses(NamedTuple):
    """A row for each class, the measures of all classes together, and the means of their areas."""

    classes: tuple[ClassRow, ...]
    measures: AliasedDict[Estimate]
    areas: AliasedDict[Estimate]


def estimate_several_classes(predictions: Predictions, cells: DrawnCells) -> SeveralClasses:
    """Estimate each class against the rest, the measures of all classes, and the means of their areas."""
    n_classes = predictions.n_classes
    areas_by_class = _areas_by_class(predictions)
    rows = [_class_row(predictions, place, areas_by_class[place]) for place in range(n_classes)]
    measures = _estimate_measures(predictions)
    measures["prediction_advantage"] = estimate_label_advantage(predictions, cells)
    means = {f"macro_{name}": mean for name, mean in _estimate_mean_areas(predictions, areas_by_class).items()}
    explain = partial(_why_undefined_of_classes, rows=rows)
    return SeveralClasses(
        tuple(rows),
        estimating.with_reasons(measures, predictions, explain, n_classes),
        estimating.with_reasons(means, predictions, explain, n_classes),
    )


def _areas_by_class(predictions: Predictions) -> list[dict[str, float]]:
    """Return the areas of each class against the rest; no areas without probabilities."""
    truth, weights, probabilities = predictions.truth, predictions.weights, predictions.probabilities
    if probabilities is None:
        return [{}] * predictions.n_classes
    with warnings.catch_warnings(action="ignore"):
        # A class without cases may have a column of probabilities, too.
        return [
            curve_areas(truth == place, score, sample_weight=weights) for place, score in enumerate(probabilities.T)
        ]


def _estimate_mean_areas(predictions: Predictions, areas_by_class: Sequence[dict[str, float]]) -> dict[str, Estimate]:
    """Estimate the means of areas over the classes; without intervals for many classes, or if a class has no cases."""
    means = {name: float(np.mean([areas[name] for areas in areas_by_class])) for name in areas_by_class[0]}
    is_defined = bool(means) and not math.isnan(means["roc_auc"])
    if is_defined and predictions.n_classes <= estimating.MAX_CLASSES_WITH_INTERVALS:
        probabilities = predictions.probabilities
        assert probabilities is not None
        return estimating.estimates_of_areas(
            bootstrap_mean_areas(predictions.truth, probabilities, predictions.units, level=CONFIDENCE_LEVEL)
        )
    return {name: Estimate(mean) for name, mean in means.items()}


def _class_row(predictions: Predictions, place: int, areas: dict[str, float]) -> ClassRow:
    """Set one class, by its place in the labels, against the rest."""
    units = predictions.units
    cells = DrawnCells.from_predictions(predictions.truth == place, predictions.prediction == place, 2, units)
    tn, fp, tp, fn = cells.weights.astype(int if units.weights is None else float).tolist()
    values = confusion.evaluate_measures(confusion.as_tables(tp, fp, fn, tn), ONE_CLASS_MEASURES)
    measures = AliasedDict({name: float(values[name].iloc[0]) for name in ONE_CLASS_MEASURES})
    advantage = estimate_label_advantage(predictions, cells)
    label = predictions.labels[place]
    return ClassRow(label, tp + fn, tp + fp, measures, advantage, advantage.p_better, areas)


def _why_undefined_of_classes(name: str, rows: Sequence[ClassRow]) -> str:
    """Return why a measure of several classes, or a mean of areas, is undefined."""
    class_measure = name.removeprefix("macro_")
    if class_measure == name:
        return "all cases are predicted to be of the same class"
    lacking = [row.label for row in rows if math.isnan((row.measures | row.areas).get(class_measure, 0.0))]
    return f"it is undefined for {listed(lacking) or 'a class that occurs in no case'}"


def _estimate_measures(predictions: Predictions) -> dict[str, Estimate]:
    """Estimate the measures of all classes together; the mean of measures with a NaN among them is NaN."""
    truth, prediction, n_classes = predictions.truth, predictions.prediction, predictions.n_classes
    # A label at or above `n_classes` is only predicted, so it is wrong and not a class of its own.
    n_labels = max(n_classes, int(prediction.max()) + 1)
    imaginary = draws.imaginary_predictions(n_classes)
    pairs = truth.astype(np.int64) * n_labels + prediction
    adverse_pairs = imaginary.classes * n_labels + imaginary.adverse[0]
    favourable_pairs = imaginary.classes * (n_labels + 1)
    occupied = np.unique(np.concatenate([pairs, adverse_pairs, favourable_pairs]))
    places, adverse, favourable = (
        [np.searchsorted(occupied, cells)] for cells in (pairs, adverse_pairs, favourable_pairs)
    )
    imaginary = imaginary._replace(adverse=adverse, favourable=favourable)
    cells = DrawnCells.from_cases(places, len(occupied), truth, imaginary, predictions.units)
    measures_of_draws = _OccupiedCells(*np.divmod(occupied, n_labels), n_classes, n_labels).measures

    values = {name: float(value[0]) for name, value in measures_of_draws(cells.weights[None]).items()}
    ends: dict[str, tuple[float, float, str]] = {}
    if not cells.are_few:
        for name, bounds in draws.bootstrap_bounds(cells, measures_of_draws, INTERVAL_DRAWS).items():
            if not math.isnan(bounds.low):
                ends[name] = bounds.low, bounds.high, "bootstrap"
        if cells.are_cases:  # the bounds of a proportion of plain cases are exact
            n, hits = len(truth), int(np.count_nonzero(truth == prediction))
            for name, count in (("accuracy", hits), ("error_rate", n - hits)):
                ends[name] = (*intervals.clopper_pearson(count, n, CONFIDENCE_LEVEL), "clopper_pearson")
    return {name: Estimate(value, *ends.get(name, ())) for name, value in values.items()}


class _OccupiedCells(NamedTuple):
    """The true and the predicted label of each cell of a confusion matrix that holds a case."""

    actual: Ints
    predicted: Ints
    n_classes: int
    n_labels: int

    def sum_by_label(self, weights: Floats, labels: Ints, counted: Mask | float = 1.0) -> Floats:
        """Sum the weights of the counted cells that have the same label."""
        is_counted = np.broadcast_to(counted, len(labels)).astype(float)
        indicators = csr_array((is_counted, (np.arange(len(labels)), labels)), (len(labels), self.n_labels))
        return np.asarray(weights @ indicators)

    def measures(self, weights: Floats) -> dict[str, Floats]:
        """Compute each measure of confusion matrices, which are rows of weights of the cells."""
        hits = self.sum_by_label(weights, self.actual, self.actual == self.predicted)
        cases, guesses = self.sum_by_label(weights, self.actual), self.sum_by_label(weights, self.predicted)
        n = cases.sum(axis=1)
        tp = hits[:, : self.n_classes].ravel()
        # Rounding may make a 0 negative.
        fp, fn = (np.maximum(sums[:, : self.n_classes].ravel() - tp, 0) for sums in (guesses, cases))
        tn = np.maximum(np.repeat(n, self.n_classes) - tp - fp - fn, 0)
        # Drawn weights can be too small for the check of counts in `confusion.as_tables`.
        class_measures = confusion.evaluate_measures(
            ConfusionTables(tp, fp, fn, tn), ["recall", "precision", "f_beta", "p4"]
        )
        means = class_measures.to_numpy().reshape(-1, self.n_classes, 4).mean(axis=1)
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
