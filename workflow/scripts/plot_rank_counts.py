"""Draw the counts of ranks under two areas (PRG paper, Figure 4 left)."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.figures.gain import plot_rank_counts
from nontrivial.figures.style import save_figure

counts = pd.read_csv(snakemake.input.counts)
save_figure(plot_rank_counts(counts), Path(snakemake.output.svg).with_suffix(""))
