"""Where each measure first says "trivial" as a problem grows less balanced or noisier (PA paper, Section 5)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial_study.experiments.imbalance.rates import (
    SWEPT_MEASURES,
    CellArrays,
    Rates,
    answers_of,
    classes_of,
    estimate_rates,
    expected_measures,
    measure_cells,
)
from nontrivial_study.experiments.results import NO_PREDICTIONS, TAILS, interval_around
from nontrivial_study.tables import column_names, rows_with

# The test set is unlimited, so its four cells follow from the classifier's two rates. Only these are uncertain,
# because they are estimated from the rows that the classifier was tested on.

# What a measure has to exceed: 0, as the paper reads its figure, or the most that any constant answer attains.
READINGS = ("zero", "best_constant")
# The estimate is found on a fine grid, the many draws on a coarse one, which leaves four decimals certain.
POINTS_OF_ESTIMATE, POINTS_OF_DRAW = 20001, 401
CERTAIN_DECIMALS = 4
MIN_SURPLUS = 1e-12  # less than this is rounding


class Walk(NamedTuple):
    """A walk from an easy problem to a hard one: either noise or minority share is held, and the other moves."""

    held: str
    at: float  # the value that is held
    moves: str

    @property
    def start(self) -> float:
        """The easiest value on the walk: balanced classes, or no noise."""
        return 0.5 if self.moves == "minority_share" else 0.0

    @property
    def end(self) -> float:
        """The hardest value: noise flips the whole minority. A minority share is never 0."""
        return max(self.at / 2, 1e-6) if self.moves == "minority_share" else 2 * self.at


class Crossings(NamedTuple):
    """Where a measure crosses into "trivial" on a walk, for each draw of the rates."""

    crossing: Floats  # NaN if the measure never says "trivial"
    width: Floats  # how far beyond the crossing of the Prediction Advantage it still praises


def best_constant(measure: str, share: np.ndarray) -> np.ndarray:
    """Return the most that a constant answer attains on a measure, for shares of the positive class up to 0.5.

    0/0 is taken as 0, so that a constant answer has no correlation and no P4.
    """
    share = np.asarray(share, dtype=np.float64)
    none = np.zeros_like(share)
    always_positive = measure_cells(CellArrays(tp=share, fp=1 - share, fn=none, tn=none))
    always_negative = measure_cells(CellArrays(tp=none, fp=none, fn=share, tn=1 - share))
    values = (answers[measure].fillna(0).to_numpy() for answers in (always_positive, always_negative))
    return np.asarray(np.maximum(*values))


def find_crossings(axis: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    """Find how far a surplus over the trivial lasts, as one walks along an axis; NaN if it never ends.

    The surplus is taken as linear between the points, and less than `MIN_SURPLUS` counts as none.
    """
    is_trivial = ~(surplus >= MIN_SURPLUS)
    surplus = np.where(np.abs(surplus) >= MIN_SURPLUS, surplus, 0.0)
    first_trivial = np.argmax(is_trivial, axis=-1)
    last_good = np.maximum(first_trivial - 1, 0)
    surplus_before = _value_at(surplus, last_good)
    surplus_after = _value_at(surplus, first_trivial)
    step = axis[first_trivial] - axis[last_good]
    with np.errstate(divide="ignore", invalid="ignore"):
        interpolated = axis[last_good] + step * surplus_before / (surplus_before - surplus_after)
    crossing = np.where(first_trivial == 0, axis[0], interpolated)
    return np.where(_value_at(is_trivial, first_trivial), crossing, np.nan)


def _value_at(values: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the value of each row at its own point."""
    return np.asarray(np.take_along_axis(values, points[..., None], axis=-1)[..., 0])


def crossing_table(
    predictions: pd.DataFrame,
    record: Mapping[str, Any],
    model: str,
    *,
    noises: Iterable[float],
    shares: Iterable[float] = (),
    classes: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Find the shares, and the noises, at which each measure stops calling a classifier better than trivial.

    Each of the classes, by default all, is the positive one in turn (PA paper, Section 5 and Figure 1). The intervals
    come from draws of the two rates from their Jeffreys posteriors, given the rows that the classifier was tested on.
    """
    name = record["name"]
    truth, prediction = answers_of(predictions, name, model)
    walks = [Walk("noise", float(noise), "minority_share") for noise in noises]
    walks += [Walk("minority_share", float(share), "noise") for share in shares]
    rows: list[dict[str, Any]] = []
    for positive in classes or classes_of(record):
        classifier = {"dataset": name, "model": model, "positive": positive}
        if not len(truth):
            for walk, reading, measure in product(walks, READINGS, SWEPT_MEASURES):
                absent = {"reading": reading, "measure": measure, "outcome": NO_PREDICTIONS}
                rows.append(classifier | walk._asdict() | absent)
            continue
        is_swapped = positive != record["positive"]
        purpose = ("crossings", name, model, positive)
        rates = estimate_rates(truth ^ is_swapped, prediction ^ is_swapped, purpose)
        for walk in walks:
            estimated = _crossings_along(walk, rates.estimate, POINTS_OF_ESTIMATE)
            drawn = _crossings_along(walk, rates.drawn, POINTS_OF_DRAW)
            for (reading, measure), crossings in estimated.items():
                estimate = _estimate_crossing(walk, crossings, drawn[reading, measure])
                rows.append(classifier | walk._asdict() | {"reading": reading, "measure": measure} | estimate)
    return pd.DataFrame(rows, columns=column_names("crossings"))


def _crossings_along(walk: Walk, rates: Rates, n_points: int) -> dict[tuple[str, str], Crossings]:
    """Find the crossings of every measure on a walk, by reading and measure."""
    axis = np.linspace(walk.start, walk.end, n_points)
    held = np.full(n_points, walk.at)
    share, noise = (axis, held) if walk.moves == "minority_share" else (held, axis)
    measures = expected_measures(rates, share, noise)
    values = {name: measures[name].to_numpy().reshape(-1, n_points) for name in SWEPT_MEASURES}
    into_zero = {name: find_crossings(axis, of_measure) for name, of_measure in values.items()}
    into_best = dict(into_zero)
    for name, of_measure in values.items():
        attained = best_constant(name, share)
        if attained.any():  # otherwise both readings are the same
            into_best[name] = find_crossings(axis, of_measure - attained)
    crossings_of = {}
    for reading, crossings in zip(READINGS, (into_zero, into_best), strict=True):
        reached = {name: np.nan_to_num(crossing, nan=walk.end) for name, crossing in crossings.items()}
        for name, crossing in crossings.items():
            beyond = (reached[name] - reached["prediction_advantage"]) * np.sign(walk.end - walk.start)
            crossings_of[reading, name] = Crossings(crossing, np.maximum(beyond, 0.0))
    return crossings_of


def _estimate_crossing(walk: Walk, estimated: Crossings, drawn: Crossings) -> dict[str, Any]:
    """Return the crossing of one measure and its width, each with its interval, and how the walk ended."""
    (crossing,), (width,) = estimated
    reached = walk.end if np.isnan(crossing) else crossing
    interval = interval_around(reached, np.nan_to_num(drawn.crossing, nan=walk.end))
    low, high = (np.nan if end == walk.end else end for end in interval)
    width_low, width_high = np.quantile(drawn.width, TAILS)
    numbers = {"crossing": crossing, "low": low, "high": high}
    numbers |= {"width": width, "width_low": width_low, "width_high": width_high}
    outcome = "never" if np.isnan(crossing) else "from the start" if crossing == walk.start else "crosses"
    rounded = {name: round(float(value), CERTAIN_DECIMALS) for name, value in numbers.items()}
    return rounded | {"outcome": outcome}


def crossing_summary(crossings: pd.DataFrame) -> pd.DataFrame:
    """Summarise over data sets where each measure first says "trivial"."""
    with_predictions = crossings[crossings["outcome"].isin(["crosses", "never", "from the start"])]
    keys, rows = ["at", "reading", "measure"], []
    for (noise, reading, measure), group in with_predictions.groupby(keys, sort=False):
        same_walk = rows_with(with_predictions, at=noise, reading=reading, measure="prediction_advantage")
        of_measure, of_advantage = group.set_index("dataset"), same_walk.set_index("dataset")
        earliest_of_advantage = of_advantage["low"].reindex(of_measure.index)
        latest_of_measure = of_measure["high"].fillna(-np.inf)
        is_later = earliest_of_advantage.notna() & (latest_of_measure < earliest_of_advantage)
        crossing = of_measure["crossing"].dropna()
        row = {"at": noise, "reading": reading, "measure": measure, "datasets": len(of_measure)}
        row |= {"warns": len(crossing), "later": int(is_later.sum())}
        row |= {"least": crossing.min(), "median": crossing.median(), "greatest": crossing.max()}
        rows.append(row)
    return pd.DataFrame(rows, columns=column_names("crossings_summary"))
