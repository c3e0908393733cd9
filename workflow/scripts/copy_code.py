"""Put the project as it made the results beside them, and a page that says what is where."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_text
from nontrivial.provenance.project import copy_project

files = dict(zip(snakemake.params.names, snakemake.input.project, strict=True))
copy_project(files, Path(snakemake.output.workflow).parent)
write_text(snakemake.output.readme, Path(snakemake.input.readme).read_text(encoding="utf-8"))
