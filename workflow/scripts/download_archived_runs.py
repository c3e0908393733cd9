"""Download the selected runs of a batch of archived tasks and put them into the form of our own predictions."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.http import open_client
from nontrivial.data.openml_api import OpenML, secret_parameters
from nontrivial.data.openml_runs import fetch_archived_tasks
from nontrivial.data.progress import progress
from nontrivial.files import write_json, write_table
from nontrivial.study.tasks import dataset_name

params, output = snakemake.params, snakemake.output
client = open_client(snakemake.config["downloads"], secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
selection = json.loads(Path(snakemake.input.selection).read_text("utf-8"))["tasks"]
selected = {dataset_name(selection[place]["task"]): selection[place] for place in params.places}
runs_wanted = sum(len(one["runs"]) for one in selected.values())
with progress(runs_wanted, snakemake.wildcards.batch, client) as step:
    predictions, runs, record = fetch_archived_tasks(selected, service, step)
write_table(output.predictions, predictions)
write_table(output.runs, runs)
write_json(output.record, record)
