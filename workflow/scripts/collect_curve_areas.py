"""Bring the areas of all batches into one table; tasks of the same rows are said to be of the same data set."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import join_tables, write_table
from nontrivial.records import read_record
from nontrivial.study.same_rows import name_same_rows

source, path = snakemake.input, snakemake.output.areas
contents = list(map(read_record, source.records))
records = [record for content in contents for record in content.get("tasks", [content])]
join_tables(path, source.parts)
areas = pd.read_csv(path, dtype=str, keep_default_na=False)  # as texts, so that no figure is rounded twice
write_table(path, name_same_rows(areas, records))
