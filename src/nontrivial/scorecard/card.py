"""The scorecard of one model's answers for some cases."""

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

import nontrivial
from nontrivial._draws import CONFIDENCE_LEVEL, DrawnCells
from nontrivial.files import json_value
from nontrivial.measures.sign_verdict import cases_needed, decide_verdict
from nontrivial.scorecard.answers.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.estimates import judging
from nontrivial.scorecard.estimates.calibration import Calibration, calibrate, count_confusions, count_top_tenth
from nontrivial.scorecard.estimates.classes import CELL_NAMES, ClassRow, estimate_several_classes, estimate_two_classes
from nontrivial.scorecard.estimates.estimate import Estimate, may_weigh_differently
from nontrivial.scorecard.estimates.losses import LossRow, estimate_number_losses, estimate_probability_losses
from nontrivial.scorecard.result import Result
from nontrivial.seeds import INTERVAL_SEED

CROSS_VALIDATED = "cross_validated"
REVERSED_RANKING_WORDS = "have higher scores"  # a card of folds leaves out the note with these words
SCHEMA_VERSION = 1  # increased when a field of the JSON changes its meaning or goes
VERDICT_SENTENCES = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "inconclusive": "inconclusive: shown neither better nor worse than trivial",
}
NO_LABELS = "there are no labels, as the scores have no usual threshold"
FIELDS_NOT_IN_JSON = ("negative", "constant", "notes", "is_threshold_best")


@dataclass(frozen=True, eq=False)
class Scorecard(Result):
    """The measures and verdicts of one model's answers.

    The JSON has the same fields, which `score.schema.json` describes. ``measures["f1"]`` also gives ``f_beta``.
    `prediction_advantage` is under `loss` and has p-values. `negative` is the other label if there are two, and
    `constant` the best constant answer.
    """

    file: str
    cases: int
    prediction_advantage: Estimate
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
    verdicts: dict[str, judging.QuestionVerdict] = field(default_factory=dict)
    threshold: float | None = None
    is_threshold_best: bool = False
    cost: float | None = None
    top_tenth: dict[str, int] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and a warning if the positive label is assumed, which the screen shows in its second line."""
        if not self.positive_assumed:
            return self.notes
        return (
            *self.notes,
            f"The positive label is assumed to be {self.positive!r}, by its usual name or the order of a categorical; "
            "--positive names another.",
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` describes: NaN is null, and infinities are text."""
        fields = asdict(self, dict_factory=_fields_for_json) | origin()
        for name in FIELDS_NOT_IN_JSON:
            del fields[name]
        if self.calibration is not None:
            slope = fields["calibration"]["slope"]
            del slope["assumes"]
            fields["calibration"]["no_slope"] = slope.pop("reason", "")
        test_assumes = "alike_mistakes" if may_weigh_differently(self) else None
        if self.task == "regression":
            test_assumes = "no_rare_loss"
        tested = self.prediction_advantage
        fields |= {
            "model": self.model or None,
            "verdict": VERDICT_SENTENCES[decide_verdict(tested.p_better, tested.p_worse)],
            "test_assumes": test_assumes,
            "p_value": tested.p_better,
            "p_worse": tested.p_worse,
            "warnings": self.warnings,
        }
        return dict(json_value(fields))


def _fields_for_json(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a part of a card for the JSON, without an empty reason and the p-values of estimates."""
    fields = dict(pairs)
    if not fields.get("reason", "none"):
        del fields["reason"]
    is_estimate = {"assumes", "p_better"} <= fields.keys()
    if is_estimate:  # the verdicts have the p-values
        del fields["p_better"], fields["p_worse"]
    return fields


def origin() -> dict[str, Any]:
    """Return the facts that every document states about how it was made."""
    versions = {"schema": SCHEMA_VERSION, "nontrivial": nontrivial.__version__}
    return versions | {"level": CONFIDENCE_LEVEL, "seed": INTERVAL_SEED}


def score_answers(answers: Answers) -> Scorecard:
    """Compute every measure of answers with its interval, and test the answers against trivial ones."""
    if isinstance(answers, Forecasts):
        return _score_numbers(answers)
    assert isinstance(answers, Predictions)
    return _score_without_labels(answers) if answers.prediction is None else _score_classes(answers)


def _shared_fields(answers: Answers) -> dict[str, Any]:
    """Return the fields of a card that numbers and classes have alike."""
    return {
        "file": answers.name,
        "model": answers.model,
        "sha256": answers.sha256,
        "columns": answers.columns,
        "cases": len(answers.truth),
        "weight": None if answers.weights is None else float(answers.weights.sum()),
        "groups": None if answers.groups is None else len(np.unique(answers.groups)),
        "notes": answers.notes,
    }


def _score_numbers(forecasts: Forecasts) -> Scorecard:
    """Score predicted numbers."""
    rows = estimate_number_losses(forecasts)
    loss = "squared" if forecasts.quantile is None else "pinball"
    advantage = rows[loss].prediction_advantage
    return Scorecard(
        **_shared_fields(forecasts),
        task="regression",
        loss=loss,
        quantile=forecasts.quantile,
        prediction_advantage=advantage,
        test="paired_t",
        losses=rows,
        verdicts={"numbers": judging.judge_estimate(advantage, loss)},
    )


def _score_without_labels(predictions: Predictions) -> Scorecard:
    """Score predictions that have scores alone: score them with any labels, and remove the results about labels."""
    card = _score_classes(replace(predictions, prediction=np.zeros(len(predictions.truth), dtype=bool)))
    return replace(
        card,
        measures={},
        table={},
        prediction_advantage=Estimate(math.nan, reason=NO_LABELS),
        verdicts={question: verdict for question, verdict in card.verdicts.items() if question != "labels"},
        error=None,
        trivial_error=None,
        cases_needed=None,
    )


def _score_classes(predictions: Predictions) -> Scorecard:
    """Score predicted labels, with or without scores."""
    has_positive = predictions.positive is not None
    n_classes = 2 if has_positive else predictions.n_classes
    cells = DrawnCells.from_predictions(predictions.truth, predictions.prediction, n_classes, predictions.units)
    right, wrong = cells.weights.reshape(-1, 2).T
    class_sizes = right + wrong
    class_fields = _two_class_fields if has_positive else _several_class_fields
    fields = _shared_fields(predictions) | class_fields(predictions, cells)
    advantage = fields["measures"]["prediction_advantage"]
    verdicts = {}
    ranking = judging.judge_ranking(predictions, fields["areas"])
    if ranking is not None:
        verdicts["ranking"] = ranking
        if ranking.verdict == judging.WORSE and has_positive:
            note = (
                f"Cases not labelled {predictions.positive!r} {REVERSED_RANKING_WORDS} (area under the ROC curve "
                f"{ranking.value:.4f}); if the scores are meant for another label, name it with --positive."
            )
            fields["notes"] = (note, *fields["notes"])
    if predictions.cost is None:
        verdicts["labels"] = judging.judge_estimate(advantage, "zero_one")
    else:
        verdicts["labels"] = judging.judge_labels_under_costs(predictions)
    verdict = decide_verdict(advantage.p_better, advantage.p_worse)
    return Scorecard(
        **fields,
        positive=predictions.positive,
        positive_assumed=predictions.assumed,
        rule=predictions.rule,
        threshold=predictions.threshold,
        is_threshold_best=predictions.is_threshold_best,
        cost=predictions.cost,
        prediction_advantage=advantage,
        test="sign" if cells.are_cases else "bootstrap",
        trivial_error=float(1 - class_sizes.max() / class_sizes.sum()),
        error=float(wrong.sum() / class_sizes.sum()),
        cases_needed=cases_needed(verdict, class_sizes, wrong) if cells.are_cases else None,
        losses=estimate_probability_losses(predictions),
        calibration=calibrate(predictions),
        verdicts=verdicts,
    )


def _two_class_fields(predictions: Predictions, cells: DrawnCells) -> dict[str, Any]:
    """Return the fields of a card that depend on the positive label."""
    positive, labels = predictions.positive, predictions.labels
    measures, areas = estimate_two_classes(predictions, cells)
    table = cells.weights.astype(int) if predictions.weights is None else cells.weights
    tn, fp, tp, fn = table.tolist()
    other_labels = [name for name in labels[: predictions.n_classes] if name != positive]
    negative = other_labels[0] if len(other_labels) == 1 else f"not {positive}"
    return {
        "measures": measures,
        "areas": areas,
        "constant": positive if tp + fn > tn + fp else negative,
        "positives": int(np.count_nonzero(predictions.truth)),
        "negative": negative if len(labels) == 2 else None,
        "table": dict(zip(CELL_NAMES, (tn, fp, tp, fn), strict=True)),
        "top_tenth": count_top_tenth(predictions),
    }


def _several_class_fields(predictions: Predictions, cells: DrawnCells) -> dict[str, Any]:
    """Return the fields of a card that several classes without a positive label have."""
    class_sizes = cells.weights.reshape(-1, 2).sum(axis=1)
    return {
        **estimate_several_classes(predictions, cells)._asdict(),
        "constant": predictions.labels[int(class_sizes.argmax())],
        "confusion": count_confusions(predictions),
    }
