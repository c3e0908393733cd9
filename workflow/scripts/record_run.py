"""Record what the study ran with and how long its jobs took."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.audit.run import run_record
from nontrivial.files import write_json

write_json(snakemake.output.run, run_record(snakemake.params.config, Path(snakemake.params.benchmarks)))
