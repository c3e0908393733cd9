"""Work out the examples of the PA paper, the P4 article and the tutorial on the study's predictions."""

import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.csv_tables import write_table
from nontrivial.experiments.imbalance.regions import diagram_table, region_table
from nontrivial.experiments.imbalance.sweep import rates_of
from nontrivial.experiments.p4 import four_rates
from nontrivial.experiments.selective import selection
from nontrivial.experiments.tutorial import real_curves as curve_examples
from nontrivial.parquet_tables import read_parquet
from nontrivial.records import read_record

config, published = snakemake.params.config, snakemake.params.published
output = snakemake.output

about = read_record(snakemake.input.record)
rows = read_parquet(snakemake.input.figure_1)
rows = rows[(rows["task"] == about["name"]) & (rows["model"] == config["imbalance"]["model"])]
rates = None if rows.empty else rates_of(rows["truth"].to_numpy(), rows["prediction"].to_numpy())
write_table(output.regions, region_table(diagram_table(rows, **config["venn"])))
write_table(output.plane, four_rates.plane_table(rates))
write_table(output.integers, four_rates.integer_example_table(published["p4_examples"]))
write_table(output.dependencies, four_rates.dependency_table(published["p4_dependencies"]))

pair, curves = selection.selective_classifiers(read_parquet(snakemake.input.selective), config["selective"])
write_table(output.pair, pd.concat([selection.worked_example(), pair], ignore_index=True))
write_table(output.curves, curves)

shown = (read_parquet(snakemake.input.tutorial), config["tutorial"]["task"], config["tutorial"]["models"])
write_table(output.recall, curve_examples.precision_recall_points(*shown))
write_table(output.roc, curve_examples.roc_points(*shown))
write_table(output.costs, curve_examples.cost_lines(*shown))
write_table(output.averages, curve_examples.average_table(*shown))
