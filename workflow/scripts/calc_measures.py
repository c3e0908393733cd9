"""Compute every confusion measure of every model on every task."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.tables import measure_table

chunks = [
    measure_table(pd.read_parquet(path), snakemake.params.tasks) for path in snakemake.input.predictions
]
write_table(snakemake.output.measures, pd.concat(chunks, ignore_index=True))
