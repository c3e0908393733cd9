"""Write the digest of every file that the study read or made."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.provenance.damage import check_results
from nontrivial.provenance.manifest import write_manifest

results = Path(snakemake.output.manifest).parent
check_results(results)
write_manifest(results, dict(zip(snakemake.params.names, snakemake.input.project, strict=True)))
