"""Download the selected runs of a batch of archived tasks and put them into the form of our own predictions."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.data.http import open_client
from nontrivial.data.openml_api import OpenML, secret_parameters
from nontrivial.data.openml_runs import fetch_archived_task
from nontrivial.data.progress import tracked
from nontrivial.files import write_json, write_table
from nontrivial.study.tasks import dataset_name

params, output = snakemake.params, snakemake.output
client = open_client(params.downloads, secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
selection = json.loads(Path(snakemake.input.selection).read_text("utf-8"))["tasks"]
selected = [selection[place] for place in params.places]
done = [
    fetch_archived_task(dataset_name(one["task"]), one, service)
    for one in tracked(selected, len(selected), snakemake.wildcards.batch, client)
]
predictions, runs, records = zip(*done, strict=True)
write_table(output.predictions, pd.concat(predictions, ignore_index=True))
write_table(output.runs, pd.concat(runs, ignore_index=True))
write_json(output.record, {"tasks": records})
