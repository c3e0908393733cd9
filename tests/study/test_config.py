"""A configuration file that is wrong is named before the first job."""

import contextlib
from pathlib import Path

import pytest
from snakemake.utils import update_config

from nontrivial_study.config import load_study, read_schema

ROOT = Path(__file__).parents[2]
# Lists with which each job works if they are empty.
MAY_BE_EMPTY = [f"ranking.groups.{name}" for name in ("positive_share", "extrapolated_share", "positives")]
MAY_BE_EMPTY += ["experiments", "imbalance.further_datasets", "imbalance.further_models"]
MAY_BE_EMPTY += ["losses.classification", "losses.regression"]


def lists_in(schema, path=""):
    """The settings that are lists, but for those of data on OpenML and of one's own."""
    named = read_schema(ROOT)["$defs"].get(schema.get("$ref", "").rpartition("/")[2], {})
    if any(kind.get("type") == "array" for kind in (schema, named, *schema.get("anyOf", ()))):
        yield path
    for key, value in schema.get("properties", {}).items():
        if key not in ("openml", "own"):
            yield from lists_in(value, f"{path}.{key}".removeprefix("."))


def load(setting, value):
    """Load the default study with another value at the path of a setting."""
    for key in reversed(setting.split(".")):
        value = {key: value}
    load_study(value, str(ROOT), update_config, thorough=False)


def test_an_empty_list_is_refused_or_its_jobs_work():
    accepted = []
    for setting in lists_in(read_schema(ROOT)):
        with contextlib.suppress(ValueError):
            load(setting, [])
            accepted.append(setting)
    assert sorted(accepted) == sorted(MAY_BE_EMPTY)
    with pytest.raises(ValueError, match=r"^losses\.classification and losses\.regression are empty;"):
        load("losses", {"classification": [], "regression": []})
