"""Reconstruct the PRG paper's running example from the labels of its Figure 3."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.csv_tables import write_table
from nontrivial.experiments.prg_example.reconstruction import running_example

write_table(snakemake.output.example, running_example(**snakemake.params.labels))
