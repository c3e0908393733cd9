"""Record what the study ran with and how long its jobs took."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_json
from nontrivial.provenance.run import run_record

run = Path(snakemake.output.run)
write_json(run, run_record(snakemake.params.config, snakemake.params.jobs, run.parent))
