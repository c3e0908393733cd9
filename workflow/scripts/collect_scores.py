"""Bring the scores of all batches into two tables; tasks of the same rows are said to be of the same data set."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json
from nontrivial_study.experiments.tasks.tasks import name_duplicates
from nontrivial_study.tables import read_parquet, write_result

source, output = snakemake.input, snakemake.output
contents = list(map(read_json, [*source.records, *source.archived]))
records = [record for content in contents for record in content.get("tasks", [content])]
write_result(output.areas, *name_duplicates(map(read_parquet, source.areas), records))
write_result(output.measures, *map(read_parquet, source.measures))
