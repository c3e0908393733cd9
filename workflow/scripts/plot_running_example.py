"""Draw the PRG paper's Figures 1 to 3, of the reconstructed running example."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import read_table, write_table
from nontrivial.experiments.prg_example import plot_example as figures
from nontrivial.experiments.prg_example.example_curves import example_curves
from nontrivial.figure_style import save_figure

example = read_table(snakemake.input.example)
curves, title = example_curves(example), figures.example_title(example)
drawings = {1: figures.plot_points, 2: figures.plot_isometrics, 3: figures.plot_calibration}
for number, plot in drawings.items():
    shown = figures.shown_numbers(curves, number)
    save_figure(plot(shown, title), Path(snakemake.output[f"svg_{number}"]).with_suffix(""))
    write_table(snakemake.output[f"numbers_{number}"], shown)
