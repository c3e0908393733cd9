"""Compare two selective classifiers of equal coverage and risk."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.experiments.selective.selective import selective_classifiers, worked_example
from nontrivial_study.tables import read_parquet, write_result

predictions = read_parquet(snakemake.input.predictions)
pair, curves = selective_classifiers(predictions, snakemake.params.selective)
write_result(snakemake.output.pair, pd.concat([worked_example(), pair], ignore_index=True))
write_result(snakemake.output.pa_selective, curves)
