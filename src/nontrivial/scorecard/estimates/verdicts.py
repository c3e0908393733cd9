"""Whether answers are better than trivial: a verdict on each question that they answer."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from scipy.stats import mannwhitneyu

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.measures.sign_verdict import Verdict, verdict_of
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates.estimate import Estimate, too_few_reason
from nontrivial.scorecard.result import Result

QuestionName = Literal["probabilities", "ranking", "labels", "numbers"]
QUESTIONS: tuple[QuestionName, ...] = get_args(QuestionName)
BETTER, WORSE, INCONCLUSIVE = "better", "worse", "inconclusive"
CHANCE = 0.5  # the area under the ROC curve of a ranking that knows nothing


@dataclass(frozen=True, eq=False)
class QuestionVerdict(Result):
    """The verdict on one question, and the estimate behind it, with its fields.

    The measure is ``"prediction_advantage"``, under `loss`, or for a ranking ``"roc_auc"`` or ``"macro_roc_auc"``,
    without one. The p-values are one-sided, of "no better" and "no worse" than trivial; NaN without a test.
    """

    verdict: Verdict
    measure: str
    loss: str | None
    value: float
    low: float
    high: float
    p_better: float
    p_worse: float
    method: str
    reason: str


def judge(estimate: Estimate, loss: str | None, measure: str = "prediction_advantage") -> QuestionVerdict:
    """Judge an advantage by its test, if it has one, and anything else by its interval beside the trivial value."""
    trivial = CHANCE if loss is None else 0.0
    verdict: Verdict = "inconclusive"
    if loss is not None and not math.isnan(estimate.p_better):
        verdict = verdict_of(estimate.p_better, estimate.p_worse)
    elif estimate.low > trivial:
        verdict = "better"
    elif estimate.high < trivial:
        verdict = "worse"
    fields = {name: value for name, value in vars(estimate).items() if name != "assumes"}
    return QuestionVerdict(verdict=verdict, measure=measure, loss=loss, **fields)


def probability_loss(cards: Iterable[Any]) -> str:
    """Return the loss by which probabilities, of all models alike, are judged.

    It is the log loss, or the Brier score if a model gave a probability of 0 to what happened, or to what may happen in
    another case: the advantage by log loss then has no lower end, and the model could not be shown to be better. If it
    is shown to be worse, this does not matter.
    """
    of_log = [card.losses["cross_entropy"] for card in cards if "cross_entropy" in card.losses]
    endless = any(
        row.prediction_advantage.low == -math.inf <= 0 < row.prediction_advantage.high for row in of_log
    )
    return "squared" if endless or any(math.isinf(row.loss) for row in of_log) else "cross_entropy"


def of_ranking(predictions: Predictions, areas: Mapping[str, Estimate]) -> QuestionVerdict | None:
    """Judge a ranking by the area under its ROC curve, with Mann-Whitney's test of plain cases; None without scores."""
    score, truth = predictions.score, predictions.truth
    if "macro_roc_auc" in areas:
        return judge(areas["macro_roc_auc"], None, "macro_roc_auc")
    if score is None:
        return None
    area = areas["roc_auc"]
    if predictions.units.are_cases:
        sides = score[truth], score[~truth]
        p_better = float(mannwhitneyu(*sides, alternative="greater").pvalue)
        p_worse = 1 - p_better  # of very many cases, without a second sort
        if len(score) < 10_000:
            p_worse = float(mannwhitneyu(*sides, alternative="less").pvalue)
        area = replace(area, p_better=p_better, p_worse=p_worse)
    return judge(area, None, "roc_auc")


def under_costs(predictions: Predictions) -> QuestionVerdict:
    """Judge labels where a missed positive costs as much as `cost` false alarms."""
    labels = predictions.truth.astype(np.intp), predictions.prediction.astype(np.intp)
    how: dict[str, Any] = {"loss": "cost", "cost": [[0, predictions.cost], [1, 0]], "labels": [0, 1]}
    how["sample_weight"] = predictions.weights
    advantage = Estimate(prediction_advantage_score(*labels, **how), reason=too_few_reason(predictions.units))
    if not predictions.units.are_few:
        bounds = prediction_advantage_interval(
            *labels, **how, level=CONFIDENCE_LEVEL, groups=predictions.groups
        )
        advantage = Estimate(advantage.value, *bounds, bounds.method)
    return judge(advantage, "cost")


def first_question(cards: Sequence[Any]) -> QuestionName:
    """Return the first question that all models answer, by which they are ordered."""
    return next(name for name in QUESTIONS if all(name in card.verdicts for card in cards))
