"""Settings of the right form that yet cannot serve: what they may name, and a sentence for each problem."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from nontrivial_study.declarations import Experiment
from nontrivial_study.experiments.tasks.tasks import expand_tasks


class SettingError(ValueError):
    """A setting that has the right form and yet cannot serve; `setting` is the path of keys to it, joined by dots."""

    def __init__(self, setting: str, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting


Problems = Iterator[SettingError]


@dataclass(frozen=True)
class Known:
    """What the settings of experiments may name."""

    datasets: Mapping[str, Mapping[str, Any]]  # the entries of those that the study uses
    models: Sequence[str]  # all in the file of models
    # Of the study: data sets, tasks and models, by what an experiment asks of them.
    by_kind: Mapping[str, Sequence[str]]


def find_known(
    config: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Any]
) -> Known:
    """Find what a study has, given the entries of its data sets and of all models."""
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
    return Known(datasets, list(models), by_kind)


def unknown_names(names: Iterable[str], known: Iterable[str], what: str, setting: str) -> Problems:
    """Tell of the names that are not among the known."""
    known = list(known)
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none"
            sentence = f"{setting} names the unknown {what} {name!r}; the known ones are {listed}."
            yield SettingError(setting, sentence)


def unknown_names_of(experiment: Experiment, config: Mapping[str, Any], known: Known) -> Problems:
    """Tell of unknown names in all settings that an experiment declares to name something."""
    for setting, kind in experiment.names.items():
        value = value_of(config, setting)
        names = [value] if isinstance(value, str) else value
        yield from unknown_names(names, known.by_kind[kind], kind, setting)


def has_openml(config: Mapping[str, Any]) -> bool:
    """Tell whether the study takes tasks or predictions from OpenML."""
    return bool(config["openml"]["tasks"]) or config["openml"]["mode"] == "archive"


def value_of(config: Mapping[str, Any], setting: str) -> Any:
    """Return the value of a setting that is named by its keys, with dots between them."""
    return reduce(lambda value, key: value[key], setting.split("."), config)


def few_rows(setting: str, folds: int, dataset: str, used: Mapping[str, Mapping[str, Any]]) -> Problems:
    """Tell of a class that has fewer rows than there are folds."""
    rarest = min(used.get(dataset, {}).get("classes", {"": folds}).values())
    if folds > rarest:
        allowed = f"at most {rarest}, the number of rows in the rarest class of {dataset!r}"
        yield SettingError(setting, f"{setting} is {folds}; it must be {allowed}.")


def raise_all(problems: Sequence[SettingError]) -> None:
    """Raise the first problem, if there is one, with the sentences of all."""
    if problems:
        raise SettingError(problems[0].setting, "\n".join(dict.fromkeys(map(str, problems))))
