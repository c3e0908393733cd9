"""Compare the models' ranks under the three areas, and count them for the figure."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.ranking import rank_counts, rank_disagreement

areas = pd.read_csv(snakemake.input.areas)
params = snakemake.params
write_table(snakemake.output.disagreement, rank_disagreement(areas, params.published, params.resamples))
write_table(snakemake.output.counts, rank_counts(areas, "pr_auc", "prg_auc", params.models))
