"""Recompute the P4 article's examples, and trace its measures over imbalance and noise."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.imbalance.imbalance import answers_of, rates_of
from nontrivial_study.experiments.p4 import p4
from nontrivial_study.experiments.p4.p4 import integer_example_table, p4_example_table
from nontrivial_study.tables import read_parquet, write_result

params, output = snakemake.params, snakemake.output
published = params.published
write_result(output.examples, p4_example_table(published["p4_examples"]))
write_result(output.integers, integer_example_table(published["p4_examples"]))
write_result(output.dependencies, p4.dependency_table(published["p4_dependencies"]))
truth, prediction = answers_of(read_parquet(snakemake.input.predictions), params.task, params.model)
rates = rates_of(truth, prediction) if len(truth) else None
write_result(output.p4_plane, p4.plane_table(rates))
