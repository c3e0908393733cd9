"""Estimates with their intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import expanded_tail
from nontrivial.measures.bootstrap import DRAWS_AT_A_TIME, Cells, class_order
from nontrivial.measures.confusion import MEASURES, as_tables, evaluate
from nontrivial.measures.intervals import confusion_intervals, of_larger_share, quantiles
from nontrivial.seeds import generator_of

LEVEL = 0.95
RESAMPLES = 2000
# The cells in the order of `Cells.of_predictions`, of which the negative class is the first.
TABLE = ("tn", "fp", "tp", "fn")
POSITIVE = [TABLE.index("tp"), TABLE.index("fn")]


class Estimate(NamedTuple):
    """A value with the ends of its interval and the method behind them.

    The method is ``clopper_pearson``, ``bootstrap`` or ``fieller``; empty where there is no interval, whose
    ends are then NaN.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""


def estimate_table(cells: Cells, advantage: Estimate) -> dict[str, Estimate]:
    """Return every measure of ``tn, fp, tp, fn`` with its interval.

    Parameters
    ----------
    cells : Cells
        In this order.
    advantage : Estimate
        The Prediction Advantage, whose interval is that of the verdict.
    """
    table = dict(zip(TABLE, cells.weights.tolist(), strict=True))
    if cells.of_units is None:
        counts = {name: int(count) for name, count in table.items()}
        found = confusion_intervals(**counts, level=LEVEL)
        return {str(row.Index): Estimate(*row[1:]) for row in found.itertuples()}

    def measures(tables: Mapping[str, Any]) -> dict[str, Floats]:
        found = evaluate(as_tables(**tables), MEASURES)
        return {str(name): column.to_numpy() for name, column in found.items()}

    def of_draws(drawn: Floats) -> dict[str, Floats]:
        drawn[drawn < drawn.max(axis=1, keepdims=True) * 1e-12] = 0  # too small for the products of measures
        return measures(dict(zip(TABLE, drawn.T, strict=True)))

    # One bound supposes one more error of each class, the other one more hit. With three quarters of a case, coverage
    # fell to 92 %.
    hits = 2 * class_order(cells.weights)
    drawn = [drawn_measures(cells, more, of_draws) for more in (hits + 1, hits)]
    estimates = with_bounds({name: float(value[0]) for name, value in measures(table).items()}, drawn, cells)
    estimates |= shares_of_classes(cells)
    # Where no relabelling of the predictions helps, lambda is the Prediction Advantage, or 0 if that is negative.
    estimates["prediction_advantage"] = advantage
    coefficient = estimates["goodman_kruskal_lambda"]
    if math.isclose(coefficient.value, advantage.value, abs_tol=1e-12):
        coefficient = advantage._replace(low=max(advantage.low, 0.0))
    estimates["goodman_kruskal_lambda"] = coefficient._replace(high=max(coefficient.high, advantage.high))
    return estimates


def shares_of_classes(cells: Cells) -> dict[str, Estimate]:
    """Return the share of positives, and the share of the more frequent class.

    One more case of each class would raise the share of the rare one. So the lower bound supposes one more negative
    only, and the upper bound one more positive only.
    """

    def prevalence(drawn: Floats) -> dict[str, Floats]:
        return {"prevalence": drawn[:, POSITIVE].sum(axis=1) / drawn.sum(axis=1)}

    value = float(cells.weights[POSITIVE].sum() / cells.weights.sum())
    drawn = [drawn_measures(cells, [TABLE.index(more)], prevalence) for more in ("fp", "tp")]
    share = with_bounds({"prevalence": value}, drawn, cells)["prevalence"]
    rate = Estimate(max(value, 1 - value))
    if share.method:
        rate = Estimate(rate.value, *of_larger_share(share.low, share.high, share.method))
    return {"prevalence": share, "no_information_rate": rate}


def drawn_measures(
    cells: Cells, more: Iterable[int] | Ints, measures: Callable[[Floats], dict[str, Floats]]
) -> dict[str, Floats]:
    """Return measures of resamples, in which some cells hold one more of what is drawn."""
    generator, places = generator_of(None), np.asarray(more)
    parts = []
    for _ in range(0, RESAMPLES, DRAWS_AT_A_TIME):
        drawn = cells.draw(generator, DRAWS_AT_A_TIME)
        np.add.at(
            drawn.T, places, cells.unit * generator.standard_exponential((len(places), DRAWS_AT_A_TIME))
        )
        parts.append(measures(drawn))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def with_bounds(
    values: Mapping[str, float], drawn: Iterable[Mapping[str, Floats]], cells: Cells
) -> dict[str, Estimate]:
    """Return estimates between the least low and the greatest high quantile of what was drawn, and of the value."""
    if cells.are_few:
        return {name: Estimate(value) for name, value in values.items()}
    tail = expanded_tail((1 - LEVEL) / 2, cells.units)
    ends = []
    for each in drawn:
        samples = np.column_stack([each[name] for name in values])
        ends.append([quantiles(samples, share) for share in (tail, 1 - tail)])
    low, high = np.fmin.reduce([end[0] for end in ends]), np.fmax.reduce([end[1] for end in ends])
    bounds = zip(values.items(), low.tolist(), high.tolist(), strict=True)
    return {
        name: Estimate(value)
        if math.isnan(value)
        else Estimate(value, min(least, value), max(greatest, value), "bootstrap")
        for (name, value), least, greatest in bounds
    }
