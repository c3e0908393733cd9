"""Describe the results: what the study ran with, an RO-Crate of every file, and a manifest of their digests."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_json
from nontrivial_study.provenance.crate import make_crate
from nontrivial_study.provenance.run import run_record, write_manifest

output, params = snakemake.output, snakemake.params
results = Path(output.run).parent
made = [Path(path).relative_to(results).as_posix() for path in snakemake.input.made]
# Tables list models and data sets in the order of the configuration, so the record keeps that order.
write_json(output.run, run_record(params.config, made, results, params.project), sort_keys=False)
write_json(output.crate, make_crate(results, made))
write_manifest(results)
