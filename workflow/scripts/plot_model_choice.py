"""Draw how often each area picks the better of two models."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.experiments.ranks.plot_model_choice import plot_model_choice
from nontrivial.figure_style import save_figure

choice = read_table(snakemake.input.choice)
save_figure(plot_model_choice(choice), Path(snakemake.output.svg).with_suffix(""))
write_table(snakemake.output.numbers, choice)
