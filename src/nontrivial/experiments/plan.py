"""What the configuration asks for, checked as a whole before any work starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nontrivial.config import SettingError, require_known
from nontrivial.experiments.own import find_made
from nontrivial.experiments.settings import check_experiments, check_folds
from nontrivial.experiments.tasks.binary_tasks import Task, chunk_tasks, dataset_name, expand_tasks

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
    """Turn a checked configuration into a plan.

    Raises
    ------
    SettingError
        One sentence if the configuration names a data set or model that does not exist, that the study leaves
        out, or that cannot serve: a data set without classes as a task, of more than two classes for the
        imbalance study, or with fewer rows in a class than there are folds.
    ValueError
        One sentence if the classes of a data set do not add up to its rows.
    """
    for name in config["datasets"]:
        require_known(name, datasets, "data set", "datasets")
    used = {name: datasets[name] for name in config["datasets"]}
    for name, entry in used.items():
        total = sum(entry.get("classes", {"all": entry["rows"]}).values())
        if total != entry["rows"]:
            file = config["files"]["datasets"]
            raise ValueError(
                f"{file}: {name}.classes adds up to {total}; it must be {name}.rows, {entry['rows']}."
            )
    for name in config["tasks"]:
        require_known(name, used, "data set", "tasks")
        if "classes" not in used[name]:
            sentence = f"tasks names {name!r}, which is for regression; it must name data sets with classes."
            raise SettingError("tasks", sentence)
        check_folds("folds", config["folds"], name, used[name])
    names = list(models) if config["models"] == "all" else config["models"]
    for name in names:
        require_known(name, models, "model", "models")
    for name in config["compared"]["models"]:
        require_known(name, models, "model", "compared.models")
    check_experiments(config, used, names)
    tasks = expand_tasks(config["tasks"], used)
    chunks = chunk_tasks(tasks, config["chunk_cells"])
    openml, archive = _plan_openml(config, used)
    batches = {f"chunk-{i:02}": chunk for i, chunk in enumerate(chunks)}
    for name, numbers in openml.items():
        batches[name] = [Task(dataset_name(n), dataset_name(n), None, 0) for n in numbers]
    made = find_made(config, [task.name for task in tasks])
    return Plan(used, {name: models[name] for name in names}, batches, openml, archive, made)


def _plan_openml(
    config: Mapping[str, Any], used: Mapping[str, Any]
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the batches of OpenML tasks to train on and of archived tasks; one of the two is empty."""
    uci = [name for name, entry in used.items() if entry["source"] == "UCI"]
    needs = {"uci": uci and f"data set {uci[0]!r} comes from UCI", "downloads": uci and "data is downloaded"}
    if "openml" in config:
        needs["downloads"] = "data is downloaded"
    for key, reason in needs.items():
        if reason and key not in config:
            raise SettingError(key, f"the key {key} is missing, and {reason}; config/paper.yaml has it.")
    if "openml" not in config:
        return {}, {}
    settings = config["openml"]
    if settings["mode"] == "train":
        batches = _growing_batches(settings["tasks"], settings["chunk_tasks"])
        return {f"openml-{i:02}": batch for i, batch in enumerate(batches)}, {}
    wanted = settings["archive"]
    if len(wanted["always"]) > wanted["task_count"]:
        setting = "openml.archive.task_count"
        raise SettingError(
            setting,
            f"{setting} is {wanted['task_count']}; it must be at least {len(wanted['always'])}, "
            "the number of tasks under openml.archive.always.",
        )
    always = [entry["task"] for entry in wanted["always"]]
    twice = [task for task in always if always.count(task) > 1]
    if twice:
        setting = "openml.archive.always"
        raise SettingError(setting, f"{setting} names task {twice[0]} twice; give each task one entry.")
    both = set(always) & set(wanted["leave_out"]["tasks"])
    if both:
        setting = "openml.archive.leave_out.tasks"
        raise SettingError(
            setting,
            f"{setting} names task {min(both)}, which openml.archive.always names, too; name it in one of them.",
        )
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
