"""Train all models on the tasks of one batch and write their out-of-fold predictions."""

import sys
from dataclasses import asdict
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json
from nontrivial_study.experiments.tasks.batches import TaskPredictions, digest_of_inputs, write_batch
from nontrivial_study.experiments.tasks.tasks import resolve_task
from nontrivial_study.experiments.tasks.training import train_task
from nontrivial_study.tables import read_parquet

params, source = snakemake.params, snakemake.input
tables = {Path(path).stem: path for path in source.tables}
records = {Path(path).stem: read_json(path) for path in source.records} if source.folds else {}
tasks = {task.name: resolve_task(task, records.get(task.name, {})) for task in params.tasks}
downloaded = dict(iter(read_parquet(source.folds).groupby("task")["fold"])) if source.folds else {}
folds = {name: downloaded[name].tolist() if source.folds else params.folds for name in tasks}


def source_of(task):
    how = {"models": params.models, "folds": folds[task.name], "seconds": params.seconds}
    return digest_of_inputs([tables[task.dataset]], code=params.code, task=asdict(task), **how)


def trained(names):
    for task in map(tasks.get, names):
        table = read_parquet(tables[task.dataset])
        print(f"training {len(params.models)} models on {task.name}", file=sys.stderr)
        made = train_task(task, table, params.models, folds[task.name], params.seconds)
        yield TaskPredictions(task, *made, records.get(task.name, {}))


sources = {name: source_of(task) for name, task in tasks.items()}
are_binary = all(task.target == "positive" for task in tasks.values())
write_batch(snakemake.output.predictions, sources, trained, are_binary=are_binary)
