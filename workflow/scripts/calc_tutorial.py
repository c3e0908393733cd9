"""Trace the tutorial's curves on real data, and average over folds."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.experiments.tutorial.tutorial import (
    average_table,
    cost_lines,
    precision_recall_points,
    roc_points,
)
from nontrivial_study.tables import read_parquet, write_result

output, tutorial = snakemake.output, snakemake.params.tutorial
shown = (read_parquet(snakemake.input.predictions), tutorial["task"], tutorial["models"])
write_result(output.tutorial_precision_recall, precision_recall_points(*shown))
write_result(output.tutorial_roc, roc_points(*shown))
write_result(output.tutorial_cost_curve, cost_lines(*shown))
for path in (output.averages, output.tutorial_averages):
    write_result(path, average_table(*shown))
