"""The tables of the experiment on imbalance and noise in the test set (PA paper, Section 5)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.displays.labels import CELL_OF_REGION
from nontrivial.files import read_json
from nontrivial_study.experiments.imbalance.crossings import crossing_summary, crossing_table
from nontrivial_study.experiments.imbalance.rates import (
    CellArrays,
    answers_of,
    estimate_rates,
    expected_bands,
    expected_cells,
    rates_of,
)
from nontrivial_study.experiments.imbalance.sweep import shares_of, sweep_both_classes
from nontrivial_study.tables import column_names, read_parquet, rows_with


def region_table(rows: pd.DataFrame, *, minority_share: float, noise: float) -> pd.DataFrame:
    """Return the regions of Figure 2 for a classifier as it is, and as expected under imbalance and label noise."""
    columns = column_names("pa_figure_2")
    if rows.empty:
        return pd.DataFrame(columns=columns)
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    tn, fp, fn, tp = np.bincount(2 * truth + prediction, minlength=4).astype(float)
    shares = expected_cells(rates_of(truth, prediction), minority_share, noise)
    harder = f"{100 * minority_share:g} % minority, {100 * noise:g} % label noise"
    tables = {"as measured": (tp, fp, fn, tn), harder: np.multiply(shares, len(rows))}
    parts = []
    for title, table in tables.items():
        cells = CellArrays(*table)
        counts = {region: getattr(cells, cell) for region, cell in CELL_OF_REGION.items()}
        about = {"title": title, "region": list(counts), "cell": list(CELL_OF_REGION.values())}
        part = pd.DataFrame(about | {"count": counts.values()})
        parts.append(part.assign(share=part["count"] / sum(counts.values())))
    return pd.concat(parts, ignore_index=True)[columns]


def measure_curves(
    predictions: pd.DataFrame, record: Mapping[str, Any], model: str, noise: float, shares: Iterable[float]
) -> pd.DataFrame:
    """Trace the measures of an unlimited test set over minority shares, with the error of the two rates."""
    name = record["name"]
    truth, prediction = answers_of(predictions, name, model)
    possible_shares = np.array([share for share in shares if share >= noise / 2])
    if not (len(truth) and len(possible_shares)):
        return pd.DataFrame(columns=column_names("pa_figure_1_many_data")[:8])
    rates = estimate_rates(truth, prediction, ("crossings", name, model, record["positive"]))
    bands = expected_bands(rates, possible_shares, noise)
    points = np.tile(possible_shares, len(bands) // len(possible_shares))
    bands = bands.assign(dataset=name, positive=record["positive"], noise=noise, minority_share=points)
    return bands[column_names("pa_figure_1_many_data")[:8]]


def multiples_table(curves: pd.DataFrame, crossings: pd.DataFrame, noise: float) -> pd.DataFrame:
    """Return the numbers of the figure of many data sets.

    The column ``kind`` is ``"curve"`` or ``"crossing"``; crossings are those at the noise of the curves.
    """
    same_noise = crossings[crossings["at"] == noise]
    parts = [part for part in (curves.assign(kind="curve"), same_noise.assign(kind="crossing")) if len(part)]
    return pd.concat(parts, ignore_index=True).reindex(columns=column_names("pa_figure_1_many_data"))


def calc_imbalance(
    predictions: Sequence[str],
    records: Sequence[str],
    imbalance: Mapping[str, Any],
    swept: Mapping[str, str],
    venn: Mapping[str, float],
) -> dict[str, pd.DataFrame]:
    """Trace the measures of every model over shares and noise, and find where each first calls a model trivial."""
    first_model = imbalance["model"]
    noises, shares = imbalance["noises"], imbalance["crossing_shares"]
    sweeps, crossings = [], []
    for predictions_path, record_path in zip(predictions, records, strict=True):
        answers, record = read_parquet(predictions_path), read_json(record_path)
        for model in dict.fromkeys([first_model, *imbalance["further_models"]]):
            sweeps.append(sweep_both_classes(answers, record, model, imbalance))
            crossings.append(crossing_table(answers, record, model, noises=noises, shares=shares))
    sweep, crossing = (pd.concat(parts, ignore_index=True) for parts in (sweeps, crossings))
    of_first_model = sweep[sweep["model"] == first_model]
    answers = rows_with(read_parquet(predictions[0]), task=imbalance["dataset"], model=first_model)
    figures = {name: rows_with(of_first_model, dataset=dataset) for name, dataset in swept.items()}
    return {
        "imbalance_noise": sweep,
        "crossings": crossing,
        "pa_crossings": crossing,
        "pa_figure_2": region_table(answers, **venn),
        **figures,
    }


def calc_multiples(
    predictions: Sequence[str], records: Sequence[str], imbalance: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Trace the measures of one classifier on many data sets, and find where each first says "trivial"."""
    model, noises = imbalance["model"], sorted(imbalance["noises"])
    middle_noise = noises[len(noises) // 2]
    curves, crossings = [], []
    for predictions_path, record_path in zip(predictions, records, strict=True):
        answers, record = read_parquet(predictions_path), read_json(record_path)
        classes = [record["positive"]]
        crossings.append(crossing_table(answers, record, model, noises=noises, classes=classes))
        curves.append(measure_curves(answers, record, model, middle_noise, shares_of(imbalance)))
    table = pd.concat(crossings, ignore_index=True)
    return {
        "crossings_by_data_set": table,
        "crossings_summary": crossing_summary(table),
        "pa_figure_1_many_data": multiples_table(pd.concat(curves, ignore_index=True), table, middle_noise),
    }
