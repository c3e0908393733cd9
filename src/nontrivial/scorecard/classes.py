"""Several classes: each against the rest, and the measures of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import Named
from nontrivial.measures.bootstrap import Cells
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.estimates import LEVEL, Estimate, drawn_measures, with_bounds
from nontrivial.scorecard.verdicts import judge_cells

ROW_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")


@dataclass(frozen=True)
class ClassRow:
    """One class against the rest.

    Attributes
    ----------
    label : str
    cases, predicted : int, or float with weights
        The cases of the class, and the cases predicted to be of it.
    measures : dict of str to float
        ``precision, recall, specificity, f_beta`` (F1) and ``p4``, with the class as positive.
    advantage : Estimate
        Prediction Advantage, with its interval.
    p_value : float in [0, 1]
        For the hypothesis that the predictions are no better than trivial at telling the class from the rest.
    areas : dict of str to float
        The areas under the curves of the class's probabilities, as `curve_areas` names them; empty without these.
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
    weights: Floats | None = None,
    groups: Ints | None = None,
    areas: Sequence[dict[str, float]] | None = None,
) -> tuple[ClassRow, ...]:
    """Set each class against the rest.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        The places of the true and of the predicted labels, of which those of the classes come first.
    names : sequence of str
        The true classes, in the order of their places.
    weights : ndarray of shape (n,) or None
    groups : int array of shape (n,) or None
        The group of each case.
    areas : sequence of dict, optional
        The areas under the curves of each class.
    """
    right = truth == prediction
    cases, predicted, hits = (
        np.bincount(places, weights=mass, minlength=len(names))[: len(names)]
        for places, mass in (
            (truth, weights),
            (prediction, weights),
            (truth[right], None if weights is None else weights[right]),
        )
    )
    n = len(truth) if weights is None else weights.sum()
    fp, fn = np.maximum(predicted - hits, 0), np.maximum(cases - hits, 0)
    tables = confusion_measures(tp=hits, fp=fp, fn=fn, tn=np.maximum(n - hits - fp - fn, 0))
    if weights is None and groups is None:
        of_two = np.column_stack([n - cases - fp, fp, hits, fn]).astype(np.float64)
        judged = [judge_cells(Cells(each)) for each in of_two]
    else:
        sides = [(truth == place, prediction == place) for place in range(len(names))]
        judged = [judge_cells(Cells.of_predictions(*side, 2, weights, groups)) for side in sides]
    advantages, p_values = [each[0] for each in judged], [each[1].p_better for each in judged]
    measures = tables[list(ROW_MEASURES)].to_dict("records", into=Named)
    counts = [cases.tolist(), predicted.tolist()]
    return tuple(map(ClassRow, names, *counts, measures, advantages, p_values, areas or [{}] * len(names)))


def estimate_classes(
    truth: Ints, prediction: Ints, n_classes: int, weights: Floats | None = None, groups: Ints | None = None
) -> dict[str, Estimate]:
    """Return the measures of predictions of several classes, with intervals.

    As for two classes, accuracy and the error rate have the exact bounds of a proportion, without weights and groups;
    for the others the shares of the cells are drawn with one more error of each class, for the one bound, and with one
    more hit, for the other. The errors are such that each class is predicted once more, too.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        The places of the true and of the predicted labels.
    n_classes : int
        How many of the places are those of true classes. A prediction may be another label, too; it is wrong, and no
        class of its own.
    weights : ndarray of shape (n,) or None
    groups : int array of shape (n,) or None
        The group of each case.

    Returns
    -------
    dict of str to Estimate
        ``accuracy, error_rate, balanced_accuracy`` (the mean recall of the classes), ``macro_precision, macro_f1,
        macro_p4`` (means over the classes), ``cohen_kappa`` and ``matthews_corrcoef`` of all classes. NaN where a
        mean holds one, such as the precision of a class that is never predicted.
    """
    n_labels = max(n_classes, int(prediction.max()) + 1)
    classes = np.arange(n_classes)
    # The cells of one more case of each class, right or taken for the next one, are there if no case is in them.
    more = [classes * n_labels + np.roll(classes, 1), classes * n_labels + classes]
    pairs = truth.astype(np.int64) * n_labels + prediction
    found = np.unique(pairs)
    occupied = np.unique(np.concatenate([found, *more]))
    actual, predicted = np.divmod(occupied, n_labels)
    cells = Cells.of_cases(np.searchsorted(occupied, pairs), len(occupied), weights, groups)

    def measures(drawn: Floats) -> dict[str, Floats]:
        return _measures(drawn, actual, predicted, n_classes, n_labels)

    values = {name: float(value[0]) for name, value in measures(cells.weights[None].copy()).items()}
    drawn = [drawn_measures(cells, np.searchsorted(occupied, places), measures) for places in more]
    estimates = with_bounds(values, drawn, cells)
    if cells.of_units is None:
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
    tables = confusion_measures(tp, fp, fn, np.maximum(np.repeat(n, n_classes) - tp - fp - fn, 0))

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
