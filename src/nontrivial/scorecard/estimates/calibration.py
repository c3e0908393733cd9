"""Counts of mistakes, calibration, net benefit and the top tenth: the worth of predictions in use."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from nontrivial._arrays import Floats, Mask, count_codes
from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial._warnings import interval_assumption
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates.estimate import Estimate, may_weigh_differently
from nontrivial.scorecard.result import Result

MAX_LABELS_IN_TABLE = 8  # more do not fit a terminal
MAX_MISTAKES_LISTED = 10
TENTHS = 10
MAX_DECIMALS_OF_THRESHOLD = 6


def count_confusions(predictions: Predictions) -> dict[str, Any]:
    """Count the cases of each class by their predicted class, in the form of `score.schema.json`."""
    labels = predictions.labels
    pairs = predictions.truth.astype(np.int64) * len(labels) + predictions.prediction
    cells, cell_of_case = np.unique(pairs, return_inverse=True)
    cases = np.bincount(cell_of_case, weights=predictions.weights)
    actual, predicted = np.divmod(cells, len(labels))
    counts: list[list[Any]] = []
    if len(labels) <= MAX_LABELS_IN_TABLE:
        table = np.zeros((predictions.n_classes, len(labels)), dtype=cases.dtype)
        table[actual, predicted] = cases
        counts = table.tolist()
    wrong = np.flatnonzero(actual != predicted)
    most_frequent = wrong[np.argsort(-cases[wrong], kind="stable")][:MAX_MISTAKES_LISTED]
    mistakes = [
        {"truth": labels[actual[cell]], "predicted": labels[predicted[cell]], "cases": cases[cell].item()}
        for cell in most_frequent
    ]
    return {"labels": labels, "counts": counts, "mistakes": mistakes}


@dataclass(frozen=True, eq=False)
class Calibration(Result):
    """The mean probability beside the share of positives, for all cases and by tenths of cases.

    `slope` is the slope of logistic recalibration, with Wald's interval; good probabilities have slope 1. `beneficial`
    holds ranges of thresholds. At these, acting by the model is worth more than acting on all cases, and more than
    acting on none. `score.schema.json` describes the rows of `reliability` and `net_benefit`.
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
    share = _weighted_mean(truth, weights)
    decimals = 2
    while decimals < MAX_DECIMALS_OF_THRESHOLD and share < 2 / 10**decimals:
        decimals += 1
    rows = _net_benefit_rows(truth, chances, weights, decimals)
    listed_thresholds = {tenth / 10 for tenth in range(1, 10)}
    listed_thresholds |= {step / 10**place for place in range(2, decimals + 1) for step in (1, 2, 5)}
    runs = itertools.groupby(rows, key=lambda row: row["model"] > max(row["everybody"], 0.0) + 1e-12)
    beneficial = [[row["threshold"] for row in run] for is_beneficial, run in runs if is_beneficial]
    return Calibration(
        mean=_weighted_mean(chances, weights),
        share=share,
        reliability=_reliability_rows(predictions, chances),
        net_benefit=[row for row in rows if row["threshold"] in listed_thresholds],
        slope=_estimate_slope(predictions, chances),
        beneficial=tuple((thresholds[0], thresholds[-1]) for thresholds in beneficial),
    )


def _weighted_mean(shares: Floats | Mask, weights: Floats | None) -> float:
    return min(float(np.average(shares, weights=weights)), 1.0)  # rounding may pass 1


def _net_benefit_rows(truth: Mask, chances: Floats, weights: Floats | None, decimals: int) -> list[dict[Any, float]]:
    """Return the decision curve: true positives less false positives times the odds of the threshold, per case."""
    # The thresholds are 0.01 to 0.99, and for more decimals also 0.001 to 0.099 and so on.
    thresholds = np.unique([step / 10**k for k in range(2, decimals + 1) for step in range(1, 100)])
    n_reached = np.searchsorted(thresholds, chances, side="right")
    mass = count_codes(2 * n_reached + truth, 2 * len(thresholds) + 2, weights).reshape(-1, 2)
    negatives, positives = mass[::-1].cumsum(axis=0)[::-1].T
    n, odds = negatives[0] + positives[0], thresholds / (1 - thresholds)
    curve = {
        "threshold": thresholds,
        "model": (positives[1:] - negatives[1:] * odds) / n,
        "everybody": (positives[0] - negatives[0] * odds) / n,
    }
    return pd.DataFrame(curve).to_dict("records")


def _reliability_rows(predictions: Predictions, chances: Floats) -> list[dict[str, Any]]:
    """Divide the cases by the deciles of their probabilities; shares of plain cases have exact intervals."""
    edges = np.unique(np.quantile(chances, np.arange(1, TENTHS) / TENTHS, method="inverted_cdf"))
    bin_of_case, weights = np.searchsorted(edges, chances), predictions.weights
    rows: list[dict[str, Any]] = []
    method = "clopper_pearson" if predictions.units.are_cases else ""
    assumes = interval_assumption(method, unequal=may_weigh_differently(predictions))
    for bin_number in np.unique(bin_of_case):
        is_inside = bin_of_case == bin_number
        bin_chances, bin_truth = chances[is_inside], predictions.truth[is_inside]
        bin_weights = None if weights is None else weights[is_inside]
        low, high = math.nan, math.nan
        if method:
            low, high = clopper_pearson(bin_truth.sum(), len(bin_truth), CONFIDENCE_LEVEL)
        row = {
            "cases": len(bin_chances),
            "least": float(bin_chances.min()),
            "greatest": float(bin_chances.max()),
            "mean": _weighted_mean(bin_chances, bin_weights),
            "share": _weighted_mean(bin_truth, bin_weights),
        }
        rows.append(row | {"low": low, "high": high, "method": method, "assumes": assumes})
    return rows


def _estimate_slope(predictions: Predictions, chances: Floats) -> Estimate:
    """Fit the logit of the truth to the logit of the probabilities by Newton's method, with Wald's interval."""
    truth, reason = predictions.truth, ""
    of_negatives, of_positives = chances[~truth], chances[truth]
    if not predictions.units.are_cases:
        reason = "cases have weights or groups"
    elif chances.min() == 0 or chances.max() == 1:
        reason = "some probabilities are 0 or 1"
    elif chances.min() == chances.max():
        reason = "all probabilities are equal"
    elif of_negatives.max() <= of_positives.min() or of_positives.max() <= of_negatives.min():
        reason = "the probabilities separate the classes"
    if reason:
        return Estimate(math.nan, reason=reason)
    logits = np.column_stack([np.ones(len(chances)), np.log(chances / (1 - chances))])
    coefficients = np.array([0.0, 1.0])
    for _ in range(100):
        expected = 1 / (1 + np.exp(-(logits @ coefficients)))
        information = (logits * (expected * (1 - expected))[:, None]).T @ logits
        step = np.linalg.lstsq(information, logits.T @ (truth - expected), rcond=None)[0]
        coefficients += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            break
    margin = float(ndtri((1 + CONFIDENCE_LEVEL) / 2)) * math.sqrt(np.linalg.pinv(information)[1, 1])
    slope = float(coefficients[1])
    return Estimate(slope, slope - margin, slope + margin, "wald")


def count_top_tenth(predictions: Predictions) -> dict[str, int] | None:
    """Count the cases that score above nine tenths of all, and the positives among them; None without scores."""
    score = predictions.score
    if score is None:
        return None
    edge = np.quantile(score, 1 - 1 / TENTHS, method="inverted_cdf")
    is_top = score > edge if (score > edge).any() else score >= edge
    return {"cases": int(is_top.sum()), "positives": int(predictions.truth[is_top].sum())}
