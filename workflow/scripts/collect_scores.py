"""Collect the scores of all batches in two tables; tasks with the same rows get the name of the same data set."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json
from nontrivial_study.experiments.tasks.tasks import name_duplicates
from nontrivial_study.tables import read_parquet, write_result

source, output = snakemake.input, snakemake.output
contents = list(map(read_json, [*source.records, *source.archived]))
records = [record for content in contents for record in content.get("tasks", [content])]
areas, measures = (
    [table for table in map(read_parquet, paths) if len(table)] for paths in (source.areas, source.measures)
)
write_result(output.areas, *name_duplicates(areas, records))
write_result(output.measures, *measures)
