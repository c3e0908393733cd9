"""Whether answers are better than trivial: a verdict on each question that they answer."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.stats import mannwhitneyu

from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import LEVEL, Estimate, LossRow, few_units

QuestionName = Literal["probabilities", "ranking", "labels", "numbers"]
QUESTIONS: tuple[QuestionName, ...] = ("probabilities", "ranking", "labels", "numbers")
BETTER, WORSE, INCONCLUSIVE = "better", "worse", "inconclusive"
CHANCE = 0.5  # the area under the ROC curve of a ranking that knows nothing


@dataclass(frozen=True, kw_only=True)
class QuestionVerdict(Estimate):
    """The verdict on one question, with the estimate behind it.

    Attributes
    ----------
    verdict : {"better", "worse", "inconclusive"}
        Better or worse if all of the interval is on that side of what is trivial.
    measure : {"prediction_advantage", "roc_auc", "macro_roc_auc"}
    loss : {"cross_entropy", "squared", "pinball", "zero_one", "cost"} or None
        The loss behind a Prediction Advantage.
    p_better, p_worse : float in [0, 1]
        One-sided p-values of "no better" and "no worse" than trivial; NaN without a test.
    """

    verdict: str
    measure: str
    loss: str | None
    p_better: float
    p_worse: float


def judge(
    found: Estimate,
    *,
    loss: str | None = None,
    area: str = "roc_auc",
    p_values: tuple[float, float] = (math.nan, math.nan),
    verdict: str = "",
) -> QuestionVerdict:
    """Judge a Prediction Advantage, or an area, by its interval, unless a test that agrees with it gave the verdict."""
    measure, trivial = ("prediction_advantage", 0.0) if loss else (area, CHANCE)
    if not verdict:
        verdict = BETTER if found.low > trivial else WORSE if found.high < trivial else INCONCLUSIVE
    p_better, p_worse = p_values
    return QuestionVerdict(
        **vars(found), verdict=verdict, measure=measure, loss=loss, p_better=p_better, p_worse=p_worse
    )


def probability_loss(losses: Iterable[LossRow]) -> str:
    """Return the loss by which probabilities, of all models alike, are judged.

    It is the log loss, or the Brier score if a model gave a probability of 0 to what happened, or to what may happen in
    another case: the advantage by log loss then has no lower end, and no model could be shown to be better.
    """
    of_log = [row for row in losses if row.name == "cross_entropy"]
    endless = any(-math.inf in (-row.loss, row.advantage.low) for row in of_log)
    return "squared" if endless else "cross_entropy"


def of_ranking(predictions: Predictions, areas: Mapping[str, Estimate]) -> QuestionVerdict | None:
    """Judge a ranking by the area under its ROC curve, with Mann-Whitney's test of plain cases; None without scores."""
    score, truth = predictions.score, predictions.truth
    if "macro_roc_auc" in areas:
        return judge(areas["macro_roc_auc"], area="macro_roc_auc")
    if score is None:
        return None
    if not predictions.units.are_cases:
        return judge(areas["roc_auc"])
    sides = score[truth], score[~truth]
    p_better = float(mannwhitneyu(*sides, alternative="greater").pvalue)
    p_worse = 1 - p_better  # of very many cases, without a second sort
    if len(score) < 10_000:
        p_worse = float(mannwhitneyu(*sides, alternative="less").pvalue)
    return judge(areas["roc_auc"], p_values=(p_better, p_worse))


def under_costs(predictions: Predictions, cost: float) -> QuestionVerdict:
    """Judge labels where a missed positive costs as much as `cost` false alarms."""
    said = predictions.truth.astype(np.intp), predictions.prediction.astype(np.intp)
    how: dict[str, Any] = {"loss": "cost", "cost": [[0, cost], [1, 0]], "labels": [0, 1]}
    how["sample_weight"] = predictions.weights
    value = prediction_advantage_score(*said, **how)
    with warnings.catch_warnings(action="ignore"):  # that units are too few stands in the verdict
        bounds = prediction_advantage_interval(*said, **how, level=LEVEL, groups=predictions.groups)
    if math.isnan(bounds[0]):
        return judge(Estimate(value, reason=few_units(predictions.units)), loss="cost")
    return judge(Estimate(value, *bounds, bounds.method), loss="cost")


def first_question(cards: Sequence[Any]) -> QuestionName:
    """Return the first question that all models answer, by which they are ordered."""
    return next(name for name in QUESTIONS if all(name in card.verdicts for card in cards))
