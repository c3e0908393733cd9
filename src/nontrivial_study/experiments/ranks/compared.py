"""The two models whose curves are compared (PRG paper, Figure 5): where the study has them, or why it has not."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.plan import Plan
from nontrivial_study.experiments.problems import has_openml
from nontrivial_study.experiments.ranks.model_choice import NONE, find_opposed
from nontrivial_study.experiments.results import NOT_EVALUATED, OK
from nontrivial_study.experiments.tasks.batches import Batch
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.tables import read_table


def find_compared(config: Mapping[str, Any], plan: Plan) -> tuple[str | None, str]:
    """Find the batch of predictions that holds the two models to compare."""
    compared, openml = config["compared"], config["openml"]
    absent = f"{NOT_EVALUATED}: task {compared['task']} of OpenML is not among those of this study"
    if not has_openml(config):
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
    models: dict[str, tuple[str | None, str]] = {}
    for run in runs:
        if run in taken:
            models[f"run {run}, {taken[run]}"] = taken[run], OK
        else:
            models[f"run {run}, {replaced[run]['flow_name']}"] = None, replaced[run]["reason"]
    return models


def calc_compared_models(
    areas: str,
    compared: Sequence[str],
    own: Sequence[str],
    settings: Mapping[str, Any],
    archived: bool,
    why_not: str,
    tasks: Mapping[str, Sequence[str]],
) -> dict[str, pd.DataFrame]:
    """Trace the curves of two models of one task (Figure 5), and of the two on which our areas differ most."""
    task = dataset_name(settings["task"])
    models: Mapping[str, tuple[str | None, Any]] = dict.fromkeys(settings["models"], (None, why_not))
    predictions, data = None, ""
    for path in compared:
        member = next(member for member in Batch(path) if member.task.name == task)
        predictions, data = member.predictions, member.record.get("title", "")
        statuses = member.runs.set_index("model")["status"].to_dict()
        ours = {name: (name, statuses.get(name)) for name in settings["models"]}
        models = archived_models(member.record, settings["runs"]) if archived else ours
    paths = {name: path for path, names in zip(own, tasks.values(), strict=True) for name in names}
    found = find_opposed(read_table(areas), paths)
    if found is None:
        opposed = compared_curves(None, "", {"none": (None, NONE)})
    else:
        members = (member.predictions for member in Batch(paths[found[0]]) if member.task.name == found[0])
        opposed = compared_curves(next(members), found[0], {model: (model, OK) for model in found[1]})
    figure = compared_curves(predictions, task, models, data)
    return {"prg_figure_5": figure, "prg_figure_5_own_data": opposed}
