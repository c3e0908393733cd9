"""Trace the curves of the two models about which AUPR and AUPRG disagree most on the study's own data."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table
from nontrivial.experiments.curve_numbers import compared_curves
from nontrivial.experiments.ranks.opposed import NONE, find_opposed
from nontrivial.experiments.result_tables import write_result
from nontrivial.experiments.status import OK
from nontrivial.experiments.tasks.batches import Batch

tasks = {name: batch for batch, names in snakemake.params.tasks.items() for name in names}
paths = dict(zip(snakemake.params.tasks, snakemake.input.predictions, strict=True))
found = find_opposed(read_table(snakemake.input.areas), tasks)
if found:
    task, models = found
    rows = next(member.predictions for member in Batch(paths[tasks[task]]) if member.task.name == task)
    curves = compared_curves(rows, task, {model: (model, OK) for model in models})
else:
    curves = compared_curves(None, "", {"none": (None, NONE)})
write_result(snakemake.output.prg_figure_5_own_data, curves)
