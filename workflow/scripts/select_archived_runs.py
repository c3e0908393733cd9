"""Choose the archived tasks, flows and runs to study, and write the choice as a manifest."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.data.http import open_client
from nontrivial.data.openml_api import OpenML, secret_parameters
from nontrivial.data.openml_archive import list_evaluations, list_tasks, run_blocks, select_runs
from nontrivial.data.progress import tracked
from nontrivial.files import write_json

settings = snakemake.params.openml["archive"]
client = open_client(snakemake.params.downloads, secret_parameters())
service = OpenML(snakemake.params.openml["api_url"], snakemake.params.openml["data_url"], client)
tasks = list_tasks(service)
evaluations, unreadable = {}, 0
blocks = run_blocks(settings["run_id_bound"])
for block in tracked(blocks, len(blocks), "OpenML's evaluations", client):
    found, skipped = list_evaluations(service, block, settings["cutoff_date"])
    evaluations |= found
    unreadable += skipped
counts = {"tasks": len(tasks), "evaluations": len(evaluations), "unreadable_rows": unreadable}
selection = select_runs(tasks, evaluations.values(), settings)
write_json(snakemake.output.selection, {"settings": settings, "listed": counts, "tasks": selection})
