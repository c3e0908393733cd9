"""The measures and areas of the positive class, or of one class against the rest, with their intervals."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from nontrivial._draws import CONFIDENCE_LEVEL, Cells
from nontrivial._warnings import assumption_of
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.measures.confusion import MEASURES, as_tables, evaluate
from nontrivial.measures.intervals import bound_advantage, confusion_intervals, table_bounds
from nontrivial.measures.names import Named
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates.estimate import (
    INTERVAL_DRAWS,
    Estimate,
    estimates_of_areas,
    may_weigh_differently,
    with_reasons,
)

# The cells of the table in the order of `Cells.of_predictions`, which begins with the negative class.
CELL_NAMES = ("tn", "fp", "tp", "fn")


def estimate_label_advantage(predictions: Predictions, cells: Cells) -> Estimate:
    """Estimate the Prediction Advantage of labels, with p-values that agree with its interval."""
    # For each class in turn, the cells hold the cases predicted rightly and the cases predicted wrongly.
    wrong = cells.weights[1::2]
    class_sizes = cells.weights[::2] + wrong
    trivial_loss = class_sizes.sum() - class_sizes.max()
    value = float((trivial_loss - wrong.sum()) / trivial_loss) if trivial_loss else math.nan
    # If all weight is in one class, as when a class without weight is set against the rest, nothing is drawn.
    if not trivial_loss or (cells.are_few and not cells.are_cases):
        return Estimate(value)
    bounds = bound_advantage(cells, INTERVAL_DRAWS)
    tested = Estimate(value, p_better=bounds.p_better, p_worse=bounds.p_worse)
    if cells.are_few:
        return tested
    assumes = assumption_of("bootstrap", unequal=may_weigh_differently(predictions))
    return replace(tested, low=bounds.low, high=bounds.high, method="bootstrap", assumes=assumes)


def estimate_two_classes(predictions: Predictions, cells: Cells) -> tuple[Named[Estimate], Named[Estimate]]:
    """Estimate every measure, and every area, of the positive class against the rest."""
    table = dict(zip(CELL_NAMES, cells.weights.tolist(), strict=True))
    if cells.are_cases:
        intervals = confusion_intervals(
            **{name: int(count) for name, count in table.items()}, level=CONFIDENCE_LEVEL
        )
        measures = {str(row.Index): Estimate(*row[1:]) for row in intervals.itertuples()}
    else:
        values, bounds = evaluate(as_tables(**table), MEASURES).iloc[0], table_bounds(cells, INTERVAL_DRAWS)
        measures = {name: Estimate(float(values[name]), *bounds[name]) for name in MEASURES}
    measures["prediction_advantage"] = estimate_label_advantage(predictions, cells)
    areas = {}
    if predictions.score is not None:
        with warnings.catch_warnings(action="ignore"):  # the reasons of the estimates say what is undefined
            areas = estimates_of_areas(
                bootstrap_curve_areas(
                    predictions.truth,
                    predictions.score,
                    sample_weight=predictions.weights,
                    groups=predictions.groups,
                    level=CONFIDENCE_LEVEL,
                )
            )
    explain = partial(why_undefined, table=table)
    return with_reasons(measures, predictions, explain), with_reasons(areas, predictions, explain)


def why_undefined(name: str, table: Mapping[str, float]) -> str:
    """Return why a measure of ``tn, fp, tp, fn``, or an area, is undefined."""
    if name == "p4":
        return "every prediction is wrong"
    if name in CURVE_AREAS:
        return CURVE_AREAS[name].why_undefined
    return f"no case is predicted {'negative' if table['tp'] + table['fp'] else 'positive'}"
