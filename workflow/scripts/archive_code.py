"""Put the project as it made the results beside them as one archive, and a page that says what each result is."""

import os
import shutil
import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.provenance.run import archive_code, project_files

code, *readme = snakemake.output
params = snakemake.params
files = project_files(params.project, params.configuration, os.curdir)
archive_code(files, code)
for path in readme:  # none where it lies there already
    shutil.copyfile(files["results/README.md"], path)
