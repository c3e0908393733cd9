"""What predicted numbers, and probabilities, lose beside the best constant."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from nontrivial._arrays import Floats
from nontrivial._blocks import in_blocks
from nontrivial.measures.advantage import bayesian_marginal_prediction, prediction_advantage_score
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.measures.unbounded import UnboundedLossWarning
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.estimates import LEVEL, SEED, Estimate
from nontrivial.scorecard.thresholds import are_probabilities

FEWEST = 10  # of each class; with fewer, the least simulated coverage of a 95 % interval was 45 %
SUM = 1e-3  # as far from 1 as the probabilities of a case may add up, being rounded


@dataclass(frozen=True)
class LossRow:
    """One loss.

    Attributes
    ----------
    name : str
    loss, trivial : float
        The mean over the cases, of the predictions and of the best constant.
    constant : float or None
        The best constant, where it is one number.
    advantage : Estimate
        The Prediction Advantage under this loss: one minus the quotient of the two.
    """

    name: str
    loss: float
    trivial: float
    constant: float | None
    advantage: Estimate


def losses_of_numbers(forecasts: Forecasts) -> tuple[LossRow, ...]:
    """Return squared and absolute loss, and that of the quantile that is forecast."""
    rows = [
        _row(name, name, forecasts, forecasts.truth, forecasts.prediction) for name in ("squared", "absolute")
    ]
    if forecasts.quantile is not None:
        options: dict[str, Any] = {"quantile": forecasts.quantile}
        rows.append(_row("quantile", "pinball", forecasts, forecasts.truth, forecasts.prediction, **options))
    return tuple(rows)


def losses_of_probabilities(predictions: Predictions) -> tuple[LossRow, ...]:
    """Return the Brier score and the logarithmic loss, where scores are probabilities; else nothing.

    There is no interval where a class has fewer than `FEWEST` cases, or groups.
    """
    said, truth = predictions.probabilities, predictions.truth
    labels: dict[str, Any] = {}
    if said is not None:
        sums = said.sum(axis=1)
        if said.min() < 0 or not np.allclose(sums, 1, atol=SUM, rtol=0):
            return ()
        said = said / sums[:, None]
        labels = {"labels": np.arange(said.shape[1])}
        shares, classes = np.eye(said.shape[1])[truth], truth
    elif predictions.score is None or not are_probabilities(predictions.score):
        return ()
    else:
        said = np.clip(predictions.score, 0, 1)
        shares, classes = truth.astype(float), truth.astype(np.int8)
    offered = _rarest(predictions) >= FEWEST
    return (
        _row("brier_score", "squared", predictions, shares, said, offered),
        _row("log_loss", "cross_entropy", predictions, classes, said, offered, **labels),
    )


def _rarest(predictions: Predictions) -> int:
    """Return how many cases, or groups, the rarest class has."""
    truth, groups = predictions.truth, predictions.groups
    if groups is None:
        counts = np.bincount(truth)
        return int(counts[counts > 0].min())
    return min(len(np.unique(groups[truth == label])) for label in np.unique(truth))


def _row(
    name: str,
    loss: Any,
    answers: Answers,
    truth: Any,
    prediction: Floats,
    offered: bool = True,
    **options: Any,
) -> LossRow:
    options |= {"loss": loss, "sample_weight": answers.weights}
    others = {key: value for key, value in options.items() if key != "labels" or loss == "cross_entropy"}
    constant, trivial = bayesian_marginal_prediction(truth, **_without_labels(others))
    value = prediction_advantage_score(truth, prediction, **others)
    advantage = Estimate(value)
    if offered and np.isfinite(value):
        units = np.arange(len(truth)) if answers.groups is None else answers.groups
        blocks, n_blocks = in_blocks(units, int(units.max()) + 1)
        drawn = blocks if answers.groups is not None or n_blocks < len(units) else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnboundedLossWarning)  # a note of the card says it
            low, high = prediction_advantage_interval(
                truth, prediction, level=LEVEL, groups=drawn, random_state=SEED, **others
            )
        advantage = Estimate(value, float(low), float(high), "bayesian_bootstrap")
    single = float(constant) if np.ndim(constant) == 0 else None
    return LossRow(name, float((1 - value) * trivial), float(trivial), single, advantage)


def _without_labels(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "labels"}
