"""Write a user's own data sets as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.canonical import canonical_sha256, dataset_record
from nontrivial.data.dataset_files import write_dataset
from nontrivial.data.own import read_own

datasets = snakemake.params.datasets.items()
for (name, entry), table_path in zip(datasets, snakemake.output.tables, strict=True):
    table = read_own(entry)
    write_dataset(table_path, table, dataset_record(name, table, entry | {"sha256": canonical_sha256(table)}))
