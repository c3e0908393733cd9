"""Find where each measure first says that a classifier is no better than trivial."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.experiments.imbalance.crossings import crossing_table
from nontrivial.experiments.result_tables import write_result
from nontrivial.parquet_tables import read_parquet
from nontrivial.records import read_record

settings = snakemake.params.imbalance
parts = []
for predictions, record in zip(snakemake.input.predictions, snakemake.input.records, strict=True):
    rows = read_parquet(predictions)
    about = read_record(record)
    for model in dict.fromkeys([settings["model"], *settings["further_models"]]):
        shares, noises = settings["crossing_shares"], settings["noises"]
        parts.append(crossing_table(rows, about, model, noises=noises, shares=shares))
for path in (snakemake.output.crossings, snakemake.output.pa_crossings):
    write_result(path, pd.concat(parts, ignore_index=True))
