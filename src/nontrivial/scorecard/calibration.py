"""Whether probabilities agree with the cases, and what acting on them is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Mask, chunks, weight_counts
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import LEVEL
from nontrivial.scorecard.thresholds import are_probabilities

BINS = 10
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
    """

    mean: float
    share: float
    reliability: tuple[ReliabilityRow, ...]
    net_benefit: tuple[NetBenefitRow, ...]


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
    )


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
