"""Counts and calibration: tables of mistakes, reliability, net benefit and the top tenth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask, chunks, weight_counts
from nontrivial.labels import are_separable
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.answers import Predictions, are_probabilities
from nontrivial.scorecard.estimates import (
    LEVEL,
    Estimate,
)

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


BINS = 10
NO_ESTIMATE = Estimate(math.nan)
HUNDREDTHS = tuple(hundredth / 100 for hundredth in range(1, 100))
THRESHOLDS = (0.01, 0.02, 0.05, *(tenth / 10 for tenth in range(1, 10)))


@dataclass(frozen=True)
class ReliabilityRow:
    """Cases of similar probabilities.

    Attributes
    ----------
    cases : int
    least, greatest, mean : float in [0, 1]
        The least, the greatest and the mean of their probabilities.
    share : float in [0, 1]
        The share of positives among them.
    low, high : float in [0, 1]
        The ends of the interval of the share; NaN with weights or groups.
    method : str
        The method of the interval; empty without one.
    """

    cases: int
    least: float
    greatest: float
    mean: float
    share: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""


@dataclass(frozen=True)
class NetBenefitRow:
    """The worth of acting from a threshold on: true positives minus weighted false positives, per case.

    Attributes
    ----------
    threshold : float in (0, 1)
    model, everybody : float
        The net benefit of acting by the model and of acting on all cases; acting on nobody is worth 0.
    """

    threshold: float
    model: float
    everybody: float


@dataclass(frozen=True)
class Calibration:
    """Probabilities compared with the cases.

    Attributes
    ----------
    mean, share : float in [0, 1]
        The mean probability, and the share of positives.
    reliability : tuple of ReliabilityRow
        The cases by increasing probability, about the same number in each row.
    net_benefit : tuple of NetBenefitRow
        The decision curve.
    slope : Estimate
        The slope of logistic recalibration, 1 for good probabilities, with Wald's interval.
    no_slope : str
        Why there is no slope; empty if there is one.
    beneficial : tuple of pairs of float
        The ranges of thresholds, in hundredths, at which acting by the model is worth more than acting on all and on
        none.
    """

    mean: float
    share: float
    reliability: tuple[ReliabilityRow, ...]
    net_benefit: tuple[NetBenefitRow, ...]
    slope: Estimate = NO_ESTIMATE
    no_slope: str = ""
    beneficial: tuple[tuple[float, float], ...] = ()


def calibrate(predictions: Predictions) -> Calibration | None:
    """Compare the probabilities of the positive class with the cases; None if there are no probabilities."""
    if predictions.score is None or not are_probabilities(predictions.score):
        return None
    truth, score, weights = predictions.truth, predictions.score, predictions.weights
    exact = weights is None and predictions.groups is None
    # These are order statistics, and so clipped as the scores are.
    edges = np.quantile(score, np.arange(1, BINS) / BINS, method="inverted_cdf")
    rows = _rows(truth, score, weights, np.unique(np.clip(edges, 0, 1)))
    return Calibration(
        mean=min(float(rows.chances.sum() / rows.mass.sum()), 1.0),
        share=min(float(rows.hits.sum() / rows.mass.sum()), 1.0),
        reliability=tuple(_reliability(rows, exact=exact)),
        net_benefit=net_benefits(truth, score, weights, THRESHOLDS),
        beneficial=_beneficial(truth, score, weights),
        **_slope(predictions),
    )


def _beneficial(truth: Mask, score: Floats, weights: Floats | None) -> tuple[tuple[float, float], ...]:
    """Return the first and the last of neighbouring thresholds at which the model beats both trivial answers."""
    rows = net_benefits(truth, score, weights, HUNDREDTHS)
    spans: list[tuple[float, float]] = []
    before = False
    for row in rows:
        now = row.model > max(row.everybody, 0.0) + 1e-12
        if now:
            spans[-1:] = (
                [(spans[-1][0], row.threshold)] if before else [*spans[-1:], (row.threshold, row.threshold)]
            )
        before = now
    return tuple(spans)


def _slope(predictions: Predictions) -> dict[str, Any]:
    """Fit the logit of the truth to the logit of the probabilities by Newton's method."""
    assert predictions.score is not None
    if predictions.weights is not None or predictions.groups is not None:
        return {"no_slope": "cases have weights or groups"}
    truth, score = predictions.truth.astype(float), np.clip(predictions.score, 0, 1)
    if score.min() == 0 or score.max() == 1:
        return {"no_slope": "some probabilities are 0 or 1"}
    if score.min() == score.max():
        return {"no_slope": "all probabilities are equal"}
    if are_separable(score, predictions.truth):
        return {"no_slope": "the probabilities separate the classes"}
    logits = np.column_stack([np.ones(len(score)), np.log(score / (1 - score))])
    fitted = np.array([0.0, 1.0])
    for _ in range(100):
        chances = 1 / (1 + np.exp(-(logits @ fitted)))
        information = (logits * (chances * (1 - chances))[:, None]).T @ logits
        step = np.linalg.lstsq(information, logits.T @ (truth - chances), rcond=None)[0]
        fitted += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            break
    margin = 1.959963984540054 * math.sqrt(np.linalg.pinv(information)[1, 1])
    centre = float(fitted[1])
    return {"slope": Estimate(centre, float(centre - margin), float(centre + margin), "wald")}


def net_benefits(
    truth: Mask, score: Floats, weights: Floats | None, thresholds: tuple[float, ...]
) -> tuple[NetBenefitRow, ...]:
    """Return the decision curve at increasing thresholds."""
    # A case counts from a threshold on; the places of positives come after those of negatives.
    steps = len(thresholds) + 1
    places = np.empty(len(score), dtype=np.int16)
    for part in chunks(len(score)):
        places[part] = np.searchsorted(thresholds, score[part], side="right") + steps * truth[part]
    acted = weight_counts(places, 2 * steps, weights).reshape(2, steps)[:, ::-1].cumsum(axis=1)[:, ::-1]
    n = acted[:, 0].sum()
    rows = []
    for place, threshold in enumerate(thresholds, start=1):
        odds = threshold / (1 - threshold)
        model, everybody = (float(acted[1, at] - acted[0, at] * odds) / n for at in (place, 0))
        rows.append(NetBenefitRow(threshold, float(model), float(everybody)))
    return tuple(rows)


class _Rows(NamedTuple):
    """Sums over the cases of similar probabilities: numbers, weights, probabilities and positives; and the extremes."""

    cases: Floats
    positives: Floats
    mass: Floats
    chances: Floats
    hits: Floats
    least: Floats
    greatest: Floats


def _rows(truth: Mask, score: Floats, weights: Floats | None, edges: Floats) -> _Rows:
    """Divide cases by the greatest probability of each row but the last."""
    sums = np.zeros((5, len(edges) + 1))
    least = np.ones(len(edges) + 1)
    for part in chunks(len(score)):
        chances, hits = np.clip(score[part], 0, 1), truth[part]
        place = np.searchsorted(edges, chances, side="left")
        mass = np.ones(len(place)) if weights is None else weights[part]
        each = (None, hits, mass, mass * chances, mass * hits)
        sums += [np.bincount(place, weights=of_cases, minlength=len(least)) for of_cases in each]
        np.minimum.at(least, place, chances)
    return _Rows._make([*sums, least, np.append(edges, min(score.max(), 1.0))])


def _reliability(rows: _Rows, *, exact: bool) -> list[ReliabilityRow]:
    found = []
    for row in map(_Rows._make, zip(*rows, strict=True)):
        if not row.cases:
            continue
        bounds = clopper_pearson(int(row.positives), int(row.cases), LEVEL) if exact else (math.nan, math.nan)
        found.append(
            ReliabilityRow(
                cases=int(row.cases),
                least=float(row.least),
                greatest=float(row.greatest),
                mean=min(float(row.chances / row.mass), 1.0),
                share=min(float(row.hits / row.mass), 1.0),
                low=bounds[0],
                high=bounds[1],
                method="clopper_pearson" if exact else "",
            )
        )
    return found


@dataclass(frozen=True)
class Top:
    """The tenth of the cases with the highest scores; more or fewer where scores are equal.

    Attributes
    ----------
    cases, positives : int
    """

    cases: int
    positives: int


def find_top(predictions: Predictions) -> Top | None:
    """Count the cases, and the positives among them, that score above nine tenths of all; None without scores."""
    score = predictions.score
    if score is None:
        return None
    edge = np.quantile(score, 1 - 1 / BINS, method="inverted_cdf")
    top = score > edge if (score > edge).any() else score >= edge
    return Top(int(top.sum()), int(predictions.truth[top].sum()))
