"""Train all models in some repetitions of a cross-validation."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import read_json
from nontrivial_study.experiments.tasks.training import train_repeat
from nontrivial_study.tables import read_parquet, write_parquet

params = snakemake.params
record = read_json(snakemake.input.record)
table = read_parquet(snakemake.input.table)
options = {"folds": params.folds, "seconds": params.seconds}
results = [
    train_repeat(record["name"], record["positive"], table, params.models, repeat=repeat, **options)
    for repeat in params.repeats
]
predictions, runs = (pd.concat(parts, ignore_index=True) for parts in zip(*results, strict=True))
write_parquet(snakemake.output.predictions, predictions)
write_parquet(snakemake.output.runs, runs)
