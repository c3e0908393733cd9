"""Check the settings of the losses."""

from collections.abc import Mapping
from typing import Any

from nontrivial_study.experiments.problems import KnownNames, Problems, SettingError


def check(config: Mapping[str, Any], known: KnownNames) -> Problems:
    """Report a study that names no data set to judge models on."""
    if not any(config["losses"][key] for key in ("classification", "regression")):
        sentence = "losses.classification and losses.regression are empty; name a data set in one of them."
        yield SettingError("losses.classification", sentence)
