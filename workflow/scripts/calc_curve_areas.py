"""Compute the areas under every model's curves in one batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.experiments.tasks.area_table import area_table
from nontrivial.experiments.tasks.batches import Batch
from nontrivial.experiments.tasks.binary_tasks import rows_of
from nontrivial.parquet_tables import write_parquet

tables = [
    area_table(one.predictions, one.runs, snakemake.params.cost).assign(rows_of=rows_of(one.task, one.record))
    for one in Batch(snakemake.input.predictions)
]
write_parquet(snakemake.output.areas, pd.concat(tables, ignore_index=True))
