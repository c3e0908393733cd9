"""Checks the settings of imbalance and noise."""

from collections.abc import Mapping
from typing import Any

from nontrivial_study.experiments import problems


def check(config: Mapping[str, Any], known: problems.KnownNames) -> problems.Problems:
    """Report shares and noises that no test set can have, and more folds than a class has rows."""
    imbalance, venn, training = (config[key] for key in ("imbalance", "venn", "training_noise"))
    first, last = imbalance["shares"]["first"], imbalance["shares"]["last"]
    if first >= last:
        sentence = f"imbalance.shares.first is {first}; it must be below imbalance.shares.last, {last}."
        yield problems.SettingError("imbalance.shares.first", sentence)
    if round(first * imbalance["test_size"]) < 1:
        allowed = f"imbalance.shares.first, {first}, of it must be at least one case"
        size = f"imbalance.test_size is {imbalance['test_size']}"
        yield problems.SettingError("imbalance.test_size", f"{size}; {allowed}.")
    least, noise = venn["minority_share"], venn["noise"]
    if noise > 2 * least:
        allowed = f"at most twice venn.minority_share, {2 * least:g}: half of the noise falls on the minority"
        yield problems.SettingError("venn.noise", f"venn.noise is {noise}; it must be {allowed}.")
    yield from problems.find_too_many_folds(
        "training_noise.folds", training["folds"], training["dataset"], known.datasets
    )
