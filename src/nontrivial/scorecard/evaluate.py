"""The scorecard of one model's answers for some cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

import nontrivial
from nontrivial._arrays import Floats
from nontrivial._draws import Cells, are_few
from nontrivial._validation import Named
from nontrivial._warnings import assumption_of
from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.files import plain
from nontrivial.measures.sign_verdict import SignVerdict, Verdict
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
    judge_numbers,
    losses_of_numbers,
    losses_of_probabilities,
    macro_areas,
)
from nontrivial.scorecard.notes import (
    assumption_note,
    card_notes,
    end_note,
    forecast_notes,
    loss_note,
    undefined_notes,
    why_no_interval,
    why_undefined,
    why_undefined_of_classes,
)
from nontrivial.scorecard.verdicts import (
    INCONCLUSIVE,
    QuestionVerdict,
    of_probabilities,
    of_ranking,
    under_costs,
)
from nontrivial.seeds import INTERVAL_SEED

VERSION = 1  # of the schema; greater when a field changes its meaning or goes
VERDICTS: dict[Verdict, str] = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "not shown": "not shown to be better or worse than trivial",
}


@dataclass(frozen=True)
class Scorecard:
    """What is known about the answers of one model.

    Attributes
    ----------
    name, model, sha256, positive, assumed, rule, columns
        As in `Predictions`.
    task : {"classification", "regression"}
    cases : int
    positives : int or None
        Cases of the positive class; None where no class is positive.
    weight : float or None
        The sum of the weights of the cases; None if each case counts once.
    groups : int or None
        The number of groups of cases; None if the cases were drawn one by one.
    trivial_error, error : float in [0, 1], or None for numbers
        The error rate of always predicting the most frequent class, and that of the predictions.
    advantage : Estimate
        Prediction Advantage under `loss`.
    loss : {"zero_one", "squared", "pinball"}
        The loss behind the verdict. For numbers it is ``quantile`` if a quantile was given, else ``squared``.
    quantile : float or None
        The quantile that the numbers forecast, if one was given.
    judgement : SignVerdict
        Whether the answers are better than trivial, worse, or not shown to be either, with p-values.
    test : {"sign", "bootstrap", "paired_t"}
        The test behind the p-values.
    table : dict of str to float
        ``fp, tp, fn, tn``, weighted if the cases are; empty where no class is positive.
    confusion : Confusion or None
        The counts of three or more classes.
    negative : str or None
        The other label if there are two; None if one label is set against several.
    measures, areas : dict of str to Estimate
        Each measure and each area under a curve, with its interval; ``measures["f1"]`` also gives ``f_beta``. A value
        has no interval if it is undefined or if `no_interval` names it.
    losses : tuple of LossRow
        The losses of numbers or of probabilities.
    calibration : Calibration or None
        The calibration of the probabilities of two classes.
    undefined : dict of str to str
        For each measure and area that is undefined, the reason.
    no_interval : dict of str to str
        For each measure and area that is defined but has no interval, the reason.
    classes : tuple of ClassRow
        Each class against the rest; empty where one class is positive.
    notes, assumptions : tuple of str
        What to know before the numbers are used; and what intervals and tests assume.
    constant : str
        The best constant answer: the most frequent class.
    verdicts : dict of str to QuestionVerdict
        For each of "probabilities", "ranking", "labels" and "numbers" that the answers answer: whether they are better
        than trivial.
    threshold, cost : float or None
        As in `Predictions`.
    top : Top or None
        The tenth of the cases with the highest scores; None where no class is positive or there are no scores.
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
    assumptions: tuple[str, ...] = ()
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
        """All notes."""
        return (*self.notes, *self.assumptions)

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
    def verdict(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.judgement.verdict]

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` says: NaN as null, infinities as text, a reason for no interval."""
        reasons = self.undefined | self.no_interval

        def explained(estimates: dict[str, Estimate]) -> dict[str, Any]:
            return {
                name: _estimate_to_json(each, reasons.get(name), unequal=self.unequal)
                for name, each in estimates.items()
            }

        calibration = None if self.calibration is None else plain(asdict(self.calibration))
        if calibration:
            rows = calibration["reliability"]
            calibration["reliability"] = [_with_assumption(row, self.unequal) for row in rows]
            calibration["slope"] = plain(self.calibration.slope._asdict())  # type: ignore[union-attr]
        return {
            "file": self.name,
            "model": self.model or None,
            "sha256": self.sha256,
            **header(),
            "task": self.task,
            "loss": self.loss,
            "quantile": self.quantile,
            "positive": self.positive,
            "positive_assumed": self.assumed,
            "rule": self.rule,
            "columns": self.columns,
            "cases": self.cases,
            "positives": self.positives,
            "weight": self.weight,
            "groups": self.groups,
            "trivial_error": self.trivial_error,
            "error": self.error,
            "verdicts": {name: _without_empty(plain(asdict(each))) for name, each in self.verdicts.items()},
            "threshold": self.threshold,
            "cost": self.cost,
            "top_tenth": None if self.top is None else asdict(self.top),
            "verdict": self.verdict,
            "test": self.test,
            "test_assumes": ASSUMED[self.test] or ("alike_mistakes" if self.unequal else None),
            "p_value": plain(self.judgement.p_better),
            "p_worse": plain(self.judgement.p_worse),
            "cases_needed": self.judgement.cases_needed,
            "prediction_advantage": _advantage_of(self.judged)
            if self.judged
            else _estimate_to_json(self.advantage, self.reason, unequal=self.unequal),
            "table": self.table,
            "confusion": None if self.confusion is None else plain(asdict(self.confusion)),
            "measures": explained(self.measures),
            "areas": explained(self.areas),
            "losses": {
                row.name: {
                    "loss": plain(row.loss),
                    "trivial": plain(row.trivial),
                    "constant": plain(row.constant),
                    "prediction_advantage": _advantage_of(row),
                }
                for row in self.losses
            },
            "calibration": calibration,
            "classes": [
                {
                    "label": row.label,
                    "cases": row.cases,
                    "predicted": row.predicted,
                    "measures": plain(row.measures),
                    "areas": plain(row.areas),
                    "prediction_advantage": _estimate_to_json(row.advantage, unequal=self.unequal),
                    "p_value": plain(row.p_value),
                }
                for row in self.classes
            ],
            "warnings": list(self.warnings),
        }


def _without_empty(verdict: dict[str, Any]) -> dict[str, Any]:
    """Leave out the reason for a missing interval where there is one."""
    return {key: value for key, value in verdict.items() if key != "reason" or value}


def header() -> dict[str, Any]:
    """Return what every document says about how it was made."""
    return {"schema": VERSION, "nontrivial": nontrivial.__version__, "level": LEVEL, "seed": INTERVAL_SEED}


def _estimate_to_json(estimate: Estimate, reason: str | None = None, *, unequal: bool) -> dict[str, Any]:
    """Return value, low, high, method and its assumption, with the reason if there is no interval."""
    fields = _with_assumption(plain(estimate._asdict()), unequal)
    return fields if estimate.method or not reason else fields | {"reason": reason}


def _advantage_of(row: LossRow) -> dict[str, Any]:
    """Return the Prediction Advantage under a loss, which says itself what its interval assumes."""
    return _estimate_to_json(row.advantage, row.no_interval, unequal=False) | {"assumes": row.assumes}


def _with_assumption(fields: dict[str, Any], unequal: bool) -> dict[str, Any]:
    """Add to the fields of an interval what its method assumes, as `assumption_of` says."""
    return fields | {"assumes": assumption_of(fields["method"], unequal=unequal)}


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
    }


def _of_numbers(forecasts: Forecasts) -> Scorecard:
    losses = losses_of_numbers(forecasts)
    judged = losses[0] if forecasts.quantile is None else losses[-1]
    judgement, test = judge_numbers(judged)
    return Scorecard(
        **_common(forecasts),
        task="regression",
        loss=judged.name,
        quantile=forecasts.quantile,
        advantage=judged.advantage,
        judgement=judgement,
        test=test,
        losses=losses,
        notes=card_notes(forecasts),
        assumptions=(*end_note(judgement, judged.advantage), *forecast_notes(forecasts)),
        verdicts={
            "numbers": _tested(
                "prediction_advantage", judged.name, judged.advantage, judgement, judged.no_interval
            )
        },
    )


def _tested(
    measure: str, loss: str, estimate: Estimate, judgement: SignVerdict, reason: str
) -> QuestionVerdict:
    """Return a verdict that a test decided, with which its interval agrees."""
    verdict = INCONCLUSIVE if judgement.verdict == "not shown" else judgement.verdict
    return QuestionVerdict(
        verdict,
        measure,
        loss,
        *estimate[:3],
        judgement.p_better,
        judgement.p_worse,
        estimate.method,
        "" if estimate.method else reason or "it is undefined",
    )


def _of_classes(predictions: Predictions) -> Scorecard:
    truth, predicted = predictions.truth, predictions.prediction
    weights, groups = predictions.weights, predictions.groups
    binary = predictions.positive is not None
    n_classes = 2 if binary else predictions.n_classes
    cells = Cells.of_predictions(truth, predicted, n_classes, weights, groups)
    right, wrong = cells.weights.reshape(-1, 2).T
    total = cells.weights.sum()
    error = float(wrong.sum() / total)
    advantage, judgement, test = judge_cells(cells)
    table: dict[str, float] = {}
    confusion = None
    classes: tuple[ClassRow, ...] = ()
    areas, said = _areas(predictions)
    if binary:
        table = {
            name: float(w) if weights is not None else int(w)
            for name, w in zip(TABLE, cells.weights, strict=True)
        }
        measures = estimate_table(cells, advantage)
        undefined = why_undefined(measures | areas, table)
    else:
        names = predictions.labels[:n_classes]
        of_each = areas_of_classes(predictions)
        confusion = count_confusions(truth, predicted, predictions.labels, n_classes, weights)
        classes = class_rows(truth, predicted, names, weights, groups, of_each)
        measures = estimate_classes(truth, predicted, n_classes, weights, groups)
        measures["prediction_advantage"] = advantage
        areas = macro_areas(predictions, of_each)
        undefined = why_undefined_of_classes(measures | areas, classes)
    losses = losses_of_probabilities(predictions)
    assumed = assumption_note(predictions, error, measures | areas)
    no_interval = why_no_interval(measures | areas, n_classes, few=are_few(weights, groups, len(truth)))
    verdicts = {
        "probabilities": of_probabilities(losses, _loss_of_probabilities(losses)),
        "ranking": of_ranking(predictions, areas, no_interval),
        "labels": _tested(
            "prediction_advantage",
            "zero_one",
            advantage,
            judgement,
            no_interval.get("prediction_advantage", ""),
        )
        if predictions.cost is None
        else under_costs(predictions, predictions.cost),
    }
    others = [name for name in predictions.labels if name != predictions.positive]
    return Scorecard(
        **_common(predictions),
        positive=predictions.positive,
        assumed=predictions.assumed,
        negative=others[0] if binary and len(others) == 1 else None,
        rule=predictions.rule,
        positives=int(np.count_nonzero(truth)) if binary else None,
        trivial_error=float(1 - (right + wrong).max() / total),
        error=error,
        advantage=measures["prediction_advantage"],
        judgement=judgement,
        test=test,
        table=table,
        confusion=confusion,
        measures=Named(measures),
        areas=Named(areas),
        losses=losses,
        calibration=calibrate(predictions),
        undefined=undefined,
        no_interval=no_interval,
        verdicts={name: each for name, each in verdicts.items() if each is not None},
        threshold=predictions.threshold,
        cost=predictions.cost,
        top=find_top(predictions) if binary else None,
        classes=classes,
        notes=card_notes(predictions, table, said),
        assumptions=(
            *end_note(judgement, advantage),
            *assumed,
            *loss_note(losses),
            *undefined_notes(undefined),
        ),
        constant=_constant(predictions, right + wrong),
    )


def _constant(predictions: Predictions, of_classes: Floats) -> str:
    """Return the most frequent class; of equally frequent ones, the first."""
    if predictions.positive is None:
        return predictions.labels[int(of_classes.argmax())]
    others = [name for name in predictions.labels[: predictions.n_classes] if name != predictions.positive]
    negative = others[0] if len(others) == 1 else f"not {predictions.positive}"
    return predictions.positive if of_classes[1] > of_classes[0] else negative


def _loss_of_probabilities(losses: Sequence[LossRow]) -> str:
    """Return the loss by which one model's probabilities are judged."""
    return "squared" if any(math.isinf(row.loss) for row in losses) else "cross_entropy"


def _areas(predictions: Predictions) -> tuple[dict[str, Estimate], tuple[str, ...]]:
    """The areas under the curves, and the warnings of their computation."""
    if predictions.score is None:
        return {}, ()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ExtrapolatedAreaWarning)
        areas = estimate_areas(predictions.truth, predictions.score, predictions.weights, predictions.groups)
    said = [str(warning.message) for warning in caught]
    auc = areas["roc_auc"]
    if (auc.value if predictions.assumed else auc.high) < 0.5:  # nobody chose an assumed label
        said.insert(
            0,
            f"Cases not labelled {predictions.positive!r} have higher scores (area under the ROC curve "
            f"{auc.value:.4f}); if the scores are meant for another label, name it with --positive.",
        )
    return areas, tuple(dict.fromkeys(said))
