"""Bring the parts of the table of speed together."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.csv_tables import join_tables, read_table

join_tables(snakemake.output.speed, map(read_table, snakemake.input.parts))
