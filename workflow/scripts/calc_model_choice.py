"""Count how often each area picks the better of two models."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.study.model_choice import choice_table

areas = read_table(snakemake.input.areas)
areas = areas[~areas["task"].isin(snakemake.params.left_out)].reset_index(drop=True)
write_table(snakemake.output.choice, choice_table(areas, snakemake.params.resamples))
