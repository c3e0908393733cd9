"""Bring the areas of all batches into one table; tasks of the same rows are said to be of the same data set."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import join_tables, read_table, write_table
from nontrivial.records import read_record
from nontrivial.study.planned_areas import plan_areas, read_areas
from nontrivial.study.same_rows import name_same_rows

source, path = snakemake.input, snakemake.output.areas
contents = list(map(read_record, [*source.records, *source.archived]))
records = [record for content in contents for record in content.get("tasks", [content])]
planned = plan_areas(**snakemake.params.planned, archived=source.archived)
for part in source.parts:
    read_areas(part, [planned[Path(part).stem]])
join_tables(path, source.parts)
write_table(path, name_same_rows(read_table(path), records))
