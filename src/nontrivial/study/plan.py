"""What the configuration asks for, checked as a whole before any work starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nontrivial.config import known_or_raise
from nontrivial.study.tasks import Task, chunk_tasks, expand_tasks


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
        Batches of tasks by name (``chunk-00``, ...), in the order of the configuration.
    """

    datasets: dict[str, dict[str, Any]]
    models: dict[str, dict[str, Any]]
    chunks: dict[str, list[Task]]

    def chunk_of(self, task: str) -> str:
        """Return the name of the batch that a task is in."""
        return next(name for name, tasks in self.chunks.items() if task in [member.name for member in tasks])


def make_plan(
    config: Mapping[str, Any], datasets: Mapping[str, dict[str, Any]], models: Mapping[str, dict[str, Any]]
) -> Plan:
    """Turn a checked configuration into a plan.

    Raises
    ------
    ValueError
        One sentence if the configuration names a data set or model that does not exist, that the study leaves
        out, or that cannot serve: a data set without classes as a task, of more than two classes for the
        imbalance study, or with fewer rows in a class than there are folds.
    """
    files = config["files"]
    for name in config["datasets"]:
        known_or_raise(name, datasets, "data set", "datasets")
    used = {name: datasets[name] for name in config["datasets"]}
    for name in config["tasks"]:
        known_or_raise(name, used, "data set", "tasks")
        if "classes" not in used[name]:
            raise ValueError(f"tasks: data set {name!r} is for regression; a task needs one with classes.")
        rarest = min(used[name]["classes"].values())
        if config["folds"] > rarest:
            raise ValueError(
                f"folds is {config['folds']}; allowed are at most {rarest}, the rows in the rarest class of {name!r}."
            )
    names = list(models) if config["models"] == "all" else config["models"]
    for name in names:
        known_or_raise(name, models, "model", "models")

    imbalance = config["imbalance"]
    two_class = [name for name in config["tasks"] if len(used[name]["classes"]) == 2]
    known_or_raise(imbalance["dataset"], two_class, "two-class task", "imbalance.dataset")
    known_or_raise(imbalance["model"], names, "model", "imbalance.model")
    first, last = imbalance["shares"]["first"], imbalance["shares"]["last"]
    if first >= last:
        raise ValueError(f"imbalance.shares.first is {first}; allowed is a fraction below last, {last}.")
    if round(first * imbalance["test_size"]) < 1:
        raise ValueError(
            f"imbalance.test_size is {imbalance['test_size']}; allowed are sizes of which the share {first} is a case."
        )
    for name, entry in used.items():
        counts = entry.get("classes")
        total = sum(counts.values()) if counts else entry["rows"]
        if total != entry["rows"]:
            raise ValueError(
                f"{files['datasets']}: {name}.classes adds up to {total}; allowed is rows, {entry['rows']}."
            )
    chunks = chunk_tasks(expand_tasks(config["tasks"], used), config["chunk_cells"])
    return Plan(
        used, {name: models[name] for name in names}, {f"chunk-{i:02}": c for i, c in enumerate(chunks)}
    )
