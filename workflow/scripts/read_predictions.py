"""Read predictions that were made elsewhere, and write them as those that are made here."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.tasks.batches import digest_of, write_batch
from nontrivial_study.experiments.tasks.external_predictions import read_predictions

made, settings = snakemake.params.made, snakemake.params.settings
sources = {
    task: digest_of(files.values(), task=task, models=list(files), settings=settings)
    for task, files in made.items()
}
write_batch(
    snakemake.output.predictions[0],
    sources,
    lambda tasks: (read_predictions(task, made[task], settings) for task in tasks),
)
