"""Put the project as it made the results beside them, and a page that says what is where."""

import os
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial.files import write_text
from nontrivial.provenance.project import copy_files, project_files

params = snakemake.params
files = project_files(params.project, params.configuration, os.curdir)
copy_files(files, Path(snakemake.output.workflow).parent)
write_text(snakemake.output.readme, Path(snakemake.input.readme).read_text(encoding="utf-8"))
