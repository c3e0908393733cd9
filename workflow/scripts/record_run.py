"""Record what the study ran with and how long its jobs took."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_json
from nontrivial.provenance.run import run_record

run, params = Path(snakemake.output.run), snakemake.params
write_json(run, run_record(params.config, params.jobs, run.parent, params.project))
