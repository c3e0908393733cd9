"""Where to find two models to show beside each other (PRG paper, Figure 5): our own, or archived runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nontrivial_study.experiments.plan import Plan
from nontrivial_study.experiments.status import NOT_EVALUATED, OK


def find_compared(config: Mapping[str, Any], plan: Plan) -> tuple[str | None, str]:
    """Find the batch of predictions that holds the two models to compare.

    Parameters
    ----------
    config : mapping
        The checked configuration; ``compared`` names an OpenML task, our models and archived runs.
    plan : Plan

    Returns
    -------
    batch : str or None
        With ``openml.mode: train`` a name of `Plan.openml`; with ``archive`` a name of `Plan.archive`, if the runs
        stand under ``openml.archive.always``, whose tasks come first. None if the study does not have the models.
    reason : str
        Why it does not have them; empty if it does.
    """
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
    """Find archived runs in the record of their task.

    Parameters
    ----------
    record : mapping
        From `nontrivial_study.data.archive.fetch_archived_tasks`.
    runs : sequence of int
        Among those that were drawn for the task.

    Returns
    -------
    dict of str to (model, status)
        For each run, by a name that says its number and flow: the name of its predictions, and ``"ok"``; or None, and
        why the run, or the whole task, could not serve.

    Examples
    --------
    >>> archived_models({"taken": [{"run": 7, "flow_name": "weka.J48(1)"}], "replaced": []}, [7])
    {'run 7, weka.J48(1)': ('weka.J48(1)', 'ok')}
    """
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
