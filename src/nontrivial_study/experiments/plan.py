"""The plan of a study: its configuration is checked as a whole, and turned into batches of work."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from nontrivial_study.data.own import SOURCE
from nontrivial_study.declarations import Experiment, load_experiments
from nontrivial_study.experiments import problems
from nontrivial_study.experiments.additions import find_external
from nontrivial_study.experiments.tasks.tasks import Task, chunk_tasks, dataset_name, expand_tasks, whole_tasks

BatchItem = TypeVar("BatchItem")


def check_settings(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> None:
    """Raise SettingError if settings of the right form do not fit each other, or the data sets and models.

    Only the listed experiments are checked. `datasets` and `models` are all entries that settings may name.
    """
    used = {name: datasets[name] for name in config["datasets"] if name in datasets}
    problems.raise_problems(
        [
            *problems.find_unknown_names(config["datasets"], datasets, "data set", "datasets"),
            *_find_problems_of_tasks(config, used, models),
            *_find_problems_of_experiments(config, problems.find_known_names(config, used, models)),
            *_find_problems_of_archive(config),
        ]
    )


def _find_problems_of_tasks(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> problems.Problems:
    """Report tasks that no model can be trained on, given the entries of the data sets that are used."""
    yield from problems.find_unknown_names(config["tasks"], used, "data set", "tasks")
    classified = [name for name in config["tasks"] if "classes" in used.get(name, ())]
    for name in config["tasks"]:
        if "classes" not in used.get(name, {"classes"}):
            sentence = f"tasks names {name!r}, which is for regression; it must name data sets with classes."
            yield problems.SettingError("tasks", sentence)
        yield from problems.find_too_many_folds("folds", config["folds"], name, used)
    regressors = config["losses"]["regressors"]
    if config["models"] != "all":
        yield from problems.find_unknown_names(config["models"], {**models, **regressors}, "model", "models")
    targets = {task.target: task.name for task in expand_tasks(classified, used)}
    targets |= {task.target: task.name for task in _own_tasks(used)}
    for target, name in targets.items():
        kind, choices = ("regressor", regressors) if target == "numbers" else ("classifier", models)
        if not _select_models(config, choices):
            sentence = f"models names no {kind}, which {name!r} needs; add one of {', '.join(choices)}."
            yield problems.SettingError("models", sentence)


def _find_problems_of_experiments(config: Mapping[str, Any], known: problems.KnownNames) -> problems.Problems:
    """Report the problems of the listed experiments; the function ``check`` of an experiment's module finds its own."""
    for experiment in _listed_experiments(config):
        yield from problems.find_unknown_names_of(experiment, config, known)
        module = f"{__package__}.{experiment.name}.check"
        if find_spec(module):
            yield from import_module(module).check(config, known)


def _find_problems_of_archive(config: Mapping[str, Any]) -> problems.Problems:
    """Report tasks of OpenML's archive that are named twice, or are more than the study takes."""
    if config["openml"]["mode"] == "train":
        return
    archive = config["openml"]["archive"]
    always = [entry["task"] for entry in archive["always"]]
    if len(always) > archive["task_count"]:
        setting = "openml.archive.task_count"
        allowed = f"at least {len(always)}, the number of tasks under openml.archive.always"
        yield problems.SettingError(setting, f"{setting} is {archive['task_count']}; it must be {allowed}.")
    for task in dict.fromkeys(task for task in always if always.count(task) > 1):
        setting = "openml.archive.always"
        yield problems.SettingError(setting, f"{setting} names task {task} twice; name it once.")
    for task in sorted(set(always) & set(archive["leave_out"]["tasks"])):
        setting = "openml.archive.leave_out.tasks"
        sentence = f"{setting} names task {task}, which openml.archive.always names, too; name it once."
        yield problems.SettingError(setting, sentence)


# Each batch is a job that has to be planned, so batches become larger if there are many.
BATCHES_PER_SIZE = 50  # then the size doubles
MAX_BATCH_GROWTH = 16


@dataclass(frozen=True)
class Plan:
    """The study's data sets and models, and its batches of work by name."""

    datasets: dict[str, dict[str, Any]]  # the entries of the data sets that are used
    models: dict[str, dict[str, Any]]  # the specifications of the classifiers that are trained
    regressors: dict[str, dict[str, Any]]
    # Binary tasks. Batches ``chunk-00``, ... have tasks of data sets in the order of the configuration; ``openml-00``,
    # ... have OpenML tasks, whose numbers alone are known before the download.
    chunks: dict[str, list[Task]]
    openml: dict[str, list[int]]  # the numbers of the OpenML tasks in their batches
    # Batches ``archive-00``, ... of positions in the selection of archived tasks, which is made when the study runs.
    archive: dict[str, list[int]]
    own: dict[str, list[Task]]  # batches ``own-00``, ... of the user's own data sets that are not binary
    external: dict[str, dict[str, str]]  # files of external predictions, by task and model
    are_scored: bool  # whether an experiment needs the scores of all tasks

    def from_source(self, source: str) -> dict[str, dict[str, Any]]:
        """Return the entries of the data sets that come from a source."""
        return {name: entry for name, entry in self.datasets.items() if entry["source"] == source}

    def tasks_of(self, batch: str) -> list[Task]:
        """Return the tasks of a batch that models are trained on."""
        return self.own[batch] if batch in self.own else self.chunks[batch]

    def models_for(self, batch: str) -> dict[str, dict[str, Any]]:
        """Return the models that are trained on the tasks of a batch: regressors if their targets are numbers."""
        has_numbers = batch in self.own and self.own[batch][0].target == "numbers"
        return self.regressors if has_numbers else self.models

    def chunk_of(self, task: str) -> str:
        """Return the name of the batch that a task is in."""
        return next(name for name, tasks in self.chunks.items() if task in [member.name for member in tasks])


def make_plan(
    config: Mapping[str, Any],
    datasets: Mapping[str, dict[str, Any]],
    models: Mapping[str, dict[str, Any]],
    read_by_claims: Collection[str] = (),
) -> Plan:
    """Plan what the listed experiments need, and the data sets that claims read.

    The configuration has the right form. SettingError if it cannot be planned.
    """
    check_settings(config, datasets, models)
    needs = {need for experiment in _listed_experiments(config) for need in experiment.needs}
    config = _leave_out_unneeded(config, datasets, needs, read_by_claims)
    used = {name: datasets[name] for name in config["datasets"]}
    binary_tasks, own_tasks = expand_tasks(config["tasks"], used), _own_tasks(used)
    cells = config["chunk_cells"]
    chunks = _name_batches("chunk", chunk_tasks(binary_tasks, cells))
    openml, archive = _plan_openml(config["openml"])
    for name, numbers in openml.items():
        chunks[name] = [Task(dataset_name(number), dataset_name(number), None, 0) for number in numbers]
    own = []  # each batch has tasks of one kind, because other models are trained on numbers
    for target in ("classes", "numbers"):
        own += chunk_tasks([task for task in own_tasks if task.target == target], cells)
    return Plan(
        datasets=used,
        models=_select_models(config, models),
        regressors=_select_models(config, config["losses"]["regressors"]),
        chunks=chunks,
        openml=openml,
        archive=archive,
        own=_name_batches("own", own),
        external=find_external(config, [task.name for task in [*binary_tasks, *own_tasks]]),
        are_scored="tasks" in needs,
    )


def _listed_experiments(config: Mapping[str, Any]) -> list[Experiment]:
    experiments = load_experiments()
    return [experiments[name] for name in config["experiments"] if name in experiments]


def _name_batches(prefix: str, batches: list[list[BatchItem]]) -> dict[str, list[BatchItem]]:
    return {f"{prefix}-{number:02}": batch for number, batch in enumerate(batches)}


def _leave_out_unneeded(
    config: Mapping[str, Any],
    datasets: Mapping[str, Mapping[str, Any]],
    needs: Collection[str],
    read_by_claims: Collection[str],
) -> dict[str, Any]:
    """Leave out the data sets, tasks and models that no listed experiment needs."""
    named: dict[str, list[str]] = {"data set": [], "task": [], "model": []}
    for experiment in _listed_experiments(config):
        kinds = {**dict.fromkeys(experiment.uses, "data set"), **experiment.names}
        for setting, kind in kinds.items():
            value = problems.setting_value(config, setting)
            basic_kind = next(name for name in named if name in kind)  # "task" for "two-class task"
            named[basic_kind] += [value] if isinstance(value, str) else value
    own = config.get("own", {}).get("datasets", {})
    needed = dict(config)
    if "tasks" not in needs:
        needed["openml"] = config["openml"] | {"mode": "train", "tasks": []}
        needed["tasks"] = [
            name
            for name in config["tasks"]
            if any(task.name in named["task"] for task in expand_tasks([name], datasets))
            or (name in own and len(datasets[name]["classes"]) == 2)
        ]
        needed_datasets = {*named["data set"], *needed["tasks"], *own, *read_by_claims}
        needed["datasets"] = [name for name in config["datasets"] if name in needed_datasets]
    if "models" not in needs:
        needed["models"] = named["model"]
    return needed


def _select_models(config: Mapping[str, Any], choices: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the models that the configuration names, in its order."""
    names = choices if config["models"] == "all" else config["models"]
    return {name: choices[name] for name in names if name in choices}


def _own_tasks(datasets: Mapping[str, Mapping[str, Any]]) -> list[Task]:
    """Return the tasks of the user's own data sets that are not binary."""
    return whole_tasks({name: entry for name, entry in datasets.items() if entry["source"] == SOURCE})


def _plan_openml(settings: Mapping[str, Any]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the batches of OpenML tasks to train on and of archived tasks; one of the two is empty."""
    if settings["mode"] == "train":
        return _name_batches("openml", _growing_batches(settings["tasks"], settings["chunk_tasks"])), {}
    archive = settings["archive"]
    positions, size = list(range(archive["task_count"])), archive["chunk_tasks"]
    batches = [positions[start : start + size] for start in positions[::size]]
    return {}, _name_batches("archive", batches)


def _growing_batches(items: list[int], size: int) -> list[list[int]]:
    """Divide a list into batches that become larger if there are many.

    The size of a batch depends only on how many come before it, so a longer list begins with the same batches.
    """
    batches: list[list[int]] = []
    while items:
        largest = size * min(2 ** (len(batches) // BATCHES_PER_SIZE), MAX_BATCH_GROWTH)
        batches.append(items[:largest])
        items = items[largest:]
    return batches
