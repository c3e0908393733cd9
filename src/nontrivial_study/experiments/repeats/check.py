"""Checks the settings of repeated cross-validation."""

from collections.abc import Mapping
from typing import Any

from nontrivial_study.experiments.problems import (
    KnownNames,
    Problems,
    find_too_many_folds,
    find_unknown_names,
)


def check(config: Mapping[str, Any], known: KnownNames) -> Problems:
    """Tell of a data set that cannot serve, if the study has it: without it no model is trained here."""
    dataset, folds = (config["repeats"][key] for key in ("dataset", "folds"))
    if dataset in known.datasets:
        two_class = known.by_kind["two-class data set"]
        yield from find_unknown_names([dataset], two_class, "two-class data set", "repeats.dataset")
        yield from find_too_many_folds("repeats.folds", folds, dataset, known.datasets)
