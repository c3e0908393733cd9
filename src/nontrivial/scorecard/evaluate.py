"""The scorecard of one model's answers for some cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

import nontrivial
from nontrivial._draws import Cells
from nontrivial._validation import Named
from nontrivial._warnings import assumption_of
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
    ASSUMED,
    LEVEL,
    TABLE,
    ClassRow,
    Estimate,
    LossRow,
    areas_of_classes,
    class_rows,
    estimate_areas,
    estimate_classes,
    estimate_table,
    judge_cells,
    losses_of_numbers,
    losses_of_probabilities,
    macro_areas,
)
from nontrivial.scorecard.notes import card_notes, why_no_interval, why_undefined, why_undefined_of_classes
from nontrivial.scorecard.verdicts import (
    WORSE,
    QuestionVerdict,
    of_probabilities,
    of_ranking,
    probability_loss,
    under_costs,
)
from nontrivial.seeds import INTERVAL_SEED

VERSION = 1  # of the schema; greater when a field changes its meaning or goes
VERDICTS: dict[Verdict, str] = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "inconclusive": "inconclusive: shown neither better nor worse than trivial",
}


# Fields that are the same in the JSON.
_AS_THEY_ARE = (
    "task", "loss", "quantile", "positive", "rule", "columns", "cases", "positives", "weight", "groups",
    "trivial_error", "error", "threshold", "cost", "table",
)  # fmt: skip


@dataclass(frozen=True)
class Scorecard:
    """What is known about the answers of one model.

    The fields are those of the JSON, which `score.schema.json` describes; `name` is its file, and `judgement` has its
    p-values and the number of cases that would be needed. ``measures["f1"]`` also gives ``f_beta``.

    Attributes
    ----------
    columns, positive, assumed, rule, threshold, cost
        As in `Predictions`.
    advantage : Estimate
        Prediction Advantage under `loss`.
    negative : str or None
        The other label if there are two; None if one label is set against several.
    undefined, no_interval : dict of str to str
        For each measure and area that is undefined, or defined but without an interval, the reason.
    notes : tuple of str
        What to know before the numbers are used.
    constant : str
        The best constant answer: the most frequent class.
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
    undefined: dict[str, str] = field(default_factory=dict)
    no_interval: dict[str, str] = field(default_factory=dict)
    classes: tuple[ClassRow, ...] = ()
    notes: tuple[str, ...] = ()
    constant: str = ""
    verdicts: dict[str, QuestionVerdict] = field(default_factory=dict)
    threshold: float | None = None
    cost: float | None = None
    top: Top | None = None

    @property
    def judged(self) -> LossRow | None:
        """The loss of numbers that the Prediction Advantage is of; None for classes."""
        return next((row for row in self.losses if row.name == self.loss), None)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, and which positive label is assumed, which the screen says in its second line."""
        if not self.assumed:
            return self.notes
        said = f"The positive label is assumed to be {self.positive!r}, the greater of the two labels "
        return (*self.notes, f"{said}{self.negative!r}, {self.positive!r}; --positive names another.")

    def judged_by(self, loss: str) -> Scorecard:
        """Return the same card with its probabilities judged by a loss, which that of several models must be."""
        found = of_probabilities(self.losses, loss)
        return self if found is None else replace(self, verdicts=self.verdicts | {"probabilities": found})

    @property
    def reason(self) -> str:
        """Why the Prediction Advantage has no interval; empty if it has one."""
        if self.judged is not None:
            return self.judged.no_interval
        return self.no_interval.get("prediction_advantage", "")

    @property
    def unequal(self) -> bool:
        """Whether cases may count for more than others, as weights or groups are given; they may be all equal."""
        return not self.columns.keys().isdisjoint(("weight", "group"))

    @property
    def unit(self) -> str:
        """The word for what was drawn."""
        return "case" if self.groups is None else "group"

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.judgement.verdict]

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` says: NaN as null, infinities as text, a reason for no interval."""
        calibration = None
        if self.calibration is not None:
            bins = [self._estimated(asdict(row)) for row in self.calibration.reliability]
            slope = self.calibration.slope._asdict()
            calibration = asdict(self.calibration) | {"reliability": bins, "slope": slope}
        classes = [
            {name: value for name, value in vars(row).items() if name != "advantage"}
            | {"prediction_advantage": self._estimated(row.advantage._asdict())}
            for row in self.classes
        ]
        losses = {
            row.name: {
                "loss": row.loss,
                "trivial": row.trivial,
                "constant": row.constant,
                "prediction_advantage": self._advantage_of(row),
            }
            for row in self.losses
        }
        advantage = self._estimated(self.advantage._asdict(), self.reason)
        if self.judged is not None:
            advantage = self._advantage_of(self.judged)
        verdicts = {name: asdict(each) for name, each in self.verdicts.items()}
        for each in verdicts.values():
            if not each["reason"]:
                del each["reason"]
        found: dict[str, Any] = plain(
            {
                "file": self.name,
                "model": self.model or None,
                "sha256": self.sha256,
                **header(),
                **{name: getattr(self, name) for name in _AS_THEY_ARE},
                "positive_assumed": self.assumed,
                "verdicts": verdicts,
                "top_tenth": self.top and asdict(self.top),
                "verdict": self.verdict,
                "test": self.test,
                "test_assumes": ASSUMED[self.test] or ("alike_mistakes" if self.unequal else None),
                "p_value": self.judgement.p_better,
                "p_worse": self.judgement.p_worse,
                "cases_needed": self.judgement.cases_needed,
                "prediction_advantage": advantage,
                "confusion": self.confusion and asdict(self.confusion),
                "measures": self._explained(self.measures),
                "areas": self._explained(self.areas),
                "losses": losses,
                "calibration": calibration,
                "classes": classes,
                "warnings": self.warnings,
            }
        )
        return found

    def _estimated(self, fields: dict[str, Any], reason: str = "") -> dict[str, Any]:
        """Add what an interval assumes, or why there is none."""
        fields |= {"assumes": assumption_of(fields["method"], unequal=self.unequal)}
        return fields if fields["method"] or not reason else fields | {"reason": reason}

    def _explained(self, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
        reasons = self.undefined | self.no_interval
        return {
            name: self._estimated(each._asdict(), reasons.get(name, "")) for name, each in estimates.items()
        }

    def _advantage_of(self, row: LossRow) -> dict[str, Any]:
        return self._estimated(row.advantage._asdict(), row.no_interval) | {"assumes": row.assumes}


def header() -> dict[str, Any]:
    """Return what every document says about how it was made."""
    return {"schema": VERSION, "nontrivial": nontrivial.__version__, "level": LEVEL, "seed": INTERVAL_SEED}


def make_scorecard(answers: Any) -> Scorecard:
    """Compute every measure of answers with its interval, and test the answers against trivial ones."""
    return _of_numbers(answers) if isinstance(answers, Forecasts) else _of_classes(answers)


def _common(answers: Answers) -> dict[str, Any]:
    return {
        "name": answers.name,
        "model": answers.model,
        "sha256": answers.sha256,
        "columns": answers.columns,
        "cases": len(answers.truth),
        "weight": None if answers.weights is None else float(answers.weights.sum()),
        "groups": None if answers.groups is None else len(np.unique(answers.groups)),
        "notes": card_notes(answers),
    }


def _of_numbers(forecasts: Forecasts) -> Scorecard:
    losses = losses_of_numbers(forecasts)
    judged = losses[0] if forecasts.quantile is None else losses[-1]
    p_values = judged.p_better, judged.p_worse
    judgement = SignVerdict(verdict_of(*p_values), *p_values, None)
    return Scorecard(
        **_common(forecasts),
        task="regression",
        loss=judged.name,
        quantile=forecasts.quantile,
        advantage=judged.advantage,
        judgement=judgement,
        test="paired_t",
        losses=losses,
        verdicts={
            "numbers": QuestionVerdict.tested(judged.name, judged.advantage, judged.no_interval, judgement)
        },
    )


def _of_classes(predictions: Predictions) -> Scorecard:
    positive, units = predictions.positive, predictions.units
    n_classes = 2 if positive is not None else predictions.n_classes
    cells = Cells.of_predictions(predictions.truth, predictions.prediction, n_classes, units)
    right, wrong = cells.weights.reshape(-1, 2).T
    of_classes = right + wrong
    advantage, judgement, test = judge_cells(cells)
    found = (_several if positive is None else _two)(predictions, cells, of_classes, advantage)
    measures, areas = found["measures"], found["areas"]
    no_interval = why_no_interval(measures | areas, n_classes, units)
    losses = losses_of_probabilities(predictions)
    labels = (
        QuestionVerdict.tested("zero_one", advantage, no_interval.get("prediction_advantage", ""), judgement)
        if predictions.cost is None
        else under_costs(predictions, predictions.cost)
    )
    verdicts = {
        "probabilities": of_probabilities(losses, probability_loss(losses)),
        "ranking": of_ranking(predictions, areas, no_interval),
        "labels": labels,
    }
    common, ranking = _common(predictions), verdicts["ranking"]
    if ranking is not None and ranking.verdict == WORSE and positive is not None:
        said = f"Cases not labelled {positive!r} have higher scores (area under the ROC curve {ranking.value:.4f}); "
        said += "if the scores are meant for another label, name it with --positive."
        common["notes"] = (said, *common["notes"])
    return Scorecard(
        **common,
        **found,
        positive=positive,
        assumed=predictions.assumed,
        rule=predictions.rule,
        trivial_error=float(1 - of_classes.max() / of_classes.sum()),
        error=float(wrong.sum() / of_classes.sum()),
        advantage=measures["prediction_advantage"],
        judgement=judgement,
        test=test,
        losses=losses,
        calibration=calibrate(predictions),
        no_interval=no_interval,
        verdicts={name: each for name, each in verdicts.items() if each is not None},
        threshold=predictions.threshold,
        cost=predictions.cost,
    )


def _two(predictions: Predictions, cells: Cells, of_classes: Any, advantage: Estimate) -> dict[str, Any]:
    """What there is of a positive class and the rest."""
    positive, truth, score = predictions.positive, predictions.truth, predictions.score
    counted = cells.weights.astype(int) if predictions.weights is None else cells.weights
    table = dict(zip(TABLE, counted.tolist(), strict=True))
    measures, areas = estimate_table(cells, advantage), {}
    if score is not None:
        areas = estimate_areas(truth, score, predictions.units)
    others = [name for name in predictions.labels[: predictions.n_classes] if name != positive]
    negative = others[0] if len(others) == 1 else None
    return {
        "positives": int(np.count_nonzero(truth)),
        "negative": negative if len(predictions.labels) == 2 else None,
        "constant": positive if of_classes[1] > of_classes[0] else negative or f"not {positive}",
        "table": table,
        "top": find_top(predictions),
        "measures": Named(measures),
        "areas": Named(areas),
        "undefined": why_undefined(measures | areas, table),
    }


def _several(predictions: Predictions, cells: Cells, of_classes: Any, advantage: Estimate) -> dict[str, Any]:
    """What there is of classes of which none is positive."""
    n_classes, labels = predictions.n_classes, predictions.labels
    cases = predictions.truth, predictions.prediction
    of_each = areas_of_classes(predictions)
    classes = class_rows(*cases, labels[:n_classes], predictions.units, of_each)
    measures = estimate_classes(*cases, n_classes, predictions.units)
    measures["prediction_advantage"] = advantage
    areas = macro_areas(predictions, of_each)
    return {
        "constant": labels[int(of_classes.argmax())],
        "confusion": count_confusions(*cases, labels, n_classes, predictions.weights),
        "classes": classes,
        "measures": Named(measures),
        "areas": Named(areas),
        "undefined": why_undefined_of_classes(measures | areas, classes),
    }
