"""Measure one part of the table of speed."""

import sys
from importlib import import_module
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.tables import write_table

folder = Path(snakemake.input.benchmark).resolve().parent
sys.path.insert(0, str(folder.parent))
benchmark = import_module(f"benchmarks.{snakemake.wildcards.part}")
turns = import_module("benchmarks.turns")
write_table(snakemake.output.rows, turns.as_table(benchmark.rows()))
