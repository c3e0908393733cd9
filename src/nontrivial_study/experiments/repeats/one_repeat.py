"""One repetition of a repeated cross-validation: training, apart from what is judged of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nontrivial_study.experiments.tasks.binary_tasks import Task
from nontrivial_study.experiments.tasks.training import train_task


def train_repeat(
    dataset: str,
    positive: str,
    table: pd.DataFrame,
    models: Mapping[str, Mapping[str, Any]],
    *,
    folds: int,
    repeat: int,
    seconds: float | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Train every model in one repetition of the cross-validation, with folds and seeds of its own.

    Returns
    -------
    predictions, runs : DataFrame
        From `nontrivial_study.experiments.tasks.training.train_task`, with ``repeat`` instead of ``task``.
    """
    task = Task(f"{dataset}, repeat {repeat}", dataset, positive, table.size)
    predictions, runs = (
        part.rename(columns={"task": "repeat"}).assign(repeat=repeat)
        for part in train_task(task, table, models, folds, seconds)
    )
    return predictions, runs
