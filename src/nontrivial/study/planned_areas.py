"""The rows that a study's plan promises of the table of areas: a table that was cut off between two rows lacks some."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.csv_tables import read_table
from nontrivial.files import DamagedFile
from nontrivial.records import read_record

# The models of each task.
Planned = Mapping[str, Collection[str]]


def plan_areas(
    tasks: Mapping[str, Collection[str]], models: Collection[str], archived: Iterable[str | os.PathLike[str]]
) -> dict[str, Planned]:
    """Return the tasks of each batch with the models that have a row each, whether they failed or not.

    Parameters
    ----------
    tasks : mapping of str to collection of str
        Of each batch of trained tasks their names.
    models : collection of str
        Those that are trained.
    archived : iterable of path
        Of each batch of archived tasks the record, a file of the batch's name: ``tasks`` with the runs that were
        ``taken`` and ``replaced``, and the ``unusable``, of which no more is known than that each has rows.

    Examples
    --------
    >>> plan_areas({"chunk-00": ["iris"], "chunk-01": ["wine"]}, ["stump", "forest"], archived=[])
    {'chunk-00': {'iris': ['stump', 'forest']}, 'chunk-01': {'wine': ['stump', 'forest']}}
    """
    planned: dict[str, Planned] = {batch: dict.fromkeys(names, models) for batch, names in tasks.items()}
    for path in map(Path, archived):
        record = read_record(path)
        unusable = {one["name"]: [] for one in record["unusable"]}
        planned[path.stem] = {one["name"]: _drawn(one) for one in record["tasks"]} | unusable
    return planned


def read_areas(path: str | os.PathLike[str], planned: Iterable[Planned]) -> pd.DataFrame:
    """Read a table of areas, which has to hold every row that is planned.

    Parameters
    ----------
    path : path
        A table of `nontrivial.study.areas.area_table`.
    planned : iterable of mapping
        Of `plan_areas`, the batches that are in the table.

    Raises
    ------
    nontrivial.files.DamagedFile
        If a row is missing, or as `nontrivial.csv_tables.read_table` does.
    """
    areas = read_table(path)
    there = {task: set(models) for task, models in areas.groupby("task", sort=False)["model"]}
    for batch in planned:
        for task, models in batch.items():
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
