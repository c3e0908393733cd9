"""Draw the ranks under two areas, and the areas in two tasks (PRG paper, Figure 4)."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table
from nontrivial.experiments.ranks.plot_ranks import plot_ranks
from nontrivial.figure_style import save_figure

save_figure(plot_ranks(read_table(snakemake.input.ranks)), Path(snakemake.output.svg).with_suffix(""))
