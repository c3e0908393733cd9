"""Trace the measures of one classifier over imbalance on many data sets, and find where each first says "trivial"."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import numpy as np
import pandas as pd

from nontrivial.files import read_json
from nontrivial_study.experiments.imbalance.imbalance import (
    crossing_summary,
    crossing_table,
    measure_curves,
    multiples_table,
)
from nontrivial_study.tables import read_parquet, write_result

settings, output = snakemake.params.imbalance, snakemake.output
model, noises = settings["model"], sorted(settings["noises"])
shares = np.linspace(*(settings["shares"][key] for key in ("first", "last", "count"))).round(6)
curves, crossings = [], []
for predictions, record in zip(snakemake.input.predictions, snakemake.input.records, strict=True):
    rows, about = read_parquet(predictions), read_json(record)
    crossings.append(crossing_table(rows, about, model, noises=noises, classes=[about["positive"]]))
    curves.append(measure_curves(rows, about, model, noises[len(noises) // 2], shares))
table = pd.concat(crossings, ignore_index=True)
write_result(output.crossings, table)
write_result(output.summary, crossing_summary(table))
numbers = multiples_table(pd.concat(curves, ignore_index=True), table, noises[len(noises) // 2])
write_result(output.pa_figure_1_many_data, numbers)
