"""Train all models on the tasks of one chunk and write their out-of-fold predictions."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.tasks import settle_task
from nontrivial.study.training import train_task

tables = {Path(path).stem: pd.read_parquet(path) for path in snakemake.input.tables}
records = {Path(path).stem: json.loads(Path(path).read_text("utf-8")) for path in snakemake.input.records}
folds = {
    Path(path).name.split(".")[0]: pd.read_parquet(path)["fold"].to_numpy() for path in snakemake.input.folds
}
done = [
    train_task(
        settle_task(task, records.get(task.name, {})),
        tables[task.dataset],
        snakemake.params.models,
        folds.get(task.name, snakemake.params.folds),
    )
    for task in snakemake.params.tasks
]
predictions, runs = (pd.concat(parts, ignore_index=True) for parts in zip(*done, strict=True))
write_table(snakemake.output.predictions, predictions)
write_table(snakemake.output.runs, runs)
