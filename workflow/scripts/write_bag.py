"""Put the results, as they stand in the manifest, into a BagIt bag."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.provenance.bag import write_bag

write_bag(Path(snakemake.input.manifest).parent, Path(snakemake.output.declaration).parent)
