"""Download a batch of OpenML tasks: canonical tables, the folds of their cross-validation, records."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial_study.data.canonical import write_dataset
from nontrivial_study.data.http import Client, progress
from nontrivial_study.data.openml import OpenML, fetch_task, secret_parameters
from nontrivial_study.experiments.tasks.tasks import dataset_name
from nontrivial_study.tables import write_parquet

params, output = snakemake.params, snakemake.output
client = Client(**snakemake.config["downloads"], secrets=secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
folds = []
with progress(len(params.tasks), "OpenML", client) as step:
    for number, path in zip(params.tasks, output.tables, strict=True):
        name = dataset_name(number)
        task = fetch_task(name, number, service)
        write_dataset(path, task.table, task.record)
        folds.append(pd.DataFrame({"task": name, "fold": task.fold}))
        step()
write_parquet(output.folds, pd.concat(folds))
