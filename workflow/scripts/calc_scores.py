"""Compute the areas under the curves and the confusion measures of every model in a batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.experiments.tasks.batches import Batch
from nontrivial_study.experiments.tasks.scores import area_table, measure_table
from nontrivial_study.experiments.tasks.tasks import rows_of
from nontrivial_study.tables import write_parquet

areas, measures = [], []
for member in Batch(snakemake.input.predictions):
    table = area_table(member.predictions, member.runs, snakemake.params.cost)
    areas.append(table.assign(rows_of=rows_of(member.task.dataset, member.record)))
    measures.append(measure_table(member.predictions, member.task))
for path, tables in ((snakemake.output.areas, areas), (snakemake.output.measures, measures)):
    # No task is binary if all predictions were made elsewhere, for several classes or for numbers.
    write_parquet(path, pd.concat(tables, ignore_index=True) if tables else pd.DataFrame())
