"""Whether answers are better than trivial: a verdict on each question that they answer."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from nontrivial._arrays import Mask, Scores
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import FEW, LEVEL, Estimate, LossRow

QuestionName = Literal["probabilities", "ranking", "labels", "numbers"]
QUESTIONS: tuple[QuestionName, ...] = ("probabilities", "ranking", "labels", "numbers")
BETTER, WORSE, INCONCLUSIVE = "better", "worse", "inconclusive"
CHANCE = 0.5  # the area under the ROC curve of a ranking that knows nothing


class MannWhitney:
    """The test of a ranking, which takes as long as all else, so that it waits until somebody reads a p-value."""

    def __init__(self, score: Scores, truth: Mask) -> None:
        self.score, self.truth = score, truth

    @cached_property
    def p_values(self) -> tuple[float, float]:
        """Of "no better than chance" and "no worse"."""
        from scipy.stats import mannwhitneyu  # slow to import

        sides = self.score[self.truth], self.score[~self.truth]
        better = mannwhitneyu(*sides, alternative="greater")
        worse = mannwhitneyu(*sides, alternative="less") if len(self.score) < 10_000 else None
        return float(better.pvalue), float(1 - better.pvalue if worse is None else worse.pvalue)


class _PValue:
    """A p-value that is a number, NaN by default, or one of the two of a test."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, verdict: Any, owner: type | None = None) -> float:
        found = math.nan if verdict is None else vars(verdict)[self.name]
        return float(found.p_values[self.side] if isinstance(found, MannWhitney) else found)

    def __set__(self, verdict: Any, value: float | MannWhitney) -> None:
        vars(verdict)[self.name] = value


@dataclass(frozen=True)
class QuestionVerdict:
    """The verdict on one question.

    Attributes
    ----------
    verdict : {"better", "worse", "inconclusive"}
        Better or worse if all of the interval is on that side of what is trivial.
    measure : {"prediction_advantage", "roc_auc", "macro_roc_auc"}
    loss : str or None
        The loss behind a Prediction Advantage: "cross_entropy", "squared", "absolute", "pinball", "zero_one" or "cost".
    value, low, high : float
        The measure and the ends of its interval; NaN where there is none.
    p_better, p_worse : float in [0, 1]
        One-sided p-values of "no better" and "no worse" than trivial; NaN without a test.
    method : str
        The method of the interval.
    reason : str
        Why there is no interval; empty if there is one.
    """

    verdict: str
    measure: str
    loss: str | None
    value: float
    low: float
    high: float
    p_better: _PValue = _PValue(0)
    p_worse: _PValue = _PValue(1)
    method: str = ""
    reason: str = ""

    @classmethod
    def of(
        cls, measure: str, loss: str | None, found: Estimate, reason: str = "", **more: Any
    ) -> QuestionVerdict:
        """Judge an estimate by its interval."""
        trivial = 0.0 if loss else CHANCE
        verdict = BETTER if found.low > trivial else WORSE if found.high < trivial else INCONCLUSIVE
        reason = "" if found.method else reason or "it is undefined"
        return cls(verdict, measure, loss, *found[:3], method=found.method, reason=reason, **more)


def probability_loss(cards: Sequence[Any]) -> str:
    """Return the loss by which the probabilities of models are judged.

    It is the log loss, or the Brier score if a model gave a probability of 0 to what happened.
    """
    endless = any(
        row.name == "cross_entropy" and math.isinf(row.loss) for card in cards for row in card.losses
    )
    return "squared" if endless else "cross_entropy"


def of_probabilities(losses: Sequence[LossRow], loss: str) -> QuestionVerdict | None:
    """Judge probabilities by one of their losses; None without probabilities."""
    row = next((row for row in losses if row.name == loss), None)
    if row is None:
        return None
    p_values = {"p_better": row.p_better, "p_worse": row.p_worse}
    return QuestionVerdict.of("prediction_advantage", loss, row.advantage, row.no_interval, **p_values)


def of_ranking(
    predictions: Predictions, areas: Mapping[str, Estimate], no_interval: Mapping[str, str]
) -> QuestionVerdict | None:
    """Judge a ranking by the area under its ROC curve; None without scores."""
    name = next((name for name in ("roc_auc", "macro_roc_auc") if name in areas), None)
    if name is None:
        return None
    plain = predictions.weights is None and predictions.groups is None
    score = predictions.score if plain else None  # of several classes there is none
    test = math.nan if score is None else MannWhitney(score, predictions.truth)
    return QuestionVerdict.of(name, None, areas[name], no_interval.get(name, ""), p_better=test, p_worse=test)


def under_costs(predictions: Predictions, cost: float) -> QuestionVerdict:
    """Judge labels where a missed positive costs as much as `cost` false alarms."""
    truth, said = predictions.truth.astype(np.intp), predictions.prediction.astype(np.intp)
    mass = np.ones(len(truth)) if predictions.weights is None else predictions.weights
    of_errors = np.where(truth == 1, cost, 1.0) * mass
    trivial = min(float(of_errors[truth == 1].sum()), float(of_errors[truth == 0].sum()))
    value = 1 - float(of_errors[truth != said].sum()) / trivial
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that units are too few stands in the verdict
        interval = prediction_advantage_interval(
            truth,
            said,
            loss="cost",
            cost=np.array([[0, cost], [1, 0]]),
            labels=[0, 1],
            level=LEVEL,
            sample_weight=predictions.weights,
            groups=predictions.groups,
        )
    found = Estimate(value) if math.isnan(interval[0]) else Estimate(value, *interval, interval.method)
    return QuestionVerdict.of("prediction_advantage", "cost", found, FEW)


def suggested_cost(positives: float, negatives: float) -> int:
    """Return the whole number next to negatives over positives, at which flagging all costs as much as nobody."""
    return max(round(negatives / positives), 1)


def first_question(cards: Sequence[Any]) -> QuestionName:
    """Return the first question that all models answer, by which they are ordered."""
    return next(name for name in QUESTIONS if all(name in card.verdicts for card in cards))
