"""Trace the curves of two models of one task (PRG paper, Figure 5)."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.experiments.curve_numbers import compared_curves
from nontrivial.experiments.ranks.compared import archived_models
from nontrivial.experiments.result_tables import write_result
from nontrivial.experiments.tasks.batches import Batch
from nontrivial.experiments.tasks.binary_tasks import dataset_name

params = snakemake.params
compared = params.compared
task = dataset_name(compared["task"])
models, predictions, data = dict.fromkeys(compared["models"], (None, params.why_not)), None, ""
for path in snakemake.input.predictions:
    member = next(member for member in Batch(path) if member.task.name == task)
    predictions, data = member.predictions, member.record.get("title", "")
    statuses = member.runs.set_index("model")["status"]
    ours = {name: (name, statuses.get(name)) for name in compared["models"]}
    models = archived_models(member.record, compared["runs"]) if params.archived else ours
write_result(snakemake.output.prg_figure_5, compared_curves(predictions, task, models, data))
