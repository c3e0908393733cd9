"""Trace the measures of every model over minority shares and noise, with either class as the minority."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.experiments.imbalance.sweep import sweep_both_classes
from nontrivial.experiments.result_tables import write_result
from nontrivial.parquet_tables import read_parquet
from nontrivial.records import read_record

settings = snakemake.params.imbalance
parts = []
for predictions, record in zip(snakemake.input.predictions, snakemake.input.records, strict=True):
    rows = read_parquet(predictions)
    about = read_record(record)
    for model in dict.fromkeys([settings["model"], *settings["further_models"]]):
        parts.append(sweep_both_classes(rows, about, settings | {"model": model}))
sweep = pd.concat(parts, ignore_index=True)
write_result(snakemake.output.sweep, sweep)
for figure, dataset in snakemake.params.swept.items():
    shown = (sweep["dataset"] == dataset) & (sweep["model"] == settings["model"])
    write_result(snakemake.output[figure], sweep[shown])
