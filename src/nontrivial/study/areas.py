"""From the scores of many models to a table of areas under their curves."""

from __future__ import annotations

import warnings

import pandas as pd

from nontrivial.curves.summary import curve_areas
from nontrivial.study.training import OK

AREAS = ("roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain", "cost_curve_area")


def area_table(predictions: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Compute the areas under each model's curves from its pooled out-of-fold scores.

    Parameters
    ----------
    predictions, runs : DataFrame
        From `nontrivial.study.training.train_task`.

    Returns
    -------
    DataFrame
        ``task, model``, the areas, ``status`` (``"ok"`` or why there are none), ``warnings`` (kinds given in
        training), ``positives`` and ``negatives``; a row for each row of `runs`, in its order.
    """
    scored = dict(iter(predictions.groupby(["task", "model"], sort=False)))
    table = []
    for run in runs.fillna({"warnings": ""}).itertuples(index=False):
        row = {"task": run.task, "model": run.model}
        status = run.status
        if status == OK:
            rows = scored[run.task, run.model]
            with warnings.catch_warnings():
                # An extrapolated area is kept: positives and negatives are in the row for whoever filters by them.
                warnings.simplefilter("ignore", UserWarning)
                row |= curve_areas(rows["truth"].to_numpy(), rows["score"].to_numpy())
            row |= {"positives": int(rows["truth"].sum()), "negatives": int((~rows["truth"]).sum())}
        table.append({**row, "status": status, "warnings": run.warnings})
    columns = ["task", "model", *AREAS[:-1], "status", AREAS[-1], "positives", "negatives", "warnings"]
    integers = {"positives": "Int64", "negatives": "Int64"}
    return pd.DataFrame(table).reindex(columns=columns).astype(integers)
