"""Checks the settings of imbalance and noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nontrivial_study.experiments.problems import Known, Problems, SettingError, few_rows


def check(config: Mapping[str, Any], known: Known) -> Problems:
    """Tell of shares and noises that no test set can have, and of too many folds."""
    imbalance, venn, training = (config[key] for key in ("imbalance", "venn", "training_noise"))
    first, last = imbalance["shares"]["first"], imbalance["shares"]["last"]
    if first >= last:
        setting = "imbalance.shares.first"
        yield SettingError(
            setting, f"{setting} is {first}; it must be a fraction below imbalance.shares.last, {last}."
        )
    if round(first * imbalance["test_size"]) < 1:
        setting = "imbalance.test_size"
        yield SettingError(
            setting,
            f"{setting} is {imbalance['test_size']}; imbalance.shares.first, {first}, of it must be at least one case.",
        )
    least, noise = venn["minority_share"], venn["noise"]
    if noise > 2 * least:
        yield SettingError(
            "venn.noise",
            f"venn.noise is {noise}; it must be at most twice venn.minority_share, {2 * least:g}: half of the noise "
            "falls on the minority.",
        )
    yield from few_rows("training_noise.folds", training["folds"], training["dataset"], known.datasets)
