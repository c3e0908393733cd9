"""Several classes: each against the rest, and the measures of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.confusion_intervals import clopper_pearson, quantiles
from nontrivial.measures.exact import exact_intervals
from nontrivial.measures.triviality import sign_tests
from nontrivial.scorecard.estimates import LEVEL, Estimate
from nontrivial.seeds import generator_for

RESAMPLES = 2000
DRAWS_AT_A_TIME = 100  # few enough that the drawn matrices of a hundred classes stay small
ROW_MEASURES = ("precision", "recall", "specificity", "f_beta", "p4")


@dataclass(frozen=True)
class ClassRow:
    """One class against the rest.

    Attributes
    ----------
    label : str
    cases, predicted : int
        Cases that are of the class, and that are predicted to be.
    measures : dict of str to float
        ``precision, recall, specificity, f_beta`` (F1) and ``p4``, with the class as positive.
    advantage : Estimate
        Prediction Advantage, with its exact interval.
    p_value : float in [0, 1]
        Of the hypothesis that the predictions tell no better than trivially whether a case is of the class.
    """

    label: str
    cases: int
    predicted: int
    measures: dict[str, float]
    advantage: Estimate
    p_value: float


def class_rows(truth: Ints, prediction: Ints, names: Sequence[str]) -> tuple[ClassRow, ...]:
    """Set each class against the rest.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        The places of the true and of the predicted labels, of which those of the classes come first.
    names : sequence of str
        The true classes, in the order of their places.
    """
    cases, predicted = (
        np.bincount(places, minlength=len(names))[: len(names)] for places in (truth, prediction)
    )
    hits = np.bincount(truth[truth == prediction], minlength=len(names))
    fp, fn = predicted - hits, cases - hits
    tables = confusion_measures(tp=hits, fp=fp, fn=fn, tn=len(truth) - hits - fp - fn)
    of_two, wrong = np.column_stack([len(truth) - cases, cases]), np.column_stack([fp, fn])
    bounds = (ends.tolist() for ends in exact_intervals(of_two, wrong, LEVEL))
    advantages = zip(tables["prediction_advantage"].tolist(), *bounds, strict=True)
    columns = (
        cases.tolist(),
        predicted.tolist(),
        tables[list(ROW_MEASURES)].to_dict("records"),
        [Estimate(value, low, high, "exact") for value, low, high in advantages],
        sign_tests(of_two, wrong).tolist(),
    )
    return tuple(map(ClassRow, names, *columns))


def estimate_classes(truth: Ints, prediction: Ints, n_classes: int) -> dict[str, Estimate]:
    """Return the measures of predictions of several classes, with intervals.

    As for two classes, accuracy and the error rate have the exact bounds of a proportion; for the others the shares of
    the cells are drawn with one more error of each class, for the one bound, and with one more hit, for the other. The
    errors are such that each class is predicted once more, too.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        The places of the true and of the predicted labels.
    n_classes : int
        How many of the places are those of true classes. A prediction may be another label, too; it is wrong, and no
        class of its own.

    Returns
    -------
    dict of str to Estimate
        ``accuracy, error_rate, balanced_accuracy`` (the mean recall of the classes), ``macro_precision, macro_f1,
        macro_p4`` (means over the classes), ``cohen_kappa`` and ``matthews_corrcoef`` of all classes. NaN where a
        mean holds one, such as the precision of a class that is never predicted.
    """
    n_labels = max(n_classes, int(prediction.max()) + 1)
    pairs = truth.astype(np.int64) * n_labels + prediction
    cells, counts = np.unique(pairs, return_counts=True)
    actual, predicted = np.divmod(cells, n_labels)

    values = {
        name: float(value[0])
        for name, value in _measures(
            counts[None].astype(np.float64), actual, predicted, n_classes, n_labels
        ).items()
    }
    classes = np.arange(n_classes)
    bounds = [
        _drawn(counts, actual, predicted, classes, more, n_labels) for more in (np.roll(classes, 1), classes)
    ]
    estimates = {
        name: Estimate(
            value,
            min(bounds[0][name][0], bounds[1][name][0]),
            max(bounds[0][name][1], bounds[1][name][1]),
            "bayesian_bootstrap",
        )
        if value == value
        else Estimate(value)
        for name, value in values.items()
    }
    n, hits = len(truth), int(np.count_nonzero(truth == prediction))
    for name, successes in (("accuracy", hits), ("error_rate", n - hits)):
        estimates[name] = Estimate(values[name], *clopper_pearson(successes, n, LEVEL), "clopper_pearson")
    return estimates


def _drawn(
    counts: Ints, actual: Ints, predicted: Ints, classes: Ints, more: Ints, n_labels: int
) -> dict[str, tuple[float, float]]:
    """Return quantiles of each measure, where each class has one more case, which is predicted as `more` says."""
    shape = np.concatenate([counts, np.ones(len(classes))])
    actual, predicted = np.concatenate([actual, classes]), np.concatenate([predicted, more])
    generator = generator_for("scorecard", "classes")
    parts = [
        _measures(
            generator.standard_gamma(shape, size=(DRAWS_AT_A_TIME, len(shape))),
            actual,
            predicted,
            len(classes),
            n_labels,
        )
        for _ in range(0, RESAMPLES, DRAWS_AT_A_TIME)
    ]
    samples = np.column_stack([np.concatenate([part[name] for part in parts]) for name in parts[0]])
    low, high = (quantiles(samples, share) for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return {name: (float(low[i]), float(high[i])) for i, name in enumerate(parts[0])}


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
    fp, fn = guesses[:, :n_classes].ravel() - tp, cases[:, :n_classes].ravel() - tp
    tables = confusion_measures(tp, fp, fn, np.repeat(n, n_classes) - tp - fp - fn)

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
