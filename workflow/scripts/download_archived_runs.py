"""Download the selected runs of a batch of archived tasks and put them into the form of our own predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json, write_json
from nontrivial_study.data.archive_download import fetch_archived_tasks
from nontrivial_study.data.archive_selection import tasks_at
from nontrivial_study.data.http import Client, progress
from nontrivial_study.data.openml import OpenML, secret_parameters
from nontrivial_study.experiments.tasks.batches import TaskPredictions, digest_of_inputs, write_batch
from nontrivial_study.experiments.tasks.tasks import Task, dataset_name

params, output = snakemake.params, snakemake.output
client = Client(**snakemake.config["downloads"], secrets=secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
selection = read_json(snakemake.input.selection)["tasks"]
tasks = {dataset_name(entry["task"]): entry for entry in tasks_at(selection, params.positions)}
sources = {name: digest_of_inputs([], code=params.code, selected=entry) for name, entry in tasks.items()}


def fetch_predictions(names):
    with progress(len(names), f"archive-{snakemake.wildcards.number}, tasks", client) as step:
        for archived in fetch_archived_tasks({name: tasks[name] for name in names}, service):
            step()
            task = Task(archived.name, archived.name, archived.record.get("positive"), 0)
            yield TaskPredictions(task, archived.predictions, archived.runs, archived.record)


records = write_batch(output.predictions, sources, fetch_predictions)
unusable = [record for record in records if "reason" in record]
usable = [record for record in records if "reason" not in record]
write_json(output.record, {"tasks": usable, "unusable": unusable})
