"""Compute every confusion measure of every model in one batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.experiments.tasks.batches import Batch
from nontrivial.experiments.tasks.measure_table import measure_table
from nontrivial.parquet_tables import write_parquet

tables = [measure_table(one.predictions, one.task) for one in Batch(snakemake.input.predictions)]
write_parquet(snakemake.output.measures, pd.concat(tables, ignore_index=True))
