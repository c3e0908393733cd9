"""Where to find two models to show beside each other (PRG paper, Figure 5): our own, or archived runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nontrivial.study.plan import Plan
from nontrivial.study.status import OK
from nontrivial.study.tasks import dataset_name


def compared_batch(config: Mapping[str, Any], plan: Plan) -> str | None:
    """Return the batch of predictions that holds the two models to compare, None if the study does not have them.

    Parameters
    ----------
    config : mapping
        The checked configuration; ``openml.compared`` names a task, our models and archived runs.
    plan : Plan

    Returns
    -------
    str or None
        With ``mode: train`` a name of `Plan.openml`, if the task and the models are part of the study; with ``mode:
        archive`` a name of `Plan.archive`, if the task and the runs stand under ``archive.always``, whose tasks come
        first.
    """
    if "compared" not in config.get("openml", {}):
        return None
    openml = config["openml"]
    compared = openml["compared"]
    if openml["mode"] == "train":
        place, batches, there = compared["task"], plan.openml, set(compared["models"]) <= set(plan.models)
    else:
        always = {entry["task"]: entry["runs"] for entry in openml["archive"]["always"]}
        there = set(compared["runs"]) <= set(always.get(compared["task"], ()))
        place, batches = list(always).index(compared["task"]) if there else None, plan.archive
    return next((name for name, members in batches.items() if there and place in members), None)


def archived_models(
    batch: Sequence[Mapping[str, Any]], task: int, runs: Sequence[int]
) -> dict[str, tuple[str | None, str]]:
    """Find archived runs in the record of their batch.

    Parameters
    ----------
    batch : sequence of mapping
        The records of the batch's tasks, from `nontrivial.data.openml_runs.fetch_archived_task`.
    task : int
        Number of the task.
    runs : sequence of int

    Returns
    -------
    dict of str to (model, status)
        For each run, by a name that says its number and flow: the name of its predictions, and ``"ok"``; or None, and
        why the run could not serve.
    """
    record = next(member for member in batch if member["name"] == dataset_name(task))
    taken = {entry["run"]: entry["flow_name"] for entry in record["taken"]}
    replaced = {entry["run"]: entry for entry in record["replaced"]}
    found: dict[str, tuple[str | None, str]] = {}
    for run in runs:
        if run in taken:
            found[f"run {run}, {taken[run]}"] = taken[run], OK
        else:
            found[f"run {run}, {replaced[run]['flow_name']}"] = None, replaced[run]["reason"]
    return found
