"""Draw Figure 1 of the PA paper for the last of several data sets."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.experiments.imbalance.plot_sweep import plot_imbalance
from nontrivial.figure_style import save_figure

sweep = read_table(snakemake.input.sweep)
params = snakemake.params
shown = sweep[(sweep["dataset"] == params.dataset) & (sweep["model"] == params.model)]
save_figure(plot_imbalance(shown), Path(snakemake.output.svg).with_suffix(""))
write_table(snakemake.output.numbers, shown)
