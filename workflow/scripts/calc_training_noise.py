"""Train models on imbalanced and noisy data and test them on clean and on noisy labels."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json
from nontrivial_study.experiments.imbalance.training_noise import noise_table
from nontrivial_study.tables import read_parquet, write_result

params = snakemake.params
table = noise_table(
    read_parquet(snakemake.input.table),
    read_json(snakemake.input.record),
    params.models,
    noises=params.noises,
    shares=params.settings["shares"],
    folds=params.settings["folds"],
)
write_result(snakemake.output.noise, table)
write_result(snakemake.output.pa_training_noise, table)
