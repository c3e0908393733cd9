"""Whether the predictions of an archived run can be trusted: what its file says against what the task is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from nontrivial_study.data.openml.predictions_arff import Predictions

_DIGITS = 12


class UnusableRun(ValueError):
    """A run that cannot serve; the message is the part of a sentence that says why.

    Attributes
    ----------
    whole : bool
        Whether its file seems to be all there, so that it is what somebody published, and not what is left of it.
    """

    def __init__(self, problem: str, whole: bool = True) -> None:
        super().__init__(problem)
        self.whole = whole


def check_predictions(
    read: Predictions, truth: np.ndarray, fold: np.ndarray, positive: str
) -> tuple[pd.DataFrame, dict[str, float], list[str]]:
    """Turn the content of a predictions file into the study's form, if it can be trusted.

    Parameters
    ----------
    read : Predictions
    truth : ndarray of str, shape (n_rows,)
    fold : ndarray of int, shape (n_rows,)
    positive : str

    Returns
    -------
    table : DataFrame
        ``row, fold, truth, prediction, score``, a row for each row of the data.
    areas : dict of str to float
        The area under the ROC curve of each class, over all folds together.
    notes : list of str
        What was odd.

    Raises
    ------
    UnusableRun
    """
    # Predictions files do not keep the blanks around a label.
    truth, positive = np.array([label.strip() for label in truth], dtype=object), positive.strip()
    classes = sorted(set(truth))
    rows = len(truth)
    notes = list(read.notes)
    confidences = {name.strip(): values for name, values in read.confidence.items()}
    for label, name in _in_other_letters(classes, confidences).items():
        confidences[label] = confidences.pop(name)
        notes.append(f"the confidences of {name!r} for the class {label!r}")
    missing = [name for name in classes if name not in confidences]
    if missing:
        raise UnusableRun(f"has no confidences for the class {missing[0]!r}")
    if (read.repeat > 0).any():
        raise UnusableRun("has repeats that the task does not have")
    if not np.array_equal(np.sort(read.row_id), np.arange(rows)):
        raise UnusableRun(
            f"predicts {len(read.row_id)} rows, which are not the {rows} of the data set once each",
            whole=len(read.row_id) >= rows,
        )
    order = np.argsort(read.row_id)
    known = ~np.isnan(read.fold[order])
    if not np.array_equal(read.fold[order][known], fold[known]):
        raise UnusableRun("has folds that are not the task's")
    if not known.all():
        notes.append("folds missing, taken from the task")
    confidences = {name: values[order] for name, values in confidences.items() if name in classes}
    scores = np.column_stack(list(confidences.values()))
    if not np.isfinite(scores).all():
        raise UnusableRun("has confidences that are not finite")
    if (scores == 0).all(axis=1).any():
        raise UnusableRun("has rows whose confidences are all zero")
    if (scores < 0).any() or (scores > 1).any():
        notes.append("confidences that are not from 0 to 1")  # margins, which order rows as well
    missing_predictions = np.count_nonzero(read.prediction.codes < 0)
    if missing_predictions:
        raise UnusableRun(f"has no prediction for {missing_predictions} of {rows} rows")
    predicted = np.asarray(read.prediction, dtype=object)[order]
    strange = sorted(set(map(str, predicted)) - set(classes))
    if strange:
        raise UnusableRun(f"predicts the label {strange[0]!r}, which the data set does not have")
    greatest = np.array(list(confidences), dtype=object)[scores.argmax(axis=1)]
    clear = scores.max(axis=1) > scores.min(axis=1)
    against = greatest[clear] != predicted[clear]
    misstated = False
    if read.truth is not None:
        said = np.asarray(read.truth, dtype=object)[order]
        misstated = bool((said != truth)[~pd.isna(said)].any())
    if np.array_equal(predicted, truth) and (misstated or against.any()):
        raise UnusableRun("has prediction and truth swapped")
    if misstated:
        raise UnusableRun("has a truth that is not the data set's")
    if against.any() and against.mean() > 0.5:
        raise UnusableRun("has predictions that contradict its own confidences")
    if np.isin(scores, (0, 1)).all():
        notes.append("confidences of 0 and 1 alone")
    table = pd.DataFrame(
        {
            "row": np.arange(rows),
            "fold": fold.astype(np.int8),
            "truth": truth == positive,
            "prediction": predicted == positive,
            "score": confidences[positive],
        }
    )
    areas = {
        name: round(_area_under_roc(truth == name, values), _DIGITS) for name, values in confidences.items()
    }
    return table, areas, notes


def _in_other_letters(classes: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """Return the names that are those of classes but for capitals, where only one class and one name can be meant.

    Examples
    --------
    >>> _in_other_letters(["no", "yes"], ["NO", "yes"])
    {'no': 'NO'}
    >>> _in_other_letters(["no", "yes"], ["NO", "No", "yes"]), _in_other_letters(["a", "A"], ["A"])
    ({}, {})
    """
    labels, names = list(classes), list(names)
    counts = Counter(map(str.casefold, labels)), Counter(map(str.casefold, names))
    found = {name.casefold(): name for name in names}
    return {
        label: found[label.casefold()]
        for label in labels
        if label not in names and all(count[label.casefold()] == 1 for count in counts)
    }


def _area_under_roc(positive: np.ndarray, score: np.ndarray) -> float:
    """Return the area from the sum of the positives' ranks: an archive has tens of thousands of files to check."""
    count = np.count_nonzero(positive)
    above = rankdata(score)[positive].sum() - count * (count + 1) / 2
    return float(above / (count * (len(score) - count)))
