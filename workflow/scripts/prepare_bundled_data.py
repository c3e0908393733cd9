"""Write the data sets that scikit-learn carries as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.bundled import load_bundled
from nontrivial.data.canonical import dataset_record
from nontrivial.data.dataset_files import write_dataset

datasets = snakemake.params.datasets.items()
for (name, entry), table_path in zip(datasets, snakemake.output.tables, strict=True):
    table = load_bundled(entry["loader"])
    write_dataset(table_path, table, dataset_record(name, table, entry))
