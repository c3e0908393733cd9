"""Check the settings of repeated cross-validation."""

from collections.abc import Mapping
from typing import Any

from nontrivial_study.experiments import problems


def check(config: Mapping[str, Any], known: problems.KnownNames) -> problems.Problems:
    """Report a data set without two classes, or with too few rows; without the data set no model is trained."""
    dataset, folds = (config["repeats"][key] for key in ("dataset", "folds"))
    if dataset in known.datasets:
        two_class = known.by_kind["two-class data set"]
        yield from problems.find_unknown_names([dataset], two_class, "two-class data set", "repeats.dataset")
        yield from problems.find_too_many_folds("repeats.folds", folds, dataset, known.datasets)
