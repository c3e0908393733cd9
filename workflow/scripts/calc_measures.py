"""Compute every confusion measure of every model on every task."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.tables import measure_table
from nontrivial.study.tasks import Task, settle_task

records = {Path(path).stem: json.loads(Path(path).read_text("utf-8")) for path in snakemake.input.records}
tasks = [settle_task(task, records.get(task.name, {})) for task in snakemake.params.tasks]
for path in snakemake.input.archive:
    members = json.loads(Path(path).read_text("utf-8"))["tasks"]
    tasks += [Task(member["name"], member["name"], member["positive"], 0) for member in members]
chunks = [measure_table(pd.read_parquet(path), tasks) for path in snakemake.input.predictions]
write_table(snakemake.output.measures, pd.concat(chunks, ignore_index=True))
