"""The four regions a, b, c and d of the PA paper's Figure 2, of a classifier as it is and on a harder test set."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nontrivial.displays.venn import REGIONS
from nontrivial.experiments.columns import column_names
from nontrivial.experiments.imbalance.crossings import expected_cells
from nontrivial.experiments.imbalance.sweep import rates_of


def diagram_table(rows: pd.DataFrame, *, minority_share: float, noise: float) -> pd.DataFrame:
    """Return the confusion tables of a classifier as it is, and as expected under imbalance and label noise.

    Parameters
    ----------
    rows : DataFrame
        ``truth`` and ``prediction`` of one model, True for the positive class.
    minority_share, noise : float
        Of the second test set, which has as many cases.

    Returns
    -------
    DataFrame of two rows
        ``title, tp, fp, fn, tn``; the expected counts of the second need not be whole. No rows if the model has no
        predictions.
    """
    columns = ["title", "tp", "fp", "fn", "tn"]
    if rows.empty:
        return pd.DataFrame(columns=columns)
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    measured = [(truth & prediction), (~truth & prediction), (truth & ~prediction), (~truth & ~prediction)]
    cells = expected_cells(*rates_of(truth, prediction), minority_share, noise)
    title = f"{100 * minority_share:g} % minority, {100 * noise:g} % label noise"
    counts = {
        "as measured": [float(cell.sum()) for cell in measured],
        title: np.multiply(cells, len(rows)).tolist(),
    }
    return pd.DataFrame([(name, *values) for name, values in counts.items()], columns=columns)


def region_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return the regions of several confusion tables: ``title, region, cell, count, share``.

    Examples
    --------
    >>> table = pd.DataFrame({"title": ["t"], "tp": [30], "fp": [10], "fn": [10], "tn": [50]})
    >>> region_table(table)["share"].tolist()
    [0.1, 0.3, 0.1, 0.5]
    """
    rows = []
    for row in table.itertuples():
        counts = {cell: getattr(row, cell) for cell in REGIONS.values()}
        total = sum(counts.values())
        rows += [
            (row.title, region, cell, counts[cell], counts[cell] / total) for region, cell in REGIONS.items()
        ]
    return pd.DataFrame(rows, columns=column_names("pa_figure_2"))
