"""Compute every confusion measure of every model in one batch of predictions."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.tables import measure_table
from nontrivial.study.tasks import Task, settle_task

records = [json.loads(Path(path).read_text("utf-8")) for path in snakemake.input.records]
members = {one["name"]: one for record in records for one in record.get("tasks", [record])}
tasks = [settle_task(task, members.get(task.name, {})) for task in snakemake.params.tasks]
tasks = tasks or [Task(name, name, member["positive"], 0) for name, member in members.items()]
write_table(snakemake.output.measures, measure_table(pd.read_parquet(snakemake.input.predictions), tasks))
