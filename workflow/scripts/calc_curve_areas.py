"""Compute the areas under every model's curves in one batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.areas import area_table

predictions, runs = pd.read_parquet(snakemake.input.predictions), pd.read_csv(snakemake.input.runs)
write_table(snakemake.output.areas, area_table(predictions, runs))
