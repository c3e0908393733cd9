"""Recompute the documents' worked examples."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import write_table
from nontrivial.study.examples import exam_table, haberman_table, p4_example_table

published = snakemake.params.published
write_table(snakemake.output.exam, exam_table(published["exam"]))
write_table(snakemake.output.p4, p4_example_table(published["p4_examples"]))
write_table(snakemake.output.haberman, haberman_table(published["haberman"]))
