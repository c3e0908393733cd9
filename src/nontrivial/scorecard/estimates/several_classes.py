"""The measures and areas of several classes with their intervals, and each class against the rest."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import CONFIDENCE_LEVEL, Cells, Imaginary, bound_draws, imaginary_predictions
from nontrivial.curves.areas import curve_areas
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.measures.catalogue import ConfusionTables
from nontrivial.measures.confusion import as_tables, evaluate
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.measures.names import Named
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates.estimate import (
    INTERVAL_DRAWS,
    MAX_CLASSES_WITH_INTERVALS,
    Estimate,
    estimates_of_areas,
    with_reasons,
)
from nontrivial.scorecard.estimates.two_classes import estimate_label_advantage
from nontrivial.scorecard.result import Result
from nontrivial.terminal import listed

ONE_CLASS_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")


@dataclass(frozen=True, eq=False)
class ClassRow(Result):
    """One class against the rest: its cases, the cases predicted to be of it, `ONE_CLASS_MEASURES` and areas.

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


class SeveralClasses(NamedTuple):
    """A row for each class, the measures of all classes together, and the means of their areas."""

    rows: tuple[ClassRow, ...]
    measures: Named[Estimate]
    areas: Named[Estimate]


def estimate_several_classes(predictions: Predictions, cells: Cells) -> SeveralClasses:
    """Estimate each class against the rest, the measures of all classes, and the means of their areas."""
    n_classes = predictions.n_classes
    areas_by_class = _areas_by_class(predictions)
    rows = [_class_row(predictions, place, areas_by_class[place]) for place in range(n_classes)]
    measures = _estimate_measures(predictions)
    measures["prediction_advantage"] = estimate_label_advantage(predictions, cells)
    means = {
        f"macro_{name}": mean for name, mean in _estimate_mean_areas(predictions, areas_by_class).items()
    }
    explain = partial(_why_undefined, rows=rows)
    return SeveralClasses(
        tuple(rows),
        with_reasons(measures, predictions, explain, n_classes),
        with_reasons(means, predictions, explain, n_classes),
    )


def _areas_by_class(predictions: Predictions) -> list[dict[str, float]]:
    """Return the areas of each class against the rest; no areas without probabilities."""
    truth, weights, probabilities = predictions.truth, predictions.weights, predictions.probabilities
    if probabilities is None:
        return [{}] * predictions.n_classes
    with warnings.catch_warnings(action="ignore"):
        # A class without cases may have a column of probabilities, too.
        return [
            curve_areas(truth == place, score, sample_weight=weights)
            for place, score in enumerate(probabilities.T)
        ]


def _estimate_mean_areas(
    predictions: Predictions, areas_by_class: Sequence[dict[str, float]]
) -> dict[str, Estimate]:
    """Estimate the means of areas over the classes; without intervals if a class has no cases, or of many classes."""
    means = {name: float(np.mean([areas[name] for areas in areas_by_class])) for name in areas_by_class[0]}
    is_defined = bool(means) and not math.isnan(means["roc_auc"])
    if is_defined and predictions.n_classes <= MAX_CLASSES_WITH_INTERVALS:
        probabilities = predictions.probabilities
        assert probabilities is not None
        return estimates_of_areas(
            bootstrap_mean_areas(predictions.truth, probabilities, predictions.units, level=CONFIDENCE_LEVEL)
        )
    return {name: Estimate(mean) for name, mean in means.items()}


def _class_row(predictions: Predictions, place: int, areas: dict[str, float]) -> ClassRow:
    """Set one class, by its place in the labels, against the rest."""
    units = predictions.units
    cells = Cells.of_predictions(predictions.truth == place, predictions.prediction == place, 2, units)
    tn, fp, tp, fn = cells.weights.astype(int if units.weights is None else float).tolist()
    values = evaluate(as_tables(tp, fp, fn, tn), ONE_CLASS_MEASURES)
    measures = Named({name: float(values[name].iloc[0]) for name in ONE_CLASS_MEASURES})
    advantage = estimate_label_advantage(predictions, cells)
    label = predictions.labels[place]
    return ClassRow(label, tp + fn, tp + fp, measures, advantage, advantage.p_better, areas)


def _why_undefined(name: str, rows: Sequence[ClassRow]) -> str:
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
    imaginary_truth, wrong, parts = imaginary_predictions(n_classes)
    pairs = truth.astype(np.int64) * n_labels + prediction
    adverse_pairs = imaginary_truth * n_labels + wrong
    favourable_pairs = imaginary_truth * n_labels + imaginary_truth
    occupied = np.unique(np.concatenate([pairs, adverse_pairs, favourable_pairs]))
    places, adverse, favourable = (
        [np.searchsorted(occupied, cells)] for cells in (pairs, adverse_pairs, favourable_pairs)
    )
    imaginary = Imaginary(imaginary_truth, parts, adverse, favourable)
    cells = Cells.of_cases(places, len(occupied), truth, imaginary, predictions.units)
    measures_of_draws = _OccupiedCells(*np.divmod(occupied, n_labels), n_classes, n_labels).measures

    values = {name: float(value[0]) for name, value in measures_of_draws(cells.weights[None]).items()}
    intervals: dict[str, tuple[float, float, str]] = {}
    if not cells.are_few:
        for name, bounds in bound_draws(cells, measures_of_draws, INTERVAL_DRAWS).items():
            if not math.isnan(bounds.low):
                intervals[name] = bounds.low, bounds.high, "bootstrap"
        if cells.are_cases:  # the bounds of a proportion of plain cases are exact
            n, hits = len(truth), int(np.count_nonzero(truth == prediction))
            intervals["accuracy"] = (*clopper_pearson(hits, n, CONFIDENCE_LEVEL), "clopper_pearson")
            intervals["error_rate"] = (*clopper_pearson(n - hits, n, CONFIDENCE_LEVEL), "clopper_pearson")
    return {name: Estimate(value, *intervals.get(name, ())) for name, value in values.items()}


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
        # Drawn weights can be too small for the check of counts in `as_tables`.
        class_measures = evaluate(ConfusionTables(tp, fp, fn, tn), ["recall", "precision", "f_beta", "p4"])
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
