"""Counts and calibration: tables of mistakes, reliability, net benefit and the top tenth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.labels import are_separable
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import LEVEL, Estimate

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
    """What the cases of each class were predicted to be: the true classes come first, then labels only predicted."""

    labels: tuple[str, ...]
    counts: tuple[
        tuple[float, ...], ...
    ]  # a row for each true class; empty for more than `MOST_LABELS` labels
    mistakes: tuple[Mistake, ...]  # at most `MISTAKES`, the most frequent first


def count_confusions(
    truth: Ints, prediction: Ints, labels: Sequence[str], n_classes: int, weights: Floats | None = None
) -> Confusion:
    """Count the cases of each class, one of the first `n_classes` labels, by what they were predicted to be.

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
    """Cases of similar probabilities: the least, the greatest and the mean of these, and the share of positives.

    The interval of the share has NaN for its ends, and no method, where cases have weights or groups.
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
    """The net benefit of acting from a threshold on, by the model and on all cases: acting on nobody is worth 0.

    Net benefit is the true positives minus the false positives times the odds of the threshold, per case.
    """

    threshold: float
    model: float
    everybody: float


@dataclass(frozen=True)
class Calibration:
    """Probabilities compared with the cases: their mean beside the share of positives, and so by tenths of the cases.

    Attributes
    ----------
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
    chances, truth, weights = predictions.chances, predictions.truth, predictions.weights
    if predictions.score is None or chances is None:
        return None
    rows = net_benefits(truth, chances, weights, HUNDREDTHS)
    return Calibration(
        mean=min(float(np.average(chances, weights=weights)), 1.0),
        share=min(float(np.average(truth, weights=weights)), 1.0),
        reliability=_reliability(
            truth, chances, weights, exact=weights is None and predictions.groups is None
        ),
        net_benefit=tuple(row for row in rows if row.threshold in THRESHOLDS),
        beneficial=_beneficial(rows),
        **_slope(predictions, chances),
    )


def _beneficial(rows: Sequence[NetBenefitRow]) -> tuple[tuple[float, float], ...]:
    """Return the first and the last of neighbouring thresholds at which the model beats both trivial answers."""
    runs = itertools.groupby(rows, key=lambda row: row.model > max(row.everybody, 0.0) + 1e-12)
    spans = [[row.threshold for row in run] for is_better, run in runs if is_better]
    return tuple((span[0], span[-1]) for span in spans)


def _slope(predictions: Predictions, chances: Floats) -> dict[str, Any]:
    """Fit the logit of the truth to the logit of the probabilities by Newton's method."""
    truth = predictions.truth.astype(float)
    separated = are_separable(chances, predictions.truth) or are_separable(-chances, predictions.truth)
    reasons = {
        "cases have weights or groups": predictions.weights is not None or predictions.groups is not None,
        "some probabilities are 0 or 1": chances.min() == 0 or chances.max() == 1,
        "all probabilities are equal": chances.min() == chances.max(),
        "the probabilities separate the classes": separated,
    }
    if any(reasons.values()):
        return {"no_slope": next(reason for reason, holds in reasons.items() if holds)}
    logits = np.column_stack([np.ones(len(chances)), np.log(chances / (1 - chances))])
    fitted = np.array([0.0, 1.0])
    for _ in range(100):
        expected = 1 / (1 + np.exp(-(logits @ fitted)))
        information = (logits * (expected * (1 - expected))[:, None]).T @ logits
        step = np.linalg.lstsq(information, logits.T @ (truth - expected), rcond=None)[0]
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
    edges = [-np.inf, *thresholds, np.inf]  # a case counts from a threshold on
    acted = np.array(
        [
            np.histogram(score[side], edges, weights=None if weights is None else weights[side])[0]
            for side in (~truth, truth)
        ]
    )
    acted = acted[:, ::-1].cumsum(axis=1)[:, ::-1]
    n = acted[:, 0].sum()
    rows = []
    for place, threshold in enumerate(thresholds, start=1):
        odds = threshold / (1 - threshold)
        model, everybody = (float(acted[1, at] - acted[0, at] * odds) / n for at in (place, 0))
        rows.append(NetBenefitRow(threshold, float(model), float(everybody)))
    return tuple(rows)


def _reliability(
    truth: Mask, chances: Floats, weights: Floats | None, *, exact: bool
) -> tuple[ReliabilityRow, ...]:
    """Divide the cases by the deciles of their probabilities, with the exact interval of a share if it holds."""
    edges = np.unique(np.quantile(chances, np.arange(1, BINS) / BINS, method="inverted_cdf"))
    mass = np.ones(len(chances)) if weights is None else weights
    table = pd.DataFrame({"chance": chances, "positive": truth, "mass": mass})
    table = table.assign(of_chances=mass * chances, of_positives=mass * truth)
    found = []
    for _, rows in table.groupby(np.searchsorted(edges, chances)):
        n, weight = len(rows), rows["mass"].sum()
        ends = clopper_pearson(rows["positive"].sum(), n, LEVEL) if exact else (math.nan, math.nan)
        mean, share = (min(float(rows[name].sum() / weight), 1.0) for name in ("of_chances", "of_positives"))
        least, greatest = float(rows["chance"].min()), float(rows["chance"].max())
        found.append(
            ReliabilityRow(n, least, greatest, mean, share, *ends, "clopper_pearson" if exact else "")
        )
    return tuple(found)


@dataclass(frozen=True)
class Top:
    """The tenth of the cases with the highest scores; more or fewer where scores are equal."""

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
