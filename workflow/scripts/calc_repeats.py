"""Judge published errors on Haberman's data, and models in repeated cross-validation, or say that it was not run."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.experiments.repeats.repeats import (
    haberman_table,
    not_evaluated,
    repeated_table,
    summary_table,
)
from nontrivial_study.tables import read_parquet, write_result

dataset, paths = snakemake.params.dataset, snakemake.input
if paths.predictions:
    predictions, runs = (
        pd.concat(map(read_parquet, parts), ignore_index=True) for parts in (paths.predictions, paths.runs)
    )
    trained = repeated_table(dataset, predictions, runs)
    summary = summary_table(trained)
else:
    trained, summary = not_evaluated(dataset)
write_result(snakemake.output.trained, trained)
write_result(snakemake.output.summary, summary)
write_result(snakemake.output.published, haberman_table(snakemake.params.haberman))
