"""Train all models on the tasks of one batch and write their out-of-fold predictions."""

import sys
from dataclasses import asdict
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.dataset_files import read_dataset
from nontrivial.parquet_tables import read_parquet
from nontrivial.records import read_record
from nontrivial.study.batches import TaskPredictions, digest_of, write_batch
from nontrivial.study.tasks import settle_task
from nontrivial.study.training import train_task

params, source = snakemake.params, snakemake.input
tables = {Path(path).stem: path for path in source.tables}
records = {Path(path).stem: read_record(path) for path in source.records}
folds = {Path(path).name.split(".")[0]: path for path in source.folds}
tasks = {task.name: settle_task(task, records.get(task.name, {})) for task in params.tasks}
settings = {"models": params.models, "folds": params.folds, "seconds": params.seconds}


def source_of(task):
    files = [tables[task.dataset], *([folds[task.name]] if task.name in folds else [])]
    return digest_of(files, code=params.code, task=asdict(task), **settings)


def trained(names):
    for task in map(tasks.get, names):
        divided = read_parquet(folds[task.name])["fold"].to_numpy() if task.name in folds else params.folds
        table = read_dataset(tables[task.dataset])
        print(f"training {len(params.models)} models on {task.name}", file=sys.stderr)
        made = train_task(task, table, params.models, divided, params.seconds)
        yield TaskPredictions(task, *made, records.get(task.name, {}))


sources = {name: source_of(task) for name, task in tasks.items()}
write_batch(snakemake.output.predictions, sources, trained)
