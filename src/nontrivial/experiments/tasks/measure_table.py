"""From the predictions of many models to a table of confusion measures."""

from __future__ import annotations

import pandas as pd

from nontrivial.experiments.tasks.binary_tasks import Task
from nontrivial.measures.confusion import confusion_measures


def measure_table(predictions: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Compute every confusion measure of each model from its pooled out-of-fold predictions.

    Parameters
    ----------
    predictions : DataFrame
        From `nontrivial.experiments.tasks.training.train_task`, of one task.
    task : Task

    Returns
    -------
    DataFrame
        ``dataset, positive, model, tp, fp, fn, tn`` and the columns of
        `nontrivial.measures.confusion.confusion_measures`; a row for each model that has predictions.
    """
    truth, prediction = predictions["truth"].astype(bool), predictions["prediction"].astype(bool)
    cells = {
        "tp": truth & prediction,
        "fp": ~truth & prediction,
        "fn": truth & ~prediction,
        "tn": ~truth & ~prediction,
    }
    counts = pd.DataFrame(cells).groupby(predictions["model"], sort=False).sum().reset_index()
    front = pd.DataFrame({"dataset": task.dataset, "positive": task.positive, "model": counts["model"]})
    counts = counts[list(cells)]
    return pd.concat([front, counts, confusion_measures(**counts)], axis=1)
