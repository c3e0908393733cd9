"""The rows that a study's plan promises of the table of areas: a table that was cut off between two rows lacks some."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pandas as pd

from nontrivial.csv_tables import read_table
from nontrivial.files import DamagedFile
from nontrivial.records import read_record


def plan_areas(
    tasks: Iterable[str], models: Collection[str], archived: Iterable[str | os.PathLike[str]]
) -> dict[str, Collection[str]]:
    """Return the tasks with the models that have a row each, whether they failed or not.

    Parameters
    ----------
    tasks : iterable of str
        The names of the tasks that are trained on.
    models : collection of str
        Those that are trained.
    archived : iterable of path
        Of each batch of archived tasks the record: ``tasks`` with the runs that were
        ``taken`` and ``replaced``, and the ``unusable``, of which no more is known than that each has rows.

    Examples
    --------
    >>> plan_areas(["iris", "wine"], ["stump", "forest"], archived=[])
    {'iris': ['stump', 'forest'], 'wine': ['stump', 'forest']}
    """
    planned = dict.fromkeys(tasks, models)
    for record in map(read_record, archived):
        planned |= {one["name"]: _drawn(one) for one in record["tasks"]}
        planned |= {one["name"]: [] for one in record["unusable"]}
    return planned


def read_areas(path: str | os.PathLike[str], planned: Mapping[str, Collection[str]]) -> pd.DataFrame:
    """Read a table of areas, which has to hold every row that is planned.

    Parameters
    ----------
    path : path
        A table of `nontrivial.experiments.tasks.area_table.area_table`.
    planned : mapping of str to collection of str
        From `plan_areas`.

    Raises
    ------
    nontrivial.files.DamagedFile
        If a row is missing, or as `nontrivial.csv_tables.read_table` does.
    """
    areas = read_table(path)
    there = {task: set(models) for task, models in areas.groupby("task", sort=False)["model"]}
    for task, models in planned.items():
        if task not in there:
            raise DamagedFile(path, f"task {task} is missing")
        for model in models:
            if model not in there[task]:
                raise DamagedFile(path, f"model {model} is missing on task {task}")
    return areas


def _drawn(record: Mapping[str, Any]) -> list[str]:
    """Return the flows of a task of the archive; a run whose place another took has no row."""
    failed = [run for run in record["replaced"] if run["by"] is None]
    return [run["flow_name"] for run in [*record["taken"], *failed]]
