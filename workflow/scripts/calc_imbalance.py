"""Trace the measures of every model over minority shares and noise, with either class as the minority."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.imbalance import sweep_both_classes

settings = snakemake.params.imbalance
parts = []
for predictions, record in zip(snakemake.input.predictions, snakemake.input.records, strict=True):
    rows = pd.read_parquet(predictions)
    about = json.loads(Path(record).read_text(encoding="utf-8"))
    for model in dict.fromkeys([settings["model"], *settings["further_models"]]):
        parts.append(sweep_both_classes(rows, about, settings | {"model": model}))
write_table(snakemake.output.sweep, pd.concat(parts, ignore_index=True))
