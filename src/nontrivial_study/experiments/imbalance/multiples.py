"""The measures of one kind of classifier over imbalance on many data sets, and where each first says "trivial"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nontrivial_study.experiments.imbalance.crossings import (
    KEYS,
    READINGS,
    crossing_table,
    draw_rates,
    expected_cells,
)
from nontrivial_study.experiments.imbalance.sweep import MEASURES, measure_tables
from nontrivial_study.experiments.intervals import interval_around
from nontrivial_study.tables import column_names


def multiple_crossings(
    predictions: pd.DataFrame, record: Mapping[str, Any], model: str, noises: Iterable[float]
) -> pd.DataFrame:
    """Find the minority shares at which each measure stops to call a classifier better than trivial.

    Returns
    -------
    DataFrame
        See `nontrivial_study.experiments.imbalance.crossings.crossing_table`, with the rarer class as the minority.
    """
    rarer = {**record, "classes": [record["positive"]]}
    return crossing_table(predictions, rarer, model, noises=noises, shares=())


def measure_curves(
    predictions: pd.DataFrame,
    record: Mapping[str, Any],
    model: str,
    noise: float,
    shares: Iterable[float],
) -> pd.DataFrame:
    """Trace the measures of an unlimited test set over minority shares, with the error of the two rates.

    Parameters
    ----------
    predictions : DataFrame
        Out-of-fold predictions from `nontrivial_study.experiments.tasks.training.train_task`.
    record : mapping
        The two-class data set's record: ``name``, ``positive``.
    model : str
    noise : float
    shares : iterable of float
        Those below half the noise are left out: the minority has too few labels to flip.

    Returns
    -------
    DataFrame
        ``dataset, positive, noise, minority_share, measure, value, low, high``; no rows of a model without predictions.
    """
    name = record["name"]
    rows = predictions[(predictions["task"] == name) & (predictions["model"] == model)]
    share = np.array([one for one in shares if one >= noise / 2])
    if rows.empty or not len(share):
        return pd.DataFrame(columns=column_names("pa_figure_1_many_data")[:8])
    purpose = ("crossings", name, model, record["positive"])
    rates = draw_rates(rows["truth"].to_numpy(), rows["prediction"].to_numpy(), purpose)
    estimated, drawn = (
        measure_tables(*np.stack(expected_cells(*pair, share, noise)).clip(0).reshape(4, -1))
        for pair in rates
    )
    parts = []
    for measure in MEASURES:
        value = estimated[measure].to_numpy()
        low, high = interval_around(value, drawn[measure].to_numpy().reshape(-1, len(share)))
        about = {"dataset": name, "positive": record["positive"], "noise": noise, "minority_share": share}
        ends = {"value": value, "low": low, "high": high}
        parts.append(pd.DataFrame(about | {"measure": measure} | ends))
    return pd.concat(parts, ignore_index=True)


def crossing_summary(crossings: pd.DataFrame) -> pd.DataFrame:
    """Summarise over data sets where each measure first says "trivial".

    Parameters
    ----------
    crossings : DataFrame
        From `multiple_crossings`, of several data sets.

    Returns
    -------
    DataFrame
        ``at`` (the noise), ``reading``, ``measure``, ``datasets`` (with predictions), ``warns`` (at some share),
        ``least, median, greatest`` (crossing, among those where the measure warns) and ``later`` (data sets in which it
        surely warns later than PA: its whole interval lies at rarer minorities than that of PA, or it never warns while
        PA surely does).
    """
    known = crossings[crossings["outcome"].isin(["crosses", "never", "from the start"])]
    rows = []
    for (at, reading, measure), of_measure in known.groupby(["at", *KEYS], sort=False):
        advantage = known[
            (known["at"] == at) & (known["reading"] == reading) & (known["measure"] == "prediction_advantage")
        ].set_index("dataset")
        own = of_measure.set_index("dataset")
        first, latest = advantage["low"].reindex(own.index), own["high"].fillna(-np.inf)
        later = first.notna() & (latest < first)
        crossing = own["crossing"].dropna()
        rows.append(
            {
                "at": at,
                "reading": reading,
                "measure": measure,
                "datasets": len(own),
                "warns": len(crossing),
                "least": crossing.min(),
                "median": crossing.median(),
                "greatest": crossing.max(),
                "later": int(later.sum()),
            }
        )
    return pd.DataFrame(rows, columns=column_names("crossings_summary"))


def multiples_table(curves: pd.DataFrame, crossings: pd.DataFrame, noise: float) -> pd.DataFrame:
    """Return the numbers of the figure: ``kind`` is ``"curve"`` or, at the curves' noise, ``"crossing"``."""
    there = crossings[(crossings["at"] == noise) & crossings["reading"].isin(READINGS)]
    parts = [part for part in (curves.assign(kind="curve"), there.assign(kind="crossing")) if len(part)]
    return pd.concat(parts, ignore_index=True).reindex(columns=column_names("pa_figure_1_many_data"))
