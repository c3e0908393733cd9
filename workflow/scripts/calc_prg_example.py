"""Reconstruct the PRG paper's running example from the labels of its Figure 3, and trace its curves."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.prg_example.prg_example import (
    example_curves,
    running_example,
    shown_numbers,
)
from nontrivial_study.tables import write_result

output = snakemake.output
example = running_example(**snakemake.params.labels)
write_result(output.example, example)
curves = example_curves(example)
for number in (1, 2, 3):
    write_result(output[f"prg_figure_{number}"], shown_numbers(curves, number))
