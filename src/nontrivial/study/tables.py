"""From the predictions of many models to a table of confusion measures."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial.study.tasks import Task


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
