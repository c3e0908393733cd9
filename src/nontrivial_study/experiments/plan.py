"""What the configuration asks for, checked as a whole before any work starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nontrivial_study.experiments.own import find_made
from nontrivial_study.experiments.settings import check_settings
from nontrivial_study.experiments.tasks.binary_tasks import Task, chunk_tasks, dataset_name, expand_tasks

GROWS_AFTER = 50  # batches of one size, before those of twice the size
MOST_GROWTH = 16


@dataclass(frozen=True)
class Plan:
    """The study's units of work.

    Attributes
    ----------
    datasets : dict of str to dict
        The entries of the data sets that are used.
    models : dict of str to dict
        The specifications of the models that are trained.
    chunks : dict of str to list of Task
        Batches of tasks by name (``chunk-00``, ...), in the order of the configuration. Those of ``openml-00``, ...
        are OpenML tasks, of which no more than the number is known before the download.
    openml : dict of str to list of int
        The numbers of the OpenML tasks in those batches.
    archive : dict of str to list of int
        Batches (``archive-00``, ...) of places in the selection of archived tasks, which is made when the study runs.
    made : dict of str to dict of str to str
        Files of predictions that were made elsewhere, by task and model.
    """

    datasets: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    chunks: dict[str, list[Task]]
    openml: dict[str, list[int]]
    archive: dict[str, list[int]]
    made: dict[str, dict[str, str]] = field(default_factory=dict)

    def from_source(self, source: str) -> dict[str, dict[str, Any]]:
        """Return the entries of the data sets that come from a source."""
        return {name: entry for name, entry in self.datasets.items() if entry["source"] == source}

    def chunk_of(self, task: str) -> str:
        """Return the name of the batch that a task is in."""
        return next(name for name, tasks in self.chunks.items() if task in [member.name for member in tasks])


def make_plan(
    config: Mapping[str, Any], datasets: Mapping[str, dict[str, Any]], models: Mapping[str, dict[str, Any]]
) -> Plan:
    """Turn a configuration of the right form into a plan.

    Raises
    ------
    ValueError
        As `check_settings` does, and for the user's own predictions.
    """
    check_settings(config, datasets, models)
    used = {name: datasets[name] for name in config["datasets"]}
    names = list(models) if config["models"] == "all" else config["models"]
    tasks = expand_tasks(config["tasks"], used)
    chunks = chunk_tasks(tasks, config["chunk_cells"])
    openml, archive = _plan_openml(config)
    batches = {f"chunk-{i:02}": chunk for i, chunk in enumerate(chunks)}
    for name, numbers in openml.items():
        batches[name] = [Task(dataset_name(n), dataset_name(n), None, 0) for n in numbers]
    made = find_made(config, [task.name for task in tasks])
    return Plan(used, {name: models[name] for name in names}, batches, openml, archive, made)


def _plan_openml(config: Mapping[str, Any]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the batches of OpenML tasks to train on and of archived tasks; one of the two is empty."""
    if "openml" not in config:
        return {}, {}
    settings = config["openml"]
    if settings["mode"] == "train":
        batches = _growing_batches(settings["tasks"], settings["chunk_tasks"])
        return {f"openml-{i:02}": batch for i, batch in enumerate(batches)}, {}
    wanted = settings["archive"]
    places, size = list(range(wanted["task_count"])), wanted["chunk_tasks"]
    return {}, {f"archive-{start // size:02}": places[start : start + size] for start in places[::size]}


def _growing_batches(items: list[int], size: int) -> list[list[int]]:
    """Cut a list into batches that become larger where there are many, since each is a job that has to be planned.

    Where a batch begins depends only on its place, so that a longer list begins with the same batches.
    """
    batches: list[list[int]] = []
    while items:
        largest = size * min(2 ** (len(batches) // GROWS_AFTER), MOST_GROWTH)
        batches.append(items[:largest])
        items = items[largest:]
    return batches
