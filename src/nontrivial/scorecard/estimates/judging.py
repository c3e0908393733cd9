"""Verdicts on whether answers are better than trivial, one for each question that they answer."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from scipy.stats import mannwhitneyu

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.measures.sign_verdict import Verdict, decide_verdict
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates.estimate import Estimate, too_few_reason
from nontrivial.scorecard.result import Result

QuestionName = Literal["probabilities", "ranking", "labels", "numbers"]
QUESTION_NAMES: tuple[QuestionName, ...] = get_args(QuestionName)
BETTER, WORSE, INCONCLUSIVE = "better", "worse", "inconclusive"
TRIVIAL_ADVANTAGE, TRIVIAL_AREA = 0.0, 0.5


@dataclass(frozen=True, eq=False)
class QuestionVerdict(Result):
    """The verdict on one question, and the fields of the estimate behind it.

    The measure is ``"prediction_advantage"``, under `loss`; or for a ranking ``"roc_auc"`` or ``"macro_roc_auc"``,
    whose loss is None. The p-values are one-sided, of "no better" and "no worse" than trivial; NaN without a test.
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

    @property
    def trivial(self) -> float:
        """The value of a trivial answer."""
        return TRIVIAL_AREA if self.loss is None else TRIVIAL_ADVANTAGE


def judge_estimate(
    estimate: Estimate | QuestionVerdict, loss: str | None, measure: str = "prediction_advantage"
) -> QuestionVerdict:
    """Judge an advantage by its test if it has one, and any other estimate by its interval beside the trivial value."""
    trivial = TRIVIAL_AREA if loss is None else TRIVIAL_ADVANTAGE
    verdict: Verdict = "inconclusive"
    if loss is not None and not math.isnan(estimate.p_better):
        verdict = decide_verdict(estimate.p_better, estimate.p_worse)
    elif estimate.low > trivial:
        verdict = "better"
    elif estimate.high < trivial:
        verdict = "worse"
    names = ("value", "low", "high", "p_better", "p_worse", "method", "reason")
    return QuestionVerdict(verdict, measure, loss, *(getattr(estimate, name) for name in names))


def choose_probability_loss(cards: Iterable[Any]) -> str:
    """Return the loss by which the probabilities of all models are judged.

    It is the log loss, with one exception: if a model gave the probability 0 to a class that occurred, or that may
    occur in another case, its advantage by log loss has no lower end. It could not be shown to be better, so the Brier
    score judges. If the log loss already shows the model to be worse, the log loss stays.
    """
    rows = [card.losses["cross_entropy"] for card in cards if "cross_entropy" in card.losses]
    has_no_lower_end = any(
        row.prediction_advantage.low == -math.inf <= 0 < row.prediction_advantage.high for row in rows
    )
    return "squared" if has_no_lower_end or any(math.isinf(row.loss) for row in rows) else "cross_entropy"


def judge_ranking(predictions: Predictions, areas: Mapping[str, Estimate]) -> QuestionVerdict | None:
    """Judge a ranking by the area under its ROC curve, with Mann-Whitney's test of plain cases; None without scores."""
    score, truth = predictions.score, predictions.truth
    if "macro_roc_auc" in areas:
        return judge_estimate(areas["macro_roc_auc"], None, "macro_roc_auc")
    if score is None:
        return None
    area = areas["roc_auc"]
    if predictions.units.are_cases:
        p_better = float(mannwhitneyu(score[truth], score[~truth], alternative="greater").pvalue)
        p_worse = 1 - p_better  # without a second sort of very many scores
        if len(score) < 10_000:
            p_worse = float(mannwhitneyu(score[truth], score[~truth], alternative="less").pvalue)
        area = replace(area, p_better=p_better, p_worse=p_worse)
    return judge_estimate(area, None, "roc_auc")


def judge_labels_under_costs(predictions: Predictions) -> QuestionVerdict:
    """Judge labels if a missed positive costs as much as `cost` false alarms."""
    labels = predictions.truth.astype(np.intp), predictions.prediction.astype(np.intp)
    options: dict[str, Any] = {"loss": "cost", "cost": [[0, predictions.cost], [1, 0]], "labels": [0, 1]}
    options["sample_weight"] = predictions.weights
    value = prediction_advantage_score(*labels, **options)
    if predictions.units.are_few:
        return judge_estimate(Estimate(value, reason=too_few_reason(predictions.units)), "cost")
    bounds = prediction_advantage_interval(*labels, **options, level=CONFIDENCE_LEVEL, groups=predictions.groups)
    return judge_estimate(Estimate(value, *bounds, bounds.method), "cost")


def first_common_question(cards: Sequence[Any]) -> QuestionName:
    """Return the first of `QUESTION_NAMES` that all models answer; it orders the models by default."""
    return next(name for name in QUESTION_NAMES if all(name in card.verdicts for card in cards))
