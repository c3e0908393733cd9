"""Draw the figures of an experiment from their numbers."""

import sys
from importlib import import_module
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.figure_style import NO_MODEL_MESSAGE, draw_message, save_figure
from nontrivial_study.tables import read_table

params = snakemake.params
module = import_module(f"nontrivial_study.experiments.{params.experiment}.{params.experiment}_figures")
further_tables = list(map(read_table, snakemake.input.tables))
for function, numbers, place in zip(params.functions, snakemake.input.numbers, snakemake.output.svg, strict=True):
    table = read_table(numbers)
    figure = draw_message(NO_MODEL_MESSAGE) if table.empty else getattr(module, function)(table, *further_tables)
    save_figure(figure, Path(place).with_suffix(""))
