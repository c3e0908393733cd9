"""Archive the project's code and configuration with the results, and copy the page that describes the results."""

import os
import shutil
import sys

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.provenance.run import archive_code, project_files

code, *readme = snakemake.output
params = snakemake.params
files = project_files(params.project, params.configuration, os.curdir)
archive_code(files, code)
for path in readme:  # no path if the results are in the project's own folder, which has this page
    shutil.copyfile(files["results/README.md"], path)
