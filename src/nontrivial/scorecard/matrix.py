"""The table of counts of several classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nontrivial._arrays import Floats, Ints

MOST_LABELS = 8  # of a table that a terminal can show
MISTAKES = 10


@dataclass(frozen=True)
class Mistake:
    """Cases of one class that are predicted to be of another."""

    truth: str
    predicted: str
    cases: float


@dataclass(frozen=True)
class Confusion:
    """What the cases of each class were predicted to be.

    Attributes
    ----------
    labels : tuple of str
        The true classes in their order, and then the labels that are only predicted.
    counts : tuple of tuples of float
        For each true class, its cases by predicted label, weighted if the cases are; empty for more than `MOST_LABELS`
        labels.
    mistakes : tuple of Mistake
        The most frequent mistakes, at most `MISTAKES`, the most frequent first.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    mistakes: tuple[Mistake, ...]


def count_confusions(
    truth: Ints, prediction: Ints, labels: Sequence[str], n_classes: int, weights: Floats | None = None
) -> Confusion:
    """Count the cases of each class by what they were predicted to be.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        Places of labels.
    labels : sequence of str
    n_classes : int
        How many of them are true classes.
    weights : ndarray of shape (n,) or None

    Examples
    --------
    >>> found = count_confusions(np.array([0, 0, 1]), np.array([0, 1, 1]), ["cat", "dog"], 2)
    >>> found.counts, found.mistakes
    (((1, 1), (0, 1)), (Mistake(truth='cat', predicted='dog', cases=1),))
    """
    cells, places = np.unique(truth.astype(np.int64) * len(labels) + prediction, return_inverse=True)
    cases = np.bincount(places, weights=weights)
    actual, predicted = np.divmod(cells, len(labels))
    counts: tuple[tuple[float, ...], ...] = ()
    if len(labels) <= MOST_LABELS:
        table = np.zeros((n_classes, len(labels)), dtype=cases.dtype)
        table[actual, predicted] = cases
        counts = tuple(map(tuple, table.tolist()))
    wrong = np.flatnonzero(actual != predicted)
    first = wrong[np.argsort(-cases[wrong], kind="stable")][:MISTAKES]
    mistakes = (Mistake(labels[actual[at]], labels[predicted[at]], cases[at].item()) for at in first)
    return Confusion(tuple(labels), counts, tuple(mistakes))
