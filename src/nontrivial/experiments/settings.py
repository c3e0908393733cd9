"""Whether the settings of the single experiments can serve, checked before any work starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from nontrivial.config import SettingError, require_known
from nontrivial.experiments.tasks.binary_tasks import expand_tasks


def check_experiments(
    config: Mapping[str, Any], used: Mapping[str, Mapping[str, Any]], models: Sequence[str]
) -> None:
    """Check what the experiments on ranks, imbalance, noise, losses, repeats, selection and curves are asked to run on.

    Parameters
    ----------
    config : mapping
        The configuration, of the right form.
    used : mapping
        The entries of the data sets that are used.
    models : sequence of str
        The models that are trained on the tasks.

    Raises
    ------
    SettingError
        One sentence for the first setting that names a data set, task or model that does not exist, that the study
        leaves out or that cannot serve.
    """
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


def _require(names: Sequence[str], known: Sequence[str], what: str, setting: str) -> None:
    for name in names:
        require_known(name, known, what, setting)


def check_folds(setting: str, folds: int, dataset: str, entry: Mapping[str, Any]) -> None:
    """Raise SettingError if a class of a data set has fewer rows than there are folds."""
    rarest = min(entry["classes"].values())
    if folds > rarest:
        allowed = f"at most {rarest}, the number of rows in the rarest class of {dataset!r}"
        raise SettingError(setting, f"{setting} is {folds}; it must be {allowed}.")
