"""Bring the scores of all batches into two tables; tasks of the same rows are said to be of the same data set."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.result_tables import join_results
from nontrivial_study.experiments.tasks.same_rows import name_same_rows
from nontrivial_study.parquet_tables import read_parquet
from nontrivial_study.records import read_record

source, output = snakemake.input, snakemake.output
contents = list(map(read_record, [*source.records, *source.archived]))
records = [record for content in contents for record in content.get("tasks", [content])]
join_results(output.areas, name_same_rows(map(read_parquet, source.areas), records))
join_results(output.measures, map(read_parquet, source.measures))
