"""Two models whose curves are compared: the two of the PRG paper's Figure 5, and the two that our areas oppose most."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.plan import Plan
from nontrivial_study.experiments.problems import has_openml
from nontrivial_study.experiments.results import NOT_EVALUATED_OUTCOME, OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.tables import read_table

NO_OPPOSED_MODELS = f"{NOT_EVALUATED_OUTCOME}: on no task AUPR and AUPRG order two models differently"


def find_compared(config: Mapping[str, Any], plan: Plan) -> tuple[str | None, str]:
    """Find the batch of predictions that holds the two models of Figure 5, or return None and why there is none."""
    compared, openml = config["compared"], config["openml"]
    absent = f"{NOT_EVALUATED_OUTCOME}: task {compared['task']} of OpenML is not among those of this study"
    if not has_openml(config):
        return None, f"{absent}, but among those of config/paper.yaml"
    if openml["mode"] == "train":
        batches, member = plan.openml, compared["task"]
        missing = [f"model {name}" for name in compared["models"] if name not in plan.models]
    else:
        # Tasks that are always selected come first, so their numbers within the selection are known.
        always = {entry["task"]: entry["runs"] for entry in openml["archive"]["always"]}
        batches = plan.archive
        member = list(always).index(compared["task"]) if compared["task"] in always else None
        missing = [f"run {run}" for run in compared["runs"] if run not in always.get(compared["task"], ())]
    batch = next((name for name, members in batches.items() if member in members), None)
    if batch and missing:
        return None, f"{NOT_EVALUATED_OUTCOME}: {missing[0]} is not among those of this study"
    return batch, "" if batch else absent


def archived_models(record: Mapping[str, Any], runs: Sequence[int]) -> dict[str, tuple[str | None, str]]:
    """Return the model and the status of archived runs by their labels; a run without predictions has no model."""
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


def find_opposed(areas: pd.DataFrame, tasks: Collection[str]) -> tuple[str, list[str]] | None:
    """Find the task and the two models about which AUPR and AUPRG disagree most; None if they never disagree.

    The first model has more AUPR and less AUPRG than the second. Among all such pairs, the smaller of the
    two differences is greatest. Models with an extrapolated AUPRG are left out. So are models with a negative AUPRG,
    because their curves lie far below what a figure shows.
    """
    eligible = areas[(areas["status"] == OK) & areas["task"].isin(tasks)]
    eligible = eligible[~eligible["extrapolated"].astype(bool) & (eligible["prg_auc"] >= 0)]
    greatest, opposed = 0.0, None
    for task, rows in eligible.groupby("task", sort=False):
        pr_auc, prg_auc = rows[["pr_auc", "prg_auc"]].to_numpy(float).T
        pr_lead, prg_lead = np.subtract.outer(pr_auc, pr_auc), np.subtract.outer(prg_auc, prg_auc)
        opposition = np.minimum(pr_lead, -prg_lead)
        first, second = np.unravel_index(opposition.argmax(), opposition.shape)
        if opposition[first, second] > greatest:
            greatest = opposition[first, second]
            opposed = str(task), rows["model"].iloc[[first, second]].tolist()
    return opposed


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
    models: Mapping[str, tuple[str | None, str]] = dict.fromkeys(settings["models"], (None, why_not))
    predictions, data = None, ""
    for path in compared:
        member = _read_task_predictions(path, task)
        predictions, data = member.predictions, member.record.get("title", "")
        if archived:
            models = archived_models(member.record, settings["runs"])
        else:
            statuses = member.runs.set_index("model")["status"].to_dict()
            models = {name: (name, statuses[name]) for name in settings["models"]}
    paths = {name: path for path, names in zip(own, tasks.values(), strict=True) for name in names}
    opposed = find_opposed(read_table(areas), paths)
    if opposed is None:
        curves = compared_curves(None, "", {"none": (None, NO_OPPOSED_MODELS)})
    else:
        opposed_task, opposed_models = opposed
        member = _read_task_predictions(paths[opposed_task], opposed_task)
        shown = {model: (model, OK) for model in opposed_models}
        curves = compared_curves(member.predictions, opposed_task, shown)
    figure = compared_curves(predictions, task, models, data)
    return {"prg_figure_5": figure, "prg_figure_5_own_data": curves}


def _read_task_predictions(path: str, task: str) -> TaskPredictions:
    """Read the predictions on a task from a batch that has it."""
    return next(member for member in Batch(path) if member.task.name == task)
