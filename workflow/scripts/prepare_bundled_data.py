"""Write the data sets that scikit-learn carries as canonical tables, each with its record."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.bundled import load_bundled
from nontrivial.data.canonical import dataset_record
from nontrivial.files import write_json, write_table

datasets = snakemake.params.datasets.items()
for (name, entry), table_path in zip(datasets, snakemake.output.tables, strict=True):
    table = load_bundled(entry["loader"])
    record = dataset_record(name, table, entry)
    write_table(table_path, table)
    write_json(Path(table_path).with_suffix(".json"), record)
