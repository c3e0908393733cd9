"""The user's own data sets, models and predictions, which the setting `own` adds to the study."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from nontrivial.terminal import print_lines
from nontrivial_study.data.own import SOURCE, own_entry, own_warnings
from nontrivial_study.experiments.problems import SettingError
from nontrivial_study.experiments.tasks.external_models import is_external, version_or_digest
from nontrivial_study.experiments.tasks.external_predictions import find_predictions, read_external_predictions


class StudyInputs(NamedTuple):
    """A configuration, and all data sets and classifiers that it may name."""

    config: dict[str, Any]
    datasets: dict[str, Any]
    models: dict[str, Any]


def add_own(config: Mapping[str, Any], datasets: Mapping[str, Any], models: Mapping[str, Any]) -> StudyInputs:
    """Add the user's own data sets and models to the data sets and classifiers that the study knows."""
    own_datasets, own_models = (config.get("own", {}).get(kind, {}) for kind in ("datasets", "models"))
    regressors = config["losses"]["regressors"]
    for name in own_datasets.keys() & datasets.keys():
        raise _taken_name_error(f"own.datasets.{name}", "data set")
    for name in own_models.keys() & {**models, **regressors}.keys():
        raise _taken_name_error(f"own.models.{name}", "model")
    entries = {}
    for name, settings in own_datasets.items():
        with _as_setting_errors(f"own.datasets.{name}"):
            entries[name] = own_entry(name, settings)
    classified = [name for name, entry in entries.items() if "classes" in entry]
    versioned = {name: _add_version(model) for name, model in {**models, **own_models}.items()}
    own_regressors = [name for name, model in own_models.items() if kind_of_model(model) == "regressor"]
    extended = dict(config)
    extended["datasets"] = list(dict.fromkeys([*config["datasets"], *entries]))
    extended["tasks"] = list(dict.fromkeys([*config["tasks"], *classified]))
    if config["models"] != "all":
        extended["models"] = list(dict.fromkeys([*config["models"], *own_models]))
    regressors = {**regressors, **{name: versioned.pop(name) for name in own_regressors}}
    extended["losses"] = {**config["losses"], "regressors": regressors}
    return StudyInputs(extended, {**datasets, **entries}, versioned)


def _taken_name_error(setting: str, kind: str) -> SettingError:
    sentence = f"{setting} has the name of a {kind} that the study knows; choose another name."
    return SettingError(setting, sentence)


def kind_of_model(model: Mapping[str, Any]) -> str:
    """Return whether a model of the user's own is a classifier or a regressor."""
    return str(model.get("kind", "classifier"))


def _add_version(model: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the version of an external estimator's package: with another version the model is trained again."""
    estimator = model["estimator"]
    return {**model, "version": version_or_digest(estimator)} if is_external(estimator) else model


def external_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of external predictions, whose short form is the name of their folder."""
    settings = config.get("own", {}).get("predictions", {})
    return {"folder": settings} if isinstance(settings, str) else dict(settings)


def find_external(config: Mapping[str, Any], tasks: list[str]) -> dict[str, dict[str, str]]:
    """Return the files of external predictions by task and model; there are none without the setting."""
    setting, folder = "own.predictions", external_settings(config).get("folder")
    if folder is None:
        return {}
    with _as_setting_errors(setting):
        files = find_predictions(folder)
    for task in files.keys() & set(tasks):
        sentence = f"{setting}: {folder} has a task {task!r}, which the study trains on; choose another name."
        raise SettingError(setting, sentence)
    return files


def check_external(external: Mapping[str, Mapping[str, str]], settings: Mapping[str, Any] | None = None) -> None:
    """Raise SettingError unless every file of external predictions can be read."""
    for task, files in external.items():
        with _as_setting_errors("own.predictions"):
            read_external_predictions(task, files, settings)


def check_own(datasets: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise SettingError unless every data set of the user's own can be read; print warnings about odd values."""
    for name, entry in datasets.items():
        if entry["source"] == SOURCE:
            setting = f"own.datasets.{name}"
            with _as_setting_errors(setting):
                warnings = own_warnings(entry)
            print_lines([f"{setting}: {sentence}" for sentence in warnings], err=True)


@contextmanager
def _as_setting_errors(setting: str) -> Iterator[None]:
    """Turn a ValueError of the block into a SettingError that names the setting."""
    try:
        yield
    except ValueError as error:
        raise SettingError(setting, f"{setting}: {error}") from None
