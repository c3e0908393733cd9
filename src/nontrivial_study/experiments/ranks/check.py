"""Checks the settings of the ranks of models."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial_study.experiments import problems


def check(config: Mapping[str, Any], known: problems.KnownNames) -> problems.Problems:
    """Report unknown models and areas, and groups whose edges do not increase."""
    if not (config["tasks"] or problems.has_openml(config) or "predictions" in config.get("own", {})):
        yield problems.SettingError("tasks", "tasks is empty; name data sets there or under own.datasets.")
    yield from problems.find_unknown_names(config["compared"]["models"], known.models, "model", "compared.models")
    areas = [area for pair in config["ranking"]["pairs"] for area in pair.split("/")]
    yield from problems.find_unknown_names(areas, CURVE_AREAS, "area", "ranking.pairs")
    for split, edges in config["ranking"]["groups"].items():
        if any(low >= high for low, high in pairwise(edges)):
            setting = f"ranking.groups.{split}"
            yield problems.SettingError(setting, f"{setting} is {edges}; its values must increase.")
