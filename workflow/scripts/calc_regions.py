"""Count the regions of the Venn diagrams of a classifier, as it is and on a harder test set (PA paper, Figure 2)."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.experiments.imbalance.regions import region_table
from nontrivial.experiments.result_tables import write_result
from nontrivial.parquet_tables import read_parquet

params = snakemake.params
rows = read_parquet(snakemake.input.predictions)
rows = rows[(rows["task"] == params.task) & (rows["model"] == params.model)]
write_result(snakemake.output.pa_figure_2, region_table(rows, **params.venn))
