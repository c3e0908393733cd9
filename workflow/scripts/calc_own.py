"""Judge the models of one's own data and predictions, and trace the curves of the best."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.own.own import curve_table, verdict_table
from nontrivial_study.experiments.tasks.batches import Batch
from nontrivial_study.tables import write_result

members = [
    member
    for path in snakemake.input.predictions
    for member in Batch(path)
    if member.task.dataset in snakemake.params.datasets or path.endswith("made.parquet")
]
write_result(snakemake.output.verdicts, verdict_table(members))
write_result(snakemake.output.own_curves, curve_table(members))
