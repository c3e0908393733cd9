"""Draw the curves of two models of one task (PRG paper, Figure 5)."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.figures.compared import plot_compared
from nontrivial.figures.style import save_figure
from nontrivial.files import write_table
from nontrivial.study.compared import archived_models
from nontrivial.study.curve_numbers import compared_curves
from nontrivial.study.tasks import dataset_name

paths, params = snakemake.input, snakemake.params
compared = params.compared
task = dataset_name(compared["task"])
models = dict.fromkeys(compared["models"], (None, params.why_not))
predictions = pd.DataFrame(columns=["task", "model"])
if paths.predictions:
    predictions = pd.read_parquet(paths.predictions[0], filters=[("task", "==", task)])
    runs = pd.read_csv(paths.runs[0])
    statuses = runs[runs["task"] == task].set_index("model")["status"]
    models = {name: (name, statuses.get(name)) for name in compared["models"]}
for path in paths.archive:
    batch = json.loads(Path(path).read_text("utf-8"))["tasks"]
    models = archived_models(batch, compared["task"], compared["runs"])
table = compared_curves(predictions, task, models)
save_figure(plot_compared(table), Path(snakemake.output.svg).with_suffix(""))
write_table(snakemake.output.numbers, table)
