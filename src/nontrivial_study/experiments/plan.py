"""What the configuration asks for, checked as a whole before any work starts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from nontrivial_study.data.own import SOURCE
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments.additions import find_external
from nontrivial_study.experiments.problems import (
    Known,
    Problems,
    SettingError,
    few_rows,
    find_known,
    raise_all,
    unknown_names,
    unknown_names_of,
    value_of,
)
from nontrivial_study.experiments.tasks.tasks import (
    Task,
    chunk_tasks,
    dataset_name,
    expand_tasks,
    whole_tasks,
)


def check_settings(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> None:
    """Check all that depends on more than one setting of a configuration of the right form.

    Only the experiments that it names are checked. `datasets` and `models` are the entries that are known.
    """
    used = {name: datasets[name] for name in config["datasets"] if name in datasets}
    raise_all(
        [
            *unknown_names(config["datasets"], datasets, "data set", "datasets"),
            *_of_tasks(config, used, models),
            *_of_experiments(config, find_known(config, used, models)),
            *_of_archive(config),
        ]
    )


def _of_tasks(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> Problems:
    yield from unknown_names(config["tasks"], used, "data set", "tasks")
    classified = [name for name in config["tasks"] if "classes" in used.get(name, ())]
    for name in config["tasks"]:
        if "classes" not in used.get(name, {"classes"}):
            sentence = f"tasks names {name!r}, which is for regression; it must name data sets with classes."
            yield SettingError("tasks", sentence)
        yield from few_rows("folds", config["folds"], name, used)
    regressors = config["losses"]["regressors"]
    if config["models"] != "all":
        yield from unknown_names(config["models"], {**models, **regressors}, "model", "models")
    targets = {task.target: task.name for task in expand_tasks(classified, used)}
    targets |= {task.target: task.name for task in _own_tasks(used)}
    for target, name in targets.items():
        kind, known = ("regressor", regressors) if target == "numbers" else ("classifier", models)
        if not _select_models(config, known):
            sentence = f"models names no {kind}, which {name!r} needs; add one of {', '.join(known)}."
            yield SettingError("models", sentence)


def _of_experiments(config: Mapping[str, Any], known: Known) -> Problems:
    """Ask the experiments that are listed; one may have a function ``check`` in a module of that name."""
    for name in config["experiments"]:
        if name in load_experiments():
            yield from unknown_names_of(load_experiments()[name], config, known)
            module = f"{__package__}.{name}.check"
            if find_spec(module):
                yield from import_module(module).check(config, known)


def _of_archive(config: Mapping[str, Any]) -> Problems:
    if config["openml"]["mode"] == "train":
        return
    wanted = config["openml"]["archive"]
    setting = "openml.archive"
    if len(wanted["always"]) > wanted["task_count"]:
        yield SettingError(
            f"{setting}.task_count",
            f"{setting}.task_count is {wanted['task_count']}; it must be at least {len(wanted['always'])}, "
            "the number of tasks under openml.archive.always.",
        )
    always = [entry["task"] for entry in wanted["always"]]
    for task in dict.fromkeys(task for task in always if always.count(task) > 1):
        yield SettingError(f"{setting}.always", f"{setting}.always names task {task} twice; name it once.")
    for task in sorted(set(always) & set(wanted["leave_out"]["tasks"])):
        setting = "openml.archive.leave_out.tasks"
        sentence = f"{setting} names task {task}, which openml.archive.always names, too; name it once."
        yield SettingError(setting, sentence)


GROWS_AFTER = 50  # batches of one size, before those of twice the size
MOST_GROWTH = 16


@dataclass(frozen=True)
class Plan:
    """The study's units of work."""

    datasets: dict[str, dict[str, Any]]  # the entries of the data sets that are used
    models: dict[str, dict[str, Any]]  # the specifications of the classifiers that are trained
    regressors: dict[str, dict[str, Any]]
    # Batches of tasks by name (``chunk-00``, ...), in the order of the configuration. Those of ``openml-00``, ... are
    # OpenML tasks, of which no more than the number is known before the download.
    chunks: dict[str, list[Task]]
    openml: dict[str, list[int]]  # the numbers of the OpenML tasks in those batches
    # Batches (``archive-00``, ...) of places in the selection of archived tasks, which is made when the study runs.
    archive: dict[str, list[int]]
    # Batches (``own-00``, ...) of the user's own data sets with three or more classes, all at once, or with numbers.
    own: dict[str, list[Task]]
    # Files of predictions that were made elsewhere, by task and model.
    made: dict[str, dict[str, str]] = field(default_factory=dict)
    are_scored: bool = True  # whether an experiment needs the scores of all tasks

    def from_source(self, source: str) -> dict[str, dict[str, Any]]:
        """Return the entries of the data sets that come from a source."""
        return {name: entry for name, entry in self.datasets.items() if entry["source"] == source}

    def tasks_of(self, batch: str) -> list[Task]:
        """Return the tasks of a batch that models are trained on."""
        return self.own[batch] if batch in self.own else self.chunks[batch]

    def models_for(self, batch: str) -> dict[str, dict[str, Any]]:
        """Return the models that are trained on the tasks of a batch, which are all of one kind."""
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
    """Turn a configuration of the right form into a plan of what its experiments need, and of data that claims read."""
    check_settings(config, datasets, models)
    needs = {
        need
        for name in config["experiments"]
        if name in load_experiments()
        for need in load_experiments()[name].needs
    }
    config = _leave_out(config, datasets, needs, read_by_claims)
    used = {name: datasets[name] for name in config["datasets"]}
    tasks = expand_tasks(config["tasks"], used)
    chunks = chunk_tasks(tasks, config["chunk_cells"])
    openml, archive = _plan_openml(config)
    batches = {f"chunk-{i:02}": chunk for i, chunk in enumerate(chunks)}
    for name, numbers in openml.items():
        batches[name] = [Task(dataset_name(n), dataset_name(n), None, 0) for n in numbers]
    whole = _own_tasks(used)
    own = [
        chunk
        for target in ("classes", "numbers")
        for chunk in chunk_tasks([task for task in whole if task.target == target], config["chunk_cells"])
    ]
    made = find_external(config, [task.name for task in [*tasks, *whole]])
    return Plan(
        datasets=used,
        models=_select_models(config, models),
        regressors=_select_models(config, config["losses"]["regressors"]),
        chunks=batches,
        openml=openml,
        archive=archive,
        own={f"own-{number:02}": chunk for number, chunk in enumerate(own)},
        made=made,
        are_scored="tasks" in needs,
    )


def _leave_out(
    config: Mapping[str, Any],
    datasets: Mapping[str, Mapping[str, Any]],
    needs: Collection[str],
    read_by_claims: Collection[str],
) -> dict[str, Any]:
    """Leave out the data sets, tasks and models that no listed experiment needs."""
    named: dict[str, list[str]] = {"data set": [], "task": [], "model": []}
    for experiment in (
        load_experiments()[name] for name in config["experiments"] if name in load_experiments()
    ):
        kinds = {**dict.fromkeys(experiment.uses, "data set"), **experiment.names}
        for setting, kind in kinds.items():
            value = value_of(config, setting)
            what = next(what for what in named if what in kind)  # as in "two-class data set"
            named[what] += [value] if isinstance(value, str) else value
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
        wanted = {*named["data set"], *needed["tasks"], *own, *read_by_claims}
        needed["datasets"] = [name for name in config["datasets"] if name in wanted]
    if "models" not in needs:
        needed["models"] = named["model"]
    return needed


def _select_models(
    config: Mapping[str, Any], known: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the models that the configuration names, in its order."""
    names = known if config["models"] == "all" else config["models"]
    return {name: known[name] for name in names if name in known}


def _own_tasks(datasets: Mapping[str, Mapping[str, Any]]) -> list[Task]:
    """Return the tasks of the user's own data sets that are not binary."""
    return whole_tasks({name: entry for name, entry in datasets.items() if entry["source"] == SOURCE})


def _plan_openml(config: Mapping[str, Any]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return the batches of OpenML tasks to train on and of archived tasks; one of the two is empty."""
    settings = config["openml"]
    if settings["mode"] == "train":
        batches = _growing_batches(settings["tasks"], settings["chunk_tasks"])
        return {f"openml-{i:02}": batch for i, batch in enumerate(batches)}, {}
    wanted = settings["archive"]
    places, size = list(range(wanted["task_count"])), wanted["chunk_tasks"]
    return {}, {f"archive-{start // size:02}": places[start : start + size] for start in places[::size]}


def _growing_batches(items: list[int], size: int) -> list[list[int]]:
    """Cut a list into batches that become larger where there are many, since each is a job that has to be planned."""
    # Where a batch begins depends only on its place, so that a longer list begins with the same batches.
    batches: list[list[int]] = []
    while items:
        largest = size * min(2 ** (len(batches) // GROWS_AFTER), MOST_GROWTH)
        batches.append(items[:largest])
        items = items[largest:]
    return batches
