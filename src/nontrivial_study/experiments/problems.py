"""Problems of settings that have the right form: unknown names, and numbers that do not fit the data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from nontrivial_study.declarations import Experiment
from nontrivial_study.experiments.tasks.tasks import expand_tasks


class SettingError(ValueError):
    """A setting that has the right form but cannot be used; `setting` is the path of keys to it, joined by dots."""

    def __init__(self, setting: str, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting


Problems = Iterator[SettingError]


@dataclass(frozen=True)
class KnownNames:
    """The data sets, tasks and models that the settings of experiments may name."""

    datasets: Mapping[str, Mapping[str, Any]]  # the entries of the study's data sets
    models: Sequence[str]  # all models in the file of models
    by_kind: Mapping[str, Sequence[str]]  # the names that the study uses, by kind, such as "two-class task"


def find_known_names(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> KnownNames:
    """Collect the names that settings may use, given the entries of a study's data sets and of all models."""
    classified = [name for name, entry in datasets.items() if "classes" in entry]
    two_class = [name for name in classified if len(datasets[name]["classes"]) == 2]
    tasks = expand_tasks([name for name in config["tasks"] if name in classified], datasets)
    by_kind = {
        "data set with classes": classified,
        "data set for regression": [name for name in datasets if name not in classified],
        "two-class data set": two_class,
        "two-class task": [name for name in two_class if name in config["tasks"]],
        "task": [task.name for task in tasks],
        "model": [name for name in models if config["models"] == "all" or name in config["models"]],
    }
    return KnownNames(datasets, list(models), by_kind)


def find_unknown_names(names: Iterable[str], known_names: Iterable[str], kind: str, setting: str) -> Problems:
    """Report each name in a setting that is not known."""
    known_names = list(known_names)
    for name in names:
        if name not in known_names:
            listed = ", ".join(known_names) or "none"
            sentence = f"{setting} names the unknown {kind} {name!r}; the known ones are {listed}."
            yield SettingError(setting, sentence)


def find_unknown_names_of(experiment: Experiment, config: Mapping[str, Any], known: KnownNames) -> Problems:
    """Report unknown names in all settings that an experiment declares to hold names."""
    for setting, kind in experiment.names.items():
        value = setting_value(config, setting)
        names = [value] if isinstance(value, str) else value
        yield from find_unknown_names(names, known.by_kind[kind], kind, setting)


def has_openml(config: Mapping[str, Any]) -> bool:
    """Return whether the study takes tasks or predictions from OpenML."""
    return bool(config["openml"]["tasks"]) or config["openml"]["mode"] == "archive"


def setting_value(config: Mapping[str, Any], setting: str) -> Any:
    """Return the value of a setting such as ``imbalance.shares.first``."""
    return reduce(lambda value, key: value[key], setting.split("."), config)


def find_too_many_folds(setting: str, folds: int, dataset: str, datasets: Mapping[str, Mapping[str, Any]]) -> Problems:
    """Report that a data set has more folds than its rarest class has rows."""
    rarest = min(datasets.get(dataset, {}).get("classes", {"": folds}).values())
    if folds > rarest:
        allowed = f"at most {rarest}, the number of rows in the rarest class of {dataset!r}"
        yield SettingError(setting, f"{setting} is {folds}; it must be {allowed}.")


def raise_problems(problems: Sequence[SettingError]) -> None:
    """Raise the first problem, if there is one, with the sentences of all problems."""
    if problems:
        raise SettingError(problems[0].setting, "\n".join(dict.fromkeys(map(str, problems))))
