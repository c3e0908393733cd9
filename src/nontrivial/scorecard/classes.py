"""Several classes: each against the rest, and the measures of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.exact import exact_intervals
from nontrivial.measures.triviality import sign_tests
from nontrivial.scorecard.estimates import LEVEL, RESAMPLES, Estimate, percentiles, with_interval
from nontrivial.seeds import generator_for

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
    advantage : (float, float, float)
        Prediction Advantage and the ends of its exact interval.
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
    advantages = zip(tables["prediction_advantage"], *exact_intervals(of_two, wrong, LEVEL), strict=True)
    columns = (
        cases.tolist(),
        predicted.tolist(),
        tables[list(ROW_MEASURES)].to_dict("records"),
        [tuple(map(float, estimate)) for estimate in advantages],
        sign_tests(of_two, wrong).tolist(),
    )
    return tuple(map(ClassRow, names, *columns))


def estimate_classes(truth: Ints, prediction: Ints, n_classes: int) -> dict[str, Estimate]:
    """Return the measures of predictions of several classes, with bootstrap intervals.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        The places of the true and of the predicted labels.
    n_classes : int
        How many of the places are those of true classes. A prediction may be another label, too; it is wrong, and no
        class of its own.

    Returns
    -------
    dict of str to (float, float, float)
        ``accuracy, error_rate, balanced_accuracy`` (the mean recall of the classes), ``macro_precision, macro_f1,
        macro_p4`` (means over the classes), ``cohen_kappa`` and ``matthews_corrcoef`` of all classes. NaN where a
        mean holds one, such as the precision of a class that is never predicted.
    """
    n_labels = max(n_classes, int(prediction.max()) + 1)
    pairs = truth.astype(np.int64) * n_labels + prediction
    cells, counts = np.unique(pairs, return_counts=True)
    actual, predicted = np.divmod(cells, n_labels)

    generator = generator_for("scorecard", "classes")
    parts = []
    for _ in range(0, RESAMPLES, DRAWS_AT_A_TIME):
        draws = generator.multinomial(len(truth), counts / len(truth), size=DRAWS_AT_A_TIME)
        parts.append(_measures(draws, actual, predicted, n_classes, n_labels))
    samples = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    values = _measures(counts[None], actual, predicted, n_classes, n_labels)
    return {name: with_interval(value[0], *percentiles(samples[name])) for name, value in values.items()}


def _measures(draws: Ints, actual: Ints, predicted: Ints, n_classes: int, n_labels: int) -> dict[str, Floats]:
    """Return each measure of matrices of confusion, given as rows of the counts of some cells."""

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
