"""Download data sets of the UCI repository as canonical tables, each with its record."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.data.canonical import write_dataset
from nontrivial_study.data.http import Client, progress
from nontrivial_study.data.uci import fetch_uci

params = snakemake.params
client = Client(**snakemake.config["downloads"])
with progress(len(params.datasets), "UCI", client) as step:
    for (name, entry), table_path in zip(params.datasets.items(), snakemake.output.tables, strict=True):
        table, record = fetch_uci(name, entry, params.base, client)
        write_dataset(table_path, table, record)
        step()
