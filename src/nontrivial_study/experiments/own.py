"""What a user adds to the study: data sets, models, and predictions made elsewhere, by one entry each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from nontrivial_study.data.own import SOURCE, own_entry, read_own
from nontrivial_study.experiments.settings import SettingError
from nontrivial_study.experiments.tasks.imported import is_imported, version_of
from nontrivial_study.experiments.tasks.made_predictions import find_predictions, read_predictions

T = TypeVar("T")


def add_own(
    config: Mapping[str, Any], datasets: Mapping[str, Any], models: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the configuration, the data sets and the models with what stands under ``own``.

    A data set of the user's own joins the data sets and the tasks of the study, and a model its models.

    Raises
    ------
    SettingError
        With one sentence, if a name is taken, or a file cannot serve.
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
    return {**model, "version": version_of(estimator)} if is_imported(estimator) else model


def find_made(config: Mapping[str, Any], tasks: list[str]) -> dict[str, dict[str, str]]:
    """Return the files of predictions that were made elsewhere, by task and model; none without the setting.

    Parameters
    ----------
    config : mapping
    tasks : list of str
        The names of the tasks that the study trains on.

    Raises
    ------
    SettingError
        With one sentence, if there is no file, or a task has the name of one of the study.
    """
    setting, folder = "own.predictions", config.get("own", {}).get("predictions")
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


def check_made(made: Mapping[str, Mapping[str, str]]) -> None:
    """Raise SettingError unless every file of predictions can be read."""
    for task, files in made.items():
        _tell("own.predictions", read_predictions, task, files)


def check_own(datasets: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise SettingError unless every data set of the user's own can be read."""
    for name, entry in datasets.items():
        if entry["source"] == SOURCE:
            _tell(f"own.datasets.{name}", read_own, entry)


def _tell(setting: str, function: Callable[..., T], *arguments: Any) -> T:
    try:
        return function(*arguments)
    except ValueError as error:
        raise SettingError(setting, f"{setting}: {error}") from None
