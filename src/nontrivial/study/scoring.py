"""From the predictions of many models to tables of areas and of confusion measures."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import pandas as pd

from nontrivial.curves.summary import curve_areas
from nontrivial.measures.confusion import confusion_measures
from nontrivial.study.tasks import Task
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


def measure_table(predictions: pd.DataFrame, tasks: Iterable[Task]) -> pd.DataFrame:
    """Compute every confusion measure of each model from its pooled out-of-fold predictions.

    Parameters
    ----------
    predictions : DataFrame
        From `nontrivial.study.training.train_task`.
    tasks : iterable of Task
        At least those in `predictions`.

    Returns
    -------
    DataFrame
        ``dataset, positive, model, tp, fp, fn, tn`` and the columns of
        `nontrivial.measures.confusion.confusion_measures`.
    """
    truth, prediction = predictions["truth"], predictions["prediction"]
    cells = {
        "tp": truth & prediction,
        "fp": ~truth & prediction,
        "fn": truth & ~prediction,
        "tn": ~truth & ~prediction,
    }
    keys = [predictions["task"], predictions["model"]]
    counts = pd.DataFrame(cells).groupby(keys, sort=False).sum().reset_index()
    known = {task.name: task for task in tasks}
    front = pd.DataFrame(
        {
            "dataset": [known[name].dataset for name in counts["task"]],
            "positive": [known[name].positive for name in counts["task"]],
            "model": counts["model"],
        }
    )
    counts = counts[list(cells)]
    return pd.concat([front, counts, confusion_measures(**counts)], axis=1)
