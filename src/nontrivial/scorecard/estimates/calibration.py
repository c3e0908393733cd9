"""Counts and calibration: tables of mistakes, reliability, net benefit and the top tenth."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Mask, weight_counts
from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial._warnings import assumption_of
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates.estimate import Estimate, may_weigh_differently
from nontrivial.scorecard.result import Result

MOST_LABELS = 8  # of a table that a terminal can show
MISTAKES = 10
BINS = 10
RAREST = 6  # decimals of the finest thresholds


def count_confusions(predictions: Predictions) -> dict[str, Any]:
    """Count the cases of each class by what they were predicted to be, in the form of `score.schema.json`."""
    labels = predictions.labels
    pairs = predictions.truth.astype(np.int64) * len(labels) + predictions.prediction
    cells, places = np.unique(pairs, return_inverse=True)
    cases = np.bincount(places, weights=predictions.weights)
    actual, predicted = np.divmod(cells, len(labels))
    counts: list[list[Any]] = []
    if len(labels) <= MOST_LABELS:
        table = np.zeros((predictions.n_classes, len(labels)), dtype=cases.dtype)
        table[actual, predicted] = cases
        counts = table.tolist()
    wrong = np.flatnonzero(actual != predicted)
    first = wrong[np.argsort(-cases[wrong], kind="stable")][:MISTAKES]
    mistakes = [
        {"truth": labels[actual[at]], "predicted": labels[predicted[at]], "cases": cases[at].item()}
        for at in first
    ]
    return {"labels": labels, "counts": counts, "mistakes": mistakes}


@dataclass(frozen=True, eq=False)
class Calibration(Result):
    """Probabilities compared with the cases: their mean beside the share of positives, and so by tenths of the cases.

    The slope belongs to logistic recalibration and is 1 for good probabilities; its interval is Wald's. `beneficial`
    holds the ranges of thresholds, in hundredths or finer for rare positives, at which acting by the model is worth
    more than acting on all and on none. `reliability` and `net_benefit` have the rows that `score.schema.json`
    describes.
    """

    mean: float
    share: float
    reliability: list[dict[str, Any]]
    net_benefit: list[dict[Any, float]]
    slope: Estimate
    beneficial: tuple[tuple[float, float], ...]


def calibrate(predictions: Predictions) -> Calibration | None:
    """Compare the probabilities of the positive class with the cases; None if there are no probabilities."""
    chances, truth, weights = predictions.chances, predictions.truth, predictions.weights
    if predictions.score is None or chances is None:
        return None
    share = _mean(truth, weights)
    decimals = 2  # of the thresholds: more until the share is at least two steps
    while decimals < RAREST and share < 2 / 10**decimals:
        decimals += 1
    rows = _net_benefits(truth, chances, weights, decimals)
    shown = {tenth / 10 for tenth in range(1, 10)}
    shown |= {step / 10**places for places in range(2, decimals + 1) for step in (1, 2, 5)}
    # The first and the last of neighbouring thresholds at which the model beats both trivial answers.
    runs = itertools.groupby(rows, key=lambda row: row["model"] > max(row["everybody"], 0.0) + 1e-12)
    spans = [[row["threshold"] for row in run] for is_better, run in runs if is_better]
    return Calibration(
        mean=_mean(chances, weights),
        share=share,
        reliability=_reliability(predictions, chances),
        net_benefit=[row for row in rows if row["threshold"] in shown],
        slope=_slope(predictions, chances),
        beneficial=tuple((span[0], span[-1]) for span in spans),
    )


def _mean(values: Floats | Mask, weights: Floats | None) -> float:
    return min(float(np.average(values, weights=weights)), 1.0)  # rounding may pass 1


def _net_benefits(
    truth: Mask, chances: Floats, weights: Floats | None, decimals: int
) -> list[dict[Any, float]]:
    """Return the decision curve: true positives less false positives times the odds of the threshold, per case."""
    # The thresholds are 1 to 99 steps of each number of decimals from two on.
    thresholds = np.unique([step / 10**k for k in range(2, decimals + 1) for step in range(1, 100)])
    reached = np.searchsorted(thresholds, chances, side="right")  # a case counts from a threshold on
    counted = weight_counts(2 * reached + truth, 2 * len(thresholds) + 2, weights).reshape(-1, 2)
    negatives, positives = counted[::-1].cumsum(axis=0)[::-1].T
    n, odds = negatives[0] + positives[0], thresholds / (1 - thresholds)
    curve = {
        "threshold": thresholds,
        "model": (positives[1:] - negatives[1:] * odds) / n,
        "everybody": (positives[0] - negatives[0] * odds) / n,
    }
    return pd.DataFrame(curve).to_dict("records")


def _reliability(predictions: Predictions, chances: Floats) -> list[dict[str, Any]]:
    """Divide the cases by the deciles of their probabilities, with the exact interval of a share if it holds."""
    edges = np.unique(np.quantile(chances, np.arange(1, BINS) / BINS, method="inverted_cdf"))
    places, weights, rows = np.searchsorted(edges, chances), predictions.weights, []
    method = "clopper_pearson" if predictions.units.are_cases else ""
    for place in np.unique(places):
        inside = places == place
        of_bin, truth = chances[inside], predictions.truth[inside]
        weighing = None if weights is None else weights[inside]
        low, high = (
            clopper_pearson(truth.sum(), len(truth), CONFIDENCE_LEVEL) if method else (math.nan, math.nan)
        )
        row = {"cases": len(of_bin), "least": float(of_bin.min()), "greatest": float(of_bin.max())}
        row |= {"mean": _mean(of_bin, weighing), "share": _mean(truth, weighing), "low": low, "high": high}
        assumes = assumption_of(method, unequal=may_weigh_differently(predictions))
        rows.append(row | {"method": method, "assumes": assumes})
    return rows


def _slope(predictions: Predictions, chances: Floats) -> Estimate:
    """Fit the logit of the truth to the logit of the probabilities by Newton's method; or say why not."""
    truth, reason = predictions.truth, ""
    low, high = chances[~truth], chances[truth]
    if not predictions.units.are_cases:
        reason = "cases have weights or groups"
    elif chances.min() == 0 or chances.max() == 1:
        reason = "some probabilities are 0 or 1"
    elif chances.min() == chances.max():
        reason = "all probabilities are equal"
    elif low.max() <= high.min() or high.max() <= low.min():
        reason = "the probabilities separate the classes"
    if reason:
        return Estimate(math.nan, reason=reason)
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
    return Estimate(centre, centre - margin, centre + margin, "wald")


def find_top(predictions: Predictions) -> dict[str, int] | None:
    """Count the cases that score above nine tenths of all, and the positives among them; None without scores."""
    score = predictions.score
    if score is None:
        return None
    edge = np.quantile(score, 1 - 1 / BINS, method="inverted_cdf")
    top = score > edge if (score > edge).any() else score >= edge
    return {"cases": int(top.sum()), "positives": int(predictions.truth[top].sum())}
