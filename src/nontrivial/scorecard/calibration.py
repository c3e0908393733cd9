"""Whether probabilities are what they say, and what acting on them is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nontrivial._arrays import Floats, Mask
from nontrivial.measures.confusion_intervals import clopper_pearson
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
        Of their probabilities.
    share : float in [0, 1]
        Of positives among them.
    low, high : float in [0, 1]
        The ends of its interval (Clopper-Pearson); NaN with weights or groups.
    """

    cases: int
    least: float
    greatest: float
    mean: float
    share: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class NetBenefitRow:
    """What acting from a threshold on is worth: true positives less false ones, weighed by the threshold, per case.

    Attributes
    ----------
    threshold : float in (0, 1)
    model, everybody : float
        Of acting by the model, and of acting on all cases; acting on nobody has 0.
    """

    threshold: float
    model: float
    everybody: float


@dataclass(frozen=True)
class Calibration:
    """Probabilities beside what happened.

    Attributes
    ----------
    mean, share : float in [0, 1]
        The mean probability, and the share of positives.
    reliability : tuple of ReliabilityRow
        Cases in the order of their probabilities, about equally many in each row.
    net_benefit : tuple of NetBenefitRow
        The decision curve.
    """

    mean: float
    share: float
    reliability: tuple[ReliabilityRow, ...]
    net_benefit: tuple[NetBenefitRow, ...]


def calibrate(predictions: Predictions) -> Calibration | None:
    """Compare the probabilities of the positive class with the cases; None where there are none."""
    if predictions.score is None or not are_probabilities(predictions.score):
        return None
    score = np.clip(predictions.score, 0, 1)
    truth = predictions.truth
    weights = np.ones(len(score)) if predictions.weights is None else predictions.weights
    exact = predictions.weights is None and predictions.groups is None
    return Calibration(
        mean=float(np.average(score, weights=weights)),
        share=float(np.average(truth, weights=weights)),
        reliability=tuple(_reliability(truth, score, weights, exact=exact)),
        net_benefit=net_benefits(truth, score, weights, THRESHOLDS),
    )


def net_benefits(
    truth: Mask, score: Floats, weights: Floats | None, thresholds: tuple[float, ...]
) -> tuple[NetBenefitRow, ...]:
    """Return the decision curve at increasing thresholds."""
    places = np.searchsorted(thresholds, score, side="right")  # a case counts from a threshold on
    mass = np.ones(len(score)) if weights is None else weights
    n = mass.sum()
    acted = [
        np.bincount(places[side], weights=mass[side], minlength=len(thresholds) + 1)[::-1].cumsum()[::-1]
        for side in (truth, ~truth)
    ]
    rows = []
    for place, threshold in enumerate(thresholds, start=1):
        odds = threshold / (1 - threshold)
        model, everybody = (float(acted[0][at] - acted[1][at] * odds) / n for at in (place, 0))
        rows.append(NetBenefitRow(threshold, float(model), float(everybody)))
    return tuple(rows)


def _reliability(truth: Mask, score: Floats, weights: Floats, *, exact: bool) -> list[ReliabilityRow]:
    edges = np.unique(np.quantile(score, np.arange(1, BINS) / BINS, method="inverted_cdf"))
    place = np.searchsorted(edges, score, side="left").astype(np.int8)
    n_rows = len(edges) + 1
    cases = np.bincount(place, minlength=n_rows)
    positives = np.bincount(place[truth], minlength=n_rows)
    mass = np.bincount(place, weights=weights, minlength=n_rows)
    means = np.bincount(place, weights=weights * score, minlength=n_rows)
    shares = np.bincount(place, weights=weights * truth, minlength=n_rows)
    greatest = np.append(edges, score.max())
    rows = []
    for row in np.flatnonzero(cases):
        counts = int(positives[row]), int(cases[row])
        bounds = clopper_pearson(*counts, LEVEL) if exact else (math.nan, math.nan)
        rows.append(
            ReliabilityRow(
                cases=counts[1],
                least=float(score.min(where=place == row, initial=1.0)),
                greatest=float(greatest[row]),
                mean=min(float(means[row] / mass[row]), 1.0),
                share=min(float(shares[row] / mass[row]), 1.0),
                low=bounds[0],
                high=bounds[1],
            )
        )
    return rows
