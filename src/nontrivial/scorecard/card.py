"""The scorecard of one model's answers for some cases."""

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

import nontrivial
from nontrivial._draws import CONFIDENCE_LEVEL, Cells
from nontrivial.files import plain
from nontrivial.measures.sign_verdict import cases_needed, verdict_of
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.estimates.calibration import Calibration, calibrate, count_confusions, find_top
from nontrivial.scorecard.estimates.estimate import Estimate, may_weigh_differently
from nontrivial.scorecard.estimates.losses import LossRow, estimate_number_losses, estimate_probability_losses
from nontrivial.scorecard.estimates.several_classes import ClassRow, estimate_several_classes
from nontrivial.scorecard.estimates.two_classes import (
    CELL_NAMES,
    estimate_label_advantage,
    estimate_two_classes,
)
from nontrivial.scorecard.estimates.verdicts import WORSE, QuestionVerdict, judge, of_ranking, under_costs
from nontrivial.scorecard.result import Result
from nontrivial.seeds import INTERVAL_SEED

CROSS_VALIDATED = "cross_validated"  # the test of a card whose answers come from folds
RANKED_LOWER = "have higher scores"
VERSION = 1  # of the schema; greater when a field changes its meaning or goes
VERDICTS = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "inconclusive": "inconclusive: shown neither better nor worse than trivial",
}
NO_LABELS = "there are no labels, as the scores have no usual threshold"
NOT_IN_JSON = ("negative", "constant", "notes", "is_threshold_best")


@dataclass(frozen=True, eq=False)
class Scorecard(Result):
    """What is known about the answers of one model.

    The JSON has the same fields, which `score.schema.json` describes. ``measures["f1"]`` also gives ``f_beta``.
    `negative` is the other label if there are two, and `constant` the best constant answer.
    """

    file: str
    cases: int
    prediction_advantage: Estimate  # under `loss`, with p-values
    test: str
    columns: dict[str, str]
    model: str = ""
    sha256: str = ""
    task: str = "classification"
    loss: str = "zero_one"
    quantile: float | None = None
    positive: str | None = None
    positive_assumed: bool = False
    negative: str | None = None
    rule: str = ""
    positives: int | None = None
    weight: float | None = None
    groups: int | None = None
    trivial_error: float | None = None
    error: float | None = None
    cases_needed: int | None = None
    table: dict[str, float] = field(default_factory=dict)
    confusion: dict[str, Any] | None = None
    measures: dict[str, Estimate] = field(default_factory=dict)
    areas: dict[str, Estimate] = field(default_factory=dict)
    losses: dict[str, LossRow] = field(default_factory=dict)
    calibration: Calibration | None = None
    classes: tuple[ClassRow, ...] = ()
    notes: tuple[str, ...] = ()
    constant: str = ""
    verdicts: dict[str, QuestionVerdict] = field(default_factory=dict)
    threshold: float | None = None
    is_threshold_best: bool = False
    cost: float | None = None
    top_tenth: dict[str, int] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and which positive label is assumed, which the screen says in its second line."""
        if not self.positive_assumed:
            return self.notes
        return (
            *self.notes,
            f"The positive label is assumed to be {self.positive!r}, by its usual name or the order of a categorical; "
            "--positive names another.",
        )

    @property
    def unit(self) -> str:
        """The word for what was drawn."""
        return "case" if self.groups is None else "group"

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` says: NaN as null, infinities as text, a reason for no interval."""
        fields = asdict(self, dict_factory=_in_json) | origin()
        for name in NOT_IN_JSON:
            del fields[name]
        if self.calibration is not None:
            slope = fields["calibration"]["slope"]
            del slope["assumes"]
            fields["calibration"]["no_slope"] = slope.pop("reason", "")
        assumes = "alike_mistakes" if may_weigh_differently(self) else None
        tested = self.prediction_advantage
        fields |= {
            "model": self.model or None,
            "verdict": VERDICTS[verdict_of(tested.p_better, tested.p_worse)],
            "test_assumes": "no_rare_loss" if self.task == "regression" else assumes,
            "p_value": tested.p_better,
            "p_worse": tested.p_worse,
            "warnings": self.warnings,
        }
        return dict(plain(fields))


def _in_json(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a part of a card as the JSON has them, without empty reasons."""
    fields = dict(pairs)
    if not fields.get("reason", "none"):
        del fields["reason"]
    if {"assumes", "p_better"} <= fields.keys():  # an estimate, whose p-values stand elsewhere
        del fields["p_better"], fields["p_worse"]
    return fields


def origin() -> dict[str, Any]:
    """Return what every document says about how it was made."""
    return {
        "schema": VERSION,
        "nontrivial": nontrivial.__version__,
        "level": CONFIDENCE_LEVEL,
        "seed": INTERVAL_SEED,
    }


def score_answers(answers: Answers) -> Scorecard:
    """Compute every measure of answers with its interval, and test the answers against trivial ones."""
    about: dict[str, Any] = {
        "file": answers.name,
        "model": answers.model,
        "sha256": answers.sha256,
        "columns": answers.columns,
        "cases": len(answers.truth),
        "weight": None if answers.weights is None else float(answers.weights.sum()),
        "groups": None if answers.groups is None else len(np.unique(answers.groups)),
        "notes": answers.notes,
    }
    if isinstance(answers, Forecasts):
        losses = estimate_number_losses(answers)
        loss = "squared" if answers.quantile is None else "pinball"
        advantage = losses[loss].prediction_advantage
        return Scorecard(
            **about,
            task="regression",
            loss=loss,
            quantile=answers.quantile,
            prediction_advantage=advantage,
            test="paired_t",
            losses=losses,
            verdicts={"numbers": judge(advantage, loss)},
        )
    assert isinstance(answers, Predictions)
    if answers.prediction is not None:
        return _score_classes(answers, about)
    card = _score_classes(replace(answers, prediction=np.zeros(len(answers.truth), dtype=bool)), about)
    verdicts = {question: verdict for question, verdict in card.verdicts.items() if question != "labels"}
    absent: dict[str, Any] = dict.fromkeys(("error", "trivial_error", "cases_needed"))
    advantage = Estimate(math.nan, reason=NO_LABELS)
    return replace(card, measures={}, table={}, prediction_advantage=advantage, verdicts=verdicts, **absent)


def _score_classes(predictions: Predictions, about: dict[str, Any]) -> Scorecard:
    positive, labels = predictions.positive, predictions.labels
    n_classes = predictions.n_classes if positive is None else 2
    cells = Cells.of_predictions(predictions.truth, predictions.prediction, n_classes, predictions.units)
    right, wrong = cells.weights.reshape(-1, 2).T
    of_classes = right + wrong
    advantage = estimate_label_advantage(cells, unequal=may_weigh_differently(predictions))
    of_task: dict[str, Any]
    if positive is None:
        classes, measures, areas = estimate_several_classes(predictions, advantage)
        constant = labels[int(of_classes.argmax())]
        of_task = {"classes": classes, "confusion": count_confusions(predictions)}
    else:
        measures, areas = estimate_two_classes(predictions, cells, advantage)
        counted = cells.weights.astype(int) if predictions.weights is None else cells.weights
        others = [name for name in labels[: predictions.n_classes] if name != positive]
        negative = others[0] if len(others) == 1 else f"not {positive}"
        constant = positive if of_classes[1] > of_classes[0] else negative
        of_task = {
            "positives": int(np.count_nonzero(predictions.truth)),
            "negative": negative if len(labels) == 2 else None,
            "table": dict(zip(CELL_NAMES, counted.tolist(), strict=True)),
            "top_tenth": find_top(predictions),
        }
    advantage = measures["prediction_advantage"]
    of_labels = judge(advantage, "zero_one") if predictions.cost is None else under_costs(predictions)
    verdicts = {"labels": of_labels}
    ranking = of_ranking(predictions, areas)
    if ranking is not None:
        verdicts = {"ranking": ranking, **verdicts}
        if ranking.verdict == WORSE and positive is not None:
            note = (
                f"Cases not labelled {positive!r} {RANKED_LOWER} (area under the ROC curve {ranking.value:.4f}); if "
                "the scores are meant for another label, name it with --positive."
            )
            about["notes"] = (note, *about["notes"])
    needed = None
    if cells.are_cases:
        needed = cases_needed(verdict_of(advantage.p_better, advantage.p_worse), of_classes, wrong)
    return Scorecard(
        **about,
        **of_task,
        positive=positive,
        positive_assumed=predictions.assumed,
        rule=predictions.rule,
        threshold=predictions.threshold,
        is_threshold_best=predictions.is_threshold_best,
        cost=predictions.cost,
        prediction_advantage=advantage,
        test="sign" if cells.are_cases else "bootstrap",
        trivial_error=float(1 - of_classes.max() / of_classes.sum()),
        error=float(wrong.sum() / of_classes.sum()),
        cases_needed=needed,
        constant=constant,
        measures=measures,
        areas=areas,
        losses=estimate_probability_losses(predictions),
        calibration=calibrate(predictions),
        verdicts=verdicts,
    )
