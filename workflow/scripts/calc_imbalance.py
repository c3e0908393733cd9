"""Trace the measures of every model over minority shares and noise, and find where each first calls a model trivial."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import read_json
from nontrivial_study.experiments.imbalance.imbalance import crossing_table, region_table, sweep_both_classes
from nontrivial_study.tables import read_parquet, write_result

settings, output = snakemake.params.imbalance, snakemake.output
noises, shares = settings["noises"], settings["crossing_shares"]
sweeps, crossings = [], []
for predictions, record in zip(snakemake.input.predictions, snakemake.input.records, strict=True):
    rows, about = read_parquet(predictions), read_json(record)
    for model in dict.fromkeys([settings["model"], *settings["further_models"]]):
        sweeps.append(sweep_both_classes(rows, about, settings | {"model": model}))
        crossings.append(crossing_table(rows, about, model, noises=noises, shares=shares))
sweep = pd.concat(sweeps, ignore_index=True)
write_result(output.sweep, sweep)
for figure, dataset in snakemake.params.swept.items():
    shown = (sweep["dataset"] == dataset) & (sweep["model"] == settings["model"])
    write_result(output[figure], sweep[shown])
for path in (output.crossings, output.pa_crossings):
    write_result(path, pd.concat(crossings, ignore_index=True))
rows = read_parquet(snakemake.input.predictions[0])
rows = rows[(rows["task"] == settings["dataset"]) & (rows["model"] == settings["model"])]
write_result(output.pa_figure_2, region_table(rows, **snakemake.params.venn))
