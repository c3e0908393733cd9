"""From the predictions of many models to a table of confusion measures."""

from __future__ import annotations

import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.tasks.binary_tasks import Task


def measure_table(predictions: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Compute every confusion measure of each model from its pooled out-of-fold predictions.

    Parameters
    ----------
    predictions : DataFrame
        From `nontrivial_study.experiments.tasks.training.train_task`, of one task.
    task : Task

    Returns
    -------
    DataFrame
        ``dataset, positive, model, tp, fp, fn, tn`` and the columns of
        `nontrivial.measures.confusion.confusion_measures`; a row for each model that has predictions.
    """
    counts = count_cells(predictions, "model")
    front = pd.DataFrame({"dataset": task.dataset, "positive": task.positive, "model": counts.index})
    counts = counts.reset_index(drop=True)
    return pd.concat([front, counts, confusion_measures(**counts)], axis=1)


def count_cells(predictions: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return ``tp, fp, fn, tn`` for each value of a column of predictions, in the order of their first rows."""
    truth, prediction = predictions["truth"].astype(bool), predictions["prediction"].astype(bool)
    cells = {
        "tp": truth & prediction,
        "fp": ~truth & prediction,
        "fn": truth & ~prediction,
        "tn": ~truth & ~prediction,
    }
    return pd.DataFrame(cells).groupby(predictions[by], sort=False).sum()
