"""Draw the figures of an experiment from their numbers."""

import sys
from importlib import import_module
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.figure_style import save_figure
from nontrivial_study.tables import read_table

params = snakemake.params
module = import_module(f"nontrivial_study.experiments.{params.experiment}.{params.experiment}_figures")
others = [read_table(snakemake.input[name]) for name in params.tables]
for place, numbers in zip(snakemake.output.svg, snakemake.input.numbers, strict=True):
    draw = getattr(module, params.figures[Path(place).stem])
    save_figure(draw(read_table(numbers), *others), Path(place).with_suffix(""))
