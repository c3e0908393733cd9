"""The configuration of a run: checked as a whole, and turned into a plan before the first job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from nontrivial.claims.registry import Claim, load_claims
from nontrivial.config import SettingError, check, find_omission, read_yaml, require_folder
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
    return reduce(lambda inner, key: inner.get(key) if isinstance(inner, dict) else None, keys, value)


def load_study(
    config: dict[str, Any], given: Given, merge: Callable[[dict[str, Any], Any], None], *, thorough: bool
) -> Study:
    """Check every configuration file and turn them into a plan.

    Parameters
    ----------
    config : dict
        The engine's, which is filled anew: the engine takes 1_0 for 10, 1:30 for 90, and what is in braces for texts.
    given : Given
    merge : callable
        The engine's way to lay one configuration over another.
    thorough : bool
        Whether to check what is slow to check.

    Raises
    ------
    ValueError
        One sentence that says where what is wrong.
    """
    schema = read_yaml("workflow/schemas/config.schema.yaml")
    overrides = {path: read_yaml(path) for path in given.files}
    for path, override in overrides.items():
        check(override, schema, path, partial=True)
    config.clear()
    for path in (*(() if given.alone else (OWN,)), *given.overwriting):
        merge(config, overrides.get(path, {}))
    for entry in given.settings:
        key, _, text = entry.partition("=")
        merge(config, {key: parse_yaml(text, f"--config {key}")})
    check(config, schema, "--config")
    files = config["files"]
    claims = load_claims(files["claims"])
    datasets, models = _read_checked("datasets", files["datasets"]), _read_checked("models", files["models"])
    if thorough:
        from nontrivial.experiments.tasks.models import check_models  # slow to import

        require_folder(config["results"], "results")
        check_models(models, files["models"])
        check_models(config["losses"]["regressors"], "losses.regressors", kind="regressor")
    try:
        plan = make_plan(config, datasets, models)
    except SettingError as error:
        raise ValueError(_with_its_place(error, config, overrides, models)) from None
    return Study(plan, _read_checked("published", files["published"]), claims)


def _read_checked(kind: str, path: str) -> Any:
    """Read a configuration file of a kind that has a schema."""
    value = read_yaml(path)
    check(value, read_yaml(f"workflow/schemas/{kind}.schema.yaml"), path)
    return value


def _with_its_place(
    error: SettingError, config: Mapping[str, Any], overrides: Mapping[str, Any], models: Mapping[str, Any]
) -> str:
    """Return the error's sentence with the file that has the setting, and what else that file may leave out."""
    keys = error.setting.split(".")
    setters = [path for path, override in overrides.items() if nested(override, keys) == nested(config, keys)]
    usual = dict(overrides.get(OWN, {}))
    if usual.get("models") == "all":
        usual["models"] = list(models)
    others = {path: override for path, override in overrides.items() if path != OWN}
    omission = find_omission(error, usual, others) if setters and setters[-1] not in others else ""
    sentence = f"{str(error).removesuffix('.')}; {omission}." if omission else error
    return f"{setters[-1] if setters else '--config'}: {sentence}"
