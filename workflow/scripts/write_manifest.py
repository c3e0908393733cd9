"""Write the digest of every file that the study read or made."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.provenance.manifest import write_manifest

write_manifest(Path(snakemake.output.manifest).parent, Path.cwd(), snakemake.params.also)
