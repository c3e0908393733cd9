"""Compute the areas under every model's curves and its confusion measures, in one batch of predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.experiments.tasks.batches import Batch
from nontrivial_study.experiments.tasks.scores import area_table, measure_table
from nontrivial_study.experiments.tasks.tasks import rows_of
from nontrivial_study.tables import write_parquet

areas, measures = [], []
for one in Batch(snakemake.input.predictions):
    table = area_table(one.predictions, one.runs, snakemake.params.cost)
    areas.append(table.assign(rows_of=rows_of(one.task.dataset, one.record)))
    measures.append(measure_table(one.predictions, one.task))
for path, tables in ((snakemake.output.areas, areas), (snakemake.output.measures, measures)):
    # Predictions that were made elsewhere may all be of several classes, or of numbers.
    write_parquet(path, pd.concat(tables, ignore_index=True) if tables else pd.DataFrame())
