"""Put the project as it made the results beside them, and a page that says what is where."""

import os
import shutil
import sys
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.provenance.project import COPY, copy_files, project_files

params, readme = snakemake.params, snakemake.output[0]
files = project_files(params.project, params.configuration, os.curdir)
copy_files(files, Path(readme).parent / COPY)
shutil.copyfile(files["workflow/report/results.md"], readme)
