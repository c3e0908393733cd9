"""Draw the crossings, the Venn diagrams, the losses, noise in training, and selective prediction."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.experiments.imbalance.plot_crossings import plot_crossings
from nontrivial.experiments.imbalance.plot_regions import plot_regions
from nontrivial.experiments.imbalance.plot_training_noise import plot_training_noise
from nontrivial.experiments.losses.plot_losses import plot_losses
from nontrivial.experiments.selective.plot_selection import plot_selection
from nontrivial.figure_style import save_figure

paths, output = snakemake.input, snakemake.output
drawings = {
    "crossings": (plot_crossings, [paths.crossings]),
    "venn": (plot_regions, [paths.regions]),
    "losses": (plot_losses, [paths.losses]),
    "noise": (plot_training_noise, [paths.noise]),
    "selective": (plot_selection, [paths.curves, paths.pair]),
}
WITH_NUMBERS = ("crossings", "losses", "noise")  # the others are drawn from the numbers beside them
for name, (plot, sources) in drawings.items():
    tables = [read_table(path) for path in sources]
    save_figure(plot(*tables), Path(output[name]).with_suffix(""))
    if name in WITH_NUMBERS:
        write_table(output[f"numbers_{name}"], tables[0])
