"""Recompute the exam and the intern's classifier."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.exam.exam import exam_table
from nontrivial_study.tables import write_result

write_result(snakemake.output.exam, exam_table(snakemake.params.exam))
