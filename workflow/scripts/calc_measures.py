"""Compute every confusion measure of every model in one batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.csv_tables import write_table
from nontrivial.study.batches import Batch
from nontrivial.study.tables import measure_table

tables = [measure_table(one.predictions, one.task) for one in Batch(snakemake.input.predictions)]
write_table(snakemake.output.measures, pd.concat(tables, ignore_index=True))
