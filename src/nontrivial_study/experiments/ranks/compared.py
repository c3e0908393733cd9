"""The two models whose curves are compared (PRG paper, Figure 5): where the study has them, or why it has not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nontrivial_study.experiments.plan import Plan
from nontrivial_study.experiments.results import NOT_EVALUATED, OK


def find_compared(config: Mapping[str, Any], plan: Plan) -> tuple[str | None, str]:
    """Find the batch of predictions that holds the two models to compare."""
    compared, openml = config["compared"], config.get("openml")
    absent = f"{NOT_EVALUATED}: task {compared['task']} of OpenML is not among those of this study"
    if openml is None:
        return None, f"{absent}, but among those of config/paper.yaml"
    if openml["mode"] == "train":
        batches, place = plan.openml, compared["task"]
        missing = [f"model {name}" for name in compared["models"] if name not in plan.models]
    else:
        always = {entry["task"]: entry["runs"] for entry in openml["archive"]["always"]}
        batches = plan.archive
        place = list(always).index(compared["task"]) if compared["task"] in always else None
        missing = [f"run {run}" for run in compared["runs"] if run not in always.get(compared["task"], ())]
    batch = next((name for name, members in batches.items() if place in members), None)
    if batch and missing:
        return None, f"{NOT_EVALUATED}: {missing[0]} is not among those of this study"
    return batch, "" if batch else absent


def archived_models(record: Mapping[str, Any], runs: Sequence[int]) -> dict[str, tuple[str | None, str]]:
    """Find archived runs in the record of their task."""
    if "reason" in record:
        return {f"run {run}": (None, record["reason"]) for run in runs}
    taken = {entry["run"]: entry["flow_name"] for entry in record["taken"]}
    replaced = {entry["run"]: entry for entry in record["replaced"]}
    found: dict[str, tuple[str | None, str]] = {}
    for run in runs:
        if run in taken:
            found[f"run {run}, {taken[run]}"] = taken[run], OK
        else:
            found[f"run {run}, {replaced[run]['flow_name']}"] = None, replaced[run]["reason"]
    return found
