"""Describe the results, and how they came about, as an RO-Crate."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.provenance.crate import write_crate

write_crate(Path(snakemake.output.crate).parent, snakemake.params.jobs)
