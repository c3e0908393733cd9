"""What stands under `own`: data sets, models and predictions of the user's own join the study."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from nontrivial.terminal import say
from nontrivial_study.data.own import SOURCE, own_entry, own_warnings
from nontrivial_study.experiments.problems import SettingError
from nontrivial_study.experiments.tasks.external_models import is_external, version_of
from nontrivial_study.experiments.tasks.external_predictions import find_predictions, read_predictions

T = TypeVar("T")


def add_own(
    config: Mapping[str, Any], datasets: Mapping[str, Any], models: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the configuration, the data sets and the classifiers with what stands under ``own``."""
    own = config.get("own", {})
    regressors = config["losses"]["regressors"]
    for kind, known, what in (
        ("datasets", datasets, "data set"),
        ("models", {**models, **regressors}, "model"),
    ):
        for name in own.get(kind, {}).keys() & known.keys():
            setting = f"own.{kind}.{name}"
            sentence = f"{setting} has the name of a {what} that the study knows; choose another name."
            raise SettingError(setting, sentence)
    added = {
        name: _naming_setting(f"own.datasets.{name}", own_entry, name, setting)
        for name, setting in own.get("datasets", {}).items()
    }
    extended = dict(config)
    classified = [name for name, entry in added.items() if "classes" in entry]
    for key, names in (("datasets", added), ("tasks", classified)):
        extended[key] = list(dict.fromkeys([*config[key], *names]))
    if config["models"] != "all":
        extended["models"] = list(dict.fromkeys([*config["models"], *own.get("models", {})]))
    known = {**models}
    for name, model in own.get("models", {}).items():
        if kind_of(model) == "classifier":
            known[name] = model
        else:
            regressors = {**regressors, name: _with_version(model)}
    extended["losses"] = {**config["losses"], "regressors": regressors}
    return extended, {**datasets, **added}, {name: _with_version(model) for name, model in known.items()}


def kind_of(model: Mapping[str, Any]) -> str:
    """Return whether a model of the user's own is a classifier or a regressor."""
    return str(model.get("kind", "classifier"))


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
    files = _naming_setting(setting, find_predictions, folder)
    for task in files.keys() & set(tasks):
        sentence = f"{setting}: {folder} has a task {task!r}, which the study trains on; choose another name."
        raise SettingError(setting, sentence)
    return files


def check_external(made: Mapping[str, Mapping[str, str]], settings: Mapping[str, Any] | None = None) -> None:
    """Raise SettingError unless every file of predictions can be read."""
    for task, files in made.items():
        _naming_setting("own.predictions", read_predictions, task, files, settings)


def check_own(datasets: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise SettingError unless every data set of the user's own can be read; say what looks odd in it."""
    for name, entry in datasets.items():
        if entry["source"] == SOURCE:
            setting = f"own.datasets.{name}"
            warnings = _naming_setting(setting, own_warnings, entry)
            say([f"{setting}: {sentence}" for sentence in warnings], err=True)


def _naming_setting(setting: str, function: Callable[..., T], *arguments: Any) -> T:
    try:
        return function(*arguments)
    except ValueError as error:
        raise SettingError(setting, f"{setting}: {error}") from None
