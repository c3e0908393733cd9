"""The four regions a, b, c and d of the PA paper's Figure 2, of a classifier as it is and on a harder test set."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nontrivial.displays.venn import REGIONS
from nontrivial_study.experiments.imbalance.crossings import expected_cells
from nontrivial_study.experiments.imbalance.sweep import rates_of
from nontrivial_study.tables import column_names


def region_table(rows: pd.DataFrame, *, minority_share: float, noise: float) -> pd.DataFrame:
    """Return the regions of a classifier's confusion table as it is, and as expected under imbalance and label noise.

    Parameters
    ----------
    rows : DataFrame
        ``truth`` and ``prediction`` of one model, True for the positive class.
    minority_share, noise : float
        Of the second test set, which has as many cases.

    Returns
    -------
    DataFrame
        ``title, region, cell, count, share``; the expected counts of the second table need not be whole. No rows if
        the model has no predictions.

    Examples
    --------
    >>> rows = pd.DataFrame({"truth": [True, True, False], "prediction": [True, False, False]})
    >>> region_table(rows, minority_share=0.5, noise=0.0)["count"].tolist()
    [0.0, 1.0, 1.0, 1.0, 0.0, 0.75, 0.75, 1.5]
    """
    columns = column_names("pa_figure_2")
    if rows.empty:
        return pd.DataFrame(columns=columns)
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    tn, fp, fn, tp = np.bincount(2 * truth + prediction, minlength=4).astype(float)
    expected = expected_cells(*rates_of(truth, prediction), minority_share, noise)
    title = f"{100 * minority_share:g} % minority, {100 * noise:g} % label noise"
    parts = []
    for name, cells in (("as measured", (tp, fp, fn, tn)), (title, np.multiply(expected, len(rows)))):
        counts = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
        total = sum(counts[cell] for cell in REGIONS.values())
        parts += [
            (name, region, cell, counts[cell], counts[cell] / total) for region, cell in REGIONS.items()
        ]
    return pd.DataFrame(parts, columns=columns)
