"""Trace the measures over minority shares and noise, with either class as the minority."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.imbalance import sweep_both_classes

settings = snakemake.params.imbalance
record = json.loads(Path(snakemake.input.record).read_text(encoding="utf-8"))
predictions = pd.read_parquet(snakemake.input.predictions)
write_table(snakemake.output.sweep, sweep_both_classes(predictions, record, settings))
