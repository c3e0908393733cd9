"""Compute the areas under every model's curves, one chunk of predictions at a time."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.areas import area_table

paths = zip(snakemake.input.predictions, snakemake.input.runs, strict=True)
chunks = [area_table(pd.read_parquet(predictions), pd.read_csv(runs)) for predictions, runs in paths]
write_table(snakemake.output.areas, pd.concat(chunks, ignore_index=True))
