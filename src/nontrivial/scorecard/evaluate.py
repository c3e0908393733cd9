"""The scorecard of one model's answers for some cases."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

import nontrivial
from nontrivial._arrays import Floats, Ints, Mask, chunks, weight_counts
from nontrivial._draws import Cells, are_few
from nontrivial._validation import Named
from nontrivial._warnings import assumption_of
from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.files import plain
from nontrivial.labels import are_separable
from nontrivial.measures.intervals import clopper_pearson
from nontrivial.measures.sign_verdict import SignVerdict, Verdict
from nontrivial.scorecard.answers import Answers, Forecasts, Predictions, are_probabilities
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

# The table of counts of several classes.


MOST_LABELS = 8  # of a table that a terminal can show
MISTAKES = 10


@dataclass(frozen=True)
class Mistake:
    """Cases of one class that are predicted to be of another."""

    truth: str
    predicted: str
    cases: float


@dataclass(frozen=True)
class Confusion:
    """What the cases of each class were predicted to be.

    Attributes
    ----------
    labels : tuple of str
        The true classes in their order, and then the labels that are only predicted.
    counts : tuple of tuples of float
        For each true class, its cases by predicted label, weighted if the cases are; empty for more than `MOST_LABELS`
        labels.
    mistakes : tuple of Mistake
        The most frequent mistakes, at most `MISTAKES`, the most frequent first.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    mistakes: tuple[Mistake, ...]


def count_confusions(
    truth: Ints, prediction: Ints, labels: Sequence[str], n_classes: int, weights: Floats | None = None
) -> Confusion:
    """Count the cases of each class by what they were predicted to be.

    Parameters
    ----------
    truth, prediction : int arrays of shape (n,)
        Places of labels.
    labels : sequence of str
    n_classes : int
        How many of them are true classes.
    weights : ndarray of shape (n,) or None

    Examples
    --------
    >>> found = count_confusions(np.array([0, 0, 1]), np.array([0, 1, 1]), ["cat", "dog"], 2)
    >>> found.counts, found.mistakes
    (((1, 1), (0, 1)), (Mistake(truth='cat', predicted='dog', cases=1),))
    """
    cells, places = np.unique(truth.astype(np.int64) * len(labels) + prediction, return_inverse=True)
    cases = np.bincount(places, weights=weights)
    actual, predicted = np.divmod(cells, len(labels))
    counts: tuple[tuple[float, ...], ...] = ()
    if len(labels) <= MOST_LABELS:
        table = np.zeros((n_classes, len(labels)), dtype=cases.dtype)
        table[actual, predicted] = cases
        counts = tuple(map(tuple, table.tolist()))
    wrong = np.flatnonzero(actual != predicted)
    first = wrong[np.argsort(-cases[wrong], kind="stable")][:MISTAKES]
    mistakes = (Mistake(labels[actual[at]], labels[predicted[at]], cases[at].item()) for at in first)
    return Confusion(tuple(labels), counts, tuple(mistakes))


# Whether probabilities agree with the cases, and what acting on them is worth.


BINS = 10
NO_ESTIMATE = Estimate(math.nan)
HUNDREDTHS = tuple(hundredth / 100 for hundredth in range(1, 100))
THRESHOLDS = (0.01, 0.02, 0.05, *(tenth / 10 for tenth in range(1, 10)))


@dataclass(frozen=True)
class ReliabilityRow:
    """Cases of similar probabilities.

    Attributes
    ----------
    cases : int
    least, greatest, mean : float in [0, 1]
        The least, the greatest and the mean of their probabilities.
    share : float in [0, 1]
        The share of positives among them.
    low, high : float in [0, 1]
        The ends of the interval of the share; NaN with weights or groups.
    method : str
        The method of the interval; empty without one.
    """

    cases: int
    least: float
    greatest: float
    mean: float
    share: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""


@dataclass(frozen=True)
class NetBenefitRow:
    """The worth of acting from a threshold on: true positives minus weighted false positives, per case.

    Attributes
    ----------
    threshold : float in (0, 1)
    model, everybody : float
        The net benefit of acting by the model and of acting on all cases; acting on nobody is worth 0.
    """

    threshold: float
    model: float
    everybody: float


@dataclass(frozen=True)
class Calibration:
    """Probabilities compared with the cases.

    Attributes
    ----------
    mean, share : float in [0, 1]
        The mean probability, and the share of positives.
    reliability : tuple of ReliabilityRow
        The cases by increasing probability, about the same number in each row.
    net_benefit : tuple of NetBenefitRow
        The decision curve.
    slope : Estimate
        The slope of logistic recalibration, 1 for good probabilities, with Wald's interval.
    no_slope : str
        Why there is no slope; empty if there is one.
    beneficial : tuple of pairs of float
        The ranges of thresholds, in hundredths, at which acting by the model is worth more than acting on all and on
        none.
    """

    mean: float
    share: float
    reliability: tuple[ReliabilityRow, ...]
    net_benefit: tuple[NetBenefitRow, ...]
    slope: Estimate = NO_ESTIMATE
    no_slope: str = ""
    beneficial: tuple[tuple[float, float], ...] = ()


def calibrate(predictions: Predictions) -> Calibration | None:
    """Compare the probabilities of the positive class with the cases; None if there are no probabilities."""
    if predictions.score is None or not are_probabilities(predictions.score):
        return None
    truth, score, weights = predictions.truth, predictions.score, predictions.weights
    exact = weights is None and predictions.groups is None
    # These are order statistics, and so clipped as the scores are.
    edges = np.quantile(score, np.arange(1, BINS) / BINS, method="inverted_cdf")
    rows = _rows(truth, score, weights, np.unique(np.clip(edges, 0, 1)))
    return Calibration(
        mean=min(float(rows.chances.sum() / rows.mass.sum()), 1.0),
        share=min(float(rows.hits.sum() / rows.mass.sum()), 1.0),
        reliability=tuple(_reliability(rows, exact=exact)),
        net_benefit=net_benefits(truth, score, weights, THRESHOLDS),
        beneficial=_beneficial(truth, score, weights),
        **_slope(predictions),
    )


def _beneficial(truth: Mask, score: Floats, weights: Floats | None) -> tuple[tuple[float, float], ...]:
    """Return the first and the last of neighbouring thresholds at which the model beats both trivial answers."""
    rows = net_benefits(truth, score, weights, HUNDREDTHS)
    spans: list[tuple[float, float]] = []
    before = False
    for row in rows:
        now = row.model > max(row.everybody, 0.0) + 1e-12
        if now:
            spans[-1:] = (
                [(spans[-1][0], row.threshold)] if before else [*spans[-1:], (row.threshold, row.threshold)]
            )
        before = now
    return tuple(spans)


def _slope(predictions: Predictions) -> dict[str, Any]:
    """Fit the logit of the truth to the logit of the probabilities by Newton's method."""
    assert predictions.score is not None
    if predictions.weights is not None or predictions.groups is not None:
        return {"no_slope": "cases have weights or groups"}
    truth, score = predictions.truth.astype(float), np.clip(predictions.score, 0, 1)
    if score.min() == 0 or score.max() == 1:
        return {"no_slope": "some probabilities are 0 or 1"}
    if score.min() == score.max():
        return {"no_slope": "all probabilities are equal"}
    if are_separable(score, predictions.truth):
        return {"no_slope": "the probabilities separate the classes"}
    logits = np.column_stack([np.ones(len(score)), np.log(score / (1 - score))])
    fitted = np.array([0.0, 1.0])
    for _ in range(100):
        chances = 1 / (1 + np.exp(-(logits @ fitted)))
        information = (logits * (chances * (1 - chances))[:, None]).T @ logits
        step = np.linalg.lstsq(information, logits.T @ (truth - chances), rcond=None)[0]
        fitted += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            break
    margin = 1.959963984540054 * math.sqrt(np.linalg.pinv(information)[1, 1])
    return {"slope": Estimate(float(fitted[1]), fitted[1] - margin, fitted[1] + margin, "wald")}


def net_benefits(
    truth: Mask, score: Floats, weights: Floats | None, thresholds: tuple[float, ...]
) -> tuple[NetBenefitRow, ...]:
    """Return the decision curve at increasing thresholds."""
    # A case counts from a threshold on; the places of positives come after those of negatives.
    steps = len(thresholds) + 1
    places = np.empty(len(score), dtype=np.int16)
    for part in chunks(len(score)):
        places[part] = np.searchsorted(thresholds, score[part], side="right") + steps * truth[part]
    acted = weight_counts(places, 2 * steps, weights).reshape(2, steps)[:, ::-1].cumsum(axis=1)[:, ::-1]
    n = acted[:, 0].sum()
    rows = []
    for place, threshold in enumerate(thresholds, start=1):
        odds = threshold / (1 - threshold)
        model, everybody = (float(acted[1, at] - acted[0, at] * odds) / n for at in (place, 0))
        rows.append(NetBenefitRow(threshold, float(model), float(everybody)))
    return tuple(rows)


class _Rows(NamedTuple):
    """Sums over the cases of similar probabilities: numbers, weights, probabilities and positives; and the extremes."""

    cases: Floats
    positives: Floats
    mass: Floats
    chances: Floats
    hits: Floats
    least: Floats
    greatest: Floats


def _rows(truth: Mask, score: Floats, weights: Floats | None, edges: Floats) -> _Rows:
    """Divide cases by the greatest probability of each row but the last."""
    sums = np.zeros((5, len(edges) + 1))
    least = np.ones(len(edges) + 1)
    for part in chunks(len(score)):
        chances, hits = np.clip(score[part], 0, 1), truth[part]
        place = np.searchsorted(edges, chances, side="left")
        mass = np.ones(len(place)) if weights is None else weights[part]
        each = (None, hits, mass, mass * chances, mass * hits)
        sums += [np.bincount(place, weights=of_cases, minlength=len(least)) for of_cases in each]
        np.minimum.at(least, place, chances)
    return _Rows._make([*sums, least, np.append(edges, min(score.max(), 1.0))])


def _reliability(rows: _Rows, *, exact: bool) -> list[ReliabilityRow]:
    found = []
    for row in map(_Rows._make, zip(*rows, strict=True)):
        if not row.cases:
            continue
        bounds = clopper_pearson(int(row.positives), int(row.cases), LEVEL) if exact else (math.nan, math.nan)
        found.append(
            ReliabilityRow(
                cases=int(row.cases),
                least=float(row.least),
                greatest=float(row.greatest),
                mean=min(float(row.chances / row.mass), 1.0),
                share=min(float(row.hits / row.mass), 1.0),
                low=bounds[0],
                high=bounds[1],
                method="clopper_pearson" if exact else "",
            )
        )
    return found


@dataclass(frozen=True)
class Top:
    """The tenth of the cases with the highest scores; more or fewer where scores are equal.

    Attributes
    ----------
    cases, positives : int
    """

    cases: int
    positives: int


def find_top(predictions: Predictions) -> Top | None:
    """Count the cases, and the positives among them, that score above nine tenths of all; None without scores."""
    score = predictions.score
    if score is None:
        return None
    edge = np.quantile(score, 1 - 1 / BINS, method="inverted_cdf")
    top = score > edge if (score > edge).any() else score >= edge
    return Top(int(top.sum()), int(predictions.truth[top].sum()))


# The scorecard of one model's answers for some cases, and what it is as plain data.


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
