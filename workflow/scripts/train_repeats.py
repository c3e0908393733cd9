"""Train all models in some repetitions of a cross-validation."""

import json
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

import pandas as pd

from nontrivial.files import write_table
from nontrivial.study.repeats import train_repeat

params = snakemake.params
record = json.loads(Path(snakemake.input.record).read_text(encoding="utf-8"))
table = pd.read_parquet(snakemake.input.table)
given = {"folds": params.folds, "seconds": params.seconds}
done = [
    train_repeat(record["name"], record["positive"], table, params.models, repeat=repeat, **given)
    for repeat in params.repeats
]
predictions, runs = (pd.concat(parts, ignore_index=True) for parts in zip(*done, strict=True))
write_table(snakemake.output.predictions, predictions)
write_table(snakemake.output.runs, runs)
