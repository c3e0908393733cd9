"""Bring the measures of all batches into one table."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.experiments.result_tables import join_results
from nontrivial.parquet_tables import read_parquet

join_results(snakemake.output.measures, map(read_parquet, snakemake.input.parts))
