"""Recompute the documents' worked examples."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import write_table
from nontrivial.experiments.exam.exam_table import exam_table
from nontrivial.experiments.p4.p4_examples import p4_example_table
from nontrivial.experiments.repeats.published_errors import haberman_table

published = snakemake.params.published
write_table(snakemake.output.exam, exam_table(published["exam"]))
write_table(snakemake.output.p4, p4_example_table(published["p4_examples"]))
write_table(snakemake.output.haberman, haberman_table(published["haberman"]))
