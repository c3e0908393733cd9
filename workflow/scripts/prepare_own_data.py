"""Write a user's own data sets as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.data.canonical import write_dataset
from nontrivial_study.data.own import own_dataset

datasets = snakemake.params.datasets.items()
for (name, entry), table_path in zip(datasets, snakemake.output.tables, strict=True):
    write_dataset(table_path, *own_dataset(name, entry))
