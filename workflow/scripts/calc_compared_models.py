"""Trace the curves of two models of one task (PRG paper, Figure 5), and of the two on which our areas differ most."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.ranks.compared import archived_models
from nontrivial_study.experiments.ranks.model_choice import NONE, find_opposed
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import Batch
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.tables import read_table, write_result

params, source, output = snakemake.params, snakemake.input, snakemake.output
compared = params.compared
task = dataset_name(compared["task"])
models, predictions, data = dict.fromkeys(compared["models"], (None, params.why_not)), None, ""
for path in source.compared:
    member = next(member for member in Batch(path) if member.task.name == task)
    predictions, data = member.predictions, member.record.get("title", "")
    statuses = member.runs.set_index("model")["status"]
    ours = {name: (name, statuses.get(name)) for name in compared["models"]}
    models = archived_models(member.record, compared["runs"]) if params.archived else ours
write_result(output.prg_figure_5, compared_curves(predictions, task, models, data))

paths = {name: path for path, names in zip(source.own, params.tasks.values(), strict=True) for name in names}
task, models = find_opposed(read_table(source.areas), paths) or ("", ())
predictions = (
    next((one.predictions for one in Batch(paths[task]) if one.task.name == task), None) if task else None
)
curves = compared_curves(
    predictions, task, {model: (model, OK) for model in models} or {"none": (None, NONE)}
)
write_result(output.prg_figure_5_own_data, curves)
