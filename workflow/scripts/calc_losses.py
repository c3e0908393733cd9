"""Judge models under every loss, on all classes or numbers of their data sets."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.experiments.losses.losses import loss_table, reversal_table
from nontrivial_study.tables import read_parquet, write_result

params = snakemake.params
losses = params.losses
names = [*losses["classification"], *losses["regression"]]
parts = []
for name, path in zip(names, snakemake.input.data, strict=True):
    classified = name in losses["classification"]
    parts.append(
        loss_table(
            name,
            read_parquet(path),
            params.classifiers if classified else losses["regressors"],
            kind="classifier" if classified else "regressor",
            folds=params.folds,
            rarest=losses["cost_of_rarest"],
            resamples=losses["resamples"],
        )
    )
table = pd.concat(parts, ignore_index=True)
write_result(snakemake.output.losses, table)
write_result(snakemake.output.pa_losses, table)
write_result(snakemake.output.reversals, reversal_table(table))
