"""Draw how often each area picks the better of two models."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.figures.model_choice import plot_model_choice
from nontrivial.figures.style import save_figure
from nontrivial.files import write_table

choice = pd.read_csv(snakemake.input.choice)
save_figure(plot_model_choice(choice), Path(snakemake.output.svg).with_suffix(""))
write_table(snakemake.output.numbers, choice)
