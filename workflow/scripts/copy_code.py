"""Put the project as it made the results beside them, and a page that says what is where."""

import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_text
from nontrivial.provenance.project import copy_project

copy_project(Path.cwd(), Path(snakemake.output.workflow).parent, snakemake.params.also)
write_text(snakemake.output.readme, Path(snakemake.input.readme).read_text(encoding="utf-8"))
