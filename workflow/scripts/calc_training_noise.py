"""Train models on imbalanced and noisy data and test them on clean and on noisy labels."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.training_noise import noise_table

params = snakemake.params
table = noise_table(
    pd.read_parquet(snakemake.input.table),
    json.loads(Path(snakemake.input.record).read_text(encoding="utf-8")),
    params.models,
    noises=params.noises,
    shares=params.settings["shares"],
    folds=params.settings["folds"],
)
write_table(snakemake.output.noise, table)
