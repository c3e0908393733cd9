"""Count how often each area picks the better of two models."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table
from nontrivial.experiments.ranks.model_choice import choice_table
from nontrivial.experiments.result_tables import write_result

areas = read_table(snakemake.input.areas)
areas = areas[~areas["task"].isin(snakemake.params.left_out)].reset_index(drop=True)
choice = choice_table(areas, snakemake.params.resamples)
for path in (snakemake.output.choice, snakemake.output.prg_model_choice):
    write_result(path, choice)
