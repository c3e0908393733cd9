"""Download the selected runs of a batch of archived tasks and put them into the form of our own predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import read_json, write_json
from nontrivial_study.data.archive import fetch_archived_tasks, take_tasks
from nontrivial_study.data.http import Client, progress
from nontrivial_study.data.openml import OpenML, secret_parameters
from nontrivial_study.experiments.tasks.batches import TaskPredictions, digest_of, write_batch
from nontrivial_study.experiments.tasks.tasks import Task, dataset_name

params, output = snakemake.params, snakemake.output
client = Client(**snakemake.config["downloads"], secrets=secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
drawn = read_json(snakemake.input.selection)["tasks"]
selected = {dataset_name(one["task"]): one for one in take_tasks(drawn, params.places)}
sources = {name: digest_of([], code=params.code, selected=one) for name, one in selected.items()}


def fetched(names):
    wanted = {name: selected[name] for name in names}
    with progress(len(wanted), f"archive-{snakemake.wildcards.number}, tasks", client) as step:
        for name, predictions, runs, record in fetch_archived_tasks(wanted, service):
            step()
            yield TaskPredictions(Task(name, name, record.get("positive"), 0), predictions, runs, record)


records = write_batch(output.predictions, sources, fetched)
unusable = [record for record in records if "reason" in record]
served = [record for record in records if "reason" not in record]
write_json(output.record, {"tasks": served, "unusable": unusable})
