"""Bring the measures of all batches into one table."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import join_tables
from nontrivial.parquet_tables import read_parquet

join_tables(snakemake.output.measures, map(read_parquet, snakemake.input.parts))
