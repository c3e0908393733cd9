"""What the configuration asks for, checked as a whole before any work starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.terminal import say
from nontrivial_study.data.own import SOURCE, own_entry, own_warnings
from nontrivial_study.experiments.results import NOT_EVALUATED, OK
from nontrivial_study.experiments.tasks.external_models import is_external, version_of
from nontrivial_study.experiments.tasks.external_predictions import find_predictions, read_predictions
from nontrivial_study.experiments.tasks.tasks import Task, chunk_tasks, dataset_name, expand_tasks


class SettingError(ValueError):
    """A setting that has the right form and yet cannot serve.

    Attributes
    ----------
    setting : str
        The path of keys to it, joined by dots.
    """

    def __init__(self, setting: str, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting


Problems = Iterator[SettingError]


def check_settings(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> None:
    """Check all that depends on more than one setting of a configuration of the right form.

    Only the experiments that it names are checked. `datasets` and `models` are the entries that are known.
    """
    used = {name: datasets[name] for name in config["datasets"] if name in datasets}
    for name, entry in used.items():
        total = sum(entry.get("classes", {"all": entry["rows"]}).values())
        if total != entry["rows"]:
            file = config["files"]["datasets"]
            raise ValueError(
                f"{file}: {name}.classes adds up to {total}; it must be {name}.rows, {entry['rows']}."
            )
    raise_all(
        [
            *_unknown(config["datasets"], datasets, "data set", "datasets"),
            *_of_tasks(config, used, models),
            *_of_experiments(config, used, models),
            *_of_downloads(config, used),
        ]
    )


def raise_all(problems: Sequence[SettingError]) -> None:
    """Raise the first problem, if there is one, with the sentences of all."""
    if problems:
        raise SettingError(problems[0].setting, "\n".join(dict.fromkeys(map(str, problems))))


def _unknown(names: Iterable[str], known: Iterable[str], what: str, setting: str) -> Problems:
    """Name what is not among the known."""
    for name in names:
        if sentence := require_known(name, known, what, setting):
            yield SettingError(setting, sentence)


def require_known(name: str, known: Iterable[str], what: str, setting: str) -> str:
    """Return a sentence that names the known ones, unless `name` is among them."""
    known = list(known)
    listed = ", ".join(known) or "none"
    return (
        "" if name in known else f"{setting} names the unknown {what} {name!r}; the known ones are {listed}."
    )


def _few_rows(setting: str, folds: int, dataset: str, used: Mapping[str, Mapping[str, Any]]) -> Problems:
    """Tell of a class that has fewer rows than there are folds."""
    rarest = min(used.get(dataset, {}).get("classes", {"": folds}).values())
    if folds > rarest:
        allowed = f"at most {rarest}, the number of rows in the rarest class of {dataset!r}"
        yield SettingError(setting, f"{setting} is {folds}; it must be {allowed}.")


def _of_tasks(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> Problems:
    yield from _unknown(config["tasks"], used, "data set", "tasks")
    for name in config["tasks"]:
        if "classes" not in used.get(name, {"classes"}):
            sentence = f"tasks names {name!r}, which is for regression; it must name data sets with classes."
            yield SettingError("tasks", sentence)
        yield from _few_rows("folds", config["folds"], name, used)
    if config["models"] != "all":
        yield from _unknown(config["models"], models, "model", "models")
    if not (config["tasks"] or "openml" in config or "predictions" in config.get("own", {})):
        yield SettingError("tasks", "tasks is empty; name data sets there or under own.datasets.")


def _of_downloads(config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]]) -> Problems:
    uci = [name for name, entry in used.items() if entry["source"] == "UCI"]
    needs = {"uci": uci and f"data set {uci[0]!r} comes from UCI", "downloads": uci and "data is downloaded"}
    if "openml" in config:
        needs["downloads"] = "data is downloaded"
    for key, reason in needs.items():
        if reason and key not in config:
            yield SettingError(key, f"the key {key} is missing, and {reason}; config/paper.yaml has it.")
    if "openml" not in config or config["openml"]["mode"] == "train":
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
        yield SettingError(
            f"{setting}.always", f"{setting}.always names task {task} twice; give each task one entry."
        )
    for task in sorted(set(always) & set(wanted["leave_out"]["tasks"])):
        setting = "openml.archive.leave_out.tasks"
        yield SettingError(
            setting,
            f"{setting} names task {task}, which openml.archive.always names, too; name it in one of them.",
        )


def _of_experiments(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], known_models: Mapping[str, Any]
) -> Problems:
    chosen = config["experiments"]
    models = list(known_models) if config["models"] == "all" else config["models"]
    classified = [name for name, entry in used.items() if "classes" in entry]
    two_class = [name for name in classified if len(used[name]["classes"]) == 2]
    two_class_tasks = [name for name in two_class if name in config["tasks"]]
    tasks = [
        task.name for task in expand_tasks([name for name in config["tasks"] if name in classified], used)
    ]
    regressions = [name for name in used if name not in classified]
    imbalance = config["imbalance"]
    if "ranks" in chosen:
        yield from _unknown(config["compared"]["models"], known_models, "model", "compared.models")
        areas = [area for pair in config["ranking"]["pairs"] for area in pair.split("/")]
        yield from _unknown(areas, CURVE_AREAS, "area", "ranking.pairs")
        for split, edges in config["ranking"]["groups"].items():
            if any(low >= high for low, high in pairwise(edges)):
                setting = f"ranking.groups.{split}"
                yield SettingError(setting, f"{setting} is {edges}; its values must increase.")
    if "imbalance" in chosen or "p4" in chosen:  # which shows the same model
        yield from _unknown([imbalance["dataset"]], two_class_tasks, "two-class task", "imbalance.dataset")
        yield from _unknown([imbalance["model"]], models, "model", "imbalance.model")
    if "imbalance" in chosen:
        for key in ("further_datasets", "small_multiples"):
            yield from _unknown(imbalance[key], two_class_tasks, "two-class task", f"imbalance.{key}")
        yield from _unknown(imbalance["further_models"], models, "model", "imbalance.further_models")
        yield from _of_shares(imbalance, config["venn"])
        training = config["training_noise"]
        yield from _unknown([training["dataset"]], two_class, "two-class data set", "training_noise.dataset")
        yield from _unknown(training["models"], models, "model", "training_noise.models")
        yield from _few_rows("training_noise.folds", training["folds"], training["dataset"], used)
    if "losses" in chosen:
        losses = config["losses"]
        yield from _unknown(
            losses["classification"], classified, "data set with classes", "losses.classification"
        )
        yield from _unknown(losses["regression"], regressions, "data set for regression", "losses.regression")
        yield from _unknown(losses["classifiers"], models, "model", "losses.classifiers")
    repeats = config["repeats"]
    if "repeats" in chosen and repeats["dataset"] in used:
        yield from _unknown([repeats["dataset"]], two_class, "two-class data set", "repeats.dataset")
        yield from _few_rows("repeats.folds", repeats["folds"], repeats["dataset"], used)
    for experiment in ("selective", "tutorial"):
        if experiment in chosen:
            yield from _unknown([config[experiment]["task"]], tasks, "task", f"{experiment}.task")
    if "tutorial" in chosen:
        yield from _unknown(config["tutorial"]["models"], models, "model", "tutorial.models")


def _of_shares(imbalance: Mapping[str, Any], venn: Mapping[str, float]) -> Problems:
    first, last = imbalance["shares"]["first"], imbalance["shares"]["last"]
    if first >= last:
        setting = "imbalance.shares.first"
        yield SettingError(
            setting, f"{setting} is {first}; it must be a fraction below imbalance.shares.last, {last}."
        )
    if round(first * imbalance["test_size"]) < 1:
        setting = "imbalance.test_size"
        yield SettingError(
            setting,
            f"{setting} is {imbalance['test_size']}; imbalance.shares.first, {first}, of it must be at least one case.",
        )
    least, noise = venn["minority_share"], venn["noise"]
    if noise > 2 * least:
        yield SettingError(
            "venn.noise",
            f"venn.noise is {noise}; it must be at most twice venn.minority_share, {2 * least:g}: half of the noise "
            "falls on the minority.",
        )


T = TypeVar("T")


def add_own(
    config: Mapping[str, Any], datasets: Mapping[str, Any], models: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the configuration, the data sets and the models with what stands under ``own``.

    A data set of the user's own joins the data sets and the tasks of the study, and a model its models.
    """
    own = config.get("own", {})
    for kind, known, what in (("datasets", datasets, "data set"), ("models", models, "model")):
        for name in own.get(kind, {}):
            if name in known:
                setting = f"own.{kind}.{name}"
                raise SettingError(
                    setting,
                    f"{setting} has the name of a {what} that the study knows; choose another name.",
                )
    added = {
        name: _tell(f"own.datasets.{name}", own_entry, name, setting)
        for name, setting in own.get("datasets", {}).items()
    }
    extended = dict(config)
    for key in ("datasets", "tasks"):
        extended[key] = list(dict.fromkeys([*config[key], *added]))
    if config["models"] != "all":
        extended["models"] = list(dict.fromkeys([*config["models"], *own.get("models", {})]))
    known = {**models, **own.get("models", {})}
    return extended, {**datasets, **added}, {name: _with_version(model) for name, model in known.items()}


def _with_version(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the version of an estimator's package: with another version the model is trained again."""
    estimator = model["estimator"]
    return {**model, "version": version_of(estimator)} if is_external(estimator) else model


def external_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of predictions that were made elsewhere; a text is their folder."""
    settings = config.get("own", {}).get("predictions", {})
    return {"folder": settings} if isinstance(settings, str) else dict(settings)


def find_external(config: Mapping[str, Any], tasks: list[str]) -> dict[str, dict[str, str]]:
    """Return the files of predictions that were made elsewhere, by task and model; none without the setting."""
    setting, folder = "own.predictions", external_settings(config).get("folder")
    if folder is None:
        return {}
    found = _tell(setting, find_predictions, folder)
    taken = next((name for name in found if name in tasks), None)
    if taken:
        raise SettingError(
            setting,
            f"{setting}: {folder} has a task {taken!r}, which the study trains on; choose another name.",
        )
    return found


def check_external(made: Mapping[str, Mapping[str, str]], settings: Mapping[str, Any] | None = None) -> None:
    """Raise SettingError unless every file of predictions can be read."""
    for task, files in made.items():
        _tell("own.predictions", read_predictions, task, files, settings)


def check_own(datasets: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise SettingError unless every data set of the user's own can be read; say what looks odd in it."""
    for name, entry in datasets.items():
        if entry["source"] == SOURCE:
            setting = f"own.datasets.{name}"
            say([f"{setting}: {sentence}" for sentence in _tell(setting, own_warnings, entry)], err=True)


def _tell(setting: str, function: Callable[..., T], *arguments: Any) -> T:
    try:
        return function(*arguments)
    except ValueError as error:
        raise SettingError(setting, f"{setting}: {error}") from None


GROWS_AFTER = 50  # batches of one size, before those of twice the size
MOST_GROWTH = 16


@dataclass(frozen=True)
class Plan:
    """The study's units of work."""

    datasets: dict[str, dict[str, Any]]  # the entries of the data sets that are used
    models: dict[str, dict[str, Any]]  # the specifications of the models that are trained
    # Batches of tasks by name (``chunk-00``, ...), in the order of the configuration. Those of ``openml-00``, ... are
    # OpenML tasks, of which no more than the number is known before the download.
    chunks: dict[str, list[Task]]
    openml: dict[str, list[int]]  # the numbers of the OpenML tasks in those batches
    # Batches (``archive-00``, ...) of places in the selection of archived tasks, which is made when the study runs.
    archive: dict[str, list[int]]
    # Files of predictions that were made elsewhere, by task and model.
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
    """Turn a configuration of the right form into a plan."""
    check_settings(config, datasets, models)
    used = {name: datasets[name] for name in config["datasets"]}
    names = list(models) if config["models"] == "all" else config["models"]
    tasks = expand_tasks(config["tasks"], used)
    chunks = chunk_tasks(tasks, config["chunk_cells"])
    openml, archive = _plan_openml(config)
    batches = {f"chunk-{i:02}": chunk for i, chunk in enumerate(chunks)}
    for name, numbers in openml.items():
        batches[name] = [Task(dataset_name(n), dataset_name(n), None, 0) for n in numbers]
    made = find_external(config, [task.name for task in tasks])
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
    """Cut a list into batches that become larger where there are many, since each is a job that has to be planned."""
    # Where a batch begins depends only on its place, so that a longer list begins with the same batches.
    batches: list[list[int]] = []
    while items:
        largest = size * min(2 ** (len(batches) // GROWS_AFTER), MOST_GROWTH)
        batches.append(items[:largest])
        items = items[largest:]
    return batches


def find_compared(config: Mapping[str, Any], plan: Plan) -> tuple[str | None, str]:
    """Find the batch of predictions that holds the two models to compare."""
    compared, openml = config["compared"], config.get("openml")
    absent = f"{NOT_EVALUATED}: task {compared['task']} of OpenML is not among those of this study"
    if openml is None:
        return None, f"{absent}, but among those of config/paper.yaml"
    if openml["mode"] == "train":
        batches, place = plan.openml, compared["task"]
        missing = [f"model {name}" for name in compared["models"] if name not in plan.models]
    else:
        always = {entry["task"]: entry["runs"] for entry in openml["archive"]["always"]}
        batches = plan.archive
        place = list(always).index(compared["task"]) if compared["task"] in always else None
        missing = [f"run {run}" for run in compared["runs"] if run not in always.get(compared["task"], ())]
    batch = next((name for name, members in batches.items() if place in members), None)
    if batch and missing:
        return None, f"{NOT_EVALUATED}: {missing[0]} is not among those of this study"
    return batch, "" if batch else absent


def archived_models(record: Mapping[str, Any], runs: Sequence[int]) -> dict[str, tuple[str | None, str]]:
    """Find archived runs in the record of their task."""
    if "reason" in record:
        return {f"run {run}": (None, record["reason"]) for run in runs}
    taken = {entry["run"]: entry["flow_name"] for entry in record["taken"]}
    replaced = {entry["run"]: entry for entry in record["replaced"]}
    found: dict[str, tuple[str | None, str]] = {}
    for run in runs:
        if run in taken:
            found[f"run {run}, {taken[run]}"] = taken[run], OK
        else:
            found[f"run {run}, {replaced[run]['flow_name']}"] = None, replaced[run]["reason"]
    return found
