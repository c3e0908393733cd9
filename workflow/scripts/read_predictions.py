"""Read predictions made elsewhere, and write them in the study's form: binary tasks in one file, others in a second."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.tasks.batches import digest_of_inputs, write_batch
from nontrivial_study.experiments.tasks.external_predictions import read_external_predictions

made, settings = snakemake.params.made, snakemake.params.settings
members = {task: read_external_predictions(task, files, settings) for task, files in made.items()}
for path, are_binary in zip(snakemake.output.predictions, (True, False), strict=True):
    sources = {
        task: digest_of_inputs(made[task].values(), task=task, models=list(made[task]), settings=settings)
        for task, member in members.items()
        if (member.task.target == "positive") == are_binary
    }
    write_batch(path, sources, lambda tasks: (members[task] for task in tasks), are_binary=are_binary)
