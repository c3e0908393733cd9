"""The scorecard of a file of predictions."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Mask
from nontrivial.curves.gain_areas import ExtrapolatedAreaWarning
from nontrivial.curves.resampling import bootstrap_curve_areas
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.measures.sign_verdict import SignVerdict, Verdict, judge_counts
from nontrivial.scorecard.classes import ClassRow, class_rows, estimate_classes
from nontrivial.scorecard.estimates import LEVEL, Estimate, estimate_table
from nontrivial.scorecard.notes import (
    label_notes,
    one_sided_note,
    undefined_notes,
    why_undefined,
    why_undefined_of_classes,
)
from nontrivial.scorecard.predictions import Predictions

VERDICTS: dict[Verdict, str] = {
    "better": "better than trivial",
    "worse": "worse than trivial",
    "not shown": "not shown to be better or worse than trivial",
}


@dataclass(frozen=True)
class Scorecard:
    """What a file of predictions comes to.

    Attributes
    ----------
    name, positive, rule, columns
        As in `Predictions`.
    cases : int
    positives : int or None
        Cases of the positive class; None for more than two classes.
    trivial_error, error : float in [0, 1]
        Of always predicting the most frequent class, and of the predictions.
    advantage : Estimate
        Prediction Advantage, with its exact interval.
    judgement : SignVerdict
        Whether they are better than trivial, worse, or not shown to be either, with p-values.
    table : dict of str to int
        ``fp, tp, fn, tn``; empty for more than two classes.
    measures, areas : dict of str to Estimate
        Each measure and each area under a curve, with its interval; without one where the value is undefined, and for
        the area under the cost curve.
    undefined : dict of str to str
        Why, for each of these that is undefined.
    classes : tuple of ClassRow
        Each class against the rest; empty for two classes.
    warnings : tuple of str
        What to know before the numbers are used.
    """

    name: str
    positive: str | None
    rule: str
    columns: dict[str, str]
    cases: int
    positives: int | None
    trivial_error: float
    error: float
    advantage: Estimate
    judgement: SignVerdict
    table: dict[str, int]
    measures: dict[str, Estimate]
    areas: dict[str, Estimate]
    undefined: dict[str, str]
    classes: tuple[ClassRow, ...]
    warnings: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return VERDICTS[self.judgement.verdict]

    def to_json(self) -> dict[str, Any]:
        """Plain data; each estimate as value, low, high and method, with NaN as null and infinities as text.

        Where a value is undefined, the reason stands with it.
        """

        def plain(number: float) -> float | str | None:
            return number if math.isfinite(number) else None if math.isnan(number) else str(number)

        def named(estimate: Estimate) -> dict[str, float | str | None]:
            return dict(zip(("value", "low", "high"), map(plain, estimate[:3]), strict=True)) | {
                "method": estimate.method
            }

        def explained(name: str, estimate: Estimate) -> dict[str, float | str | None]:
            return named(estimate) | ({"reason": self.undefined[name]} if name in self.undefined else {})

        return {
            "file": self.name,
            "positive": self.positive,
            "rule": self.rule,
            "columns": self.columns,
            "cases": self.cases,
            "positives": self.positives,
            "trivial_error": self.trivial_error,
            "error": self.error,
            "level": LEVEL,
            "verdict": self.verdict,
            "p_value": self.judgement.p_better,
            "p_worse": self.judgement.p_worse,
            "cases_needed": self.judgement.cases_needed,
            "prediction_advantage": named(self.advantage),
            "table": self.table,
            "measures": {name: explained(name, estimate) for name, estimate in self.measures.items()},
            "areas": {name: explained(name, estimate) for name, estimate in self.areas.items()},
            "classes": [
                {
                    "label": row.label,
                    "cases": row.cases,
                    "predicted": row.predicted,
                    "measures": {name: plain(value) for name, value in row.measures.items()},
                    "prediction_advantage": named(row.advantage),
                    "p_value": row.p_value,
                }
                for row in self.classes
            ],
            "warnings": list(self.warnings),
        }


def make_scorecard(predictions: Predictions) -> Scorecard:
    """Compute every measure of predictions with its interval, and test them against the trivial prediction."""
    truth, predicted = predictions.truth, predictions.prediction
    n = len(truth)
    trivial = 1 - int(pd.Series(truth).value_counts().max()) / n
    error = float(np.mean(truth != predicted))
    counts = np.bincount(truth)
    judgement = judge_counts(counts, np.bincount(truth[truth != predicted], minlength=len(counts)))
    binary = predictions.positive is not None
    table: dict[str, int] = {}
    classes: tuple[ClassRow, ...] = ()
    areas, said = _areas(predictions)
    if binary:
        table = _table(truth, predicted)
        measures = estimate_table(table)
        advantage = measures["prediction_advantage"]
        undefined = why_undefined(measures | areas, table)
    else:
        classes = class_rows(truth, predicted, predictions.labels[: predictions.n_classes])
        measures = estimate_classes(truth, predicted, predictions.n_classes)
        low, high = prediction_advantage_interval(truth, predicted, level=LEVEL, method="exact")
        advantage = Estimate(1 - error / trivial, float(low), float(high), "exact")
        measures["prediction_advantage"] = advantage
        undefined = why_undefined_of_classes(measures, classes)
    return Scorecard(
        name=predictions.name,
        positive=predictions.positive,
        rule=predictions.rule,
        columns=predictions.columns,
        cases=n,
        positives=int(np.count_nonzero(truth)) if binary else None,
        trivial_error=trivial,
        error=error,
        advantage=advantage,
        judgement=judgement,
        table=table,
        measures=measures,
        areas=areas,
        undefined=undefined,
        classes=classes,
        warnings=(
            *(one_sided_note(predictions.rule, table["tp"] + table["fp"], n) if binary else ()),
            *undefined_notes(undefined),
            *said,
            *label_notes(predictions.merged, predictions.alike),
        ),
    )


def _table(truth: Mask, predicted: Mask) -> dict[str, int]:
    return {
        "fp": int(np.count_nonzero(~truth & predicted)),
        "tp": int(np.count_nonzero(truth & predicted)),
        "fn": int(np.count_nonzero(truth & ~predicted)),
        "tn": int(np.count_nonzero(~truth & ~predicted)),
    }


def _areas(predictions: Predictions) -> tuple[dict[str, Estimate], tuple[str, ...]]:
    """The areas under the curves, and what their computation warned of."""
    if predictions.score is None:
        return {}, ()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ExtrapolatedAreaWarning)
        table = bootstrap_curve_areas(
            predictions.truth,
            predictions.score,
            level=LEVEL,
        )
    areas = {
        str(name): Estimate(column["estimate"], column["low"], column["high"], table.attrs["method"])
        if column["resamples"]
        else Estimate(float(column["estimate"]))
        for name, column in table.items()
    }
    said = [str(warning.message) for warning in caught]
    auc = areas["roc_auc"]
    if auc.high < 0.5:
        said.append(
            "The scores are higher for the other class (area under the ROC curve "
            f"{auc.value:.4f}): if they are meant for "
            f"the label that is not {predictions.positive}, name it with --positive."
        )
    return areas, tuple(dict.fromkeys(said))
