"""Join the parts of the table of speed."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.tables import read_table, write_table

write_table(snakemake.output.speed, pd.concat(map(read_table, snakemake.input.parts), ignore_index=True))
