"""Choose the archived tasks, flows and runs to study, and write the choice as a manifest."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_json
from nontrivial_study.data.archive_selection import list_evaluations, list_tasks, run_blocks, select_runs
from nontrivial_study.data.http import Client, progress
from nontrivial_study.data.openml import OpenML, secret_parameters

params, output = snakemake.params, snakemake.output
settings = params.archive
client = Client(**snakemake.config["downloads"], secrets=secret_parameters())
service = OpenML(params.openml["api_url"], params.openml["data_url"], client)
tasks, n_unreadable = list_tasks(service)
evaluations = {}
blocks = run_blocks(settings["run_id_bound"])
with progress(len(blocks), "OpenML's evaluations", client) as step:
    for block in blocks:
        of_block, n_unreadable_rows = list_evaluations(service, block, settings["cutoff_date"])
        evaluations |= of_block
        n_unreadable += n_unreadable_rows
        step()
selection = select_runs(tasks, evaluations.values(), settings)
write_json(
    output.selection,
    {
        "source": params.openml["api_url"],
        "settings": settings,
        "listed": {"tasks": len(tasks), "evaluations": len(evaluations), "unreadable_rows": n_unreadable},
        "chosen": {
            "tasks": len(selection),
            "data_sets": len({task["data"] for task in selection}),
            "left_out": len(set(settings["leave_out"]["tasks"])),
        },
        "tasks": selection,
    },
)
