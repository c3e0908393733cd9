"""The scorecard of one model's answers for some cases."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

import nontrivial
from nontrivial._arrays import Floats
from nontrivial._draws import Cells
from nontrivial._warnings import TestAssumption, assumption_of
from nontrivial.files import plain
from nontrivial.measures.sign_verdict import SignVerdict, Verdict, verdict_of
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.calibration import (
    Calibration,
    Confusion,
    Top,
    calibrate,
    count_confusions,
    find_top,
)
from nontrivial.scorecard.estimates import (
    LEVEL,
    TABLE,
    ClassRow,
    Estimate,
    LossRow,
    estimate_several,
    estimate_two,
    judge_cells,
    losses_of_numbers,
    losses_of_probabilities,
)
from nontrivial.scorecard.verdicts import WORSE, QuestionVerdict, judge, of_ranking, under_costs
from nontrivial.seeds import INTERVAL_SEED

RANKED_LOWER = "have higher scores"
VERSION = 1  # of the schema; greater when a field changes its meaning or goes
VERDICTS: dict[Verdict, str] = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "inconclusive": "inconclusive: shown neither better nor worse than trivial",
}
# What each test assumes besides independent cases.
ASSUMED: dict[str, TestAssumption | None] = {
    "sign": None,
    "bootstrap": "alike_mistakes",
    "paired_t": "no_rare_loss",
}
# What a scorecard has from the answers.
COPIED = (
    "name", "model", "sha256", "columns", "quantile", "positive", "assumed", "rule", "threshold", "cost",
)  # fmt: skip


@dataclass(frozen=True)
class Scorecard:
    """What is known about the answers of one model.

    The fields are those of the JSON, which `score.schema.json` describes; `name` is its file, `advantage` its
    Prediction Advantage under `loss`, and `judgement` has its p-values and the number of cases that would be needed.
    ``measures["f1"]`` also gives ``f_beta``. `negative` is the other label if there are two, and `constant` the best
    constant answer.
    """

    name: str
    cases: int
    advantage: Estimate
    judgement: SignVerdict
    test: str
    columns: dict[str, str]
    model: str = ""
    sha256: str = ""
    task: str = "classification"
    loss: str = "zero_one"
    quantile: float | None = None
    positive: str | None = None
    assumed: bool = False
    negative: str | None = None
    rule: str = ""
    positives: int | None = None
    weight: float | None = None
    groups: int | None = None
    trivial_error: float | None = None
    error: float | None = None
    table: dict[str, float] = field(default_factory=dict)
    confusion: Confusion | None = None
    measures: dict[str, Estimate] = field(default_factory=dict)
    areas: dict[str, Estimate] = field(default_factory=dict)
    losses: tuple[LossRow, ...] = ()
    calibration: Calibration | None = None
    classes: tuple[ClassRow, ...] = ()
    notes: tuple[str, ...] = ()
    constant: str = ""
    verdicts: dict[str, QuestionVerdict] = field(default_factory=dict)
    threshold: float | None = None
    cost: float | None = None
    top: Top | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and which positive label is assumed, which the screen says in its second line."""
        if not self.assumed:
            return self.notes
        said = f"The positive label is assumed to be {self.positive!r}, the greater of the two labels "
        return (*self.notes, f"{said}{self.negative!r}, {self.positive!r}; --positive names another.")

    def judged_by(self, loss: str) -> Scorecard:
        """Return the card with a verdict on its probabilities, if any, by a loss: the same for all models."""
        for row in self.losses:
            if row.name == loss and self.task == "classification":
                found = judge(row.advantage, loss=loss, p_values=(row.p_better, row.p_worse))
                return replace(self, verdicts={"probabilities": found, **self.verdicts})
        return self

    @property
    def unequal(self) -> bool:
        """Whether cases may count for more than others, as weights or groups are given; they may be all equal."""
        return not self.columns.keys().isdisjoint(("weight", "group"))

    @property
    def unit(self) -> str:
        """The word for what was drawn."""
        return "case" if self.groups is None else "group"

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` says: NaN as null, infinities as text, a reason for no interval."""
        found = {"file": self.name} | asdict(self) | header()
        for name in ("name", "judgement", "negative", "constant", "notes"):
            del found[name]
        found |= {"positive_assumed": found.pop("assumed"), "top_tenth": found.pop("top")}
        calibration = found["calibration"]
        with_intervals = [*found["measures"].values(), *found["areas"].values()]
        for row in (found, *found["losses"], *found["classes"]):
            row["prediction_advantage"] = row.pop("advantage")
            with_intervals.append(row["prediction_advantage"])
        if calibration is not None:
            with_intervals += calibration["reliability"]
            calibration["no_slope"] = calibration["slope"].pop("reason")
            del calibration["slope"]["assumes"]
        for each in with_intervals:
            each["assumes"] = each.get("assumes") or assumption_of(each["method"], unequal=self.unequal)
        for each in found["verdicts"].values():
            del each["assumes"]
        for each in (*with_intervals, *found["verdicts"].values()):
            if each.get("reason") == "":
                del each["reason"]
        losses = ("loss", "trivial", "constant", "prediction_advantage")
        found |= {
            "model": self.model or None,
            "verdict": VERDICTS[self.judgement.verdict],
            "test_assumes": ASSUMED[self.test] or ("alike_mistakes" if self.unequal else None),
            "p_value": self.judgement.p_better,
            "p_worse": self.judgement.p_worse,
            "cases_needed": self.judgement.cases_needed,
            "losses": {row["name"]: {name: row[name] for name in losses} for row in found["losses"]},
            "warnings": self.warnings,
        }
        return dict(plain(found))


def header() -> dict[str, Any]:
    """Return what every document says about how it was made."""
    return {"schema": VERSION, "nontrivial": nontrivial.__version__, "level": LEVEL, "seed": INTERVAL_SEED}


def make_scorecard(answers: Answers) -> Scorecard:
    """Compute every measure of answers with its interval, and test the answers against trivial ones."""
    about: dict[str, Any] = {name: getattr(answers, name) for name in COPIED if hasattr(answers, name)}
    about |= {
        "cases": len(answers.truth),
        "weight": None if answers.weights is None else float(answers.weights.sum()),
        "groups": None if answers.groups is None else len(np.unique(answers.groups)),
        "notes": answers.notes,
    }
    if isinstance(answers, Forecasts):
        return Scorecard(**(about | _of_numbers(answers)))
    assert isinstance(answers, Predictions)
    return Scorecard(**(about | _of_classes(answers)))


def _of_numbers(forecasts: Forecasts) -> dict[str, Any]:
    losses = losses_of_numbers(forecasts)
    judged = losses[0] if forecasts.quantile is None else losses[-1]
    p_values = judged.p_better, judged.p_worse
    verdict = verdict_of(*p_values)
    return {
        "task": "regression",
        "loss": judged.name,
        "advantage": judged.advantage,
        "judgement": SignVerdict(verdict, *p_values, None),
        "test": "paired_t",
        "losses": losses,
        "verdicts": {
            "numbers": judge(judged.advantage, loss=judged.name, p_values=p_values, verdict=verdict)
        },
    }


def _of_classes(predictions: Predictions) -> dict[str, Any]:
    positive = predictions.positive
    n_classes = 2 if positive is not None else predictions.n_classes
    cells = Cells.of_predictions(predictions.truth, predictions.prediction, n_classes, predictions.units)
    right, wrong = cells.weights.reshape(-1, 2).T
    of_classes = right + wrong
    advantage, judgement = judge_cells(cells)
    found = (_several if positive is None else _two)(predictions, cells, of_classes, advantage)
    advantage = found["measures"]["prediction_advantage"]
    if predictions.cost is None:
        p_values = judgement.p_better, judgement.p_worse
        labels = judge(advantage, loss="zero_one", p_values=p_values, verdict=judgement.verdict)
    else:
        labels = under_costs(predictions, predictions.cost)
    verdicts, ranking = {"labels": labels}, of_ranking(predictions, found["areas"])
    if ranking is not None:
        verdicts = {"ranking": ranking, "labels": labels}
    if ranking is not None and ranking.verdict == WORSE and positive is not None:
        said = (
            f"Cases not labelled {positive!r} {RANKED_LOWER} (area under the ROC curve {ranking.value:.4f}); "
        )
        said += "if the scores are meant for another label, name it with --positive."
        found["notes"] = (said, *predictions.notes)
    return found | {
        "trivial_error": float(1 - of_classes.max() / of_classes.sum()),
        "error": float(wrong.sum() / of_classes.sum()),
        "advantage": advantage,
        "judgement": judgement,
        "test": "sign" if cells.are_cases else "bootstrap",
        "losses": losses_of_probabilities(predictions),
        "calibration": calibrate(predictions),
        "verdicts": verdicts,
    }


def _two(predictions: Predictions, cells: Cells, of_classes: Floats, advantage: Estimate) -> dict[str, Any]:
    """What there is of a positive class and the rest."""
    positive, labels = predictions.positive, predictions.labels
    counted = cells.weights.astype(int) if predictions.weights is None else cells.weights
    others = [name for name in labels[: predictions.n_classes] if name != positive]
    negative = others[0] if len(others) == 1 else None
    measures, areas = estimate_two(predictions, cells, advantage)
    return {
        "positives": int(np.count_nonzero(predictions.truth)),
        "negative": negative if len(labels) == 2 else None,
        "constant": positive if of_classes[1] > of_classes[0] else negative or f"not {positive}",
        "table": dict(zip(TABLE, counted.tolist(), strict=True)),
        "top": find_top(predictions),
        "measures": measures,
        "areas": areas,
    }


def _several(
    predictions: Predictions, cells: Cells, of_classes: Floats, advantage: Estimate
) -> dict[str, Any]:
    """What there is of classes of which none is positive."""
    classes, measures, areas = estimate_several(predictions, advantage)
    return {
        "constant": predictions.labels[int(of_classes.argmax())],
        "confusion": count_confusions(predictions),
        "classes": classes,
        "measures": measures,
        "areas": areas,
    }
