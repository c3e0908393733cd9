"""Where each measure first says "no better than trivial" as a problem grows less balanced or noisier.

The measures are those of an unlimited test set: a test set's four counts have expectations that follow from the
classifier's two rates. What is uncertain is the rates, known from the rows that the classifier was tested on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.imbalance.sweep import MEASURES, measure_tables
from nontrivial_study.experiments.intervals import TAILS, interval_around
from nontrivial_study.experiments.status import NO_PREDICTIONS
from nontrivial_study.tables import column_names

# What a measure has to exceed: 0, as the paper reads its figure, or the most that any constant answer attains.
READINGS = ("zero", "best_constant")
FINE, COARSE = 20001, 401  # points of a walk
DIGITS = 4  # decimals that the coarser grid leaves certain
DRAWS = 1000
ROUNDING = 1e-12  # what separates two sides of an equation that holds
KEYS = ["reading", "measure"]

RateColumns = tuple[np.ndarray, np.ndarray]  # of shape (n_draws, 1)


def expected_cells(
    true_positive: Floats | float,
    false_positive: Floats | float,
    share: Floats | float,
    noise: Floats | float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the expected shares of the four cells after noise has flipped equally many labels of both classes.

    Parameters
    ----------
    true_positive, false_positive : array-like
        Rates of calling a row positive, in [0, 1], among either class before the noise.
    share, noise : array-like
        Fractions of minority (positive) cases, and of wrong labels; at most twice the minority.

    Returns
    -------
    tp, fp, fn, tn : ndarray
        Of the arguments' common shape; they sum to 1.

    References
    ----------
    PA paper, Section 5 (how the noise is put in).

    Examples
    --------
    >>> [round(float(cell), 3) for cell in expected_cells(1.0, 0.0, 0.3, 0.2)]
    [0.2, 0.1, 0.1, 0.6]
    """
    share, flipped = np.asarray(share, dtype=np.float64), np.asarray(noise, dtype=np.float64) / 2
    tp = (share - flipped) * true_positive + flipped * false_positive
    fp = (1 - share - flipped) * false_positive + flipped * true_positive
    return tp, fp, share - tp, 1 - share - fp


def draw_rates(
    truth: np.ndarray, prediction: np.ndarray, purpose: tuple[str | int | float, ...]
) -> tuple[RateColumns, RateColumns]:
    """Return a classifier's two rates of calling a row positive as estimated, and as they may be given the rows.

    Parameters
    ----------
    truth, prediction : ndarray of bool, shape (n_rows,)
    purpose : tuple
        Makes the seed of the draws.

    Returns
    -------
    estimated, drawn : pairs of ndarray of shape (1, 1) and (n_draws, 1)
        The rates among the positives and among the negatives; drawn from their Jeffreys posteriors.
    """
    generator = generator_for(*purpose)
    estimated, drawn = [], []
    for of_class in (truth, ~truth):
        called, cases = int(prediction[of_class].sum()), int(of_class.sum())
        estimated.append(np.array([[called / cases]]))
        drawn.append(generator.beta(called + 0.5, cases - called + 0.5, DRAWS)[:, None])
    return (estimated[0], estimated[1]), (drawn[0], drawn[1])


def best_constant(measure: str, share: np.ndarray) -> np.ndarray:
    """Return the most that a constant answer attains on a measure, for shares of the positive class up to 0.5.

    0/0 is taken as 0, so that a constant answer has no correlation and no P4.

    Examples
    --------
    >>> best_constant("accuracy", np.array([0.1])).tolist(), best_constant("cohen_kappa", np.array([0.1])).tolist()
    ([0.9], [0.0])
    """
    share = np.asarray(share, dtype=np.float64)
    if measure == "accuracy":
        return np.asarray(1 - share)
    if measure == "balanced_accuracy":
        return np.full_like(share, 0.5)
    if measure == "f_beta":
        return np.asarray(2 * share / (1 + share))
    return np.zeros_like(share)


def find_crossings(axis: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    """Find how far a surplus over the trivial lasts, as one walks along an axis.

    Parameters
    ----------
    axis : ndarray of shape (m,), increasing or decreasing
    surplus : ndarray of shape (..., m)
        Taken as linear between the points; NaN counts as none, and so does less than `ROUNDING`.

    Returns
    -------
    ndarray of shape (...)
        Where the surplus is 0 or less for the first time: the near end if it is so from the start, NaN if it is
        never so.

    Examples
    --------
    >>> find_crossings(np.array([0.5, 0.3, 0.1]), np.array([2.0, 1.0, -1.0])).item()
    0.2
    """
    trivial = ~(surplus >= ROUNDING)
    surplus = np.where(np.abs(surplus) >= ROUNDING, surplus, 0.0)
    place = np.argmax(trivial, axis=-1)
    before = np.maximum(place - 1, 0)
    good, bad = (np.take_along_axis(surplus, where[..., None], axis=-1)[..., 0] for where in (before, place))
    with np.errstate(divide="ignore", invalid="ignore"):
        between = axis[before] + (axis[place] - axis[before]) * good / (good - bad)
    crossing = np.where(place == 0, axis[0], between)
    return np.where(np.take_along_axis(trivial, place[..., None], axis=-1)[..., 0], crossing, np.nan)


def crossing_table(
    predictions: pd.DataFrame,
    record: Mapping[str, Any],
    model: str,
    *,
    noises: Iterable[float],
    shares: Iterable[float],
) -> pd.DataFrame:
    """Find the shares, and the noises, at which each measure stops to call a classifier better than trivial.

    Parameters
    ----------
    predictions : DataFrame
        Out-of-fold predictions from `nontrivial_study.experiments.tasks.training.train_task`.
    record : mapping
        The two-class data set's record: ``name``, ``classes``, ``positive``.
    model : str
    noises : iterable of float
        Noise levels at each of which the minority share goes down from 0.5 to half the noise, below which the
        minority has too few labels to flip.
    shares : iterable of float
        Shares of the minority, in (0, 0.5], at each of which the noise goes up from 0 to twice the share.

    Returns
    -------
    DataFrame
        ``dataset, model, positive`` (the class taken as the rare one), ``reading`` (``"zero"``: the measure is
        compared with 0, as in the paper's figure; ``"best_constant"``: with the most that a constant answer
        attains on it), ``held`` and ``at`` (``noise`` or ``minority_share``, and its value), ``moves`` (the other of
        the two), ``measure``, ``crossing, low, high`` (its value at the first point where the measure is no more
        than what it is compared with), ``width, width_low, width_high`` (the length of the region beyond PA's crossing
        in which PA is not positive and the measure still praises) and ``outcome``: ``crosses``; ``never``, with the
        crossing missing; ``from the start``; or why there is none. An end of an interval is missing where the measure
        never warns.

    Notes
    -----
    The intervals are those of the two rates, by draws from their Jeffreys posteriors given the rows that the
    classifier was tested on.

    References
    ----------
    PA paper, Section 5 and Figure 1.
    """
    name = record["name"]
    rows = predictions[(predictions["task"] == name) & (predictions["model"] == model)]
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    walks = [("noise", "minority_share", float(noise)) for noise in noises]
    walks += [("minority_share", "noise", float(share)) for share in shares]
    parts = []
    for positive in sorted(record["classes"], key=lambda label: label != record["positive"]):
        front = {"dataset": name, "model": model, "positive": positive}
        if rows.empty:
            front |= {"outcome": NO_PREDICTIONS}
            parts += [
                front | {"held": held, "at": at, "moves": moves, "reading": reading, "measure": measure}
                for (held, moves, at), reading, measure in product(walks, READINGS, MEASURES)
            ]
            continue
        swap = positive != record["positive"]
        estimated, drawn = draw_rates(truth ^ swap, prediction ^ swap, ("crossings", name, model, positive))
        for held, moves, at in walks:
            # The estimate on a fine grid, the many draws on a coarse one.
            found = _walk(estimated, moves, at, FINE).merge(_walk(drawn, moves, at, COARSE), on=KEYS)
            place = {"held": held, "at": at, "moves": moves}
            parts += [front | place | _summary(row, moves, at) for row in found.to_dict("records")]
    return pd.DataFrame(parts, columns=column_names("crossings"))


def _ends(moves: str, at: float) -> tuple[float, float]:
    """Return the easy and the hard end of a walk; no share is 0."""
    return (0.5, max(at / 2, 1e-6)) if moves == "minority_share" else (0.0, 2 * at)


def _walk(rates: RateColumns, moves: str, at: float, points: int) -> pd.DataFrame:
    """Return the crossings of every measure, and the widths of the regions in which it misleads, for each draw."""
    easy, hard = _ends(moves, at)
    axis = np.linspace(easy, hard, points)
    share, noise = (axis, at) if moves == "minority_share" else (np.full(points, at), axis)
    cells = np.stack(expected_cells(*rates, share, noise)).clip(0)
    values = measure_tables(*cells.reshape(4, -1))
    of_measure = {name: values[name].to_numpy().reshape(-1, points) for name in MEASURES}
    into_zero = {name: find_crossings(axis, value) for name, value in of_measure.items()}
    into_best = into_zero | {
        name: find_crossings(axis, of_measure[name] - limit)
        for name in MEASURES
        if (limit := best_constant(name, share)).any()  # the others are compared with 0 again
    }
    rows = []
    for reading, crossings in zip(READINGS, (into_zero, into_best), strict=True):
        ends = {name: np.where(np.isnan(crossing), hard, crossing) for name, crossing in crossings.items()}
        for name, crossing in crossings.items():
            beyond = (ends[name] - ends["prediction_advantage"]) * np.sign(hard - easy)
            rows.append((reading, name, crossing, np.maximum(beyond, 0.0)))
    return pd.DataFrame(rows, columns=[*KEYS, "crossing", "width"])


def _summary(row: Mapping[Hashable, Any], moves: str, at: float) -> dict[str, Any]:
    """Turn the crossings and widths of one measure into its row."""
    easy, hard = _ends(moves, at)
    (crossing,), (width,) = row["crossing_x"], row["width_x"]
    reached = hard if np.isnan(crossing) else crossing
    ends = interval_around(reached, np.nan_to_num(row["crossing_y"], nan=hard))
    low, high = (np.nan if end == hard else end for end in ends)
    widths = np.quantile(row["width_y"], TAILS)
    numbers = {"crossing": crossing, "low": low, "high": high}
    numbers |= {"width": width, "width_low": widths[0], "width_high": widths[1]}
    outcome = "never" if np.isnan(crossing) else "from the start" if crossing == easy else "crosses"
    rounded = {name: round(float(value), DIGITS) for name, value in numbers.items()}
    return {**{key: row[key] for key in KEYS}, **rounded, "outcome": outcome}
