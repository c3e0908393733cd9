"""Draw the P4 article's measures over the imbalance-noise plane, and the tutorial's curves and averages."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.experiments.p4.plot_plane import plot_plane
from nontrivial.experiments.tutorial import plot_curves as tutorial
from nontrivial.figure_style import save_figure

paths, output = snakemake.input, snakemake.output
drawings = {
    "plane": (plot_plane, paths.plane),
    "recall": (tutorial.plot_precision_recall, paths.recall),
    "roc": (tutorial.plot_roc, paths.roc),
    "cost": (tutorial.plot_costs, paths.costs),
    "averages": (tutorial.plot_averages, paths.averages),
}
for name, (plot, path) in drawings.items():
    save_figure(plot(read_table(path)), Path(output[name]).with_suffix(""))
write_table(output.numbers_averages, read_table(paths.averages))
