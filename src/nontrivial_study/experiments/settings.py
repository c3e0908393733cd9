"""Whether settings that depend on each other can serve, checked before any work starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from nontrivial_study.experiments.tasks.binary_tasks import expand_tasks


def check_settings(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> None:
    """Check all that depends on more than one setting.

    Parameters
    ----------
    config : mapping
        The configuration, of the right form.
    datasets : mapping
        The entries of the data sets that are known.
    models : mapping
        The models that are known.

    Raises
    ------
    SettingError
        One sentence for the first setting that names a data set, task or model that does not exist, that the study
        leaves out or that cannot serve: a data set without classes as a task, of more than two classes for the
        imbalance study, or with fewer rows in a class than there are folds.
    ValueError
        One sentence if the classes of a data set do not add up to its rows.
    """
    _require(config["datasets"], datasets, "data set", "datasets")
    used = {name: datasets[name] for name in config["datasets"]}
    for name, entry in used.items():
        total = sum(entry.get("classes", {"all": entry["rows"]}).values())
        if total != entry["rows"]:
            file = config["files"]["datasets"]
            raise ValueError(
                f"{file}: {name}.classes adds up to {total}; it must be {name}.rows, {entry['rows']}."
            )
    _require(config["tasks"], used, "data set", "tasks")
    for name in config["tasks"]:
        if "classes" not in used[name]:
            sentence = f"tasks names {name!r}, which is for regression; it must name data sets with classes."
            raise SettingError("tasks", sentence)
        check_folds("folds", config["folds"], name, used[name])
    names = list(models) if config["models"] == "all" else config["models"]
    _require(names, models, "model", "models")
    _require(config["compared"]["models"], models, "model", "compared.models")
    _check_experiments(config, used, names)
    _check_downloads(config, used)


def _check_downloads(config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]]) -> None:
    uci = [name for name, entry in used.items() if entry["source"] == "UCI"]
    needs = {"uci": uci and f"data set {uci[0]!r} comes from UCI", "downloads": uci and "data is downloaded"}
    if "openml" in config:
        needs["downloads"] = "data is downloaded"
    for key, reason in needs.items():
        if reason and key not in config:
            raise SettingError(key, f"the key {key} is missing, and {reason}; config/paper.yaml has it.")
    if "openml" not in config or config["openml"]["mode"] == "train":
        return
    wanted = config["openml"]["archive"]
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


def _check_experiments(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], models: Sequence[str]
) -> None:
    for split, edges in config["ranking"]["groups"].items():
        if any(low >= high for low, high in pairwise(edges)):
            setting = f"ranking.groups.{split}"
            raise SettingError(setting, f"{setting} is {edges}; its values must increase.")

    classified = [name for name, entry in used.items() if "classes" in entry]
    two_class = [name for name in classified if len(used[name]["classes"]) == 2]
    two_class_tasks = [name for name in two_class if name in config["tasks"]]
    tasks = [task.name for task in expand_tasks(config["tasks"], used)]
    regressions = [name for name in used if name not in classified]

    imbalance = config["imbalance"]
    _require([imbalance["dataset"]], two_class_tasks, "two-class task", "imbalance.dataset")
    _require([imbalance["model"]], models, "model", "imbalance.model")
    first, last = imbalance["shares"]["first"], imbalance["shares"]["last"]
    if first >= last:
        setting = "imbalance.shares.first"
        raise SettingError(
            setting, f"{setting} is {first}; it must be a fraction below imbalance.shares.last, {last}."
        )
    if round(first * imbalance["test_size"]) < 1:
        setting = "imbalance.test_size"
        raise SettingError(
            setting,
            f"{setting} is {imbalance['test_size']}; imbalance.shares.first, {first}, of it must be at least one case.",
        )
    _require(imbalance["further_datasets"], two_class_tasks, "two-class task", "imbalance.further_datasets")
    _require(imbalance["small_multiples"], two_class_tasks, "two-class task", "imbalance.small_multiples")
    _require(imbalance["further_models"], models, "model", "imbalance.further_models")
    least, noise = config["venn"]["minority_share"], config["venn"]["noise"]
    if noise > 2 * least:
        raise SettingError(
            "venn.noise",
            f"venn.noise is {noise}; it must be at most twice venn.minority_share, {2 * least:g}: half of the noise "
            "falls on the minority.",
        )

    training = config["training_noise"]
    _require([training["dataset"]], two_class, "two-class data set", "training_noise.dataset")
    _require(training["models"], models, "model", "training_noise.models")
    check_folds("training_noise.folds", training["folds"], training["dataset"], used[training["dataset"]])

    losses = config["losses"]
    _require(losses["classification"], classified, "data set with classes", "losses.classification")
    _require(losses["regression"], regressions, "data set for regression", "losses.regression")
    _require(losses["classifiers"], models, "model", "losses.classifiers")

    repeats = config["repeats"]
    if repeats["dataset"] in used:
        _require([repeats["dataset"]], two_class, "two-class data set", "repeats.dataset")
        check_folds("repeats.folds", repeats["folds"], repeats["dataset"], used[repeats["dataset"]])

    for experiment in ("selective", "tutorial"):
        _require([config[experiment]["task"]], tasks, "task", f"{experiment}.task")
    _require(config["tutorial"]["models"], models, "model", "tutorial.models")


def _require(names: Iterable[str], known: Iterable[str], what: str, setting: str) -> None:
    for name in names:
        require_known(name, known, what, setting)


def check_folds(setting: str, folds: int, dataset: str, entry: Mapping[str, Any]) -> None:
    """Raise SettingError if a class of a data set has fewer rows than there are folds."""
    rarest = min(entry["classes"].values())
    if folds > rarest:
        allowed = f"at most {rarest}, the number of rows in the rarest class of {dataset!r}"
        raise SettingError(setting, f"{setting} is {folds}; it must be {allowed}.")


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


def require_known(name: str, known: Iterable[str], what: str, setting: str) -> None:
    """Raise SettingError, naming the known ones, unless `name` is among them.

    Examples
    --------
    >>> require_known("irs", ["iris"], "data set", "tasks")
    Traceback (most recent call last):
    nontrivial_study.experiments.settings.SettingError: tasks names the unknown data set 'irs'; the known ones are iris.
    """
    known = list(known)
    if name not in known:
        listed = ", ".join(known) or "none"
        raise SettingError(
            setting, f"{setting} names the unknown {what} {name!r}; the known ones are {listed}."
        )
